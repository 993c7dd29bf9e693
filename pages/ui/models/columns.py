"""One sentence through a family of models, a column each in the order of the years (assets/player/family)."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from model.analysis.errors.differences import find_errors
from model.analysis.errors.meaning import has_lexicon
from model.checkpoints.checkpoint import Card
from model.networks import registry
from model.text.languages import DEFAULT_PAIR
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import find_attended_words
from pages.ui.components.component import Component, sent
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.numbers import millions
from pages.ui.i18n.typography import decimal, tail, typeset
from pages.ui.models.family_results import FamilyResults
from pages.ui.models.payload_types import FamilyAnswer, FamilyData, FamilyMark, FamilyMember
from pages.ui.results import alignment_error
from pages.ui.url_state import links, state
from pages.ui.widgets import maps
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import carrying

KEY = "family-columns"
_OPENED = f"{KEY}-open"
MAX_HOURS_RATIO = 1.25  # times as many hours as another one: said then

_mount = Component("family", FamilyData)


def render_columns(data: FamilyData) -> None:
    """Draw the columns of a payload."""
    _mount(key=KEY, data=data, on_open_change=_ask)


def pop_opened_model(members: Sequence[str]) -> str:
    """The model whose picture was clicked, "" for none; it is told once."""
    found: Any = st.session_state.pop(_OPENED, None)
    return found if isinstance(found, str) and found in members else ""


def _ask() -> None:
    st.session_state[_OPENED] = sent(KEY, "open")


def build_link_query(asked: FamilyResults, name: str) -> dict[str, str]:
    """What a link says so that it opens the sentence in another page with that model."""
    search = next(key for key, settings in links.SEARCHES.items() if settings == asked.search)
    language = state.linked(links.LANG, told=False)
    said = {**carrying(asked.text), links.MODEL.name: name, links.SEARCH.name: search}
    return links.query(said | ({links.LANG.name: language} if language else {}), defaults=True)


def build_columns_payload(asked: FamilyResults, members: Sequence[str], t: Messages) -> FamilyData:
    """What the component draws of the models `members`, in this order: plain lists and texts only."""
    found = [card for card in map(cards.find, members) if card is not None]
    traces = [asked.traces[card.name] for card in found if card.name in asked.traces]
    return {
        "text": str(asked.text),
        "languages": (found[0].languages[0], found[0].languages[1]) if found else DEFAULT_PAIR,
        "source": typeset(traces[0].source, traces[0].source_language) if traces else [],
        "tail": tail(traces[0].source) if traces else "",
        "members": [_member(card, asked, t) for card in found],
        "told": bool(traces) and has_lexicon(traces[0]),
        "unequal": _unequal(found, t),
        "made": provenance(traces, t) if traces else "",
        "words": t.table("family"),
        "language": t.language,
    }


def _member(card: Card, asked: FamilyResults, t: Messages) -> FamilyMember:
    kind = registry.KINDS.get(card.kind)
    trace = asked.traces.get(card.name)
    taught = t.sent("family.taught", hours=decimal(card.hours, 1), pieces=millions(card.target_tokens, t))
    return {
        "name": card.name,
        "title": card.title,
        "year": str(kind.year) if kind and kind.year else "",
        "paper": kind.paper if kind else "",
        "attends": card.has_attention,
        "size": t.sent("family.size", parameters=millions(card.parameters, t)) if card.parameters > 50_000 else "",
        "taught": taught if card.target_tokens else t("family.untaught"),
        "answer": None if trace is None else _answer(trace, t),
        "problem": asked.problems.get(card.name, ""),
    }


def _answer(trace: Trace, t: Messages) -> FamilyAnswer:
    read = find_errors(trace)
    marks: list[FamilyMark] = [""] * len(read.words)
    for word in read.additions:
        marks[word] = "invented"
    for word in read.repetitions:
        marks[word] = "repeated"
    seen = [one.description for one in trace.maps if one.description.is_source_attention]
    shown = next((one for one in seen if one.key == trace.shown), None)
    return {
        "words": typeset(trace.target, trace.target_language),
        "tail": tail(trace.target),
        "marks": marks,
        "looks": find_attended_words(trace, range(len(trace.source.words))),
        "lost": list(read.omissions),
        "finished": trace.finished,
        "map": maps.called(shown, seen, t, short=True) if shown and len(seen) > 1 else "",
        "beside": alignment_error.describe_attention_offset(trace, t),
    }


def _unequal(found: Sequence[Card], t: Messages) -> str:
    """That some had more hours than others, where that is so."""
    taught = [card.hours for card in found if card.hours > 0]
    if len(taught) < 2 or max(taught) < MAX_HOURS_RATIO * min(taught):
        return ""
    return t("family.unequal", least=decimal(min(taught), 1), most=decimal(max(taught), 1))
