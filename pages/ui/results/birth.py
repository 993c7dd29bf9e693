"""Alignment being born: α, the translation and BLEU of the diaries' moments, as one browser component.

All moments of all probes are sent once; the slider plays in the browser (assets/player/length_and_bleu/birth.js).
"""

import base64
import hashlib
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
from model.training.diary_record import DIARY, DiaryRecord
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.charts.curves import get_line_style
from pages.ui.components.component import Component, get_event
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.results.payload_types import BirthData, BirthProbe, BornModel, BornProbe
from pages.ui.url_state import state
from pages.ui.url_state.params import DIARY_MOMENT, DIARY_SENTENCE

KEY = "birth"
_mount = Component("birth", BirthData)
_log = logging.getLogger(__name__)


class BirthSummary(NamedTuple):
    """What was drawn: how many probes, and how far the diary and the training of the first model went, in pieces."""

    probes: int
    model: str
    diary: int
    training: int


def render_birth(models: Sequence[str], t: Messages) -> BirthSummary | None:
    """Draw the birth of the alignments of those of `models` whose diaries have the same probes as the first one's; None
    where there is nothing to draw."""
    known = [card for card in map(cards.find_card, models) if card]
    data = _whole(tuple((card.name, card.fingerprint, card.title) for card in known))
    if data is None:
        return None
    probe, moment = _at(data)
    shown: BirthData = {**data, "probe": probe, "moment": moment}
    shown |= {"words": t.table("birth"), "language": t.language}
    _mount(key=KEY, data=shown, on_place_change=_moved)
    _keep(data, probe, moment)
    first = data["models"][0]
    card = next(card for card in known if card.title == first["name"])
    return BirthSummary(len(data["probes"]), first["name"], first["pieces"][-1], card.target_tokens)


def _at(data: BirthData) -> tuple[int, int]:
    """The probe and the moment (both from 1; moment 0: the last) to open at: the link speaks first, then the reader."""
    probes, ticks = len(data["probes"]), len(data["ticks"])
    kept = st.session_state.get(KEY + "-place")
    if kept is not None:
        return min(kept["probe"], probes), kept["moment"] if kept["moment"] <= ticks else 0
    return state.read_link_param(DIARY_SENTENCE.up_to(probes)) or DIARY_SENTENCE.kind.default(), state.read_link_param(
        DIARY_MOMENT.up_to(ticks)
    ) or 0


def _keep(data: BirthData, probe: int, moment: int) -> None:
    st.session_state[KEY + "-place"] = {"probe": probe, "moment": moment}
    state.write_link_param(DIARY_SENTENCE, probe)
    state.write_link_param(DIARY_MOMENT, moment)


def _moved() -> None:
    """The reader has come to another probe or moment and stays there."""
    found: Any = get_event(KEY, "place")
    numbers = [found.get(name) for name in ("probe", "moment")] if isinstance(found, dict) else []
    if numbers and all(type(number) is int and number >= 0 for number in numbers):
        st.session_state[KEY + "-place"] = {"probe": max(1, found["probe"]), "moment": found["moment"]}


@st.cache_resource(show_spinner=False, max_entries=8)
def _whole(models: tuple[tuple[str, str, str], ...]) -> BirthData | None:
    """All that the diaries of models tell, given by their names, fingerprints and titles, without the words of the
    interface."""
    known = [card for card in (cards.find_card(name) for name, _, _ in models) if card]
    read = [(card, *found) for card in known if (found := _diary(card)) is not None]
    read = [one for one in read if one[1].probes and one[0].languages == read[0][0].languages]
    read = [one for one in read if _pieces(one[1]) == _pieces(read[0][1])]
    if not any(card.has_attention for card, *_ in read):
        return None
    card, diary, _ = read[0]
    fingerprints = [one.fingerprint for one, *_ in read]
    ticks = max(([moment.target_pieces for moment in one.moments] for _, one, _ in read), key=len)
    languages = (card.languages[0], card.languages[1])
    told = [_model(*one, ticks) for one in read]
    probes: list[BirthProbe] = [
        {"source": _words(one.source, languages[0]), "target": _words(one.target, languages[1])} for one in diary.probes
    ]
    return {
        "of": hashlib.sha256(" ".join(fingerprints).encode()).hexdigest()[:12],
        "probe": 1,
        "moment": 0,
        "ticks": ticks,
        "probes": probes,
        "models": told,
        "languages": languages,
        "made": ", ".join(fingerprints),
        "words": {},
        "language": "",
    }


def _pieces(diary: DiaryRecord) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The pieces that the weights of a diary's probes lie over; the spaces beside a text's stops may differ."""
    return [(probe.source_pieces, probe.target_pieces) for probe in diary.probes]


def _diary(card: Card) -> tuple[DiaryRecord, tuple[AlignmentOnset, ...]] | None:
    """A model's diary and what is born in it; None where there is none, or one that is damaged."""
    try:
        diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
        born = find_onsets(diary, (card.languages[0], card.languages[1]))
    except (OSError, CodecError) as error:  # named above the training curves, which read the same diaries
        _log.warning("the diary of %s has no births: %s", card.name, error)
        return None
    return (diary, born) if diary.moments else None


def _model(card: Card, diary: DiaryRecord, born: Sequence[AlignmentOnset], ticks: Sequence[int]) -> BornModel:
    style = get_line_style(card.name)
    pieces = [moment.target_pieces for moment in diary.moments]
    return {
        "name": get_title(card.name),
        "dashed": not style.is_ink,
        "hollow": style.is_hollow,
        "marker": style.marker,
        "pieces": pieces,
        "bleu": [compute_bleu(np.array(one.bleu_counts, np.int64).sum(axis=0)) for one in diary.moments],
        "at": [find_nearest_moment(tick, pieces) for tick in ticks],
        "probes": [_probe(diary, born, place) for place in range(len(diary.probes))],
    }


def find_nearest_moment(tick: int, pieces: Sequence[int]) -> int:
    """The moment that is nearest to a place of the slider, by the ratio of pieces."""
    return min(range(len(pieces)), key=lambda place: abs(math.log(pieces[place] / tick)))


def _probe(diary: DiaryRecord, born: Sequence[AlignmentOnset], place: int) -> BornProbe:
    one = born[place] if born else None
    return {
        "translations": [moment.translations[place] for moment in diary.moments],
        "alpha": None if one is None else [
            base64.b64encode(np.rint(np.clip(rows, 0, 1) * 255).astype(np.uint8).tobytes()).decode()
            for rows in one.rows
        ],
        "diagonal": None if one is None else one.diagonal,
        "turning": None if one is None else one.reordering,
    }  # fmt: skip


def _words(text: str, language: str) -> list[tuple[str, str]]:
    """The words of a text, typeset."""
    words = tuple(text[start:end] for start, end in split_words(text, language))
    return typeset(Side(text, words, words, tuple(range(len(words)))), language)
