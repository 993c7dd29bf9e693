"""What a docstring or a comment points at is there: a module with what is named in it, a file."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.paths import ROOT

DOTTED = re.compile(r"`((?:model|pages|tests)(?:\.\w+)+)`")
PATH = re.compile(r"\b((?:model|pages|tests|assets)(?:/[\w-]+)+\.(?:py|js|css|toml))\b")
PLACES = ("PAGE", "LANGUAGE", "NAME")  # which stand for others


def files() -> Iterator[Path]:
    yield ROOT / "app.py"
    player = "assets/player"
    for folder, ending in (("model", "py"), ("pages", "py"), ("tests", "py"), (player, "js"), (player, "css")):
        yield from (path for path in (ROOT / folder).rglob(f"*.{ending}")
                    if not {"node_modules", "built"} & set(path.parts))  # fmt: skip


def there(name: str) -> bool:
    """Whether a dotted name is a module, or something that a module has."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module, first = ROOT.joinpath(*parts[:end]), (parts[end:] or [""])[0]
        for file in (module.with_suffix(".py"), module / "__init__.py"):
            if file.exists():
                return re.search(rf"\b{first}\b", file.read_text(encoding="utf-8")) is not None
    return False


@pytest.mark.parametrize(("name", "right"), [
    ("model.decoding", True), ("model.decoding.beam", True), ("model.serialization.codec.dump_entries", True),
    ("model.analysis.bleu", False), ("model.serialization.codec.nothing_of_the_kind", False), ("nowhere.at.all", False),
])  # fmt: skip
def test_what_is_there_is_known(name: str, right: bool) -> None:
    assert there(name) is right


def test_everything_pointed_at_is_there() -> None:
    lost = []
    for file in files():
        text = file.read_text(encoding="utf-8")
        if file == Path(__file__):
            continue
        lost += [(str(file.relative_to(ROOT)), name) for name in DOTTED.findall(text) if not there(name)]
        lost += [(str(file.relative_to(ROOT)), path) for path in PATH.findall(text)
                 if not set(PLACES) & set(path.split("/")) and not (ROOT / path).exists()]  # fmt: skip
    assert not lost
