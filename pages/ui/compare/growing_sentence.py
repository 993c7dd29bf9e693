"""A sentence that grows clause by clause: which clause the reader is at, and the translations of all its beginnings."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from model.text.clauses import build_prefixes
from model.text.normalise import normalise
from model.trace import Trace
from pages.ui.backend import service
from pages.ui.components.component import get_event
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import state
from pages.ui.url_state.params import CLAUSE_COUNT
from pages.ui.widgets.requests import Request, outcome, select_trace_map, wait_for
from pages.ui.widgets.status import Status

PLACE = CLAUSE_COUNT.name  # where the session keeps which clause of which sentence the reader is at
_MADE = "grown-translations"

TracePair = tuple[Trace, Trace | None]
"""What the two models made of one text; None where the second one could give nothing."""


def get_clause(text: str, language: str) -> int:
    """How many clauses of `text` are shown, 0 where it is not grown. The link speaks for the first sentence that is
    shown, and the reader is told where it names a clause there is not; after that the reader does."""
    kept = st.session_state.get(PLACE)
    if kept is not None:
        return int(kept["clause"]) if kept["text"] == text else 0
    clauses = len(build_prefixes(text, language))
    linked = state.read_link_param(CLAUSE_COUNT.up_to(clauses))
    return linked if linked is not None and clauses > 1 else 0


def store_clause(text: str, clause: int, problem: str = "") -> None:
    """Remember where the reader is, for other pages, coming back, and the link; and what kept the sentence from
    growing, for `problem`: the page is drawn once more then, with the button that asks for it."""
    st.session_state[PLACE] = {"text": text, "clause": clause, "runs": count_runs(), "problem": problem}
    state.write_link_param(CLAUSE_COUNT, clause)


def get_problem() -> str:
    """What kept the sentence from growing in the run before; "" where nothing did."""
    return str(st.session_state.get(PLACE, {}).get("problem", ""))


def count_runs() -> int:
    """How often in this session a sentence was asked to grow; each time it plays from its first clause."""
    return int(st.session_state.get(PLACE, {}).get("runs", 0))


def make_grow_callback(component: str) -> Callable[[], None]:
    """What to call when the reader asks the component of that key for a sentence to grow."""

    def begin() -> None:
        text = get_event(component, "grow")
        if isinstance(text, str):
            st.session_state[PLACE] = {"text": text, "clause": 1, "runs": count_runs() + 1}

    return begin


def make_clause_callback(component: str, language: str) -> Callable[[], None]:
    """What to call when the reader has come to another clause and stays there."""

    def note() -> None:
        found: Any = get_event(component, "clause")
        kept = st.session_state.get(PLACE)
        if isinstance(found, dict) and kept is not None and found.get("text") == kept["text"]:
            clause = found.get("clause")
            if isinstance(clause, int) and 1 <= clause <= len(build_prefixes(kept["text"], language)):
                st.session_state[PLACE] = kept | {"clause": clause}

    return note


def get_prefix_translations(whole: TracePair, requests: Sequence[Request], key: str) -> list[TracePair] | None:
    """The translations of every beginning of the sentence, seen by the map of that key as `whole` is, which is the last
    of them; None before `make` has made them."""
    kept = st.session_state.get(_MADE)
    if kept is None or kept[0] != _key(whole, requests):
        return None
    return [*((select_trace_map(one, key), other and select_trace_map(other, key)) for one, other in kept[1]), whole]


def translate_prefixes(whole: TracePair, requests: Sequence[Request], t: Messages, status: Status) -> str:
    """Have every beginning of the sentence translated by both models and keep the translations for `made`; `status`
    says how far they are. Returns what went wrong, "" if nothing did."""
    models = service.get_service()
    needed = requests if whole[1] is not None else requests[:1]
    beginnings = build_prefixes(whole[0].source.text, whole[0].source_language)[:-1]
    texts = [normalise(text) for text in beginnings]
    futures = [models.request(one.model, text, one.settings, state.get_reader_id()) for text in texts for one in needed]

    def notice() -> str:
        if not models.ready(*(request.model for request in needed)):
            return t("status.loading")
        return t("compare.growing", done=sum(future.done() for future in futures), total=len(futures))

    wait_for(futures, notice, status)
    traces: list[Trace] = []
    for place, future in enumerate(futures):
        found, problem = outcome(future, needed[place % len(needed)].model, t)
        if problem:
            return problem
        traces.append(found[0])
    step = len(needed)
    pairs: list[TracePair] = [
        (traces[place], traces[place + 1] if step > 1 else None) for place in range(0, len(traces), step)
    ]
    # By the session itself: were they gone with the service's bound, they would be made again without end.
    st.session_state[_MADE] = _key(whole, requests), pairs
    return ""


def _key(whole: TracePair, requests: Sequence[Request]) -> tuple[object, ...]:
    made_by = tuple(None if trace is None else (trace.made_by.model, trace.made_by.fingerprint) for trace in whole)
    return (whole[0].source.text, made_by, tuple((request.settings, request.edits) for request in requests))
