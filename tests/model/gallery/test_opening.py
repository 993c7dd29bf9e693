"""What is shipped fits together: the opening Traces were made by the shipped weights."""

from __future__ import annotations

import tomllib

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.selection import select_best_per_kind, select_shipped_pair
from model.decoding.translate import translate_sentence
from model.gallery import example_criteria, opening
from model.gallery.opening import EXAMPLES, FAMILY, FAMILY_FOLDER, FOLDER, SENTENCES, OpeningExample
from model.text.normalise import normalise
from model.trace import Trace
from tests.model.analysis.errors.test_differences import build_trace

MODELS = [card.name for card in select_shipped_pair()]


@pytest.mark.parametrize("name", MODELS)
def test_every_opening_sentence_was_translated_by_the_shipped_weights(name: str) -> None:
    card = checkpoint.read_card(checkpoint.find_checkpoint(name))
    traces = [Trace.from_json(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob(f"*-{name}.json"))]
    for trace, example in zip(traces, EXAMPLES, strict=True):
        assert trace.source.text in [normalise(sentence) for sentence in example.sentences]
    assert {(trace.made_by.model, trace.made_by.fingerprint) for trace in traces} == {(name, card.fingerprint)}
    assert all(bool(trace.maps) == card.has_attention for trace in traces)


@pytest.mark.verdict
def test_every_example_shows_what_it_is_there_for() -> None:
    """Fails where new weights no longer show it: `python -m model opening` then takes another sentence."""
    shown = 0
    for number, example in enumerate(EXAMPLES, 1):
        one, other = (Trace.from_json((FOLDER / f"{number:02}-{name}.json").read_text("utf-8")) for name in MODELS)
        if example.criterion is not None:
            assert example.criterion(one, other), one.source.text
            shown += 1
    assert shown == 5
    assert EXAMPLES[-1].criterion is example_criteria.exceeds_one_vector


def test_an_example_is_the_first_sentence_that_shows_it_and_none_is_an_error() -> None:
    whole, lost = build_trace("le chat gris dort .", (0, 3, 2, 4, 8)), build_trace("le chat dort .", (0, 3, 4, 8))
    example = OpeningExample(("first", "second"), lambda one, other: one is whole)
    assert opening.select_traces(example, [[lost, lost], [whole, lost]]) == [whole, lost]
    with pytest.raises(ValueError, match="none of 2 sentences shows"):
        opening.select_traces(example, [[lost, lost], [lost, whole]])
    assert opening.select_traces(OpeningExample(("any",)), [[lost, whole]]) == [lost, whole]


def test_every_opening_trace_has_the_detail_that_the_player_draws_and_stays_small() -> None:
    for path in FOLDER.glob("*.json"):
        trace = Trace.from_json(path.read_text(encoding="utf-8"))
        assert trace.detail is not None, path.name
        assert trace.source_detail is not None, path.name
        assert {"state norm", "context norm", "update mean", "reset mean"} <= set(trace.detail)
        assert ("energies" in trace.detail) == bool(trace.maps)
        if len(trace.source.words) <= 20:
            assert path.stat().st_size < 200_000, path.name


@pytest.mark.parametrize("name", MODELS)
def test_shipped_models_load_and_translate_as_in_their_opening_traces(name: str) -> None:
    model = checkpoint.load_model(name)
    trace = Trace.from_json((FOLDER / f"01-{name}.json").read_text(encoding="utf-8"))
    again = translate_sentence(model, normalise(SENTENCES[0]))
    assert again.target.text == trace.target.text
    assert again.log_probability == pytest.approx(trace.log_probability, abs=1e-3)


def test_the_family_opens_on_translations_by_one_shipped_model_of_each_kind() -> None:
    traces = [Trace.from_json(path.read_text(encoding="utf-8")) for path in FAMILY_FOLDER.glob("en-*.json")]
    cards = select_best_per_kind([card for card in checkpoint.list_shipped_cards() if card.source_language == "en"])
    assert {(trace.made_by.model, trace.made_by.fingerprint) for trace in traces} == {
        (card.name, card.fingerprint) for card in cards}  # fmt: skip
    (sentence,) = {trace.source.text for trace in traces}
    assert sentence == tomllib.loads(FAMILY.read_text(encoding="utf-8"))["en"]


def test_the_student_is_a_student() -> None:
    """The least a first model must be able to say."""
    text = translate_sentence(checkpoint.load_model("rnnsearch-50"), normalise("I am a student.")).target.text
    assert text in {"Je suis étudiant.", "Je suis étudiante.", "Je suis un étudiant.", "Je suis une étudiante."}
