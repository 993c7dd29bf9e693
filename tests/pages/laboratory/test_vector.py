"""What the experiment on vectors is sent: beginnings, words among words, the point that the link says, its files."""

import csv
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.analysis.probing.annotations import NearestWords, WordBank, WordPosition
from model.analysis.probing.prefixes import PrefixTranslations
from model.analysis.probing.senses import SenseExample, load_examples
from model.analysis.probing.similarity import PrincipalPlane, SenseSeparation, VectorError
from model.text.normalise import normalise
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages
from pages.ui.laboratory import vector
from tests.pages.components import data_of
from tests.pages.fakes import PLAIN
from tests.pages.traces import side, trace

Open = Callable[..., AppTest]
SAY = load_messages("en")
EXAMPLES = tuple(SenseExample("bank", sense, normalise(text)) for sense, text in (
    ("money", "the bank closes ."), ("river", "a muddy bank"), ("money", "=my bank"),
))  # fmt: skip


def cut() -> PrefixTranslations:
    written = ("le .", "le chat noir dort .", "le chat dort ici .")
    return PrefixTranslations(("the", "cat", "sleeps"), (1, 2, 3), tuple(trace(target=text) for text in written))


def bank() -> WordBank:
    """Three sentences whose words lie on a line, in their order."""
    sides = tuple(side(one.text, False) for one in EXAMPLES)
    places = tuple(WordPosition(number, word) for number, one in enumerate(sides) for word, text in enumerate(one.words)
                   if text != ".")  # fmt: skip
    vectors = np.array([[1.0, 0.1 * k, 0.0] for k in range(len(places))])
    separations = (SenseSeparation("bank", 1, 3, 2 / 3),)
    return WordBank(EXAMPLES, sides, places, vectors, PrincipalPlane.fit(vectors), separations)


def near(text: str = "the bank .") -> NearestWords:
    own = side(text, False)
    points = np.array([[float(k), 2.0] for k in range(len(own.words))])
    return NearestWords(own, points, tuple(((k, 0.5), (0, 0.25)) for k in range(len(own.words))))


def planar(monkeypatch: pytest.MonkeyPatch, t: Messages = SAY, point: int = 0) -> vector.VectorPlane:
    monkeypatch.setattr(vector.state, "reset_params", lambda row: None)
    return vector.build_plane(bank(), near(), t, point)


def test_each_beginning_says_what_is_written_and_what_of_the_whole_is_there() -> None:
    data = vector.build_vector_payload(cut(), None, SAY)
    assert [one["after"] for one in data["cuts"]] == [1, 2, 3]
    assert [one["last"] for one in data["cuts"]] == ["the", "cat", "sleeps"]
    assert data["cuts"][0]["kept"] == [True, False, False, False, True]
    assert data["since"] == [1, 2, 2, 3, 1]
    assert data["plane"] is None
    assert [word for _, word in data["cuts"][1]["text"]] == ["le", "chat", "noir", "dort", "."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_stand_among_words_with_their_meanings(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    t = load_messages(language)
    plane = planar(monkeypatch, t)
    words = [plane["sentences"][one["sentence"]]["text"][one["word"]][1] for one in plane["points"]]
    assert words == ["the", "bank", "closes", "a", "muddy", "bank", "=my", "bank", "the", "bank"]
    assert [one["sense"] for one in plane["sentences"]] == [*(t(f"vector.sense_{one.sense}") for one in EXAMPLES), ""]
    assert [one["place"] for one in plane["sentences"]] == [1, 2, 1, -1]
    assert plane["separated"] == [{"word": "bank", "same": 1, "count": 3, "chance": 0.666667, "first": 1}]
    assert plane["nearest"][9] == [(1, 0.5), (0, 0.25)]
    assert all(number not in [other for other, _ in some] for number, some in enumerate(plane["nearest"][:8]))
    assert (plane["points"][9]["x"], plane["points"][9]["y"]) == (1.0, 2.0)


def test_at_first_a_content_word_of_the_sentence_is_looked_at_then_what_the_link_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert planar(monkeypatch)["at"] == 9
    assert planar(monkeypatch, point=3)["at"] == 2
    assert planar(monkeypatch, point=11)["at"] == 9


def test_every_shipped_meaning_has_its_words() -> None:
    for language in LANGUAGES:
        t = load_messages(language)
        told = {(one.word, t(f"vector.sense_{one.sense}")) for one in load_examples()}
        assert len(told) == len({(one.word, one.sense) for one in load_examples()})


def test_both_tables_leave_without_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(csv.reader(io.StringIO(vector.prefixes_to_csv(cut()))))
    assert rows[2] == ["2", "cat", "4", "le chat noir dort ."]
    rows = list(csv.reader(io.StringIO(vector.plane_to_csv(planar(monkeypatch)))))
    assert rows[2][:3] == ["bank", "money", "the bank closes ."]
    assert rows[7][0] == "'=my"
    assert rows[10][5] == "bank 0.5000; the 0.2500"


def opened(open_app: Open, monkeypatch: pytest.MonkeyPatch, **query: str) -> AppTest:
    monkeypatch.setattr(vector, "translate_prefixes", lambda *_: cut())
    app = open_app()
    for key, value in {"part": "vector", **query}.items():
        app.query_params[key] = value
    app.switch_page("pages/laboratory.py").run()
    assert not app.exception
    return app


def sent(app: AppTest) -> dict[str, Any]:
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("vector")]
    data: dict[str, Any] = data_of(component)
    return data


def test_the_word_is_carried_by_the_link(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    st.cache_resource.clear()
    monkeypatch.setattr(vector, "build_word_bank", lambda *_: bank())
    monkeypatch.setattr(vector, "locate_words", lambda *_: near())
    app = opened(open_app, monkeypatch, point="2")
    assert sent(app)["plane"]["at"] == 1
    assert app.query_params["point"] in ("2", ["2"])
    assert [node.proto.label for node in app.get("download_button")] == ["HTML", "CSV: cuts", "CSV: words"]


def test_a_word_of_the_sentence_before_is_not_looked_at_in_the_next(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    st.cache_resource.clear()
    monkeypatch.setattr(vector, "build_word_bank", lambda *_: bank())
    monkeypatch.setattr(vector, "locate_words", lambda *_: near())
    app = opened(open_app, monkeypatch, point="2")
    assert sent(app)["plane"]["at"] == 1
    app.text_area[0].set_value("The river is wide.")
    app.button[0].click().run()
    assert not app.exception
    assert sent(app)["plane"]["at"] not in (1, -1)
    assert "point" not in app.query_params


@pytest.mark.parametrize("model", ["rnnsearch-50", PLAIN])
def test_a_model_that_does_not_show_its_words_has_its_cuts_and_one_sentence(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, model: str,
) -> None:
    def refuse(*_: object) -> WordBank:
        raise VectorError("It does not say.")

    st.cache_resource.clear()
    monkeypatch.setattr(vector, "build_word_bank", refuse)
    app = opened(open_app, monkeypatch, model=model)
    assert sent(app)["plane"] is None
    assert '<p role="alert">It does not say.</p>' in [node.proto.body for node in app.get("html")]
