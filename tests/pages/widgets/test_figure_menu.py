"""Figures for a paper: what is drawn, what the caption says is left out, and the files of each page."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.paths import ASSETS
from pages.ui.charts.alignment_grid import NUMBER_FROM
from pages.ui.charts.printing import Drawing, render
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets import figure_menu, print_figures
from tests.traces import ENGLISH, LOST, make_trace

OpenApp = Callable[..., AppTest]
T = load_messages("en")
ATTENDED, PLAIN = make_trace(), make_trace(target=LOST, order=None, model="rnnencdec-50")


def locate_texts(drawing: Drawing) -> list[tuple[str, float]]:
    """Return every text with its distance from the top."""
    svg = ET.fromstring(render(drawing, "svg", lambda letters: [str(letters)]))
    return [(text.text or "", float(text.get("y") or 0)) for text in svg.iter("{http://www.w3.org/2000/svg}text")]


def list_texts(drawing: Drawing) -> list[str]:
    return [text for text, _ in locate_texts(drawing)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_models_share_one_figure_whose_caption_names_what_is_missing(language: str) -> None:
    t = load_messages(language)
    figure = figure_menu.build_models_figure([ATTENDED, PLAIN], "compared", t, 2)
    texts = list_texts(figure.drawing)
    assert {"RNNsearch-50", "RNNencdec-50"} <= set(texts)
    assert texts[: len(ENGLISH.split())] == ENGLISH.split()
    (_, top), *positions = locate_texts(figure.drawing)
    assert top < dict(positions)["RNNsearch-50"] == dict(positions)["RNNencdec-50"]
    caption = "".join(texts).replace(" ", "")
    assert t("print.plain", models="RNNencdec-50").replace(" ", "") in caption
    assert t("print.numbers", least=f"{NUMBER_FROM:g}").replace(" ", "") in caption
    assert figure.drawing.name == "the-small-grey-cat-sleeps-on-rnnsearch-50-rnnencdec-50-compared"
    rows = list(csv.DictReader(io.StringIO(figure.build_table())))
    weights = ATTENDED.compute_word_map_in_order()
    assert [float(row["weight"]) for row in rows if row["model"] == "RNNsearch-50"] == pytest.approx(weights.ravel())
    plain = [row for row in rows if row["model"] == "RNNencdec-50"]
    assert [row["target"] for row in plain][:-1] == LOST.split()
    assert {row["weight"] for row in plain} == {""}
    assert [name for name, *_ in figure.maps] == ["RNNsearch-50"]


def test_a_step_has_its_earlier_rows_alone() -> None:
    candidates = [("gris", 0.8, True), ("noir", 0.1, False)]
    figure = figure_menu.build_step_figure(ATTENDED, 4, candidates, T)
    texts = list_texts(figure.drawing)
    assert {"▁gris", "gris", "noir", "0.80", "0.10"} <= set(texts)
    assert "▁dort" not in texts
    caption = figure_menu.describe_figure([ATTENDED], "pieces", "violet", T, steps=(4, len(ATTENDED.steps)))
    assert T("print.steps", step=4, last=len(ATTENDED.steps)) in caption
    rows = list(csv.reader(io.StringIO(figure.build_table())))
    assert [row[1] for row in rows[1:]] == [step.piece for step in ATTENDED.steps[:4]]
    values = [float(value) for row in rows[1:] for value in row[3 : 3 + len(ATTENDED.source.pieces)]]
    assert values == pytest.approx(ATTENDED.get_map().values[:4].ravel())
    plain = figure_menu.build_step_figure(PLAIN, 2, candidates, T)
    assert (plain.maps, list_texts(plain.drawing)[:2]) == ([], ["le", "petit"])


@pytest.mark.parametrize("page", ["compare", "step_by_step", "family"])
def test_a_page_saves_its_figure_named_after_models_and_sentence(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    files: dict[str, Any] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.update({file_name: data}))
    app = open_app(page, sentence=ENGLISH, members="rnnsearch-50,rnnencdec-50").run()
    assert not app.exception
    stems = {name.rpartition(".")[0] for name in files if name.endswith((".svg", ".pdf", ".png", ".csv"))}
    (stem,) = stems
    assert stem.startswith("the-small-grey-cat-sleeps-on-")
    assert "rnnsearch-50" in stem
    assert b"<svg" in files[f"{stem}.svg"]()


def test_a_missing_font_is_noted_in_the_language_of_the_page_or_english() -> None:
    korean = load_messages("ko")
    notes = print_figures._describe_missing_font(korean, 3)
    assert notes == [korean("print.missing", letters=3), T("print.missing", letters=3)]


def test_the_screen_and_files_print_the_same_numbers() -> None:
    source = (ASSETS / "player/translate/map.js").read_text("utf-8")
    assert re.findall(r"const NUMBER_FROM = ([\d.]+)", source) == [f"{NUMBER_FROM:g}"]


def test_the_title_of_a_model_is_not_markdown(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    monkeypatch.setattr(st, "markdown", texts.append)
    monkeypatch.setattr(st, "code", lambda *_, **__: None)
    figure = figure_menu.build_models_figure([ATTENDED], "compared", T, 2)
    ((_, grid, caption),) = figure.maps
    figure_menu._draw_listings(replace(figure, maps=[("a*b*", grid, caption)]), T)
    assert texts[0] == T("print.tikz", model=r"a\*b\*")
