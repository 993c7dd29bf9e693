"""Caches of results, bounded by number and by memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any
from weakref import ref

import numpy as np

from model.trace import Trace
from model.trace.tree import Tree

TranslationSet = tuple[tuple[Trace, ...], ...]
"""For each request of a page the n best Traces, or () if it failed."""
StoredTranslations = tuple[tuple[Trace | ref[Trace], ...], ...]
"""The same as sessions keep it, perhaps by weak references."""

MAX_SESSION_BYTES = 2_000_000  # that a session may hold; a sentence of any length takes less with most models
_NODE_BYTES, _STEP_BYTES, _CANDIDATE_BYTES = 500, 300, 200  # approximate


class ResultCache:
    """At most `max_results` results of at most `max_bytes` in all; the least recently used are dropped first.

    Safe to use from every thread.
    """

    def __init__(self, max_results: int, max_bytes: int) -> None:
        self._max_results, self._max_bytes = max_results, max_bytes
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()  # with their bytes
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> tuple[bool, Any]:
        """Return whether there is a result of this key, and the result."""
        with self._lock:
            if key not in self._results:
                return False, None
            self._results.move_to_end(key)
            return True, self._results[key][0]

    def store(self, key: Hashable, result: Any) -> None:
        """Store a result, and drop old ones beyond the limits; the new one always stays."""
        size = estimate_bytes(result)
        with self._lock:
            _, previous_size = self._results.pop(key, (None, 0))
            self._results[key] = result, size
            self._bytes += size - previous_size
            while len(self._results) > 1 and (len(self._results) > self._max_results or self._bytes > self._max_bytes):
                _, (_, dropped_size) = self._results.popitem(last=False)
                self._bytes -= dropped_size


def store_translations(translations: TranslationSet) -> StoredTranslations:
    """Return translations for a session to keep: large ones by weak references, so that they live only as long as in
    the service's cache, which is bounded for all sessions together."""
    is_large = estimate_bytes(translations) > MAX_SESSION_BYTES
    return tuple(tuple(ref(trace) if is_large else trace for trace in traces) for traces in translations)


def recall_translations(stored: StoredTranslations | None) -> TranslationSet | None:
    """Return stored translations; None if there are none or they are no longer cached."""
    if stored is None:
        return None
    traces_by_request = [[trace() if isinstance(trace, ref) else trace for trace in traces] for traces in stored]
    translations = tuple(tuple(trace for trace in traces if trace is not None) for traces in traces_by_request)
    return translations if list(map(len, translations)) == list(map(len, stored)) else None


def estimate_bytes(result: object) -> int:
    """Estimate the memory of a result by its arrays, trees and steps; everything else is small beside them."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, Tree):
        return _NODE_BYTES * len(result)
    parts: Iterable[object] = ()
    size = 0
    if isinstance(result, Trace):
        size = sum(_STEP_BYTES + _CANDIDATE_BYTES * len(step.candidates) for step in result.steps)
        arrays = (attention_map.values for attention_map in result.maps)
        parts = (*arrays, result.detail, result.source_detail, result.tree)
    elif is_dataclass(result):
        parts = (getattr(result, field.name) for field in fields(result))
    elif isinstance(result, dict):
        parts = result.values()
    elif isinstance(result, tuple | list):
        parts = result
    return size + sum(map(estimate_bytes, parts))
