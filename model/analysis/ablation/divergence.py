"""A translation that is given, read by a model: where it would first have gone another way, and where to."""

from __future__ import annotations

from dataclasses import dataclass

from model.decoding import NO_EDITS, Edits, Settings, Stopped
from model.decoding.forced_decoding import force_one
from model.decoding.translate import Model, translate_best
from model.text.normalise import Normalised
from model.trace import Trace


@dataclass(frozen=True)
class Divergence:
    """`given`: the translation as the model was made to write it; `step`: the first, from 0, at which it would rather
    have written another piece, None where it never would; `instead`: what it writes from there on by itself, the given
    pieces before that being written already, None with `step`."""

    forced_trace: Trace
    step: int | None = None
    continuation: Trace | None = None


def find_divergence_step(given: Trace) -> int | None:
    """The first step, from 0, whose piece is not the likeliest; None where every piece is. The Trace has candidates."""
    return next((place for place, step in enumerate(given.steps)
                 if step.candidates and step.candidates[0].id != step.id), None)


def find_divergence(model: Model, source: Normalised, target: Normalised, stopped: Stopped | None = None) -> Divergence:
    """Where `model` would part from `target` as a translation of `source`, and where to, searching greedily.

    Raises SentenceError where either is empty or too long, or where nothing is left to search for at the parting, and
    SearchStopped once `stopped` says so.
    """
    given = force_one(model, source, target, stopped=stopped)
    step = find_divergence_step(given)
    if step is None:
        return Divergence(given)
    prefix = tuple(one.id for one in given.steps[:step])
    edits = Edits(prefix=prefix) if prefix else NO_EDITS
    return Divergence(given, step, translate_best(model, source, Settings(), stopped=stopped, edits=edits)[0])
