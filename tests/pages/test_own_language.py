"""A model for a reader's own languages: data is prepared, the model trained, and five pages offer it.

Korean is the target of one model and the source of the other.
"""

import shlex
import sys
from collections.abc import Iterator
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.checkpoints import model_folders
from model.cli.commands import app as command_line
from model.training.recipe import FOLDER as RECIPES
from pages.ui.backend import service, shipped_traces
from pages.ui.i18n.messages import load_messages
from tests.pages.components import get_component_data, list_alerts, open_page, submit_sentence

NAME, TITLE = "ours", "Ours, in Korean"
SUBJECTS = dict(zip(["cat", "dog", "student", "teacher", "child", "friend"],
                    ["고양이가", "개가", "학생이", "선생님이", "아이가", "친구가"], strict=True))  # fmt: skip
PLACES = {"in the house": "집에서", "in the park": "공원에서", "at school": "학교에서", "by the sea": "바닷가에서"}
VERBS = {"sleeps": "잔다", "eats": "먹는다", "sings": "노래한다"}
PAIRS = [(f"The {subject} {verb} {place}.", f"{SUBJECTS[subject]} {PLACES[place]} {VERBS[verb]}.")
         for subject, place, verb in product(SUBJECTS, PLACES, VERBS)]  # fmt: skip
CONTROL = """
[vocabulary]
kind = "word"      # trained in seconds
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
    """Prepare data and train one model through the command line; return the folder of runs."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "corpora/train").mkdir(parents=True)
    text = "".join(f"{english}\t{korean}\n" for english, korean in PAIRS)
    (folder / "corpora/train/ours.en-ko.tsv").write_text(text, encoding="utf-8")
    (folder / "small.toml").write_text(CONTROL, encoding="utf-8")
    recipe = (RECIPES / "tiny.toml").read_text(encoding="utf-8")
    for old_line, new_line in {"{ tiny = 1 }": "{ ours = 1 }", '"unigram"': '"word"', "size = 400": "size = 35",
                               "evaluate_pieces = 20000": "evaluate_pieces = 1500"}.items():  # fmt: skip
        assert old_line in recipe
        recipe = recipe.replace(old_line, new_line)
    (folder / "small-recipe.toml").write_text(recipe, encoding="utf-8")
    for command in (
        f"data {folder}/corpora --control {folder}/small.toml --out {folder}/data --languages {'-'.join(languages)} "
        "--workers 1",
        f"train {folder}/small-recipe.toml --kind rnnsearch --longest 20 --name {NAME} --title '{TITLE}' "
        f"--data {folder}/data --runs {folder}/runs --tokens 0.006 --threads 1",
    ):
        command_line(shlex.split(command), standalone_mode=False)
    return folder / "runs"


@pytest.fixture
def use_runs(runs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start the app with `--models` and the folder of runs."""
    st.cache_resource.clear()
    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    monkeypatch.setattr(sys, "argv", ["app.py", "--models", str(runs)])
    yield
    model_folders.set_extra_folders(())
    st.cache_resource.clear()


@pytest.mark.parametrize("page", ["translate", "step_by_step", "compare"])
def test_the_model_translates_between_its_languages(use_runs: None, languages: tuple[str, str], page: str) -> None:
    sentence = PAIRS[0][languages[0] == "ko"]
    app = open_page(page, model=NAME, sentence=sentence)
    data = get_component_data(app, {"translate": "heatmap"}.get(page, page))
    assert data["languages"] == list(languages)
    source, target = get_texts(page, data)
    assert source == sentence
    has_hangul = any("가" <= character <= "힣" for character in target)
    assert has_hangul == (languages[1] == "ko"), target
    assert "→".join(languages).upper() in map(unescape, list_options(app))
    assert not list_alerts(app)


def list_options(app: AppTest) -> set[str]:
    """Return the options of all buttons and drop-down lists."""
    buttons = {option.content for node in app.get("button_group") for option in node.proto.options}
    return buttons.union(*(selectbox.options for selectbox in app.selectbox))


def get_texts(page: str, data: dict[str, Any]) -> tuple[str, str]:
    """Return source and target of what a component displays."""
    if page == "step_by_step":
        return data["sentence"], "".join(piece["text"] for piece in data["target"] if piece["word"] >= 0)
    words = data["n_best"][0]["words"] if page == "translate" else data["prefixes"][0]["sides"][0]["words"]
    source = data["source"]["words"] if page == "translate" else data["source"]
    return tuple("".join(gap + word for gap, word in side) for side in (source, words))  # type: ignore[return-value]


@pytest.mark.parametrize("page", ["paper_figures", "your_text"])
def test_other_pages_offer_the_model(use_runs: None, page: str) -> None:
    app = open_page(page, model=NAME)
    options = [option for node in (*app.multiselect, *app.selectbox) for option in node.options]
    html = [node.proto.body for node in app.get("html")]
    assert any(TITLE in text for text in (*options, *html))


def test_examples_and_messages_follow_the_source_language(use_runs: None, languages: tuple[str, str]) -> None:
    app = open_page("translate", model=NAME, locale="ko-KR")
    first = shipped_traces.list_sentences("-".join(languages))[0]
    assert app.text_area(key="sentence").value == first
    language = {"en": "영어", "ko": "한국어"}[languages[0]]
    assert app.text_area(key="sentence").label == f"{language} 문장"
    assert language in app.text_area(key="sentence").placeholder
    assert first[:8] in app.button(key="example-0").label
    app.button(key="example-1").click().run()
    assert not app.exception
    assert app.text_area(key="sentence").value == shipped_traces.list_sentences("-".join(languages))[1]
    submit_sentence(app, "")
    assert any(load_messages("ko")("problem.empty", language=language) in node.proto.body for node in app.get("html"))
    assert get_component_data(app, "heatmap")["languages"] == list(languages)
