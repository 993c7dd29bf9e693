"""The shipped Traces were made by the shipped weights, and meet their criteria."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.selection import select_best_per_kind, select_shipped_pair
from model.decoding import Settings
from model.decoding.translate import translate_sentence
from model.gallery import example_criteria, opening
from model.gallery.opening import EXAMPLES, FAMILY_FILE, FAMILY_FOLDER, FOLDER, SENTENCES, OpeningExample
from model.gallery.story import growing_sentence
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import normalise
from model.trace import ANNOTATIONS, Trace
from tests.cards import build_card
from tests.model.analysis.errors.test_differences import build_trace

PAIR = select_shipped_pair()
every_card = pytest.mark.parametrize("card", PAIR, ids=[card.name for card in PAIR])


def read_traces(pattern: str) -> list[Trace]:
    return [Trace.from_json(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob(pattern))]


@every_card
def test_opening_traces_were_made_by_the_shipped_weights(card: checkpoint.Card) -> None:
    traces = read_traces(f"*-{card.name}.json")
    for trace, example in zip(traces, EXAMPLES, strict=True):
        assert trace.source.text in [normalise(sentence) for sentence in example.sentences]
        assert (trace.provenance.model, trace.provenance.fingerprint) == (card.name, card.fingerprint)
        assert bool(trace.maps) == card.has_attention
        assert trace.source_detail is not None
        assert {"state norm", "context norm", "update mean", "reset mean"} <= set(trace.detail or {})
        assert ("energies" in (trace.detail or {})) == card.has_attention
        assert len(trace.source.words) > 20 or len(trace.to_json()) < 200_000
    new_trace = translate_sentence(checkpoint.load_model(card.name), normalise(SENTENCES[0]))
    assert new_trace.target.text == traces[0].target.text
    assert new_trace.log_probability == pytest.approx(traces[0].log_probability, abs=1e-3)


@pytest.mark.verdict
def test_every_opening_example_meets_its_criterion() -> None:
    """If new weights fail here, `python -m model opening` chooses another sentence."""
    trace_pairs = zip(*(read_traces(f"*-{card.name}.json") for card in PAIR), strict=True)
    results = [example.criterion(*traces) for example, traces in zip(EXAMPLES, trace_pairs, strict=True)
               if example.criterion]  # fmt: skip
    assert results == [True] * 6
    assert EXAMPLES[-1].criterion is example_criteria.exceeds_one_vector


def test_first_sentence_that_meets_the_criterion_is_selected() -> None:
    good, bad = build_trace("le chat gris dort .", (0, 3, 2, 4, 8)), build_trace("le chat dort .", (0, 3, 4, 8))
    example = OpeningExample(("first", "second"), lambda trace, _: trace is good)
    assert opening.select_traces(example, [[bad, bad], [good, bad]]) == [good, bad]
    with pytest.raises(ValueError, match="none of 2 sentences shows"):
        opening.select_traces(example, [[bad, bad], [bad, good]])
    assert opening.select_traces(OpeningExample(("any",)), [[bad, good]]) == [bad, good]


def test_other_pairs_have_examples_once_models_are_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Into Korean they begin with the tag of a style; the fake vocabulary has one token for everything."""
    into_korean = build_card("into-korean", languages=("en", "ko"))
    monkeypatch.setattr(opening, "EXAMPLES", ())
    monkeypatch.setattr(checkpoint, "list_shipped_cards", lambda: [into_korean])
    monkeypatch.setattr(opening.selection, "select_shipped_pair", lambda languages: (into_korean, into_korean))
    vocabulary = SimpleNamespace(encode=lambda text: [3, 1])
    monkeypatch.setattr(checkpoint, "load_model", lambda name: SimpleNamespace(name=name, vocabulary=vocabulary))
    texts = []

    def record(model: Any, text: str, settings: Settings) -> Trace:
        texts.append(text)
        return build_trace("le chat gris dort .", (0, 3, 2, 4, 8))

    monkeypatch.setattr(opening, "translate_sentence", record)
    names = [path.name for path in opening.write_traces(tmp_path / "opening")]
    assert len(names) == len(set(names)) == len(opening.OTHER_EXAMPLES["en", "ko"])
    assert all(name.startswith("en-ko-0") for name in names)
    assert texts == [f"<plain> {sentence}" for sentence in opening.OTHER_EXAMPLES["en", "ko"]]


def test_family_traces_were_made_by_one_shipped_model_of_each_kind() -> None:
    traces = [Trace.from_json(path.read_text(encoding="utf-8")) for path in FAMILY_FOLDER.glob("en-*.json")]
    traces = [trace for trace in traces if trace.languages == DEFAULT_PAIR]
    cards = select_best_per_kind([card for card in checkpoint.list_shipped_cards() if card.languages == DEFAULT_PAIR])
    assert {(trace.provenance.model, trace.provenance.fingerprint) for trace in traces} == {
        (card.name, card.fingerprint) for card in cards}
    (sentence,) = {trace.source.text for trace in traces}
    assert sentence == tomllib.loads(FAMILY_FILE.read_text(encoding="utf-8"))["en"]


@pytest.mark.verdict
@every_card
def test_growing_sentence_was_translated_by_the_shipped_weights(card: checkpoint.Card) -> None:
    """If new weights fail here, run `python -m model opening`."""
    traces = [trace for trace in growing_sentence.read_traces() if trace.provenance.model == card.name]
    assert [trace.source.text for trace in traces] == growing_sentence.list_prefixes()
    assert {trace.provenance.fingerprint for trace in traces} == {card.fingerprint}
    assert card.has_attention or all(ANNOTATIONS in (trace.source_detail or {}) for trace in traces)
    assert growing_sentence.FILE.stat().st_size < 300_000
