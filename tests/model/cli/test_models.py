"""`python -m model models` lists every model that can be told of, whatever stands on the card of another."""

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


def places(value: Any, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where in a card something stands: the keys that lead there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield (*before, key)
        yield from places(item, (*before, key))


PLACES = [*places(REAL)]
READ = [place for place in PLACES if place[0] not in ("scores", "training")] + [
    ("training", "curve"), ("training", "curve", 0), ("training", "curve", 0, "bleu"), ("training", "from"),
    ("training", "curve", 0, "bleu", "all"), ("training", "target_pieces"), ("training", "from", "training"),
    ("training", "from", "training", "target_pieces"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two models, as far as their cards go: one as it is shipped, and one in the folder "odd"."""
    made = tmp_path_factory.mktemp("models")
    write(made / "good", REAL | {"name": "good"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "SHIPPED", made)
        yield made


def write(place: Path, card: dict[str, Any]) -> None:
    place.mkdir(exist_ok=True)
    (place / CARD).write_text(json.dumps(card))
    checkpoint._read_cached_card.cache_clear()  # a file of the same size may be written within one tick of the clock


def listed() -> tuple[list[str], list[str]]:
    """The lines of the command: of the table, its head apart, and on standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        commands.app(["models"], standalone_mode=False)
    return out.getvalue().splitlines()[1:], err.getvalue().splitlines()


@settings(max_examples=400)
@given(place=st.sampled_from(PLACES) | st.sampled_from(READ), value=VALUES, way=st.sampled_from(("set", "add", "drop")))
def test_one_odd_card_costs_its_own_line_alone(
    folder: Path, place: tuple[str | int, ...], value: Any, way: str
) -> None:
    card = copy.deepcopy(REAL)
    inside: Any = card
    for key in place[:-1]:
        inside = inside[key]
    match way:
        case "set":
            inside[place[-1]] = value
        case "drop":
            del inside[place[-1]]
        case "add" if isinstance(inside, list):
            inside.append(value)
        case _:
            inside["surprise"] = value
    write(folder / "odd", card)
    table, errors = listed()
    assert sum(line.startswith("good ") for line in table) == 1
    assert len(table) + len(errors) == 2, "one line for each: in the table or on standard error"
    for line in errors:
        assert line.startswith("damaged: ")
        assert str(folder / "odd") in line
        assert len(line) < 1500


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("training", "curve"), 5, "bleu.all"),
        (("training", "curve"), [{}], "bleu.all"),
        (("training", "curve"), [{"bleu": {"all": "much"}}], "bleu.all"),
        (("training", "curve"), [{"bleu": {"all": 101}}], "bleu.all"),
        (("network", "kind"), "transformer-xl", "there is no kind of network 'transformer-xl'"),
        (("network", "kind"), [], "there is no kind of network"),
        (("parameters",), 10**400, "parameters must be from 0 to"),
        (("name",), "a\nb", "the name must be 1 to 200 printable characters"),
    ],
)
def test_the_odd_one_is_named_with_what_is_off(folder: Path, place: tuple[str, ...], value: Any, said: str) -> None:
    card = copy.deepcopy(REAL)
    inside = card
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    write(folder / "odd", card)
    table, errors = listed()
    assert [line.split()[0] for line in table] == ["good"]
    (error,) = errors
    assert str(folder / "odd") in error
    assert said in error


def test_a_kind_without_a_wiring_and_signs_of_markup_are_shown_as_they_are(folder: Path) -> None:
    card = copy.deepcopy(REAL) | {"name": "odd", "title": "[bold]Odd[/x]", "training": {}}
    card["network"] = {"kind": "rnnencdec", "layers": 6, "norm": "before"}
    write(folder / "odd", card)
    table, errors = listed()
    assert errors == []
    assert "[bold]Odd[/x]" in table[1]
    assert "RNNencdec  layers 6, norm before " in table[1]
