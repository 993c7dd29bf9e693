"""The repository as a whole: licences, references in comments, and a quick test selection in every folder."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import SHIPPED, iterate_training_stages, list_cards, list_corpora
from model.paths import ROOT

MODULE_NAME = re.compile(r"`((?:model|pages|tests)(?:\.\w+)+)`")
FILE_PATH = re.compile(r"\b((?:model|pages|tests|assets)(?:/[\w-]+)+\.(?:py|js|css|toml))\b")
PLACEHOLDERS = {"PAGE", "LANGUAGE", "NAME"}
TESTS = Path(__file__).parent
TEST_FOLDERS = sorted({path.parent for path in TESTS.rglob("test_*.py")})


# --- licences


def test_the_code_has_a_licence() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n\nCopyright (c) ")


def test_the_terms_of_every_training_corpus_are_listed() -> None:
    rows = [line.split("|")[1:-1] for line in (SHIPPED / "README.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")]  # fmt: skip
    assert all(len(cells) == 4 and all(cell.strip() for cell in cells) for cells in rows)
    trained_on = {corpus.removesuffix("-bare") for card in list_cards() for corpus in list_corpora(card.training)}
    stages = [stage for card in list_cards() for stage in iterate_training_stages(card.training)]
    evaluated_on = {name for stage in stages for entry in stage["curve"] for name in entry["bleu"]} - {"all"}
    assert {"europarl", "tatoeba"} <= trained_on
    assert trained_on | evaluated_on == {name.strip(" `") for cells in rows for name in cells[0].split(",")}


# --- references in docstrings and comments


def list_source_files() -> Iterator[Path]:
    yield ROOT / "app.py"
    player = "assets/player"
    for folder, ending in (("model", "py"), ("pages", "py"), ("tests", "py"), (player, "js"), (player, "css")):
        yield from (path for path in (ROOT / folder).rglob(f"*.{ending}")
                    if not {"node_modules", "built"} & set(path.parts))  # fmt: skip


def name_exists(name: str) -> bool:
    """Return whether a dotted name is a module or a name in a module."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module, attribute = ROOT.joinpath(*parts[:end]), (parts[end:] or [""])[0]
        for file in (module.with_suffix(".py"), module / "__init__.py"):
            if file.exists():
                return re.search(rf"\b{attribute}\b", file.read_text(encoding="utf-8")) is not None
    return False


def test_modules_and_files_named_in_comments_exist() -> None:
    missing = []
    for file in list_source_files():
        if file == Path(__file__):
            continue
        text = file.read_text(encoding="utf-8")
        missing += [(file, name) for name in MODULE_NAME.findall(text) if not name_exists(name)]
        missing += [(file, path) for path in FILE_PATH.findall(text)
                    if not PLACEHOLDERS & set(path.split("/")) and not (ROOT / path).exists()]  # fmt: skip
    assert missing == []


# --- pytest -m verdict


def list_verdict_tests(file: Path) -> list[str]:
    """Return the tests of a file that `pytest -m verdict` selects."""
    functions = (node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef))
    return [node.name for node in functions if "pytest.mark.verdict" in map(ast.unparse, node.decorator_list)]


@pytest.mark.verdict
@pytest.mark.parametrize("folder", TEST_FOLDERS, ids=lambda folder: str(folder.relative_to(TESTS)))
def test_every_folder_has_verdict_tests(folder: Path) -> None:
    names = [name for file in folder.rglob("test_*.py") for name in list_verdict_tests(file)]
    assert names, f"mark one or two important tests of {folder.relative_to(TESTS)} with @pytest.mark.verdict"
