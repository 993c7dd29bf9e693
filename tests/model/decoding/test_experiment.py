"""The file of an experiment round-trips, and anything else is refused in one sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from model.decoding import OverrideError, Settings, SettingsError
from model.decoding.experiment import MAX_FILE_SIZE, ExperimentError, SavedExperiment
from model.trace.tree import Tree
from tests.hostile import CASES
from tests.traces import make_trace

EXPERIMENT = SavedExperiment("The cat sleeps.", "rnnsearch-50", "0123456789ab", 1, "attention@*:uniform")


def test_file_round_trips() -> None:
    experiment = replace(EXPERIMENT, sentence="Ça «va» 🐦?", beam=100, overrides="attention@2-5:never=1.2")
    assert SavedExperiment.from_json(experiment.to_json()) == experiment


def test_file_of_schema_1_is_read() -> None:
    text = EXPERIMENT.to_json().replace('"schema": 2', '"schema": 1').replace('"overrides"', '"edits"')
    assert SavedExperiment.from_json(text) == EXPERIMENT


def test_experiment_from_a_trace() -> None:
    experiment = SavedExperiment.from_trace(make_trace())
    assert experiment == SavedExperiment(make_trace().source.text, "rnnsearch-50", "0123456789ab", 1)
    assert not experiment.overrides


def test_experiment_keeps_what_becomes_of_unk() -> None:
    trace = make_trace()
    replaced = replace(trace, provenance=replace(trace.provenance, settings=Settings(unk="replace").trace_settings))
    experiment = SavedExperiment.from_trace(replaced)
    assert SavedExperiment.from_json(experiment.to_json()).settings == Settings(unk="replace")
    assert "unk" not in json.loads(SavedExperiment.from_trace(trace).to_json())  # as in older files


@pytest.mark.parametrize("settings", [
    Settings(length_penalty="none"), Settings(max_ratio=2.0), Settings(beam=2, stop="beam"),
    Settings(beam=2, length_penalty="gnmt"),
])
def test_experiment_of_a_search_that_it_cannot_hold_is_refused(settings: Settings) -> None:
    trace = make_trace()
    searched = replace(trace, provenance=replace(trace.provenance, settings=settings.trace_settings))
    with pytest.raises(ExperimentError, match="usual"):
        SavedExperiment.from_trace(searched)


def test_experiment_of_a_prefix_that_is_no_override_is_refused() -> None:
    provenance = replace(make_trace().provenance, settings=Settings().trace_settings | {"prefix": 1})
    with pytest.raises(ExperimentError, match="holds the beginning of a translation as an override"):
        SavedExperiment.from_trace(replace(make_trace(), provenance=provenance))
    with pytest.raises(ExperimentError, match="in another way"):  # the translation begins with the token 10
        SavedExperiment.from_trace(replace(make_trace(), provenance=replace(provenance, overrides="p55")))
    overridden = replace(provenance, overrides="p10")
    assert SavedExperiment.from_trace(replace(make_trace(), provenance=overridden)).overrides == "p10"


def test_experiment_of_several_translations_is_made_of_the_best() -> None:
    provenance = replace(make_trace().provenance, settings=Settings(beam=2, n_best=2).trace_settings)
    trace = replace(make_trace(), provenance=provenance)
    with pytest.raises(ExperimentError, match="the best translation"):
        SavedExperiment.from_trace(trace)
    numbers, log_probs = range(len(trace.steps)), [step.log_probability for step in trace.steps]
    tree = Tree(tuple(number - 1 for number in numbers), tuple(step.id for step in trace.steps), trace.target.pieces,
                tuple(log_probs), tuple(log_probs), "k" * (len(log_probs) - 1) + "f")
    best = replace(trace, tree=tree)
    assert SavedExperiment.from_trace(best).settings == Settings(beam=2)


@pytest.mark.parametrize(("sentence", "message"), [
    ("\u200b", "at least one visible character: this one has none"), ("a" * 20_001, "at most 20,000 characters"),
])
def test_sentence_without_text_or_with_too_much_is_refused(sentence: str, message: str) -> None:
    with pytest.raises(ExperimentError, match=message):
        replace(EXPERIMENT, sentence=sentence)


def edit_file(**fields: object) -> str:
    return json.dumps(json.loads(EXPERIMENT.to_json()) | fields)


@pytest.mark.parametrize("text", [
    *CASES.values(), "{}", "[]", "null", '{"schema": 1}', edit_file(schema=3), edit_file(schema=True),
    edit_file(kind="trace"), edit_file(beam=0), edit_file(beam=1.5), edit_file(beam="1"), edit_file(beam=10**9),
    edit_file(sentence=""), edit_file(more=1), edit_file(sentence=" \u200b "), edit_file(sentence="a" * 30_000),
    edit_file(overrides="attention@1=nan,1"), edit_file(model=3), edit_file(overrides="x" * 300_000),
    edit_file(overrides=CASES["script"]), edit_file(overrides="a@*:never"), edit_file(unk="hide"), "{" * 5000,
    '{"beam": NaN}', edit_file(edits=""),
    "x" * (MAX_FILE_SIZE + 1), EXPERIMENT.to_json().replace("0123", "\\ud800"),
])
def test_other_files_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises((ExperimentError, OverrideError, SettingsError)) as refused:
        SavedExperiment.from_json(text.encode("utf-8", "surrogatepass"))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_other_weights_are_refused() -> None:
    EXPERIMENT.check_fingerprint("0123456789ab")
    with pytest.raises(ExperimentError, match="cannot be replayed exactly"):
        EXPERIMENT.check_fingerprint("ba9876543210")
