"""A Transformer on the pages: its maps are chosen from a list, the mean of a layer's heads first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
import torch

from model.checkpoints import checkpoint, model_folders
from model.networks import registry
from model.networks.transformer_layers import TransformerConfig
from model.text.vocabulary import Vocabulary
from pages.ui.i18n.messages import load_messages
from tests.pages import components
from tests.pages.components import list_alerts, list_data

T = load_messages("en")
NAME, SENTENCE = "heads-50", "The cat sleeps."
PAGES = ("translate", "step_by_step", "compare", "laboratory")


@pytest.fixture(autouse=True)
def transformer_model(tiny_vocabulary: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the app find a small Transformer with random weights."""
    torch.manual_seed(1)
    network = registry.find_kind("transformer").build(
        TransformerConfig("transformer", len(tiny_vocabulary), 16, 24, 2, 3, "pre", 0.0)
    ).eval()
    tiny_vocabulary.save(tmp_path / "vocabulary.model")
    checkpoint.save_checkpoint(
        tmp_path / NAME, network, tmp_path / "vocabulary.model", name=NAME, title="Heads-50", training={}
    )
    st.cache_resource.clear()
    monkeypatch.setenv(model_folders.ENVIRONMENT_VARIABLE, str(tmp_path / NAME))
    yield
    st.cache_resource.clear()


open_page = partial(components.open_page, model=NAME, sentence=SENTENCE)


@pytest.mark.parametrize("page", PAGES)
def test_each_head_can_be_chosen_and_is_in_the_link(page: str) -> None:
    app = open_page(page)
    choice = app.selectbox(key="map")
    assert choice.options[:3] == [f"layer {layer} mean" for layer in (2, 1, 3)]
    heads = [f"layer {layer} head {head}" for layer in (1, 2, 3) for head in (1, 2)]
    assert choice.options[3:] == heads
    assert choice.value == "cross-attention-l2"
    first = list_data(app)
    choice.set_value("cross-attention-l3-h2").run()
    assert not app.exception
    assert app.query_params["map"] == "cross-attention-l3-h2"
    assert list_data(app) != first
    assert not [one for one in app.segmented_control if one.key == "map"]
    linked = open_page(page, map="cross-attention-l1-h2")
    assert linked.selectbox(key="map").value == "cross-attention-l1-h2"


def test_all_maps_can_be_displayed_side_by_side() -> None:
    app = open_page("translate")
    assert not [data for data in list_data(app) if "groups" in data]
    app.segmented_control(key="heads").set_value("on").run()
    assert not app.exception
    assert app.query_params["heads"] == "on"
    (grid,) = [data for data in list_data(app) if "groups" in data]
    assert [len(group["maps"]) for group in grid["groups"]] == [9, 6, 6]
    plain = open_page("translate", model="rnnsearch-50", heads="on")
    assert "heads" not in plain.query_params
    assert not [one for one in plain.segmented_control if one.key == "heads"]


def test_downloaded_files_name_the_head(monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, Any] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, *, file_name, **_: files.update({file_name: data}))
    open_page("translate", map="cross-attention-l3-h2")
    name = "the-cat-sleeps-heads-50-cross-attention-layer-3-head-2-words"
    assert {f"{name}.{kind}" for kind in ("svg", "pdf", "png", "csv")} < set(files)
    svg = files[f"{name}.svg"]().decode()
    assert "<dc:title>Attention weights α of Heads-50, cross-attention layer 3 head 2" in svg
    assert ">Heads-50, cross-attention layer 3 head 2</text>" in svg  # beside the scale
    open_page("laboratory", map="cross-attention-l1")
    before_and_after = files["the-cat-sleeps-heads-50-attention.svg"]().decode()
    assert "Heads-50, cross-attention layer 1 mean" in before_and_after


@pytest.mark.parametrize("page", ["translate", "laboratory"])
def test_a_prefix_that_is_too_long_is_refused_and_the_sentence_translated(page: str) -> None:
    app = open_page(page, overrides=f"p{'.'.join(['5'] * 200)}")
    (alert,) = list_alerts(app)
    assert "200" in alert
    assert list_data(app)
    app.run()
    assert not app.exception
    assert "overrides" not in app.query_params
    assert not list_alerts(app)
