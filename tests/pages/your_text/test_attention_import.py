"""Imported attention maps: choices, heatmaps, problems and notes in both languages, word links."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, get_args

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.importers import AttentionFileError, read_attention
from model.importers.errors import ImportNoteKind, ImportProblem
from pages.ui.backend.attention_files import open_file
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state import params
from pages.ui.your_text import attention_import, import_help
from tests.hostile import CASES
from tests.model.importers.test_attention_files import (
    INVALID_FILES,
    PASTED_TOKENS,
    build_npy,
    build_npz,
    random_attention,
)
from tests.pages.components import get_html, list_data

OpenApp = Callable[..., AppTest]
TOKENS = {"source": ["The", "cat", "</s>"], "target": ["Le", "chat", "</s>"]}
PADDED = build_npy(np.array([[[1.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]]))
ONE_MAP = json.dumps({**TOKENS, "attention": random_attention(3, 3).tolist()}).encode()
HEADS = build_npz(**TOKENS, cross=random_attention(3, 2, 3, 3), encoder=random_attention(3, 2, 3, 3))


@pytest.fixture
def page(open_app: OpenApp) -> AppTest:
    return open_app("your_text").segmented_control(key="input-method").set_value("attention").run()


def open_imported(page: AppTest, data: bytes, name: str = "mine.json") -> AppTest:
    """Open a file as the uploader does; a browser test uploads a real one."""
    page.session_state[params.IMPORTED_FILE] = open_file(name, data)
    page.run()
    assert not page.exception
    return page


def get_data_with(app: AppTest, key: str) -> list[dict[str, Any]]:
    payloads = list_data(app)
    return [payload for payload in payloads if key in payload]


def test_uploaded_map_has_options_and_downloads(page: AppTest) -> None:
    page.file_uploader(key="attention-file").upload("mine.json", ONE_MAP, "application/json").run()
    (picture,) = get_data_with(page, "other_translation")
    assert picture["name"] == "mine.json"
    assert picture["is_alone"]
    (reading,) = picture["n_best"]
    assert [text for _, text in reading["words"]] == ["Le", "chat"]
    assert reading["probabilities"] == reading["notes"] == []
    assert picture["provenance"] == "imported from mine.json"
    assert picture["messages"]["legend_end"]
    assert not get_data_with(page, "groups")
    assert not page.selectbox
    page.segmented_control(key="unit").set_value("pieces").run()
    page.segmented_control(key="scale").set_value("root").run()
    (picture,) = get_data_with(page, "other_translation")
    assert (picture["unit"], picture["scale"]) == ("pieces", "root")
    assert {button.proto.label for button in page.get("download_button")} >= {"SVG", "PDF", "PNG", "CSV", "JSON"}
    page.button(key="another-attention").click().run()
    assert not page.exception
    assert not get_data_with(page, "other_translation")


def test_legend_of_a_file_without_ends_names_none(page: AppTest) -> None:
    file = build_file("The cat .", "Le chat .", attention=random_attention(3, 3))
    (picture,) = get_data_with(open_imported(page, file), "other_translation")
    assert not picture["messages"]["legend_end"]


def test_file_without_cross_attention_is_drawn(page: AppTest) -> None:
    open_imported(page, json.dumps({**TOKENS, "encoder": random_attention(3, 3).tolist()}).encode())
    (heads_data,) = get_data_with(page, "groups")
    assert sum(len(group["maps"]) for group in heads_data["groups"]) == 1
    assert not get_data_with(page, "other_translation")
    assert not {"unit", "scale"} & {str(control.key) for control in page.segmented_control}


def test_head_is_chosen_from_a_list(page: AppTest) -> None:
    open_imported(page, HEADS, "maps.npz")
    choice = page.selectbox(key="imported-map")
    assert choice.options[0] == "layer 2 mean"
    previous_alpha = get_data_with(page, "other_translation")[0]["n_best"][0]["alpha"]
    choice.set_value("cross-attention-l1-h2").run()
    assert not page.exception
    assert get_data_with(page, "other_translation")[0]["n_best"][0]["alpha"] != previous_alpha
    (heads_data,) = get_data_with(page, "groups")
    assert heads_data["selected"] == "cross-attention-l1-h2"
    assert sum(len(group["maps"]) for group in heads_data["groups"]) == 3 + 6 + 6


def test_help_has_commands_and_an_example_file(page: AppTest) -> None:
    texts = get_html(page)
    for line in (*import_help.TRANSFORMERS, *import_help.GENERATE, *import_help.JOEYNMT, *import_help.TOOLKITS):
        assert escape_html(line) in texts
    page.button(key="see-example").click().run()
    assert not page.exception
    (picture,) = get_data_with(page, "other_translation")
    assert [text for _, text in picture["n_best"][0]["words"]] == ["Le", "chat", "dort"]
    (heads_data,) = get_data_with(page, "groups")
    assert [attention_map["head"] for attention_map in heads_data["groups"][0]["maps"]] == [None, 1, 2]


@pytest.mark.parametrize("kind", get_args(ImportProblem))
def test_every_problem_has_texts(kind: ImportProblem) -> None:
    texts = PASTED_TOKENS.get(kind, {})
    problem = open_file("bad.json", INVALID_FILES[kind], texts.get("source", ""), texts.get("target", "")).problem
    assert problem is not None
    assert problem.kind == kind
    for language in LANGUAGES:
        message = load_messages(language)(f"attention_error.{problem.kind}", **problem.values)
        assert message[-1] in ".다요\"}" or message.endswith(problem.values.get("reason", "."))


def test_hostile_tokens_are_drawn(page: AppTest) -> None:
    num_drawn = 0
    for text in [*CASES.values()][::3]:
        tokens = text.split()[:3] or ["x"]
        weights = random_attention(len(tokens), len(tokens)).tolist()
        data = json.dumps({"source": tokens, "target": tokens, text: weights})
        with suppress(AttentionFileError):  # tests/model/importers test which names are refused
            read_attention(data.encode(), text)
            open_imported(page, data.encode(), text)
            assert get_data_with(page, "other_translation")
            num_drawn += 1
    assert num_drawn > len(CASES) / 6


def build_file(source: str, target: str, **maps: Any) -> bytes:
    arrays = {name: np.asarray(values).tolist() for name, values in maps.items()}
    return json.dumps({"source": source.split(), "target": target.split(), **arrays}).encode()


def test_special_tokens_can_be_left_out(page: AppTest) -> None:
    values = [[0.5, 0.2, 0.2, 0.1, 0.0], [0.0, 0.1, 0.3, 0.6, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]
    open_imported(page, build_file(">>fra<< ▁Old ▁walls </s> <pad>", "▁Vieux ▁murs </s>", cross=values))
    (picture,) = get_data_with(page, "other_translation")
    assert picture["source"]["labels"] == [">>fra<<", "Old", "walls", "end", "<pad>"]
    assert picture["source"]["word_of"] == [-1, 0, 1, -1, -1]
    assert "In italics: special tokens" in get_html(page)
    page.segmented_control(key="special").set_value("left_out").run()
    (picture,) = get_data_with(page, "other_translation")
    assert picture["source"]["labels"] == ["Old", "walls"]
    assert picture["n_best"][0]["labels"] == ["Vieux", "murs"]
    alpha = np.array(picture["n_best"][0]["alpha"]) / picture["weight_scale"]
    assert np.allclose(alpha, [[0.5, 0.5], [0.25, 0.75]], atol=1e-5)
    assert load_messages("en")("imported.renormalised") in get_html(page)


def test_special_tokens_of_the_second_file_can_be_left_out(page: AppTest) -> None:
    second = build_file("Old walls </s>", "Vieux murs </s>", cross=random_attention(3, 3))
    page.session_state[params.OTHER_IMPORTED_FILE] = open_file("second.json", second)
    open_imported(page, build_file("Old walls", "Murs", cross=random_attention(1, 2)))
    page.segmented_control(key="special").set_value("left_out").run()
    labels = [picture["source"]["labels"] for picture in get_data_with(page, "other_translation")]
    assert labels == [["Old", "walls"], ["Old", "walls"]]


def test_ambiguous_map_is_drawn_after_its_role_is_chosen(page: AppTest) -> None:
    open_imported(page, build_file("Old walls </s>", "Vieux murs </s>", decoder_attentions=random_attention(3, 3)))
    assert "decoder_attentions is square" in get_html(page)
    assert not get_data_with(page, "other_translation")
    assert not get_data_with(page, "groups")[0]["groups"]
    page.button(key="imported-file-decoder_attentions-cross").click().run()
    assert get_data_with(page, "other_translation")
    assert "You chose: decoder_attentions is cross-attention" in get_html(page)
    page.button(key="imported-file-decoder_attentions-change").click().run()
    page.button(key="imported-file-decoder_attentions-decoder").click().run()
    assert not get_data_with(page, "other_translation")
    (group,) = get_data_with(page, "groups")[0]["groups"]
    assert group["sides"] == ["target", "target"]


def test_sentences_are_typed_if_the_file_has_none(page: AppTest) -> None:
    open_imported(page, b"0.8,0.2 0.3,0.7\n", "alignment.txt")
    assert "alignment.txt contains attention weights without all of their tokens" in get_html(page)
    page.text_area(key="imported-source").set_value("old walls here").run()
    page.text_area(key="imported-target").set_value("murs").run()
    page.button(key="use-text-imported-file").click().run()
    assert "has 3 source tokens" in get_html(page)
    page.text_area(key="imported-source").set_value("walls").run()
    page.button(key="use-text-imported-file").click().run()
    assert not page.exception
    assert get_data_with(page, "other_translation")[0]["source"]["labels"] == ["walls", "end"]


NOTE_CASES: tuple[tuple[set[ImportNoteKind], bytes, dict[str, str]], ...] = (
    ({"left_out"}, b'[{"source": "a", "target": "b", "attention": [[1]]}, {"source": "", "target": "b"}]', {}),
    ({"end_of_source", "end_of_target", "sums"}, build_file("a b", "c d", attention=random_attention(3, 3) * 0.9), {}),
    ({"start_row", "transposed"}, build_file("a b </s>", "<s> c d e </s>", cross=random_attention(5, 3).T), {}),
    ({"self"}, build_file("a b </s>", "c d e f g </s>", layer=random_attention(3, 3)), {}),
    ({"open"}, build_file("a b </s>", "c d </s>", decoder_attentions=random_attention(3, 3)), {}),
    ({"cut"}, b"             abcdefg\n         b *1.0000000\n", {}),
    ({"padded"}, PADDED, {"source": "a\nb", "target": "c\nd"}),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_has_texts(language: str) -> None:
    t = load_messages(language)
    for kinds, data, sentences in NOTE_CASES:
        imported = open_file("noted", data, sentences.get("source", ""), sentences.get("target", "")).content
        assert imported is not None
        assert {note.kind for note in imported.notes} >= kinds
        for note in imported.notes:
            assert "{" not in re.sub(r"\{\"[^}]*\}", "", attention_import.describe_note(note, t))
    assert {kind for kinds, _, _ in NOTE_CASES for kind in kinds} == set(get_args(ImportNoteKind))


def test_word_links_have_a_line_per_sentence() -> None:
    good = json.loads(build_file("<s> old walls </s>", "murs vieux </s>", attention=[
        [0.1, 0.1, 0.7, 0.1], [0.1, 0.7, 0.1, 0.1], [0.0, 0.1, 0.1, 0.8]]))  # fmt: skip
    imported = open_file("mine.json", json.dumps([good, {"source": "", "target": ""}, good]).encode()).content
    assert imported is not None
    assert attention_import.format_word_links(imported) == "1-0 0-1\n\n1-0 0-1\n"
