"""Forced decoding: rows, drawing and CSV, and taken or typed words."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from model.analysis.ablation.divergence import Divergence, find_divergence
from model.decoding import OverrideRule, Overrides
from model.decoding.translate import translate_sentence
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import forced_decoding
from pages.ui.url_state import params
from tests.hostile import CASES
from tests.model.analysis.scripted import build_random_model
from tests.traces import make_trace

T = load_messages("en")
TEXT = normalise("The grey cat sleeps.")


def test_words_have_surprise_prefix_and_choices(tiny_vocabulary: Vocabulary) -> None:
    model = build_random_model(tiny_vocabulary)
    original = translate_sentence(model, TEXT)
    divergence = find_divergence(model, TEXT, normalise("Le chat gris dort."))
    row = forced_decoding.build_row(original, divergence.forced_trace, "mine", T, divergence)
    forced = divergence.forced_trace
    assert [word["text"] for word in row["words"]] == [*forced.target.words, T("forced_decoding.end")]
    assert sum(word["surprise"] for word in row["words"]) == pytest.approx(-forced.log_probability, abs=1e-2)
    ids = [step.id for step in forced.steps]
    for word in row["words"]:
        assert ids[: len(word["prefix_ids"])] == word["prefix_ids"]
        assert len(word["choices"]) >= 9
    assert row["words"][0]["prefix_ids"] == []
    assert row["divergence_note"]


def test_only_different_words_are_marked() -> None:
    original = make_trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    changed_trace = make_trace("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    assert not any(one["is_different"] for one in forced_decoding.build_row(original, original, "", T)["words"])
    words = forced_decoding.build_row(original, changed_trace, "", T)["words"]
    assert [word["is_different"] for word in words] == [False, True, False, False, False]


def test_rows_name_their_override_and_a_missing_divergence() -> None:
    rules, original = (OverrideRule("attention", "uniform"),), make_trace()
    titles = [forced_decoding.get_row_title(overrides, T)
              for overrides in (Overrides(prefix=(5,), rules=rules), Overrides(rules=rules))]  # fmt: skip
    assert titles == [T("forced_decoding.row_changed"), T("forced_decoding.row_attention")]
    row = forced_decoding.build_row(original, original, "", T, Divergence(original))
    assert row["divergence_note"] == T("forced_decoding.never")


def test_drawing_and_csv_have_every_row() -> None:
    original = make_trace("the house sleeps .", "la maison dort .", (0, 1, 2, 3))
    changed_trace = make_trace("the house sleeps .", "la cabane dort .", (0, 1, 2, 3))
    rows = [forced_decoding.build_row(original, trace, title, T)
            for trace, title in ((original, "its own"), (changed_trace, "mine"))]  # fmt: skip
    data = forced_decoding.build_forced_payload([original], rows, False, T)
    svg = render(forced_decoding.draw_rows(data, original, T), "svg", lambda letters: [str(letters)]).decode()
    assert [svg.count(f">{word}<") for word in ("its own", "mine", "maison", "cabane", "dort")] == [1, 1, 1, 1, 2]
    table = list(csv.reader(io.StringIO(forced_decoding.build_rows_csv(data))))
    assert [line[0] for line in table[1:]] == ["its own"] * 5 + ["mine"] * 5
    assert [line[1] for line in table[1:] if line[3] == "1"] == ["cabane"]


def test_taken_pieces_replace_the_forced_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Overrides(rules=(OverrideRule("attention", "uniform"),))
    session: dict[str, object] = {params.OVERRIDES.name: rules, forced_decoding.KEY: {"take": {"pieces": [5, 9]}}}
    monkeypatch.setattr(st, "session_state", session)
    forced_decoding._on_take()
    assert session[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    for hostile in (["5"], [-1], {"a": 1}, "55", None, [True]):
        for event in ({"pieces": hostile}, hostile):
            session[forced_decoding.KEY] = {"take": event}
            forced_decoding._on_take()
            assert session[params.OVERRIDES.name] == Overrides(rules=rules.rules, prefix=(5, 9))
    session[forced_decoding.KEY] = {"take": {"pieces": []}}
    forced_decoding._on_take()
    assert session[params.OVERRIDES.name] == rules


@pytest.mark.parametrize("text", [*[*CASES.values()][::4], "x" * 9000])
def test_typed_word_is_stored_shortened(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    session: dict[str, object] = {forced_decoding.KEY: {"type": {"pieces": [4], "text": text}}}
    monkeypatch.setattr(st, "session_state", session)
    forced_decoding._on_type()
    shortened = text[: forced_decoding.MAX_CHARACTERS]
    assert session.get("forced_decoding-typed") == (((4,), shortened) if normalise(shortened) else None)


def test_typed_word_is_copied_from_the_source() -> None:
    vocabulary = cards.load_vocabulary("copy-words-50")
    assert isinstance(vocabulary, Vocabulary)
    model: Any = SimpleNamespace(vocabulary=vocabulary, network=SimpleNamespace(extends_vocabulary=True))
    source = normalise("I live in Kowalczyk.")
    assert forced_decoding.encode_typed_word(model, source, "Kowalczyk") == (len(vocabulary),)
