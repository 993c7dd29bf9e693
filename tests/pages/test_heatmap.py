"""What is sent to the component: everything the picture needs, once, as plain values."""

import json

import numpy as np
import pytest

from model.trace import Trace
from pages.view import figures
from pages.view.heatmap import DRAWN, payload, shown_name, signed
from pages.view.words import LANGUAGES, load
from tests.pages.traces import ENGLISH, FRENCH, LOST, trace

PLAIN = trace(target=LOST, order=None, model="rnnencdec-50")


def sent(attended: Trace, unit: figures.Unit = "words", scale: figures.Scale = "violet", language: str = "en") -> dict:
    """The payload after the journey to the browser."""
    return json.loads(json.dumps(payload(attended, PLAIN, unit, scale, load(language)), allow_nan=False))


def test_words_weights_and_names_arrive() -> None:
    data = sent(trace())
    assert [label["text"] for label in data["source"]["labels"]] == [*ENGLISH.split(), "end"]
    assert [label["text"] for label in data["target"]["labels"]] == [*FRENCH.split(), "end"]
    np.testing.assert_allclose(data["alpha"], figures.grid(trace(), "words").values, atol=5e-5)
    assert np.argmax(data["alpha"][3]) == 2  # gris looks at grey
    assert data["attended"]["name"] == "RNNsearch-50"
    assert data["attended"]["notes"] == ["log p −1.6"]
    assert data["plain"]["name"] == "RNNencdec-50"
    assert data["plain"]["notes"][0] == "one vector for the whole sentence"
    assert "".join(gap + word for gap, word in data["plain"]["words"]) == LOST
    assert data["made"] == "weights 0123456789ab, 0123456789ab"
    assert data["cut"] == 0


def test_repeated_words_are_positions_of_their_own() -> None:
    labels = sent(trace())["source"]["labels"]
    assert [label["word"] for label in labels if label["text"] == "the"] == [0, 6, 10]


def test_pieces_are_bracketed_into_words() -> None:
    labels = sent(trace(), "pieces")["target"]["labels"]
    old = [label for label in labels if label["word"] == FRENCH.split().index("vieille")]
    assert [label["text"] for label in old] == ["vie", "ille"]
    assert [(label["bound"], label["joined"]) for label in old] == [(True, False), (True, True)]
    assert not any(label["bound"] for label in labels if label["text"] in ("le", "end"))


def test_the_root_scale_changes_shades_and_not_weights() -> None:
    plain, root = sent(trace()), sent(trace(), scale="root")
    assert plain["alpha"] == root["alpha"]
    np.testing.assert_allclose(root["shade"], np.sqrt(np.float32(plain["alpha"])), atol=6e-3)


def test_probabilities_of_rows() -> None:
    data = sent(trace())
    np.testing.assert_allclose(data["log"], figures.grid(trace(), "words").log_probabilities, atol=6e-4)
    assert len(data["log"]) == len(data["target"]["labels"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_description_says_what_each_row_looked_at(language: str) -> None:
    text = sent(trace(), language=language)["description"]
    assert "gris: grey 0.9" in text
    assert f"{len(FRENCH.split()) + 1}" in text


def test_an_unfinished_translation_says_so() -> None:
    data = sent(trace(finished=False))
    assert data["attended"]["notes"][1] == "stopped at the length limit"
    assert data["target"]["labels"][-1]["text"] == "."


def test_without_the_second_model() -> None:
    data = payload(trace(), None, "words", "violet", load("en"))
    assert data["plain"] is None
    assert data["made"] == "weights 0123456789ab"


def test_a_very_long_sentence_is_drawn_in_part_and_says_so() -> None:
    many = DRAWN + 30
    data = sent(trace("cat " * many, "chat " * many, tuple(range(many))))
    assert len(data["alpha"]) == len(data["alpha"][0]) == DRAWN
    assert data["cut"] == DRAWN
    assert len(data["target"]["words"]) == many


def test_names_and_numbers() -> None:
    assert shown_name("rnnsearch-30") == "RNNsearch-30"
    assert shown_name("other") == "other"
    assert signed(-3.14) == "−3.1"
