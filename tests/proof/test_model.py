"""A further network is one file and one line: trained, saved, searched, traced, edited, evaluated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from model.analysis.alignment.alignment import align
from model.analysis.attribution.saliency import compute_saliency
from model.analysis.attribution.saliency_computation import MAX_GAP
from model.analysis.attribution.saliency_record import METHODS, measure_agreement
from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import ParallelText
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Model, list_corpora
from model.decoding import OverrideRule, Overrides, RowOverride, Settings, search
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.translate import translate_n_best, translate_sentence
from model.trace import Trace
from tests.canonical import normalise_all, normalise_pairs
from tests.proof.conftest import NAME
from tests.proof.network import HEADS, INNER, TwoHeads

SENTENCES = normalise_all(["The cat sleeps.", "I am a student.", "My sister reads a green book in the garden today."])


def test_it_learns_and_its_card_states_the_facts(trained: Path, model: Model) -> None:
    card = checkpoint.read_card(trained)
    assert (card.kind, card.name, card.title, card.longest_words) == ("two-heads", NAME, "TwoHeads-50", 50)
    assert card.maps == (*HEADS, INNER)
    assert card.has_attention
    assert card.main_map == HEADS[0]
    assert card.target_tokens > 0
    assert list_corpora(card.training) == ["tiny"]
    assert isinstance(model.network, TwoHeads)
    curve = card.training["curve"]
    assert curve[-1]["loss"] < 5.0 < np.log(400)  # nats a piece; guessing costs log 400 = 6.0


@pytest.mark.parametrize("settings", [Settings(), Settings(beam=4, n_best=4), Settings(sample=True, seed=3)])
def test_a_batch_equals_its_sentences_one_by_one(model: Model, settings: Settings) -> None:
    network = model.network.double()
    sources = [model.vocabulary.encode(sentence) for sentence in SENTENCES]
    for source, found in zip(sources, search(network, sources, settings), strict=True):
        (alone,) = search(network, [source], settings)
        for one, other in zip(found, alone, strict=True):
            assert one.tokens == other.tokens
            assert list(one.weights) == ["cross-attention-h1", "cross-attention-h2", "encoder-self-attention-l1"]
            for key, values in one.weights.items():
                np.testing.assert_allclose(values, other.weights[key], rtol=0, atol=1e-9)
    model.network.float()


@pytest.mark.verdict
def test_every_map_is_in_the_trace_with_its_axes(model: Model) -> None:
    for trace in translate_n_best(model, SENTENCES[0], Settings(beam=3, n_best=3)):
        assert trace.shown == "cross-attention-h1"
        assert [(one.key, one.rows, one.columns) for one in trace.maps] == [
            ("cross-attention-h1", "target", "source"), ("cross-attention-h2", "target", "source"),
            ("encoder-self-attention-l1", "source", "source")]  # fmt: skip
        pieces = len(trace.source.pieces)
        assert trace.get_map("encoder-self-attention-l1").values.shape == (pieces, pieces)
        assert trace.compute_word_map("encoder-self-attention-l1").shape == (len(trace.source.words),) * 2
        assert trace.get_map("cross-attention-h2").values.shape == (len(trace.steps), pieces)
        assert Trace.from_json(trace.to_json()) == trace


def test_its_own_alpha_put_back_changes_nothing_in_any_head(model: Model) -> None:
    plain = translate_sentence(model, SENTENCES[2])
    for heads in ([HEADS[0].key], [HEADS[1].key], [one.key for one in HEADS]):
        rows = tuple(RowOverride(step, key, tuple(row)) for key in heads
                     for step, row in enumerate(plain.get_map(key).values.tolist(), 1))  # fmt: skip
        edits = Overrides(rows)
        (again,) = translate_n_best(model, SENTENCES[2], overrides=edits)
        assert again.made_by.edits == edits.to_text() != ""
        assert (again.steps, again.maps, again.score) == (plain.steps, plain.maps, plain.score)


def test_one_head_can_be_changed_and_the_other_left(model: Model) -> None:
    plain = translate_sentence(model, SENTENCES[0])
    pieces = len(plain.source.pieces)
    edits = Overrides((RowOverride(1, HEADS[1].key, (1.0, *[0.0] * (pieces - 1))),))
    (changed,) = translate_n_best(model, SENTENCES[0], overrides=edits)
    assert changed.get_map(HEADS[1].key).values[0].tolist() == [1.0, *[0.0] * (pieces - 1)]
    assert changed.get_map(HEADS[0].key).values[0].tolist() == plain.get_map(HEADS[0].key).values[0].tolist()
    assert changed.steps[0] != plain.steps[0]


def test_it_is_forced_aligned_and_evaluated(model: Model, sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    forced = build_forced_trace(model, *normalise_pairs(sentences[:1])[0])
    assert forced.target.text == sentences[0][1]
    assert len(list(align(model, sentences[:3]))) == 3
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in sentences[:6]), encoding="utf-8")
    found = evaluate(model, ParallelText.read(path), Settings(), command="a test")
    assert found.model == NAME
    assert found.data.sentences == 6


def test_what_it_leaned_on_can_be_asked(model: Model) -> None:
    trace = translate_sentence(model, SENTENCES[0])
    for method in METHODS:
        found = compute_saliency(model, trace, method)
        assert found.values.shape == (len(trace.target.pieces), len(trace.source.pieces))
        assert len(measure_agreement(found, trace).rows) == len(trace.compute_word_map_with_end())
    assert (compute_saliency(model, trace, "integrated").completeness_gaps() <= MAX_GAP).all()


@pytest.mark.parametrize("settings", [Settings(), Settings(beam=3, n_best=3)], ids=["greedy", "beam"])
def test_rules_act_on_one_head_or_on_both(model: Model, settings: Settings) -> None:
    plain = translate_n_best(model, SENTENCES[2], settings)
    left = translate_n_best(
        model,
        SENTENCES[2],
        settings,
        overrides=Overrides(rules=tuple(OverrideRule(one.key, "temperature", parameter=1) for one in HEADS)),
    )
    assert [(one.steps, one.maps) for one in left] == [(one.steps, one.maps) for one in plain]
    for changed in translate_n_best(
        model, SENTENCES[2], settings, overrides=Overrides(rules=(OverrideRule(HEADS[1].key, "uniform"),))
    ):
        pieces = len(changed.source.pieces)
        np.testing.assert_allclose(changed.get_map(HEADS[1].key).values, 1 / pieces, rtol=1e-6)
        assert changed.get_map(HEADS[0].key).values[0].tolist() == plain[0].get_map(HEADS[0].key).values[0].tolist()
