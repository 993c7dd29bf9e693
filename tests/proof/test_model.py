"""A user's own network is one file and one line: overrides of each of its heads.

`tests/model/networks/test_every_kind.py` tests it with the other kinds.
"""

from __future__ import annotations

import pytest

from model.checkpoints.checkpoint import Model
from model.decoding import OverrideRule, Overrides, RowOverride
from model.decoding.translate import translate_n_best, translate_sentence
from model.trace import Trace
from tests.canonical import normalise_all
from tests.proof.network import HEADS

(SENTENCE,) = normalise_all(["My sister reads a green book in the garden today."])


def translate(model: Model, *rules: OverrideRule, rows: tuple[RowOverride, ...] = ()) -> Trace:
    (trace,) = translate_n_best(model, SENTENCE, overrides=Overrides(rows, rules=rules))
    return trace


@pytest.mark.verdict
def test_one_head_can_be_overridden_without_the_other(model: Model) -> None:
    first, second = (head.key for head in HEADS)
    plain = translate_sentence(model, SENTENCE)
    row = (1.0, *[0.0] * (len(plain.source.pieces) - 1))
    changed = translate(model, rows=(RowOverride(1, second, row),))
    assert changed.provenance.overrides == Overrides((RowOverride(1, second, row),)).to_text()
    assert changed.get_map(second).values[0].tolist() == list(row)
    assert changed.get_map(first).values[0].tolist() == plain.get_map(first).values[0].tolist()
    assert changed.steps[0] != plain.steps[0]
    changed = translate(model, OverrideRule(second, "uniform"))
    assert changed.get_map(first).values[0].tolist() == plain.get_map(first).values[0].tolist()
    unchanged = translate(model, *(OverrideRule(head.key, "temperature", parameter=1) for head in HEADS))
    assert (unchanged.steps, unchanged.maps) == (plain.steps, plain.maps)
