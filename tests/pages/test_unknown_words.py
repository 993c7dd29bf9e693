"""UNK of models of whole words: shown, or replaced, in the pages that translate."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.checkpoints import model_folders
from pages.ui.backend import cards, service
from pages.ui.i18n.messages import load_messages
from pages.ui.url_state import params
from tests.pages.components import get_component_data, open_page
from tests.word_models import (
    TEXT,
    build_copying_network,
    build_unsure_network,
    save_word_model,
    train_word_vocabulary,
)

REPLACED, COPIED = (load_messages("en").format_for_component(f"unknown_words.{key}") for key in ("replaced", "copied"))
PAGES = ("translate", "step_by_step", "compare", "laboratory")


@pytest.fixture(scope="module")
def runs(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    vocabulary = train_word_vocabulary(sentences, folder)
    save_word_model(folder / "runs/unsure", build_unsure_network(vocabulary), vocabulary)
    save_word_model(folder / "runs/copier", build_copying_network(vocabulary), vocabulary)
    return folder / "runs"


@pytest.fixture(autouse=True)
def offered(runs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Offer these models beside the shipped ones, in a server for this test."""
    monkeypatch.setenv(model_folders.ENVIRONMENT_VARIABLE, str(runs))
    monkeypatch.setattr(service, "PREFETCH_DELAY", 3600.0)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def open_with(page: str, model: str, **link: str) -> AppTest:
    return open_page(page, sentence=TEXT, model=model, more="1", **link)


def has_choice(app: AppTest) -> bool:
    return any(node.key == params.UNK.name for node in app.segmented_control)


@pytest.mark.parametrize("page", PAGES)
def test_choice_is_offered_for_models_of_whole_words_alone(page: str) -> None:
    assert has_choice(open_with(page, "unsure"))
    assert not has_choice(open_page(page, model="rnnsearch-50", more="1", **{"other-model": "rnnencdec-50"}))


def test_unknown_words_are_marked_and_replaced() -> None:
    link = {"other-model": "copier"}
    payload, replaced_payload = (get_component_data(open_with("translate", "unsure", unk=unk, **link), "heatmap")
                                 for unk in ("show", "replace"))
    assert payload["source"]["unknown_words"][0] == 0
    assert payload["source"]["words"][0][1] == "Zyzzyva's"
    unknown = payload["n_best"][0]["unknown_words"]
    assert unknown
    assert {payload["n_best"][0]["words"][word][1] for word in unknown} == {"UNK"}
    assert replaced_payload["n_best"][0]["unknown_words"] == unknown
    assert not any("UNK" in word for _, word in replaced_payload["n_best"][0]["words"])
    assert [note for note in replaced_payload["unknown_notes"] if note not in payload["unknown_notes"]] == [REPLACED]
    assert ("UNK replaced" in payload["provenance"], "UNK replaced" in replaced_payload["provenance"]) == (False, True)


@pytest.mark.parametrize("unk", ["show", "replace"])
def test_unknown_words_are_marked_in_every_column(unk: str) -> None:
    compared = get_component_data(open_with("compare", "unsure", unk=unk, **{"other-model": "copier"}), "compare")
    family = get_component_data(open_page("family", sentence=TEXT, members="unsure,copier", unk=unk), "family")
    columns = {member["name"]: member["translation"] for member in family["members"]}
    for data, unsure, copier in ((compared, *compared["prefixes"][-1]["sides"]),
                                 (family, columns["unsure"], columns["copier"])):
        assert 0 in data["unknown_words"]
        assert {unsure["words"][word][1] == "UNK" for word in unsure["unknown_words"]} == {unk == "show"}
        assert "repetition" not in {unsure["marks"][word] for word in unsure["unknown_words"] if unk == "show"}
        assert copier["copied_words"]
        assert (REPLACED in data["unknown_notes"]) == (unk == "replace")
        assert len(data["unknown_notes"]) == 2 + (unk == "replace")


@pytest.mark.parametrize(("page", "component"), [("step_by_step", "step_by_step"), ("laboratory", "console")])
def test_tokens_are_named_by_their_words_and_marked(page: str, component: str) -> None:
    data = get_component_data(open_with(page, "unsure"), component)
    unknown = [token["text"] for token in data["source"] if token["is_unknown"]]
    assert unknown == ["Zyzzyva", "squirrel", "reads", "Oulu"]
    target_tokens = data["target"] if page == "step_by_step" else data["original"]["pieces"]
    assert {token["is_unknown"] for token in target_tokens if token["text"] == "UNK"} == {True}
    assert len(data["unknown_notes"]) == 1


def test_unk_begins_a_word_among_the_candidates() -> None:
    data = get_component_data(open_with("step_by_step", "unsure"), "step_by_step")
    candidates = [candidate for step in data["steps"] for candidate in step["candidates"]]
    assert {candidate["prefix"] for candidate in candidates if candidate["text"] == "UNK"} == {""}


def test_copied_unknown_words_are_marked() -> None:
    data = get_component_data(open_with("translate", "copier", **{"other-model": "copier"}), "heatmap")
    (best,) = data["n_best"]
    assert {best["words"][word][1] for word in best["copied_words"]} == {"Oulu"}
    assert COPIED in data["unknown_notes"]


def test_copied_unknown_word_is_among_the_candidates_of_a_step() -> None:
    data = get_component_data(open_with("step_by_step", "copier"), "step_by_step")
    assert COPIED not in data["unknown_notes"]  # the player has no mark for copied words
    copied = [candidate["text"] for step in data["steps"] for candidate in step["candidates"]
              if candidate["copy_probability"]]
    assert {"Zyzzyva", "Oulu"} & set(copied)
    assert all(0 < step["p_gen"] < 1 for step in data["steps"])


def test_concept_of_copying_prefers_whole_words_and_leads_to_both_models() -> None:
    app = open_page("concepts", idea="copying", sentence=TEXT)
    data = get_component_data(app, "copying")
    assert data["messages"]["note"] == data["messages"]["note_words"]
    assert "Zyzzyva" in data["source"]
    (link,) = (node.proto for node in app.get("page_link") if node.proto.page == "family" and "members" in
               node.proto.query_string)
    assert "copier" in link.query_string


def test_default_models_are_those_of_subwords() -> None:
    assert not cards.has_unk(cards.get_default_model(), cards.get_baseline_model())
    assert not cards.has_unk(*cards.select_one_per_kind([card.name for card in cards.list_displayed_cards()]))
