"""`models` lists every readable card, whatever another card contains."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CARD
from model.cli import commands
from tests.hostile import CASES

REAL: dict[str, Any] = json.loads((checkpoint.SHIPPED / "rnnsearch-50" / CARD).read_text())
JUNK = (None, True, -1, 10**400, float("nan"), "", CASES["script"], "a\nb", [1], {"bleu": {"all": 101}})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of cards: an unchanged one in "good"; tests write another into "odd"."""
    path = tmp_path_factory.mktemp("models")
    write_card(path / "good", REAL | {"name": "good"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "SHIPPED", path)
        yield path


def write_card(folder: Path, card: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / CARD).write_text(json.dumps(card))
    checkpoint._read_cached_card.cache_clear()  # two files of one size may have the same time


def list_models() -> tuple[list[str], list[str]]:
    """Return the rows of the table, and the lines on standard error."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        commands.app(["models"], standalone_mode=False)
    return stdout.getvalue().splitlines()[1:], stderr.getvalue().splitlines()


@pytest.mark.parametrize("key", [*REAL, "training.curve", "training.from", "network.kind", "surprise"])
def test_an_invalid_card_affects_only_its_own_line(folder: Path, key: str) -> None:
    section, _, name = key.partition(".")
    cards = [REAL | {section: REAL[section] | {name: junk} if name else junk} for junk in JUNK]
    cards.append({other: value for other, value in REAL.items() if other != key})
    for card in cards:
        write_card(folder / "odd", card)
        table, errors = list_models()
        assert sum(line.startswith("good ") for line in table) == 1
        assert len(table) + len(errors) == 2
        for line in errors:
            assert line.startswith("damaged: ")
            assert str(folder / "odd") in line
            assert len(line) < 1500


@pytest.mark.parametrize(("change", "expected"), [
    ({"training": {"curve": [{"bleu": {"all": 101}}]}}, "bleu.all"),
    ({"network": {"kind": "transformer-xl"}}, "there is no kind of network 'transformer-xl'"),
    ({"parameters": 10**400}, "parameters must be from 0 to"),
    ({"name": "a\nb"}, "the name must be 1 to 200 printable characters"),
])  # fmt: skip
def test_an_invalid_card_is_named_with_the_reason(folder: Path, change: dict[str, Any], expected: str) -> None:
    write_card(folder / "odd", REAL | change)
    _, (error,) = list_models()
    assert expected in error


def test_markup_is_printed_as_text_and_settings_replace_a_missing_wiring(folder: Path) -> None:
    network = {"kind": "rnnencdec", "layers": 6, "norm": "before"}
    write_card(folder / "odd", REAL | {"name": "odd", "title": "[bold]Odd[/x]", "training": {}, "network": network})
    table, errors = list_models()
    assert errors == []
    assert "[bold]Odd[/x]" in table[1]
    assert "RNNencdec  layers 6, norm before " in table[1]
