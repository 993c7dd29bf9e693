"""Gradients asked of the models whose translations are shown, one after the other, when all else has been drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from model.analysis.attribution.gradient_record import Gradients, GradientsError
from model.analysis.attribution.gradients import measure_gradients
from model.decoding import Stopped
from model.trace import Trace
from pages.ui.backend import service
from pages.ui.backend.cards import title_of
from pages.ui.i18n.messages import Messages
from pages.ui.models.family_results import TIME_BUDGET, FamilyResults
from pages.ui.url_state import state
from pages.ui.widgets.requests import explain, hold
from pages.ui.widgets.status import Status

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model


def pending_gradients(asked: FamilyResults, members: Sequence[str]) -> Iterator[str]:
    """Those of the models that translated the sentence and were not asked for its gradients."""
    return (name for name in members if name in asked.traces and name not in asked.gradients)


def compute_next_gradients(asked: FamilyResults, members: Sequence[str], t: Messages, status: Status) -> bool:
    """Ask the next of the models, and those after it for AT_ONCE; whether there was one. Single sentences of other
    readers go before; `status` tells of waiting."""
    until = time.monotonic() + TIME_BUDGET
    waiting = list(pending_gradients(asked, members))
    for name in waiting:
        asked.gradients[name] = _asked(name, asked.traces[name], t, status)
        if time.monotonic() > until:
            break
    return bool(waiting)


def _asked(name: str, trace: Trace, t: Messages, status: Status) -> Gradients | str:
    """The gradients, or the sentence that says why there are none."""
    share = [0.0]  # grows in the thread that works

    def notice() -> str:
        return t("gradients.working", model=title_of(name), share=round(100 * share[-1]))

    key = ("gradients", trace.source.text, tuple(step.id for step in trace.steps))
    future = service.shared().measure(name, key, partial(_ask, trace, share), state.reader(), bulk=True)
    hold([future], notice, status)
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, GradientsError):
        if error.kind == "long":
            return t("gradients.long", count=error.got, limit=error.limit)
        return t("gradients.unknown")
    return explain(error, name, t)


def _ask(trace: Trace, share: list[float], model: Model, stopped: Stopped) -> Gradients:
    return measure_gradients(model, trace, share.append, stopped)
