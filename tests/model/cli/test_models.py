"""`models` lists every readable card, whatever another card contains."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CARD
from model.cli import commands
from tests.hostile import CASES

REAL: dict[str, Any] = json.loads((checkpoint.SHIPPED / "rnnsearch-50" / CARD).read_text())
TEXTS = st.text(max_size=20) | st.sampled_from([*CASES.values()])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([10**400, -(10**400), 2**53, 1e308, -1.0])
    | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6,
)  # fmt: skip

KeyPath = tuple[str | int, ...]


def list_key_paths(value: Any, prefix: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of every value in a card."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield (*prefix, key)
        yield from list_key_paths(item, (*prefix, key))


KEY_PATHS = [*list_key_paths(REAL)]
USED_PATHS = [path for path in KEY_PATHS if path[0] not in ("scores", "training")] + [
    ("training", "curve"), ("training", "curve", 0), ("training", "curve", 0, "bleu"), ("training", "from"),
    ("training", "curve", 0, "bleu", "all"), ("training", "target_pieces"), ("training", "from", "training"),
    ("training", "from", "training", "target_pieces"),
]  # fmt: skip


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
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        commands.app(["models"], standalone_mode=False)
    return out.getvalue().splitlines()[1:], err.getvalue().splitlines()


def change_card(path: KeyPath, value: Any, change: str = "set") -> dict[str, Any]:
    card = copy.deepcopy(REAL)
    parent: Any = card
    for key in path[:-1]:
        parent = parent[key]
    if change == "set":
        parent[path[-1]] = value
    elif change == "drop":
        del parent[path[-1]]
    elif isinstance(parent, list):
        parent.append(value)
    else:
        parent["surprise"] = value
    return card


@settings(max_examples=150)
@given(path=st.sampled_from(KEY_PATHS) | st.sampled_from(USED_PATHS), value=VALUES,
       change=st.sampled_from(("set", "add", "drop")))
def test_an_invalid_card_affects_only_its_own_line(folder: Path, path: KeyPath, value: Any, change: str) -> None:
    write_card(folder / "odd", change_card(path, value, change))
    table, errors = list_models()
    assert sum(line.startswith("good ") for line in table) == 1
    assert len(table) + len(errors) == 2
    for line in errors:
        assert line.startswith("damaged: ")
        assert str(folder / "odd") in line
        assert len(line) < 1500


@pytest.mark.parametrize(("path", "value", "expected"), [
    (("training", "curve"), 5, "bleu.all"), (("training", "curve"), [{"bleu": {"all": 101}}], "bleu.all"),
    (("network", "kind"), "transformer-xl", "there is no kind of network 'transformer-xl'"),
    (("parameters",), 10**400, "parameters must be from 0 to"),
    (("name",), "a\nb", "the name must be 1 to 200 printable characters"),
])  # fmt: skip
def test_an_invalid_card_is_named_with_the_reason(folder: Path, path: KeyPath, value: Any, expected: str) -> None:
    write_card(folder / "odd", change_card(path, value))
    table, (error,) = list_models()
    assert [line.split()[0] for line in table] == ["good"]
    assert str(folder / "odd") in error
    assert expected in error


def test_markup_is_printed_as_text_and_settings_replace_a_missing_wiring(folder: Path) -> None:
    network = {"kind": "rnnencdec", "layers": 6, "norm": "before"}
    write_card(folder / "odd", REAL | {"name": "odd", "title": "[bold]Odd[/x]", "training": {}, "network": network})
    table, errors = list_models()
    assert errors == []
    assert "[bold]Odd[/x]" in table[1]
    assert "RNNencdec  layers 6, norm before " in table[1]
