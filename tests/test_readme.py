"""The READMEs: short, fresh, and naming only commands, options, files and links that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.analysis.paper.report import PARTS
from model.cli.commands import COMMANDS, load_command
from model.cli.results import list_readmes
from model.paths import ROOT
from model.training.recipe import list_recipe_names

README = ROOT / "README.md"
LINES = 200
WORDS = 30  # of a sentence
PATH = re.compile(r"(?<![\w/.-])/?((?:model|pages|assets|tests|\.ci)/[\w./*-]*)")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")  # NAME, FOLDER: something of the reader's
OTHERS = {"--server.allowedHosts", "--server.address", "--server.baseUrlPath", "--browser.serverAddress",
          "--torch-backend", "--standalone", "--nproc-per-node", "--readers", "--within"}  # fmt: skip
"""Options of programs that are not ours."""


@pytest.fixture(params=list_readmes(), ids=lambda path: str(path.relative_to(ROOT)))
def readme(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def sentences(markdown: str) -> Iterator[str]:
    """The sentences of the prose: no code, tables, headings or comments; of a link its text."""
    prose = re.sub(r"```.*?```|<!--.*?-->|^(?:\||#).*?$", "\n\n", markdown, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", prose)
    prose = re.sub(r"^\s*(?:[-*]|\d+\.)\s", "\n\n", prose, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n", prose):
        yield from filter(None, re.split(r"(?<=[.!?])\**\s+", " ".join(block.split())))


def missing(named: str) -> bool:
    """Whether a path, which may hold *, names nothing in the repository."""
    return not any(ROOT.glob(named.rstrip("./") or ".")) if named else False


def commands(markdown: str) -> list[str]:
    """What follows `python -m model` wherever it stands."""
    return re.findall(r"-m model ((?:--models \S+ )?[a-z][^`#|\n]*?)(?=\s*(?:[`#|\n]|&&| > |$))", markdown)


@pytest.mark.verdict
def test_the_first_page_is_short() -> None:
    assert len(text_of(README).splitlines()) <= LINES


@pytest.mark.verdict
def test_no_sentence_is_long(readme: Path) -> None:
    assert [one for one in sentences(text_of(readme)) if len(one.split()) > WORDS] == []


def test_a_long_sentence_is_seen_and_tables_and_code_are_not_prose() -> None:
    long = "word " * WORDS + "word."
    markdown = f"# {long}\n\nOne. Two\nlines: [a link]({long}).\n\n- {long}\n\n```\n{long}\n```\n| {long} |\n"
    assert list(sentences(markdown)) == ["One.", "Two lines: a link.", long]


def test_its_links_and_paths_exist(readme: Path) -> None:
    text = text_of(readme)
    links = {target.partition("#") for target in re.findall(r"\]\(([^):]+)\)", text)}
    for target, _, heading in links:
        path = ROOT / target[1:] if target.startswith("/") else readme.parent / target
        assert path.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", text_of(path), flags=re.MULTILINE)
            assert heading in {title.lower().replace(" ", "-") for title in titles}, heading
    named = {path for path in PATH.findall(text) if not PLACEHOLDER.search(path)}
    named |= {f"{module.replace('.', '/')}.py" for module in re.findall(r"-m (tests\.[a-z_.]*[a-z_])", text)}
    assert [path for path in sorted(named) if missing(path)] == []


def test_its_commands_and_options_exist(readme: Path) -> None:
    options = {name: {option for parameter in load_command(name).params for option in parameter.opts}
               for name in COMMANDS}  # fmt: skip
    text = text_of(readme)
    for line in commands(text):
        name, *rest = shlex.split(re.sub(r"^--models \S+ ", "", line))
        assert name in COMMANDS, line
        assert {word for word in rest if word.startswith("-")} <= options[name], line
        if name in ("train", "precision") and rest and rest[0].islower() and not rest[0].startswith("-"):
            assert rest[0] in list_recipe_names(), line
    anywhere = {"--help", "--models"}.union(OTHERS, *options.values())
    assert set(re.findall(r"(?<![\w<!-])--[a-z][\w.-]*\w", text)) <= anywhere


def test_commands_are_found_wherever_they_stand() -> None:
    found = commands("`python -m model results --check` and\npython -m model a b && python -m model c  # -m model it\n"
                     "x | python -m model translate > y\n")
    assert found == ["results --check", "a b", "c", "it", "translate"]


def test_every_generated_part_has_its_place() -> None:
    marked = [name for path in list_readmes() for name in re.findall(r"<!-- generated: (.*) -->", text_of(path))]
    assert sorted(marked) == sorted(PARTS)
