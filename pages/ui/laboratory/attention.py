"""The attention console: any row of α changed by hand or by rule, and what the model writes with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from model.analysis.ablation.effect import Effect, measure_effects
from model.decoding import Overrides, Stopped
from model.text.normalise import Normalised
from model.trace import Trace
from pages.ui.frame.rerun import rerun
from pages.ui.laboratory import console, experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.widgets.requests import Request, answer, before, seen_by

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model


def render_console_experiment(bench: ExperimentContext) -> None:
    """Draw the console for the sentence in the box, with the changes that the link or the reader made."""
    requests = (Request(bench.model_name, bench.settings, bench.overrides), Request(bench.model_name, bench.settings))
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.t, bench.status)
    problem = console.pop_refusal() or exports.pop_problem(bench.t)
    if problem:
        bench.show_problem(problem)
    if shown is not None and all(shown):
        after, plain = (traces[0] for traces in seen_by(shown, bench.map_key))
        edits = Overrides.from_text(after.made_by.edits)
        found = measure_effect(bench.with_model_of(plain), plain, edits) if after.made_by.edits else None
        data = console.build_console_payload(plain, after, found, bench.t, experiment_state.get_referrer() == "need")
        console.render_console(data)
        with bench.export_container:
            exports.render_console_exports(plain, after, data, bench.t)
    if waiting:
        rerun()


def measure_effect(bench: ExperimentContext, plain: Trace, edits: Overrides) -> Effect | None:
    """What the changes make of each step of the translation without them."""
    pieces = tuple(step.id for step in plain.steps)
    work = partial(_effect, Normalised(plain.source.text), pieces, edits)
    return bench.measure(("effect", plain.source.text, pieces, edits), work)


def _effect(text: Normalised, pieces: tuple[int, ...], edits: Overrides, model: Model, stopped: Stopped) -> Effect:
    return measure_effects(model, text, pieces, [edits], stopped)[0]
