"""A sentence that grows clause by clause: the current clause, and the translations of all its prefixes."""

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
from pages.ui.widgets.fetch import Request, select_trace_map
from pages.ui.widgets.status import Status
from pages.ui.widgets.translations import describe_error, wait_for

POSITION = CLAUSE_COUNT.name  # session key of the current sentence and clause
_TRANSLATIONS = "grown-translations"  # session key

TracePair = tuple[Trace, Trace | None]
"""The translations of one text by both models; None if the second has none."""


def get_clause(text: str, language: str) -> int:
    """Return how many clauses of `text` are shown, 0 for the whole sentence.

    The link counts for the first sentence only, and a notice appears if it names a clause that does not exist.
    """
    position = st.session_state.get(POSITION)
    if position is not None:
        return int(position["clause"]) if position["text"] == text else 0
    clauses = len(build_prefixes(text, language))
    linked_clause = state.read_link_param(CLAUSE_COUNT.with_maximum(clauses))
    return linked_clause if linked_clause is not None and clauses > 1 else 0


def store_clause(text: str, clause: int, problem: str = "") -> None:
    """Store the current clause in the session and the link, and the `problem` that stopped the translations, if any."""
    position = {"text": text, "clause": clause, "growth_count": get_growth_count(), "problem": problem}
    st.session_state[POSITION] = position
    state.write_link_param(CLAUSE_COUNT, clause)


def get_problem() -> str:
    """Return the problem that stopped the translations in the previous run, "" if there was none."""
    return str(st.session_state.get(POSITION, {}).get("problem", ""))


def get_growth_count() -> int:
    """Return how often this session started to grow a sentence: each time the browser plays from the first clause."""
    return int(st.session_state.get(POSITION, {}).get("growth_count", 0))


def make_grow_callback(component: str) -> Callable[[], None]:
    """Return the callback for when the reader starts to grow a sentence."""

    def start_growing() -> None:
        text = get_event(component, "grow")
        if isinstance(text, str):
            st.session_state[POSITION] = {"text": text, "clause": 1, "growth_count": get_growth_count() + 1}

    return start_growing


def make_clause_callback(component: str, language: str) -> Callable[[], None]:
    """Return the callback for when the reader stops at another clause."""

    def store() -> None:
        event: Any = get_event(component, "clause")
        position = st.session_state.get(POSITION)
        if isinstance(event, dict) and position is not None and event.get("text") == position["text"]:
            clause = event.get("clause")
            if isinstance(clause, int) and 1 <= clause <= len(build_prefixes(position["text"], language)):
                st.session_state[POSITION] = position | {"clause": clause}

    return store


def get_prefix_translations(full_pair: TracePair, requests: Sequence[Request], key: str) -> list[TracePair] | None:
    """Return the stored translations of every prefix with the attention map `key`, the whole sentence last.

    None before `translate_prefixes` has made them.
    """
    stored = st.session_state.get(_TRANSLATIONS)
    if stored is None or stored[0] != _build_key(full_pair, requests):
        return None
    prefixes = [(select_trace_map(first, key), second and select_trace_map(second, key)) for first, second in stored[1]]
    return [*prefixes, full_pair]


def translate_prefixes(full_pair: TracePair, requests: Sequence[Request], t: Messages, status: Status) -> str:
    """Translate and store every prefix of the sentence by both models, with progress in `status`.

    Returns:
        The problem that stopped it, "" if there was none.
    """
    models = service.get_service()
    prefix_requests = requests if full_pair[1] is not None else requests[:1]
    prefixes = build_prefixes(full_pair[0].source.text, full_pair[0].source_language)[:-1]
    texts = [normalise(text) for text in prefixes]
    futures = [
        models.request(request.model, text, request.settings, state.get_reader_id())
        for text in texts
        for request in prefix_requests
    ]

    def describe_wait() -> str:
        if not models.is_loaded(*(request.model for request in prefix_requests)):
            return t("status.loading")
        return t("compare.growing", done=sum(future.done() for future in futures), total=len(futures))

    wait_for(futures, describe_wait, status)
    traces: list[Trace] = []
    for index, future in enumerate(futures):
        error = future.exception()
        if error is not None:
            return describe_error(error, prefix_requests[index % len(prefix_requests)].model, t)
        traces.append(future.result()[0])
    step = len(prefix_requests)
    pairs: list[TracePair] = [
        (traces[index], traces[index + 1] if step > 1 else None) for index in range(0, len(traces), step)
    ]
    # In the session, not the service's bounded cache: evicted translations would be made again without end.
    st.session_state[_TRANSLATIONS] = _build_key(full_pair, requests), pairs
    return ""


def _build_key(full_pair: TracePair, requests: Sequence[Request]) -> tuple[object, ...]:
    models = tuple(trace and (trace.provenance.model, trace.provenance.fingerprint) for trace in full_pair)
    return (full_pair[0].source.text, models, tuple((request.settings, request.overrides) for request in requests))
