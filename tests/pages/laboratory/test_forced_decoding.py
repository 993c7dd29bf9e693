"""Forced words and translations: what is sent of each row, and what taking or typing a word asks for."""

from __future__ import annotations

import csv
import io

import pytest
import streamlit as st

from model.analysis.ablation.divergence import Divergence, find_divergence
from model.decoding import OverrideRule, Overrides
from model.decoding.translate import translate_sentence
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import forced_decoding
from pages.ui.url_state import params
from tests.hostile import CASES
from tests.model.analysis.attribution.test_saliency import a_model
from tests.pages.traces import trace

SAY = load_messages("en")
TEXT = normalise("The grey cat sleeps.")


def test_every_word_has_its_surprise_and_the_pieces_before_it(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    own, read = translate_sentence(model, TEXT), find_divergence(model, TEXT, normalise("Le chat gris dort."))
    row = forced_decoding.build_row(own, read.forced_trace, "mine", SAY, read)
    given = read.forced_trace
    assert [one["text"] for one in row["words"]] == [*given.target.words, SAY("force.end")]
    assert sum(one["surprise"] for one in row["words"]) == pytest.approx(-given.log_probability, abs=1e-2)
    ids = [step.id for step in given.steps]
    for one in row["words"]:
        assert ids[: len(one["before"])] == one["before"]
        assert len(one["choices"]) >= 9
    assert row["words"][0]["before"] == []
    assert row["parts"]


def test_words_that_differ_from_the_models_own_are_marked_and_its_own_never() -> None:
    own = trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    other = trace("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    assert not any(one["other"] for one in forced_decoding.build_row(own, own, "", SAY)["words"])
    assert [one["other"] for one in forced_decoding.build_row(own, other, "", SAY)["words"]] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_a_row_is_called_by_what_was_changed() -> None:
    attention = (OverrideRule("attention", "uniform"),)
    assert forced_decoding.get_row_title(Overrides(prefix=(5,)), SAY) == forced_decoding.get_row_title(
        Overrides(rules=attention, prefix=(5,)), SAY
    )
    assert forced_decoding.get_row_title(Overrides(rules=attention), SAY) == "its attention changed"


def test_a_translation_that_it_would_have_written_says_so() -> None:
    own = trace()
    assert forced_decoding.build_row(own, own, "", SAY, Divergence(own))["parts"] == SAY("force.never")


def test_the_picture_and_the_table_have_every_row() -> None:
    own = trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    other = trace("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    rows = [forced_decoding.build_row(own, own, "its own", SAY), forced_decoding.build_row(own, other, "mine", SAY)]
    data = forced_decoding.build_forced_payload([own], rows, False, SAY)
    svg = render(forced_decoding.draw_rows(data, own, SAY), "svg", lambda letters: [str(letters)]).decode()
    assert [svg.count(f">{word}<") for word in ("its own", "mine", "maison", "cabane", "dort")] == [1, 1, 1, 1, 2]
    table = list(csv.reader(io.StringIO(forced_decoding.rows_to_csv(data))))
    assert [line[0] for line in table[1:]] == ["its own"] * 5 + ["mine"] * 5
    assert [line[1] for line in table[1:] if line[3] == "1"] == ["cabane"]


def test_what_is_taken_becomes_the_beginning_and_leaves_other_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Overrides(rules=(OverrideRule("attention", "uniform"),))
    kept: dict[str, object] = {params.OVERRIDES.name: rules, forced_decoding.KEY: {"take": {"pieces": [5, 9]}}}
    monkeypatch.setattr(st, "session_state", kept)
    forced_decoding._on_take()
    assert kept[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    for hostile in (["5"], [-1], {"a": 1}, "55", None, [True]):
        kept[forced_decoding.KEY] = {"take": {"pieces": hostile}}
        forced_decoding._on_take()
        assert kept[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
        kept[forced_decoding.KEY] = {"take": hostile}
        forced_decoding._on_take()
        assert kept[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    kept[forced_decoding.KEY] = {"take": {"pieces": []}}
    forced_decoding._on_take()
    assert kept[params.OVERRIDES.name] == rules


@pytest.mark.parametrize("text", [*CASES.values(), "x" * 9000])
def test_a_typed_word_is_kept_short_until_it_is_cut(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    kept: dict[str, object] = {forced_decoding.KEY: {"type": {"pieces": [4], "text": text}}}
    monkeypatch.setattr(st, "session_state", kept)
    forced_decoding._on_type()
    typed = kept.get("words-typed")
    assert (
        typed == ((4,), text[: forced_decoding.MAX_CHARACTERS])
        if normalise(text[: forced_decoding.MAX_CHARACTERS])
        else typed is None
    )
