"""The bottleneck vector: prefixes, the plane of words, the selected word, and CSV."""

import csv
import io
from collections.abc import Callable

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.analysis.probing.nearest_words import NearestWords, WordBank, WordPosition
from model.analysis.probing.prefixes import PrefixTranslations
from model.analysis.probing.senses import SenseExample, load_examples
from model.analysis.probing.similarity import PrincipalPlane, SenseSeparation
from model.text.normalise import normalise
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages
from pages.ui.laboratory import vector
from pages.ui.laboratory.context import ExperimentContext
from tests.pages.components import get_component_data, get_html, list_alerts, open_page, submit_sentence
from tests.traces import make_side, make_trace

OpenApp = Callable[..., AppTest]
T = load_messages("en")
EXAMPLES = tuple(SenseExample("bank", sense, normalise(text)) for sense, text in (
    ("money", "the bank closes ."), ("river", "a muddy bank"), ("money", "=my bank"),
))  # fmt: skip


def make_prefix_translations() -> PrefixTranslations:
    translations = ("le .", "le chat noir dort .", "le chat dort ici .")
    traces = tuple(make_trace(target=text) for text in translations)
    return PrefixTranslations(("the", "cat", "sleeps"), (1, 2, 3), traces)


def make_bank() -> WordBank:
    """Return three sentences whose words lie on a line, in order."""
    sides = tuple(make_side(sentence.text, False) for sentence in EXAMPLES)
    places = tuple(WordPosition(number, word) for number, sentence in enumerate(sides)
                   for word, text in enumerate(sentence.words) if text != ".")  # fmt: skip
    vectors = np.array([[1.0, 0.1 * k, 0.0] for k in range(len(places))])
    separations = (SenseSeparation("bank", 1, 3, 2 / 3),)
    return WordBank(EXAMPLES, sides, places, vectors, PrincipalPlane.fit(vectors), separations)


def make_nearest(text: str = "the bank .") -> NearestWords:
    side = make_side(text, False)
    points = np.array([[float(k), 2.0] for k in range(len(side.words))])
    return NearestWords(side, points, tuple(((k, 0.5), (0, 0.25)) for k in range(len(side.words))))


def make_plane(monkeypatch: pytest.MonkeyPatch, t: Messages = T, point: int = 0) -> vector.VectorPlane:
    monkeypatch.setattr(vector.state, "reset_params", lambda row: None)
    return vector.build_plane(make_bank(), make_nearest(), t, point)


def test_payload_has_translations_of_prefixes() -> None:
    data = vector.build_vector_payload(make_prefix_translations(), None, T)
    assert [prefix["word_count"] for prefix in data["prefixes"]] == [1, 2, 3]
    assert [prefix["last"] for prefix in data["prefixes"]] == ["the", "cat", "sleeps"]
    assert data["prefixes"][0]["is_present"] == [True, False, False, False, True]
    assert data["stable_from"] == [1, 2, 2, 3, 1]
    assert data["plane"] is None
    assert [word for _, word in data["prefixes"][1]["text"]] == ["le", "chat", "noir", "dort", "."]


def test_the_tag_of_a_style_is_no_word() -> None:
    source = "<plain> the cat sleeps"
    traces = tuple(make_trace(source, target, None) for target in ("le .", "le chat .", "le chat dort ."))
    prefixes = PrefixTranslations(tuple(source.split()), (2, 3, 4), traces)
    data = vector.build_vector_payload(prefixes, None, T)
    assert [prefix["word_count"] for prefix in data["prefixes"]] == [1, 2, 3]
    assert data["stable_from"] == [1, 2, 3, 1]
    rows = list(csv.reader(io.StringIO(vector.build_prefixes_csv(prefixes))))
    assert [row[0] for row in rows[1:]] == ["1", "2", "3"]
    plane = vector.build_plane(make_bank(), make_nearest("<plain> the bank ."), T)
    assert [point["word"] for point in plane["points"][-2:]] == [1, 2]
    assert plane["selected"] == 9


@pytest.mark.parametrize("language", LANGUAGES)
def test_plane_has_words_with_senses(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    t = load_messages(language)
    plane = make_plane(monkeypatch, t)
    words = [plane["sentences"][point["sentence"]]["text"][point["word"]][1] for point in plane["points"]]
    assert words == ["the", "bank", "closes", "a", "muddy", "bank", "=my", "bank", "the", "bank"]
    senses = [t(f"vector.sense_{example.sense}") for example in EXAMPLES]
    assert [sentence["sense"] for sentence in plane["sentences"]] == [*senses, ""]
    assert [sentence["marked_index"] for sentence in plane["sentences"]] == [1, 2, 1, -1]
    assert plane["separations"] == [{"word": "bank", "same_meaning": 1, "count": 3, "chance": 0.666667, "first": 1}]
    assert plane["neighbours"][9] == [(1, 0.5), (0, 0.25)]
    assert all(number not in dict(neighbours) for number, neighbours in enumerate(plane["neighbours"][:8]))
    assert (plane["points"][9]["x"], plane["points"][9]["y"]) == (1.0, 2.0)


def test_selected_word_defaults_to_a_content_word(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_plane(monkeypatch)["selected"] == 9
    assert make_plane(monkeypatch, point=3)["selected"] == 2
    assert make_plane(monkeypatch, point=11)["selected"] == 9


def test_every_sense_has_a_text() -> None:
    for language in LANGUAGES:
        t = load_messages(language)
        senses = {(example.word, t(f"vector.sense_{example.sense}")) for example in load_examples()}
        assert len(senses) == len({(example.word, example.sense) for example in load_examples()})


def test_csv_has_no_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(csv.reader(io.StringIO(vector.build_prefixes_csv(make_prefix_translations()))))
    assert rows[2] == ["2", "cat", "4", "le chat noir dort ."]
    rows = list(csv.reader(io.StringIO(vector.build_plane_csv(make_plane(monkeypatch)))))
    assert rows[2][:3] == ["bank", "money", "the bank closes ."]
    assert rows[7][0] == "'=my"
    assert rows[10][5] == "bank 0.5000; the 0.2500"


def test_selected_word_is_linked_and_reset_by_a_new_sentence(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    st.cache_resource.clear()
    monkeypatch.setattr(vector, "build_word_bank", lambda *_: make_bank())
    monkeypatch.setattr(vector, "locate_words", lambda *_: make_nearest())
    monkeypatch.setattr(vector, "translate_prefixes", lambda *_: make_prefix_translations())
    app = open_app("laboratory", experiment="vector", **{"sense-word": "2"})
    assert get_component_data(app, "vector")["plane"]["selected"] == 1
    assert app.query_params["sense-word"] in ("2", ["2"])
    labels = [node.proto.label for node in app.get("download_button")]
    assert labels == ["HTML", T("vector.prefixes_csv"), T("vector.plane_csv")]
    submit_sentence(app, "The river is wide.")
    assert get_component_data(app, "vector")["plane"]["selected"] not in (1, -1)
    assert "sense-word" not in app.query_params


def test_a_model_that_reads_korean_has_prefixes_and_a_note_instead_of_the_plane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys: list[str] = []

    def measure(_: ExperimentContext, key: tuple[str, ...], *__: object) -> PrefixTranslations:
        keys.append(key[0])
        return make_prefix_translations()

    monkeypatch.setattr(ExperimentContext, "measure", measure)
    app = open_page("laboratory", experiment="vector", pair="ko-en")
    assert keys == ["prefixes"]
    assert get_component_data(app, "vector")["plane"] is None
    assert T("vector.english_only") in get_html(app)
    assert list_alerts(app) == []
