"""Imported attention on the page: what is read is drawn and saved, what is wrong is said in both languages."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, get_args

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.importers import AttentionFileError, read_attention
from model.importers.problems import Problem
from pages.view.service.attention_files import open_file
from pages.view.shell import links
from pages.view.shell.escape import markup
from pages.view.shell.messages import LANGUAGES, load
from pages.view.your_text import import_help, imported
from tests.hostile import CASES
from tests.model.importers.test_reading import TEXTS, WRONG, archive, shares
from tests.pages.components import all_data

Open = Callable[..., AppTest]
TOKENS = {"source": ["The", "cat", "</s>"], "target": ["Le", "chat", "</s>"]}
ONE = json.dumps({**TOKENS, "attention": shares(3, 3).tolist()}).encode()
HEADS = archive(**TOKENS, cross=shares(3, 2, 3, 3), encoder=shares(3, 2, 3, 3))


@pytest.fixture
def page(open_app: Open) -> AppTest:
    app = open_app().switch_page("pages/your_text.py").run()
    app.segmented_control(key="given").set_value("attention").run()
    assert not app.exception
    return app


def holding(page: AppTest, data: bytes, name: str = "mine.json") -> AppTest:
    """The page after a file was read. AppTest has no uploader; a browser test gives a real one."""
    page.session_state[links.READ_IN] = open_file(name, data)
    page.run()
    assert not page.exception
    return page


def drawn(app: AppTest, key: str) -> list[dict[str, Any]]:
    found = all_data(app)
    return [one for one in found if key in one]


def test_the_page_says_how_such_files_are_made(page: AppTest) -> None:
    texts = " ".join(node.proto.body for node in page.get("html"))
    for line in (*import_help.TRANSFORMERS, *import_help.GENERATE, *import_help.JOEYNMT, *import_help.TOOLKITS):
        assert markup(line) in texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ends", [True, False])
def test_the_end_of_the_sentence_is_spoken_of_where_the_file_has_one(
    open_app: Open, language: str, ends: bool
) -> None:
    tokens = {side: [*words[:2], "</s>" if ends else "."] for side, words in TOKENS.items()}
    app = open_app(lang=language).switch_page("pages/your_text.py").run()
    app.segmented_control(key="given").set_value("attention").run()
    (picture,) = drawn(holding(app, json.dumps({**tokens, "attention": shares(3, 3).tolist()}).encode()), "beside")
    words = picture["words"]
    assert bool(words["legend_end"]) is ends
    end = load(language)("heatmap.end")
    assert not re.search(f"[“‘]{end}[”’]", words["legend"])


def test_one_map_is_drawn_without_what_nobody_knows(page: AppTest) -> None:
    (picture,) = drawn(holding(page, ONE), "beside")
    assert picture["name"] == "mine.json"
    assert picture["alone"]
    (reading,) = picture["best"]
    assert [text for _, text in reading["words"]] == ["Le", "chat"]
    assert reading["chance"] == reading["notes"] == []
    assert picture["made"] == "read from mine.json"
    assert not drawn(page, "groups")
    assert not page.selectbox


def test_a_file_in_which_no_word_of_the_target_looks_is_drawn_too(page: AppTest) -> None:
    holding(page, json.dumps({**TOKENS, "encoder": shares(3, 3).tolist()}).encode())
    (every,) = drawn(page, "groups")
    assert sum(len(group["maps"]) for group in every["groups"]) == 1
    assert not drawn(page, "beside")
    assert not {"unit", "scale"} & {str(one.key) for one in page.segmented_control}, "nothing they could change"


def test_heads_are_chosen_from_a_list_and_all_stand_below(page: AppTest) -> None:
    holding(page, HEADS, "maps.npz")
    choice = page.selectbox(key="read-map")
    assert choice.options[0] == "layer 2 mean"
    before = drawn(page, "beside")[0]["best"][0]["alpha"]
    choice.set_value("cross-attention-l1-h2").run()
    assert not page.exception
    assert drawn(page, "beside")[0]["best"][0]["alpha"] != before
    (every,) = drawn(page, "groups")
    assert every["shown"] == "cross-attention-l1-h2"
    assert sum(len(group["maps"]) for group in every["groups"]) == 3 + 6 + 6


def test_sentences_are_chosen_from_a_list(page: AppTest) -> None:
    more = json.dumps([json.loads(ONE), {"source": "A b", "target": "c", "x": [[1, 0]]}]).encode()
    holding(page, more)
    page.selectbox(key="read-sentence").set_value("2").run()
    assert not page.exception
    assert drawn(page, "beside")[0]["source"]["labels"] == ["A", "b"]


@pytest.mark.parametrize("unit", ["pieces", "words"])
@pytest.mark.parametrize("scale", ["grey", "root"])
def test_it_is_looked_at_as_translations_are(page: AppTest, unit: str, scale: str) -> None:
    holding(page, ONE)
    page.segmented_control(key="unit").set_value(unit).run()
    page.segmented_control(key="scale").set_value(scale).run()
    assert not page.exception
    (picture,) = drawn(page, "beside")
    assert (picture["unit"], picture["scale"]) == (unit, scale)
    assert {one.proto.label for one in page.get("download_button")} >= {"SVG", "PDF", "PNG", "CSV", "JSON"}


def test_the_example_is_what_it_says_and_can_be_seen(page: AppTest) -> None:
    page.button(key="see-example").click().run()
    assert not page.exception
    (picture,) = drawn(page, "beside")
    assert [text for _, text in picture["best"][0]["words"]] == ["Le", "chat", "dort"]
    (every,) = drawn(page, "groups")
    assert [one["head"] for one in every["groups"][0]["maps"]] == [None, 1, 2]


def test_another_file_begins_anew(page: AppTest) -> None:
    holding(page, HEADS)
    page.button(key="another-attention").click().run()
    assert not page.exception
    assert links.READ_IN not in page.session_state
    assert not drawn(page, "beside")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes | None], dict[str, Any]]:
    """What the session holds after a file came in."""
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)

    def give(data: bytes | None) -> dict[str, Any]:
        state["attention-file"] = None if data is None else SimpleNamespace(getvalue=lambda: data, name="bad.json")
        imported._receive(links.READ_IN)
        return state

    return give


def test_a_file_is_read_and_taken_away(given: Callable[[bytes | None], dict[str, Any]]) -> None:
    assert len(given(ONE)[links.READ_IN].found.sentences) == 1
    assert links.READ_IN not in given(None)


@pytest.mark.parametrize("kind", get_args(Problem))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_said_in_both_languages(kind: Problem, language: str) -> None:
    texts = TEXTS.get(kind, {})
    refused = open_file("bad.json", WRONG[kind], texts.get("source", ""), texts.get("target", "")).problem
    assert refused is not None
    said = load(language)(f"attention_error.{refused.kind}", **refused.values)
    assert refused.kind == kind
    assert said[-1] in ".다요\"}" or said.endswith(refused.values.get("reason", "."))


def test_hostile_tokens_are_text_on_the_page(page: AppTest) -> None:
    seen = 0
    for text in CASES.values():
        tokens = text.split()[:3] or ["x"]
        data = json.dumps({"source": tokens, "target": tokens, text: shares(len(tokens), len(tokens)).tolist()})
        with suppress(AttentionFileError):  # which of them are refused is tests/model/importers' to say
            read_attention(data.encode(), text)
            holding(page, data.encode(), text)
            assert drawn(page, "beside")
            seen += 1
    assert seen > len(CASES) / 2
