"""What edits change step by step, against the same numbers computed one row at a time."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch

from model.analysis.ablation.effect import measure_effect, measure_effects
from model.decoding import Edits, EditsError, RowEdit, Rule
from model.decoding.attention_override import Rows
from model.networks.registry import build_network
from model.networks.rnnsearch import ATTENTION, RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD, Vocabulary

TEXT = normalise("The old dog runs in the garden.")
PIECES = [7, 12, 9, 9, 20, EOS]


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary) -> SimpleNamespace:
    torch.manual_seed(3)
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 6, 6, 6, 4)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0, 0.9)
    return SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                           languages=("en", "fr"))


def alone(model: SimpleNamespace, rule: Rule | None) -> list[torch.Tensor]:
    """The distributions that the network itself gives for PIECES, its rows changed by a rule for all steps."""
    ids = model.vocabulary.encode(TEXT)
    state, found = model.network.start(model.network.encode(torch.tensor([ids]))), []
    for step, last in enumerate([PAD, *PIECES[:-1]], 1):
        changed = {} if rule is None else {ATTENTION.key: Rows(step, [rule], [len(ids)], None)}
        result = model.network.step(state, torch.tensor([last]), alpha=changed)
        state = result.state
        found.append(result.log_probs[0].detach())
    return found


@pytest.mark.verdict
@pytest.mark.parametrize("rule", [Rule("attention", "uniform"), Rule("attention", "max"),
                                  Rule("attention", "never", places=(2,))])
def test_each_step_is_compared_with_the_same_words_before_it(model: SimpleNamespace, rule: Rule) -> None:
    found = measure_effect(model, TEXT, PIECES, Edits(rules=(rule,)))
    plain, changed = alone(model, None), alone(model, rule)
    for step, piece in enumerate(PIECES):
        assert found.log_probs_before[step] == pytest.approx(float(plain[step][piece]), abs=1e-9)
        assert found.log_probs_after[step] == pytest.approx(float(changed[step][piece]), abs=1e-9)
        expected = float((plain[step].exp() * (plain[step] - changed[step])).sum())
        assert found.kl_divergence[step] == pytest.approx(expected, abs=1e-9)
        assert found.is_most_likely[step] == (int(changed[step].argmax()) == piece)
        assert found.log_prob_changes[step] == found.log_probs_after[step] - found.log_probs_before[step]
    assert max(found.kl_divergence) > 0.001


def test_what_changes_nothing_has_no_effect(model: SimpleNamespace) -> None:
    for edits in (Edits(), Edits(rules=(Rule("attention", "temperature", number=1),)),
                  Edits(rules=(Rule("attention", "uniform", first=900),)), Edits(prefix=(9, 9))):  # fmt: skip
        found = measure_effect(model, TEXT, PIECES, edits)
        assert found.log_prob_changes == pytest.approx([0.0] * len(PIECES), abs=1e-12)  # rows of one batch round alike
        assert found.kl_divergence == pytest.approx([0.0] * len(PIECES), abs=1e-12)


def test_a_change_acts_from_its_step_on(model: SimpleNamespace) -> None:
    size = len(model.vocabulary.encode(TEXT))
    found = measure_effect(model, TEXT, PIECES, Edits((RowEdit(3, "attention", (1.0, *[0.0] * (size - 1))),)))
    assert found.kl_divergence[:2] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert found.kl_divergence[2] > 0
    assert not math.isclose(found.log_prob_changes[2], 0)


def test_many_together_are_as_each_alone(model: SimpleNamespace) -> None:
    asked = [Edits(rules=(Rule("attention", "uniform"),)), Edits(), Edits(rules=(Rule("attention", "before"),))]
    for one, found in zip(asked, measure_effects(model, TEXT, PIECES, asked), strict=True):
        alone = measure_effect(model, TEXT, PIECES, one)
        assert found.log_probs_after == pytest.approx(alone.log_probs_after, abs=1e-9)
        assert found.kl_divergence == pytest.approx(alone.kl_divergence, abs=1e-9)


@pytest.mark.parametrize("pieces", [[], [PAD], [EOS, EOS], [5, EOS, 5]])
def test_what_is_no_translation_is_refused(model: SimpleNamespace, pieces: list[int]) -> None:
    with pytest.raises(ValueError, match="A translation is a list of piece ids"):
        measure_effect(model, TEXT, pieces, Edits())


def test_edits_that_do_not_fit_are_refused(model: SimpleNamespace) -> None:
    with pytest.raises(EditsError, match="has 1 weights"):
        measure_effect(model, TEXT, PIECES, Edits((RowEdit(1, "attention", (1.0,)),)))
