"""Every registered kind and the example in `tests/proof`, trained briefly: saved, decoded, overridden and measured.

SMALL holds the config of each kind; a new kind needs an entry.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.analysis.alignment.alignment import align
from model.analysis.attribution import gradients
from model.analysis.attribution.saliency import compute_saliency
from model.analysis.attribution.saliency_record import METHODS
from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import ParallelText
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Model
from model.decoding import OverrideRule, Overrides, RowOverride, Settings
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.translate import translate_n_best, translate_sentence
from model.networks import registry
from model.networks.base import SourceEmbedder
from model.networks.recurrence import RecurrentTranslator
from model.networks.transformer import Transformer
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from model.training.recipe import Plan, load_recipe
from model.training.trainer import Trainer
from tests.canonical import normalise_all, normalise_pairs
from tests.model.training.conftest import write_data
from tests.proof import network as proof_network

_GRU = {"embedding": 16, "hidden": 24, "alignment": 16, "readout": 16, "wiring": "groundhog", "dropout": 0.0}
_COVERAGE = {**_GRU, "coverage": "linguistic", "coverage_size": 1, "fertility": 2, "coverage_loss": 0.0}
_LSTM = {"embedding": 16, "hidden": 24, "layers": 2, "reverse": True, "dropout": 0.0}
SMALL: dict[str, dict[str, Any]] = {
    "rnnsearch": _GRU,
    "rnnencdec": _GRU,
    "seq2seq": _LSTM,
    "luong": {**_LSTM, "directions": 2, "score": "general", "window": "global", "distance": 10, "places": 60,
              "feeding": True},
    "coverage": {**_COVERAGE, "copying": False},
    "copy": {**_COVERAGE, "coverage": "none", "copying": True},
    "two-heads": _GRU,
    "transformer": {"hidden": 32, "feed_forward": 48, "heads": 2, "layers": 2, "norm": "pre", "dropout": 0.0},
}  # fmt: skip
KINDS = tuple(name for name, kind in registry.KINDS.items() if kind.network.startswith("model."))
EXAMPLE = proof_network.KIND.name
SENTENCES = normalise_all(["The cat sleeps.", "I am a student.", "My sister reads a green book in the garden today."])


@pytest.fixture(scope="module", params=[*KINDS, EXAMPLE])
def model(request: pytest.FixtureRequest, sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary,
          tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A network of the kind, trained with the recipe `tiny`."""
    folder = tmp_path_factory.mktemp(request.param)
    data = write_data(folder / "data", tiny_vocabulary, sentences)
    recipe = replace(load_recipe("tiny"), network=SMALL[request.param])
    trainer = Trainer(folder / "run", recipe, Plan(request.param, 50), data, threads=1)
    for _ in trainer.run(max_updates=60):
        pass
    trainer.export(folder / "model")
    return checkpoint.load_model(folder / "model")


def list_source_attention(model: Model) -> list[str]:
    return [described.key for described in model.network.maps if described.is_target_by_source]


@pytest.mark.verdict
def test_it_learns_and_its_card_states_the_facts(model: Model) -> None:
    card = model.card
    assert card.maps == tuple(model.network.maps)
    assert card.network["kind"] == card.kind
    assert card.title == f"{registry.find_kind(card.kind).title}-50"
    assert card.training["loss"] < 5.5 < np.log(400)  # nats per token; uniform guessing costs log 400 = 6.0
    kind = registry.find_kind(card.kind)
    assert not kind.equations or kind.build_equations(card.network).equations


@pytest.mark.verdict
def test_trace_has_every_map_with_its_axes(model: Model) -> None:
    for trace in translate_n_best(model, SENTENCES[2], Settings(beam=3, n_best=3, detail=True)):
        sides = {"target": (trace.target, len(trace.steps)), "source": (trace.source, len(trace.source.pieces))}
        assert [weights.description for weights in trace.maps] == list(model.network.maps)
        assert trace.displayed_map_key == (model.card.main_map.key if model.card.main_map else None)
        for weights in trace.maps:
            axes = sides[weights.rows], sides[weights.columns]
            assert weights.values.shape == tuple(pieces for _, pieces in axes)
            assert trace.compute_word_map(weights.key).shape == tuple(len(side.words) for side, _ in axes)
        assert trace.detail is not None
        assert "state" in trace.detail
        assert Trace.from_json(trace.to_json()) == trace


def test_attention_can_be_overridden(model: Model) -> None:
    """A translation's attention in float32, read from its Trace, changes nothing; a rule changes the map it names."""
    plain = translate_sentence(model, SENTENCES[2])
    for key in list_source_attention(model):
        rows = tuple(RowOverride(step, key, tuple(row))
                     for step, row in enumerate(plain.get_map(key).values.tolist(), 1))  # fmt: skip
        (second_trace,) = translate_n_best(model, SENTENCES[2], overrides=Overrides(rows))
        if isinstance(model.network, Transformer):  # a layer at a time with overrides, a whole step without: rounding
            assert [step.id for step in second_trace.steps] == [step.id for step in plain.steps]
            assert second_trace.score == pytest.approx(plain.score, abs=1e-5)
            for second_map, map_plain in zip(second_trace.maps, plain.maps, strict=True):
                np.testing.assert_allclose(second_map.values, map_plain.values, atol=1e-6)
        else:
            assert (second_trace.steps, second_trace.maps, second_trace.score) == (plain.steps, plain.maps, plain.score)
        (trace,) = translate_n_best(model, SENTENCES[2], overrides=Overrides(rules=(OverrideRule(key, "uniform"),)))
        np.testing.assert_allclose(trace.get_map(key).values, 1 / len(trace.source.pieces), rtol=1e-5)


def test_saliency_can_be_computed(model: Model) -> None:
    assert isinstance(model.network, SourceEmbedder)
    trace = translate_sentence(model, SENTENCES[0])
    for method in METHODS:
        values = compute_saliency(model, trace, method).values
        assert values.shape == (len(trace.target.pieces), len(trace.source.pieces))
        assert np.abs(values).max() > 0


def test_gradients_by_distance_can_be_measured(model: Model) -> None:
    if not isinstance(model.network, RecurrentTranslator):
        pytest.skip("it does not list its recurrent cells")
    trace = translate_sentence(model, SENTENCES[0])
    result = gradients.measure_gradients(model, trace)
    assert result.total.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert (result.direct is not None) == bool(list_source_attention(model))
    np.testing.assert_allclose(result.log_probabilities, [step.log_probability for step in trace.steps], atol=1e-4)
    assert bool(result.gates) == result.is_recurrent == registry.find_kind(model.card.kind).is_recurrent


def test_pairs_are_forced_aligned_and_evaluated(model: Model, sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    forced = build_forced_trace(model, *normalise_pairs(sentences[:1])[0])
    assert forced.target.text == sentences[0][1]
    if list_source_attention(model):
        assert len(list(align(model, sentences[:3]))) == 3
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in sentences[:6]), encoding="utf-8")
    evaluation = evaluate(model, ParallelText.read(path), Settings(), command="a test")
    assert (evaluation.model, evaluation.data.sentences) == (model.name, 6)
