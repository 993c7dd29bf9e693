"""One sentence translated by several models, a column each, oldest architecture first.

The browser component is in assets/player/family.
"""

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
from pages.ui.charts.payload_parts import find_attended_words, mark_errors
from pages.ui.components.component import Component, get_event
from pages.ui.family import training
from pages.ui.family.payload_types import FamilyData, FamilyMember, FamilyTranslation
from pages.ui.i18n.citations import format_citation
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions, get_trailing_text, typeset
from pages.ui.results import alignment_error
from pages.ui.url_state import params, state
from pages.ui.url_state.state import build_sentence_param
from pages.ui.widgets import map_names
from pages.ui.widgets.family_results import FamilyResults
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.unknown_words import describe_unknown_words, find_unknown_source_words

KEY = "family-columns"
_OPENED_MODEL_KEY = f"{KEY}-open"  # session key of the model whose picture was clicked

_mount = Component("family", FamilyData)


def render_columns(data: FamilyData) -> None:
    """Draw the columns of a payload."""
    _mount(key=KEY, data=data, on_open_change=_store_opened_model, on_equal_change=_store_equal_hours)


def _store_opened_model() -> None:
    st.session_state[_OPENED_MODEL_KEY] = get_event(KEY, "open")


def _store_equal_hours() -> None:
    is_chosen = get_event(KEY, "equal")
    if isinstance(is_chosen, bool):
        st.session_state[params.EQUAL_HOURS.name] = is_chosen


def pop_opened_model(members: Sequence[str]) -> str:
    """Return the model whose picture was clicked, once; "" for none."""
    name: Any = st.session_state.pop(_OPENED_MODEL_KEY, None)
    return name if isinstance(name, str) and name in members else ""


def build_link_query(results: FamilyResults, name: str) -> dict[str, str]:
    """Return the link parameters that open the sentence in another page with the model `name`."""
    values = {**build_sentence_param(results.text), params.MODEL.name: name,
              params.SEARCH.name: results.search.method, params.UNK.name: results.search.unk}
    return params.build_query(values | state.build_language_param())


def build_columns_payload(results: FamilyResults, members: Sequence[str], t: Messages) -> FamilyData:
    """Return the payload for the models `members`, in this order."""
    member_cards = [card for card in map(cards.find_card, members) if card is not None]
    traces = [results.traces[card.name] for card in member_cards if card.name in results.traces]
    first = traces[0] if traces else None
    return {
        "text": str(results.text),
        "languages": (member_cards[0].languages[0], member_cards[0].languages[1]) if member_cards else DEFAULT_PAIR,
        "source": typeset(first.source, first.source_language) if first else [],
        "unknown_words": find_unknown_source_words(traces),
        "tail": get_trailing_text(first.source) if first else "",
        "members": [_build_member(card, member_cards, results, t) for card in member_cards],
        "has_lexicon": first is not None and has_lexicon(first),
        "unequal_note": training.describe_unequal_training(member_cards, t),
        "shows_equal_hours": state.get_param(params.EQUAL_HOURS),
        "provenance": describe_provenance(traces, t) if traces else "",
        "unknown_notes": describe_unknown_words(traces, t),
        "messages": t.get_table("family"),
        "language": t.language,
    }


def _build_member(card: Card, members: Sequence[Card], results: FamilyResults, t: Messages) -> FamilyMember:
    kind = registry.KINDS.get(card.kind)
    trace = results.traces.get(card.name)
    return {
        "name": card.name,
        "title": card.title,
        "year": str(kind.year) if kind and kind.year else "",
        "paper": format_citation(kind.paper, t) if kind else "",
        "has_attention": card.has_attention,
        "parameter_count": t.format_for_component("family.size", parameters=format_millions(card.parameters, t))
        if card.parameters > 50_000
        else "",
        "training": training.build_training(card, members, results.search, t),
        "translation": None if trace is None else _build_answer(trace, t),
        "problem": results.problems.get(card.name, ""),
    }


def _build_answer(trace: Trace, t: Messages) -> FamilyTranslation:
    errors = find_errors(trace)
    return {
        "words": typeset(trace.target, trace.target_language),
        "tail": get_trailing_text(trace.target),
        "marks": mark_errors(errors),
        "unknown_words": sorted(trace.target.unknown_words),
        "copied_words": sorted(trace.copied_words),
        "attended": find_attended_words(trace, range(len(trace.source.words))),
        "omissions": list(errors.omissions),
        "is_finished": trace.is_finished,
        "map_name": map_names.name_displayed_map(trace, t),
        "shift_note": alignment_error.describe_attention_offset(trace, t),
    }

