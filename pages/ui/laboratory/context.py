"""What every experiment works on: the sentence in the box, the model, the search, and the way to measurements."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding import Overrides, Settings, Stopped
from model.trace import Trace
from pages.ui.backend import cards, service
from pages.ui.escape import markdown
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import links, state
from pages.ui.url_state.experiments import Experiment
from pages.ui.widgets.requests import Typed, explain, hold
from pages.ui.widgets.status import Status

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

Result = TypeVar("Result")


@dataclass(frozen=True)
class ExperimentContext:
    """`model`: its name; `key`: of the map that is looked at, "" for the first; `edits`: what the reader changed, which
    stays while experiments are chosen; `status`: the line that speaks of waiting and of problems; `exports`: the place
    of the buttons that save."""

    sentence: Typed
    model_name: str
    map_key: str
    settings: Settings
    overrides: Overrides
    t: Messages
    status: Status
    export_container: DeltaGenerator

    def measure(self, key: Hashable, compute: Callable[[Model, Stopped], Result],
                get_message: Callable[[], str] | None = None) -> Result | None:
        """What `work` comes to with the model, done in the queue and kept under `key`, which says all that it depends
        on but the model; None, with one sentence in the status line, where it comes to nothing. After a second the line
        shows what `notice` says now (that something is being worked out, unless another is given)."""
        t = self.t
        future = service.shared().measure(self.model_name, key, compute, state.reader())
        hold([future], get_message or (lambda: t("laboratory.working")), self.status)
        error = future.exception()
        if error is None:
            return future.result()
        self.show_problem(explain(error, self.model_name, t))
        return None

    def with_model_of(self, trace: Trace) -> ExperimentContext:
        """The same with the model that made a translation: where a request is refused, what was shown before stays, and
        may be another model's than the one that is chosen now."""
        return replace(self, model_name=trace.made_by.model)

    def show_problem(self, problem: str) -> None:
        """Say in the status line what went wrong."""
        self.status.tell(problem)


def get_lead_html(one: Experiment, model: str, t: Messages) -> str:
    """What an experiment says first of itself: other words where it speaks of attention and the model has none."""
    name = f"{one.name}_plain" if one.plain and not _has_attention(model) else one.name
    return t.marked(f"lead.{name}")


def render_experiment(one: Experiment, bench: ExperimentContext) -> None:
    """Draw an experiment, or say why there is none with this model and offer one with which there is."""
    card = cards.find(bench.model_name)
    if not one.attends or card is None or card.main_map is not None:
        one.run(bench)
        return
    t = bench.t
    with st.container(key="blind"):
        st.html(f"<p>{t.marked('laboratory.blind', model=card.title)}</p>")
        other = next((name for name in cards.alike(bench.model_name) if _has_attention(name)), "")
        if other:
            label = t("laboratory.use", model=markdown(cards.title_of(other)))
            st.button(label, key="use-attending", on_click=_select_model, args=(other,))


def _has_attention(name: str) -> bool:
    card = cards.find(name)
    return card is not None and card.main_map is not None


def _select_model(name: str) -> None:
    st.session_state[links.MODEL.name] = name
