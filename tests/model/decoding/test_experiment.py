"""An experiment's file: exact in both directions, and one sentence for whatever else is called one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decoding import OverrideError, SettingsError
from model.decoding.experiment import MAX_FILE_SIZE, Experiment, ExperimentError
from tests.hostile import CASES
from tests.pages.traces import make_trace

GOOD = Experiment("The cat sleeps.", "rnnsearch-50", "0123456789ab", 1, "attention@*:uniform")


@given(st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs", "C", "Z"])), st.integers(1, 100))
def test_what_is_written_is_read_again(sentence: str, beam: int) -> None:
    one = Experiment(f"a {sentence}", "some-model", "0" * 12, beam, "attention@2-5:never=1.2")
    assert Experiment.from_json(one.to_json()) == one


def test_it_is_made_of_a_trace() -> None:
    made = make_trace()
    one = Experiment.from_trace(made)
    assert (one.sentence, one.model, one.fingerprint, one.beam) == (made.source.text, "rnnsearch-50", "0123456789ab", 1)
    assert not one.overrides


def changed(**more: object) -> str:
    return json.dumps(json.loads(GOOD.to_json()) | more)


@pytest.mark.parametrize("text", [
    *CASES.values(), "{}", "[]", "null", '{"schema": 1}', changed(schema=2), changed(schema=True),
    changed(kind="trace"), changed(beam=0), changed(beam=1.5), changed(beam="1"), changed(beam=10**9),
    changed(sentence=""), changed(more=1),
    changed(sentence=" \u200b "), changed(sentence="a" * 30_000), changed(edits="attention@1=nan,1"), changed(model=3),
    changed(edits="x" * 300_000), changed(edits=CASES["script"]), changed(edits="a@*:never"), "{" * 5000,
    '{"beam": NaN}', "x" * (MAX_FILE_SIZE + 1), GOOD.to_json().replace("0123", "\\ud800"),
])  # fmt: skip
def test_what_is_no_experiment_gets_one_sentence(text: str) -> None:
    with pytest.raises((ExperimentError, OverrideError, SettingsError)) as refused:
        Experiment.from_json(text.encode("utf-8", "surrogatepass"))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_other_weights_are_refused() -> None:
    GOOD.check_weights("0123456789ab")
    with pytest.raises(ExperimentError, match="cannot be replayed exactly"):
        GOOD.check_weights("ba9876543210")
