"""Ask the backend for translations: shipped ones first, others from the service. Nothing here draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace

from model.decoding import NO_OVERRIDES, Overrides, Settings
from model.text.normalise import NormalisedText, normalise
from model.text.politeness import add_missing_tag
from model.trace import Trace, select_displayable_maps
from pages.ui.backend import cards, service, shipped_traces
from pages.ui.backend.result_cache import TranslationSet
from pages.ui.backend.service import Traces
from pages.ui.url_state import params, state
from pages.ui.url_state.params import MAX_CHARACTERS, get_style


@dataclass(frozen=True)
class Request:
    """One model's translation that a page needs: how to search for it, and the reader's overrides."""

    model: str
    settings: Settings
    overrides: Overrides = NO_OVERRIDES

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", cards.resolve_unk(self.model, self.settings))


@dataclass(frozen=True)
class SentenceInput:
    """A sentence as it was typed, and normalised."""

    typed_text: str
    text: NormalisedText

    @classmethod
    def from_text(cls, typed_text: str) -> SentenceInput:
        """Normalise a typed sentence, cut to MAX_CHARACTERS + 1: longer ones are never translated. For models with a
        choice of style its tag is put before the sentence, unless a tag was typed."""
        text, style = normalise(typed_text[: MAX_CHARACTERS + 1]), get_style()
        return cls(typed_text, add_missing_tag(text, style))

    @property
    def is_translatable(self) -> bool:
        """Whether the sentence is neither empty nor too long."""
        return bool(self.text) and len(self.typed_text) <= MAX_CHARACTERS


StartedRequests = Mapping[tuple[NormalisedText, Request], "Future[Traces]"]
"""Requests that have been started."""


def start_request(text: NormalisedText, request: Request) -> Future[Traces]:
    """Start a request and return at once; the Future of a shipped or cached translation is done."""
    traces = find_shipped(text, request)
    if traces is not None:
        future: Future[Traces] = Future()
        future.set_result(traces)
        return future
    return service.get_service().request(
        request.model, text, request.settings, state.get_reader_id(), request.overrides
    )


@contextmanager
def prefetch(sentence: SentenceInput, requests: Sequence[Request]) -> Iterator[StartedRequests]:
    """Start `requests` while the page is drawn down to its translations, and yield their Futures.

    Pages pass the requests of their previous run, since most often only the sentence has changed. Whatever
    `get_translations` does not take over is cancelled at the end.
    """
    started_requests: StartedRequests = {}
    if sentence.is_translatable:
        started_requests = {
            (sentence.text, request): start_request(sentence.text, request) for request in dict.fromkeys(requests)
        }
    try:
        yield started_requests
    finally:
        for future in started_requests.values():
            future.cancel()


def find_shipped(text: NormalisedText, request: Request) -> Traces | None:
    """Return the shipped translation that answers a request, if there is one."""
    if request.overrides:
        return None
    trace = shipped_traces.find_trace(text, request.model, request.settings, cards.get_fingerprint(request.model))
    return None if trace is None else (trace,)


def find_available(text: NormalisedText, request: Request) -> Traces | None:
    """Return the shipped or cached translation that answers a request without overrides; starts nothing."""
    return find_shipped(text, request) or service.get_service().find_cached(request.model, text, request.settings)


def find_search(trace: Trace, chosen: Settings) -> Settings:
    """Return the search on offer that made a Trace, with the chosen rule for UNK; `chosen` if none of them did."""
    searches = [replace(search, unk=chosen.unk) for search in params.SEARCHES.values()]
    model, settings = trace.provenance.model, trace.provenance.settings
    return next((one for one in searches if cards.resolve_unk(model, one).trace_settings == settings), chosen)


def find_opening_translations(requests: Sequence[Request]) -> TranslationSet | None:
    """Return shipped translations to open a page on: of the first sentence that the first request's model has one of,
    in the requested detail."""
    plain_requests = [Request(request.model, Settings(detail=request.settings.detail)) for request in requests]
    for example in shipped_traces.load_examples():
        translations = tuple(find_shipped(example.sentence, request) or () for request in plain_requests)
        if translations[0]:
            return translations
    return None


def set_displayed_map(translations: TranslationSet, map_key: str) -> TranslationSet:
    """Return the translations with another displayed map, where their models have it."""
    return tuple(tuple(select_trace_map(trace, map_key) for trace in traces) for traces in translations)


def select_trace_map(trace: Trace, map_key: str) -> Trace:
    """Return the Trace with another displayed map, if its model has it."""
    maps = select_displayable_maps(attention_map.description for attention_map in trace.maps)
    has_map = any(description.key == map_key for description in maps)
    return replace(trace, displayed_map_key=map_key) if has_map and trace.displayed_map_key != map_key else trace
