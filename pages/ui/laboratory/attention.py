"""The attention console: any row of α changed by hand or by rule, and what the model writes with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from model.analysis.ablation.effect import Effect, measure_effect
from model.decoding import Edits, Stopped
from model.text.normalise import Normalised
from model.trace import Trace
from pages.ui.frame.rerun import rerun
from pages.ui.laboratory import console, experiment_state, exports
from pages.ui.laboratory.context import Bench
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model


def show(bench: Bench) -> None:
    """Draw the console for the sentence in the box, with the changes that the link or the reader made."""
    requests = (Request(bench.model, bench.search, bench.edits), Request(bench.model, bench.search))
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.t, bench.status)
    problem = console.refused() or exports.refused(bench.t)
    if problem:
        bench.tell(problem)
    if shown is not None and all(shown):
        after, plain = (traces[0] for traces in seen_by(shown, bench.key))
        found = measured(bench.of(plain), plain, Edits.from_text(after.made_by.edits)) if after.made_by.edits else None
        data = console.payload(plain, after, found, bench.t, experiment_state.came() == "need")
        console.show(data)
        with bench.exports:
            exports.show(plain, after, data, bench.t)
    if waiting:
        rerun()


def measured(bench: Bench, plain: Trace, edits: Edits) -> Effect | None:
    """What the changes make of each step of the translation without them."""
    pieces = tuple(step.id for step in plain.steps)
    work = partial(_effect, Normalised(plain.source.text), pieces, edits)
    return bench.measure(("effect", plain.source.text, pieces, edits), work)


def _effect(text: Normalised, pieces: tuple[int, ...], edits: Edits, model: Model, stopped: Stopped) -> Effect:
    return measure_effect(model, text, pieces, edits, stopped)
