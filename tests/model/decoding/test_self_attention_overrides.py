"""Changed rows of what the decoder looks at of its own words: a head of a Transformer's self-attention."""

from __future__ import annotations

import numpy as np
import pytest

from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride, Settings, search
from model.networks.transformer import describe_cross_map, describe_decoder_map, describe_encoder_map
from tests.model.networks.test_transformer import tiny
from tests.model.tiny import PAIRS

HEAD, OTHER = describe_decoder_map(2, 1).key, describe_decoder_map(2, 3).key
SOURCES = [source for source, _ in PAIRS]
SEARCHES = [Settings(max_ratio=1.0), Settings(beam=4, n_best=4, max_ratio=1.0),
            Settings(sample=True, seed=5, max_ratio=1.0)]  # fmt: skip
every = pytest.mark.parametrize("how", SEARCHES, ids=["greedy", "beam", "sampling"])


@every
def test_a_rule_acts_on_every_row_of_its_head_alone(how: Settings) -> None:
    network = tiny("pre", seed=3)
    edits = [Overrides(rules=(OverrideRule(HEAD, "uniform"),))] * len(SOURCES)
    for found in search(network, SOURCES, how, overrides=edits):
        for one in found:
            steps = len(one.tokens)
            rows = np.tril(np.ones((steps, steps)))
            np.testing.assert_allclose(one.weights[HEAD], rows / rows.sum(1, keepdims=True), atol=1e-12)
            assert steps < 3 or np.abs(one.weights[OTHER] - one.weights[HEAD]).max() > 1e-3


@every
def test_a_row_is_that_of_its_step_and_its_own_rows_change_nothing(how: Settings) -> None:
    network = tiny("post", seed=4)
    ((plain, *_),) = search(network, SOURCES[:1], how)
    own = tuple(RowOverride(step, HEAD, tuple(row[:step])) for step, row in enumerate(plain.weights[HEAD].tolist(), 1))
    ((again, *_),) = search(network, SOURCES[:1], how, overrides=[Overrides(own)])
    assert (again.tokens, again.log_probs) == (plain.tokens, plain.log_probs)
    changed = Overrides((RowOverride(3, HEAD, (0.0, 1.0, 0.0)),))
    ((other, *_),) = search(network, SOURCES[:1], how, overrides=[changed])
    assert other.weights[HEAD][2].tolist() == [0.0, 1.0, *[0.0] * (len(other.tokens) - 2)]


@pytest.mark.parametrize(("edits", "says"), [
    (Overrides((RowOverride(3, HEAD, (0.5, 0.5)),)), "has 2 weights, .* it has 3: one for each step so far"),
    (Overrides((RowOverride(2, HEAD, (0.5, 0.6)),)), "must sum to 1"),
    (Overrides(rules=(OverrideRule(HEAD, "before"),)), "The rule “before” is for maps over the source"),
    (Overrides(rules=(OverrideRule(HEAD, "never", positions=(1,)),)), "The rule “never” is for maps over the source"),
    (Overrides(rules=(OverrideRule(describe_encoder_map(1, 1).key, "uniform"),)),
     "no map 'encoder-self-attention-l1-h1' to change; it has cross-attention-l2, .* and 13 more"),
    (Overrides((RowOverride(1, describe_cross_map(1, 1).key, (1.0,)),)), "but the sentence has 6 pieces"),
])  # fmt: skip
def test_what_does_not_fit_gets_one_sentence(edits: Overrides, says: str) -> None:
    with pytest.raises(OverrideError, match=says) as refused:
        search(tiny("pre"), SOURCES[:1], Settings(), overrides=[edits])
    assert len(str(refused.value)) < 400
