"""The onset of alignment: payload from the shipped diaries, and probe and moment in the link."""

import base64
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from model.checkpoints import checkpoint
from model.training.diary_record import DIARY, DiaryRecord
from pages.ui.backend import cards
from pages.ui.i18n.messages import load_messages
from pages.ui.results import alignment_onset
from pages.ui.results.alignment_onset import find_nearest_moment
from tests.pages.components import create_event, get_component_data

OpenApp = Callable[..., AppTest]


@pytest.fixture
def open_page(open_app: OpenApp) -> OpenApp:
    return partial(open_app, "length_and_bleu")


def get_onset_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "alignment_onset")


@pytest.mark.verdict
def test_payload_has_every_moment_of_every_probe(open_page: OpenApp) -> None:
    data = get_onset_data(open_page())
    assert (data["probe"], data["moment"]) == (1, 0)
    assert {model["name"] for model in data["models"]} >= {"RNNsearch-50", "RNNencdec-50"}
    for model in data["models"]:
        assert len(model["moments"]) == len(data["ticks"])
        assert len(model["bleu"]) == len(model["target_tokens"])
        assert len(model["probes"]) == len(data["probes"])
        for probe, pair in zip(model["probes"], data["probes"], strict=True):
            assert len(probe["translations"]) == len(model["target_tokens"])
            for packed in probe["alpha"] or ():
                assert len(base64.b64decode(packed)) == len(pair["target"]) * (len(pair["source"]) + 1)
    attending = [model for model in data["models"] if model["probes"][0]["alpha"] is not None]
    assert attending
    assert all(any(probe["reordering"] is not None for probe in model["probes"]) for model in attending)


def test_probe_and_moment_are_in_the_link(open_page: OpenApp) -> None:
    app = open_page(probe="3", moment="7")
    assert (get_onset_data(app)["probe"], get_onset_data(app)["moment"]) == (3, 7)
    events = [({"probe": 2, "moment": 5}, (2, 5)), ({"probe": 99, "moment": 9999}, (8, 0)),
              ({"probe": "1", "moment": 1}, (8, 0)), ({"probe": 1, "moment": 0}, (1, 0))]  # fmt: skip
    for event, position in events:
        (node,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("alignment_onset")]
        widget_states = app._tree.get_widget_states().widgets
        app._run(WidgetStates(widgets=[*widget_states, create_event(node, "position", event)]))
        assert (get_onset_data(app)["probe"], get_onset_data(app)["moment"]) == position, event
    assert "probe" not in app.query_params
    assert "moment" not in app.query_params


def test_damaged_diary_is_left_out(tmp_path: Path) -> None:
    card = next(card for card in checkpoint.list_shipped_cards() if card.has_attention)
    diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
    assert alignment_onset.read_diary(card) is not None
    moments = tuple(replace(diary_moment, alpha=("AAAA",) * len(diary_moment.alpha)) for diary_moment in diary.moments)
    (tmp_path / DIARY).write_text(replace(diary, moments=moments).to_json(), encoding="utf-8")
    assert alignment_onset.read_diary(replace(card, folder=tmp_path)) is None


def test_model_without_a_diary_is_not_drawn(open_page: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = alignment_onset.read_diary
    monkeypatch.setattr(
        alignment_onset, "read_diary", lambda card: None if card.name == "rnnsearch-30" else diary(card)
    )
    data = get_onset_data(open_page(curves="rnnsearch-50,rnnsearch-30"))
    (card,) = [card for card in cards.list_cards() if card.name == "rnnsearch-50"]
    assert [model["name"] for model in data["models"]] == [card.title]


def test_summary_is_that_of_the_first_model_with_a_diary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models may have one title."""
    shipped = {card.name: replace(card, title="Same") for card in cards.list_cards()}
    first, second = shipped["rnnencdec-50"], shipped["rnnsearch-50"]
    shipped[first.name] = replace(first, training={**first.training, "target_pieces": 1})
    diary = alignment_onset.read_diary
    monkeypatch.setattr(cards, "find_card", shipped.get)
    monkeypatch.setattr(alignment_onset, "read_diary", lambda card: None if card.name == first.name else diary(card))
    monkeypatch.setattr(alignment_onset, "_mount", lambda **_: None)
    monkeypatch.setattr(alignment_onset.state, "write_link_param", lambda *_: None)
    monkeypatch.setattr(alignment_onset.state, "read_link_param", lambda *_: None)
    summary = alignment_onset.render_alignment_onset([first.name, second.name], load_messages("en"))
    assert summary is not None
    assert summary.training_tokens == second.target_tokens


def test_diaries_are_compared_with_the_first_that_has_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = map(cards.find_card, ("rnnsearch-en-ko", "rnnsearch-50"))
    assert first is not None
    assert second is not None
    contents = alignment_onset.read_diary(second)
    assert contents is not None
    without_probes = replace(contents[0], probes=()), ()
    monkeypatch.setattr(alignment_onset, "read_diary", lambda card: without_probes if card is first else contents)
    built = alignment_onset._build_payload(tuple((card.name, card.fingerprint, "own") for card in (first, second)))
    assert built is not None
    assert built[1] == second.name


def test_nearest_moment_is_by_ratio() -> None:
    assert find_nearest_moment(100, [10, 100, 1000]) == 1
    assert find_nearest_moment(40, [10, 100]) == 1
    assert find_nearest_moment(30, [10, 100]) == 0
