"""Somebody has pairs of her own languages in one file: prepared, trained, and her model stands in every page.

The pairs are made up here, some dozens; Korean is the target of one model and the source of the other.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.checkpoints import checkpoint, model_folders
from model.cli.commands import app as command_line
from model.training.recipe import FOLDER as RECIPES
from pages.ui.backend import service, shipped_traces
from tests.pages.components import get_data

NAME, TITLE = "ours", "Ours, in Korean"
WHO = {"cat": "고양이가", "dog": "개가", "student": "학생이",
       "teacher": "선생님이", "child": "아이가", "friend": "친구가"}
WHERE = {"in the house": "집에서", "in the park": "공원에서", "at school": "학교에서", "by the sea": "바닷가에서"}
DOES = {"sleeps": "잔다", "eats": "먹는다", "sings": "노래한다"}
PAIRS = [(f"The {who} {does} {where}.", f"{WHO[who]} {WHERE[where]} {DOES[does]}.")
         for who, where, does in product(WHO, WHERE, DOES)]  # fmt: skip
CONTROL = """
[vocabulary]
kind = "word"      # what is learnt in seconds
size = 35

[corpora.ours]
held_out = 6
"""


@pytest.fixture(scope="module", params=[("en", "ko"), ("ko", "en")], ids="-".join)
def languages(request: pytest.FixtureRequest) -> tuple[str, str]:
    pair: tuple[str, str] = request.param
    return pair


@pytest.fixture(scope="module")
def runs(languages: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with one model, made with the command line alone."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "corpora/train").mkdir(parents=True)
    text = "".join(f"{english}\t{korean}\n" for english, korean in PAIRS)
    (folder / "corpora/train/ours.en-ko.tsv").write_text(text, encoding="utf-8")
    (folder / "small.toml").write_text(CONTROL, encoding="utf-8")
    recipe = (RECIPES / "tiny.toml").read_text(encoding="utf-8")
    for old, new in (("{ tiny = 1 }", "{ ours = 1 }"), ('kind = "unigram"', 'kind = "word"'),
                     ("size = 400", "size = 35"), ("evaluate_pieces = 20000", "evaluate_pieces = 1500")):
        assert old in recipe
        recipe = recipe.replace(old, new)
    (folder / "small-recipe.toml").write_text(recipe, encoding="utf-8")
    data, trained = str(folder / "data"), str(folder / "runs")
    run("data", str(folder / "corpora"), "--control", str(folder / "small.toml"), "--out", data,
        "--languages", "-".join(languages), "--workers", "1")
    run("train", str(folder / "small-recipe.toml"), "--kind", "rnnsearch", "--longest", "20", "--name", NAME,
        "--title", TITLE, "--data", data, "--runs", trained, "--pieces", "0.006", "--threads", "1")
    return folder / "runs"


def run(*arguments: str) -> None:
    """A command of the command line, in this process."""
    command_line(list(arguments), standalone_mode=False)


@pytest.fixture
def open_page(runs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """A page of the app that was started with her folder, her model chosen."""
    st.cache_resource.clear()
    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    monkeypatch.setattr(sys, "argv", ["app.py", "--models", str(runs)])

    def opened(page: str, **query: str) -> AppTest:
        app = AppTest.from_file("../../app.py", default_timeout=60)
        app.context = {"locale": "ko-KR"}
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        app = app if page == "translate" else app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        return app

    yield opened
    model_folders.set_extra_folders(())
    st.cache_resource.clear()


def sent(app: AppTest, component: str) -> dict[str, Any]:
    """What was sent to a component."""
    (found,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith(component)]
    data: dict[str, Any] = get_data(found)
    return data


def test_the_card_says_the_languages(runs: Path, languages: tuple[str, str]) -> None:
    model_folders.set_extra_folders([runs])
    try:
        assert NAME in [card.name for card in checkpoint.list_cards()]
        loaded = checkpoint.load_model(NAME)
        assert loaded.languages == languages
    finally:
        model_folders.set_extra_folders(())


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare"])
def test_her_model_translates_in_her_languages(
    open_page: Callable[..., AppTest], languages: tuple[str, str], page: str
) -> None:
    sentence = PAIRS[0][languages[0] == "ko"]
    app = open_page(page, model=NAME, sentence=sentence)
    data = sent(app, {"translate": "heatmap"}.get(page, page))
    assert data["languages"] == list(languages)
    source, target = text_of(page, data)
    assert source == sentence
    has_hangul = any("가" <= sign <= "힣" for sign in target)
    assert has_hangul == (languages[1] == "ko"), target
    assert TITLE in offered(app)
    assert not any(node.proto.body.startswith('<p role="alert"') for node in app.get("html"))


def offered(app: AppTest) -> set[str]:
    """The texts of all choices, in rows of buttons and in lists."""
    in_rows = {option.content for node in app.get("button_group") for option in node.proto.options}
    return in_rows.union(*(one.options for one in app.selectbox))


def text_of(page: str, data: dict[str, Any]) -> tuple[str, str]:
    if page == "step_by_step":
        return data["sentence"], "".join(piece["text"] for piece in data["target"] if piece["word"] >= 0)
    words = data["best"][0]["words"] if page == "translate" else data["stages"][0]["sides"][0]["words"]
    source = data["source"]["words"] if page == "translate" else data["source"]
    return tuple("".join(gap + word for gap, word in side) for side in (source, words))  # type: ignore[return-value]


@pytest.mark.parametrize("page", ["length_and_bleu", "paper_figures", "your_text"])
def test_the_other_pages_stand_with_her_model_among_them(open_page: Callable[..., AppTest], page: str) -> None:
    app = open_page(page, model=NAME)
    offered = [option for node in (*app.multiselect, *app.selectbox) for option in node.options]
    drawn = [node.proto.body for node in app.get("html")]
    if page != "length_and_bleu":  # where a model that nobody measured has no curve
        assert any(TITLE in text for text in (*offered, *drawn))


def test_the_examples_are_of_her_language(open_page: Callable[..., AppTest], languages: tuple[str, str]) -> None:
    app = open_page("translate", model=NAME)
    first = shipped_traces.list_sentences(languages[0])[0]
    assert app.text_area(key="sentence").value == first
    spoken = {"en": "영어", "ko": "한국어"}[languages[0]]
    assert (app.text_area(key="sentence").label, spoken in app.text_area(key="sentence").placeholder) == (
        f"{spoken} 문장", True)  # fmt: skip
    assert first[:8] in app.button(key="example-0").label
    again = app.button(key="example-1").click().run()
    assert not again.exception
    assert again.text_area(key="sentence").value == shipped_traces.list_sentences(languages[0])[1]


def test_nothing_of_another_language_stays_when_the_box_is_empty(
    open_page: Callable[..., AppTest], languages: tuple[str, str]
) -> None:
    app = open_page("translate", model=NAME, sentence=PAIRS[0][languages[0] == "ko"])
    app.text_area(key="sentence").set_value("")
    app.button(key="submit").click().run()
    spoken = {"en": "영어", "ko": "한국어"}[languages[0]]
    assert any(f"{spoken} 문장을 쓰고" in node.proto.body for node in app.get("html"))
    assert sent(app, "heatmap")["languages"] == list(languages)


def test_a_model_of_other_languages_is_not_set_beside_hers(
    open_page: Callable[..., AppTest], languages: tuple[str, str]
) -> None:
    data = sent(open_page("translate", model=NAME, sentence=PAIRS[0][0]), "heatmap")
    assert data["beside"]["name"] == data["name"]
