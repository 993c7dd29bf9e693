"""The READMEs are short, and the commands, options, files and links in them exist."""

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
MAX_LINES = 200
MAX_WORDS = 30  # of a sentence
REPOSITORY_PATH = re.compile(r"(?<![\w/.-])/?((?:model|pages|assets|tests|\.ci)/[\w./*-]*)")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")  # NAME, FOLDER
FOREIGN_OPTIONS = {"--server.allowedHosts", "--server.address", "--server.baseUrlPath", "--browser.serverAddress",
          "--torch-backend", "--standalone", "--nproc-per-node", "--readers", "--within", "--sentences",
          "--processes", "--room-letter", "--server.port", "--python"}  # fmt: skip
"""Options of other programs."""


@pytest.fixture(params=[*list_readmes(), ROOT / "pages" / "SERVING.md"], ids=lambda path: str(path.relative_to(ROOT)))
def readme(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def read_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def split_prose(markdown: str) -> Iterator[str]:
    """Yield the sentences of the prose, without code, tables, headings, comments and link targets."""
    prose = re.sub(r"```.*?```|<!--.*?-->|^(?:\||#).*?$", "\n\n", markdown, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", prose)
    prose = re.sub(r"^\s*(?:[-*]|\d+\.)\s", "\n\n", prose, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n", prose):
        yield from filter(None, re.split(r"(?<=[.!?])\**\s+", " ".join(block.split())))


def is_missing(pattern: str) -> bool:
    """Return whether no file matches a path, which may contain *."""
    return not any(ROOT.glob(pattern.rstrip("./") or ".")) if pattern else False


def find_commands(markdown: str) -> list[str]:
    """Return the text after every `python -m model`."""
    return re.findall(r"-m model ((?:--models \S+ )?[a-z][^`#|\n]*?)(?=\s*(?:[`#|\n]|&&| > |$))", markdown)


@pytest.mark.verdict
def test_the_main_readme_is_short() -> None:
    assert len(read_text(README).splitlines()) <= MAX_LINES


@pytest.mark.verdict
def test_sentences_are_short(readme: Path) -> None:
    assert [text for text in split_prose(read_text(readme)) if len(text.split()) > MAX_WORDS] == []


def test_links_and_paths_exist(readme: Path) -> None:
    text = read_text(readme)
    links = {target.partition("#") for target in re.findall(r"\]\(([^):]+)\)", text)}
    for target, _, heading in links:
        path = ROOT / target[1:] if target.startswith("/") else readme.parent / target
        assert path.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", read_text(path), flags=re.MULTILINE)
            assert heading in {title.lower().replace(" ", "-") for title in titles}, heading
    paths = {path for path in REPOSITORY_PATH.findall(text) if not PLACEHOLDER.search(path)}
    paths |= {f"{module.replace('.', '/')}.py" for module in re.findall(r"-m (tests\.[a-z_.]*[a-z_])", text)}
    assert [path for path in sorted(paths) if is_missing(path)] == []


def test_commands_and_options_exist(readme: Path) -> None:
    options = {name: {option for parameter in load_command(name).params for option in parameter.opts}
               for name in COMMANDS}  # fmt: skip
    text = read_text(readme)
    for line in find_commands(text):
        name, *rest = shlex.split(re.sub(r"^--models \S+ ", "", line))
        assert name in COMMANDS, line
        assert {word for word in rest if word.startswith("-")} <= options[name], line
        if name in ("train", "precision") and rest and rest[0].islower() and not rest[0].startswith("-"):
            assert rest[0] in list_recipe_names(), line
    known = {"--help", "--models"}.union(FOREIGN_OPTIONS, *options.values())
    assert set(re.findall(r"(?<![\w<!-])--[a-z][\w.-]*\w", text)) <= known


def test_every_generated_part_has_markers() -> None:
    marked = [name for path in list_readmes() for name in re.findall(r"<!-- generated: (.*) -->", read_text(path))]
    assert sorted(marked) == sorted(PARTS)
