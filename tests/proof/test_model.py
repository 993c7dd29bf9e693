"""A user's own network is one file and one line: its card, and overrides of each of its heads.

`tests/model/networks/test_every_kind.py` tests it with the other kinds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Model, list_corpora
from model.decoding import OverrideRule, Overrides, RowOverride
from model.decoding.translate import translate_n_best, translate_sentence
from model.trace import Trace
from tests.canonical import normalise_all
from tests.proof.conftest import NAME
from tests.proof.network import ENCODER_MAP, HEADS, TwoHeads

(SENTENCE,) = normalise_all(["My sister reads a green book in the garden today."])


def translate(model: Model, *rules: OverrideRule, rows: tuple[RowOverride, ...] = ()) -> Trace:
    (trace,) = translate_n_best(model, SENTENCE, overrides=Overrides(rows, rules=rules))
    return trace


def test_card_states_the_facts(trained: Path, model: Model) -> None:
    card = checkpoint.read_card(trained)
    assert (card.kind, card.name, card.title, card.longest_words) == ("two-heads", NAME, "TwoHeads-50", 50)
    assert card.maps == (*HEADS, ENCODER_MAP)
    assert card.has_attention
    assert card.main_map == HEADS[0]
    assert card.target_tokens > 0
    assert list_corpora(card.training) == ["tiny"]
    assert isinstance(model.network, TwoHeads)
    assert translate_sentence(model, SENTENCE).shown == "cross-attention-h1"


@pytest.mark.verdict
def test_one_head_can_be_overridden_without_the_other(model: Model) -> None:
    first, second = (head.key for head in HEADS)
    plain = translate_sentence(model, SENTENCE)
    row = (1.0, *[0.0] * (len(plain.source.pieces) - 1))
    changed = translate(model, rows=(RowOverride(1, second, row),))
    assert changed.made_by.edits == Overrides((RowOverride(1, second, row),)).to_text()
    assert changed.get_map(second).values[0].tolist() == list(row)
    assert changed.get_map(first).values[0].tolist() == plain.get_map(first).values[0].tolist()
    assert changed.steps[0] != plain.steps[0]
    changed = translate(model, OverrideRule(second, "uniform"))
    np.testing.assert_allclose(changed.get_map(second).values, 1 / len(row), rtol=1e-6)
    assert changed.get_map(first).values[0].tolist() == plain.get_map(first).values[0].tolist()
    unchanged = translate(model, *(OverrideRule(head.key, "temperature", parameter=1) for head in HEADS))
    assert (unchanged.steps, unchanged.maps) == (plain.steps, plain.maps)
