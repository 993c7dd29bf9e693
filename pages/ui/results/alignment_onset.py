"""The onset of alignment: α, translation and BLEU at each moment of the training diaries, as one browser component.

All moments of all probes are sent once; the slider runs in the browser
(assets/player/length_and_bleu/alignment_onset.js).
"""

import logging
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from model.analysis.alignment.onset import AlignmentOnset, find_onsets
from model.checkpoints.checkpoint import Card
from model.serialization.codec import CodecError
from model.text.bleu import compute_bleu
from model.text.words import split_words
from model.trace import Side
from model.training.diary_record import DIARY, DiaryRecord, encode_alpha
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import build_line_style, make_short_id
from pages.ui.components.component import Component, get_event
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.results.payload_types import AlignmentOnsetData, OnsetModel, OnsetProbe, OnsetTranslation
from pages.ui.url_state import state
from pages.ui.url_state.params import DIARY_MOMENT, DIARY_SENTENCE

KEY = "alignment_onset"
_POSITION = DIARY_MOMENT.name  # session key of the chosen probe and moment
_mount = Component("alignment_onset", AlignmentOnsetData)
_log = logging.getLogger(__name__)


class OnsetSummary(NamedTuple):
    """The number of probes, the title of the first model with a diary, and the target tokens of its diary and of its
    whole training."""

    probe_count: int
    title: str
    diary_tokens: int
    training_tokens: int


def render_alignment_onset(models: Sequence[str], t: Messages) -> OnsetSummary | None:
    """Draw the models whose diaries have the same probes as the first one's; None if there are none."""
    model_cards = [card for card in map(cards.find_card, models) if card]
    built = _build_payload(tuple((card.name, card.fingerprint, card.title) for card in model_cards))
    if built is None:
        return None
    data, first_name = built
    probe, moment = _get_position(data)
    payload: AlignmentOnsetData = {**data, "probe": probe, "moment": moment}
    payload |= {"messages": t.get_table("alignment_onset"), "language": t.language}
    _mount(key=KEY, data=payload, on_position_change=_store_position)
    st.session_state[_POSITION] = {"probe": probe, "moment": moment}
    state.write_link_param(DIARY_SENTENCE, probe)
    state.write_link_param(DIARY_MOMENT, moment)
    first = data["models"][0]
    card = next(card for card in model_cards if card.name == first_name)
    return OnsetSummary(len(data["probes"]), first["name"], first["target_tokens"][-1], card.target_tokens)


def _get_position(data: AlignmentOnsetData) -> tuple[int, int]:
    """Return probe and moment to open at, from 1 (moment 0: the last): the reader's last choice, else the link's."""
    probes, ticks = len(data["probes"]), len(data["ticks"])
    position = st.session_state.get(_POSITION)
    if position is not None:
        return min(position["probe"], probes), position["moment"] if position["moment"] <= ticks else 0
    probe = state.read_link_param(DIARY_SENTENCE.with_maximum(probes)) or DIARY_SENTENCE.get_default()
    return probe, state.read_link_param(DIARY_MOMENT.with_maximum(ticks)) or 0


def _store_position() -> None:
    """Store the probe and the moment that the reader stopped at."""
    event: Any = get_event(KEY, "position")
    numbers = [event.get(name) for name in ("probe", "moment")] if isinstance(event, dict) else []
    if numbers and all(type(number) is int and number >= 0 for number in numbers):
        st.session_state[_POSITION] = {"probe": max(1, event["probe"]), "moment": event["moment"]}


@st.cache_resource(show_spinner=False, max_entries=8)
def _build_payload(models: tuple[tuple[str, str, str], ...]) -> tuple[AlignmentOnsetData, str] | None:
    """Return the payload for models given by name, fingerprint and title, without the interface's texts, and the name
    of its first model."""
    model_cards = [card for card in (cards.find_card(name) for name, _, _ in models) if card]
    diaries = [(card, *contents) for card in model_cards if (contents := read_diary(card)) is not None]
    diaries = [entry for entry in diaries if entry[1].probes]
    diaries = [entry for entry in diaries if entry[0].languages == diaries[0][0].languages
               and _list_probe_tokens(entry[1]) == _list_probe_tokens(diaries[0][1])]  # fmt: skip
    if not any(card.has_attention for card, *_ in diaries):
        return None
    first_card, first_diary, _ = diaries[0]
    fingerprints = [card.fingerprint for card, *_ in diaries]
    ticks = max(([moment.target_pieces for moment in diary.moments] for _, diary, _ in diaries), key=len)
    languages = (first_card.languages[0], first_card.languages[1])
    probes: list[OnsetProbe] = [
        {"source": _typeset_text(probe.source, languages[0]), "target": _typeset_text(probe.target, languages[1])}
        for probe in first_diary.probes
    ]
    data: AlignmentOnsetData = {
        "id": make_short_id(fingerprints),
        "probe": 1,
        "moment": 0,
        "ticks": ticks,
        "probes": probes,
        "models": [_build_model(*entry, ticks) for entry in diaries],
        "languages": languages,
        "messages": {},
        "language": "",
    }
    return data, first_card.name


def _list_probe_tokens(diary: DiaryRecord) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the tokens of a diary's probes. They must agree between models; the texts may differ in spaces."""
    return [(probe.source_pieces, probe.target_pieces) for probe in diary.probes]


def read_diary(card: Card) -> tuple[DiaryRecord, tuple[AlignmentOnset, ...]] | None:
    """Return a model's diary and the onsets in it; None if it is missing or damaged."""
    try:
        diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
        onsets = find_onsets(diary, (card.languages[0], card.languages[1]))
    except (OSError, CodecError) as error:  # reported above the training curves
        _log.warning("the diary of %s is left out: %s", card.name, error)
        return None
    return (diary, onsets) if diary.moments else None


def _build_model(card: Card, diary: DiaryRecord, onsets: Sequence[AlignmentOnset], ticks: Sequence[int]) -> OnsetModel:
    target_tokens = [moment.target_pieces for moment in diary.moments]
    return {
        "name": get_title(card.name),
        **build_line_style(card.name),
        "target_tokens": target_tokens,
        "bleu": [compute_bleu(np.array(moment.bleu_counts, np.int64).sum(axis=0)) for moment in diary.moments],
        "moments": [find_nearest_moment(tick, target_tokens) for tick in ticks],
        "probes": [_build_probe(diary, onsets, index) for index in range(len(diary.probes))],
    }


def find_nearest_moment(tick: int, target_tokens: Sequence[int]) -> int:
    """Return the index of the moment nearest to a position of the slider, by ratio."""
    return min(range(len(target_tokens)), key=lambda index: abs(math.log(target_tokens[index] / tick)))


def _build_probe(diary: DiaryRecord, onsets: Sequence[AlignmentOnset], index: int) -> OnsetTranslation:
    onset = onsets[index] if onsets else None
    return {
        "translations": [moment.translations[index] for moment in diary.moments],
        "alpha": None if onset is None else list(map(encode_alpha, onset.rows)),
        "diagonal": None if onset is None else onset.diagonal,
        "reordering": None if onset is None else onset.reordering,
    }  # fmt: skip


def _typeset_text(text: str, language: str) -> list[tuple[str, str]]:
    """Return the words of a text, typeset."""
    words = tuple(text[start:end] for start, end in split_words(text, language))
    return typeset(Side(text, words, words, tuple(range(len(words)))), language)
