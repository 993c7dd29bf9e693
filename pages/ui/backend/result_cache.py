"""What was worked out, kept for whoever asks again: so many results, and so much memory."""

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
"""What each request was answered with: the n best Traces, or () where that model could give none."""
StoredTranslations = tuple[tuple[Trace | ref[Trace], ...], ...]

MAX_SESSION_BYTES = (
    2_000_000  # bytes of an answer that a session may hold by itself: a sentence of any length by most models
)
_NODE_BYTES = 500  # bytes of a node of a tree, about
_STEP_BYTES, _CANDIDATE_BYTES = 300, 200  # of a step, and of each candidate there


class ResultCache:
    """Results by their keys, those asked for last at the end. Safe to use from every thread."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, key: Hashable) -> tuple[bool, Any]:
        """Whether there is a result of that key, and what it is."""
        with self._lock:
            if key not in self._found:
                return False, None
            self._found.move_to_end(key)
            return True, self._found[key][0]

    def keep(self, key: Hashable, result: Any, most: int, room: int) -> None:
        """Keep a result; the oldest go where there are more than `most`, or where they take more than `room` bytes."""
        size = estimate_bytes(result)
        with self._lock:
            _, before = self._found.pop(key, (None, 0))
            self._found[key] = result, size
            self._bytes += size - before
            while len(self._found) > 1 and (len(self._found) > most or self._bytes > room):
                _, (_, gone) = self._found.popitem(last=False)
                self._bytes -= gone


def store_translations(answer: TranslationSet) -> StoredTranslations:
    """Translations as a session holds them. What takes much memory it holds only as long as the service keeps it, which
    has a bound for all sessions."""
    heavy = estimate_bytes(answer) > MAX_SESSION_BYTES
    return tuple(tuple(ref(one) if heavy else one for one in traces) for traces in answer)


def recall_translations(held_so: StoredTranslations | None) -> TranslationSet | None:
    """The translations that were noted; None where there are none, or where they are gone."""
    if held_so is None:
        return None
    found = [tuple(one() if isinstance(one, ref) else one for one in traces) for traces in held_so]
    there = tuple(tuple(one for one in traces if one is not None) for traces in found)
    return there if list(map(len, there)) == list(map(len, held_so)) else None


def estimate_bytes(result: object) -> int:
    """How many bytes of memory a result takes, about: those of its arrays, trees and steps, which a long sentence and a
    model of many heads make a thousand times larger than all else."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, Tree):
        return _NODE_BYTES * len(result)
    parts: Iterable[object] = ()
    own = 0
    if isinstance(result, Trace):
        own = sum(_STEP_BYTES + _CANDIDATE_BYTES * len(step.candidates) for step in result.steps)
        parts = (*(one.values for one in result.maps), result.detail, result.source_detail, result.tree)
    elif is_dataclass(result):
        parts = (getattr(result, one.name) for one in fields(result))
    elif isinstance(result, dict):
        parts = result.values()
    elif isinstance(result, tuple | list):
        parts = result
    return own + sum(map(estimate_bytes, parts))
