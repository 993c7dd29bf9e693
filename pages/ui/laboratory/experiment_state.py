"""Session state of the laboratory: the open experiment and its overrides.

Each experiment starts without overrides and finds its own again when the reader returns to it. Overrides from a link
or another page are announced where the experiment does not show them, with a button that removes them.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from model.decoding import Overrides
from pages.ui.charts.payload_parts import make_short_id
from pages.ui.components.component import get_event
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params, state
from pages.ui.url_state.experiments import Experiment
from pages.ui.widgets.fetch import SentenceInput

_OPEN_KEY = "experiment-open"  # the experiment drawn last
_OVERRIDES_KEY = "experiment-overrides"  # overrides of the closed experiments, each with its sentence and model
_REFERRER_KEY = "experiment-came"  # the experiment whose button opened this one
_DRAWN_KEY = "experiment-drawn"  # the experiment still visible in the browser


def render_choice(t: Messages) -> str:
    """Draw the choice of an experiment and return its name."""
    if not state.is_restored(params.EXPERIMENT):  # the page was just opened
        st.session_state.pop(_REFERRER_KEY, None)
    name = param_widgets.draw_buttons(
        params.EXPERIMENT, t("experiment.label"), lambda option: t(f"experiment.{option}"), t,
        on_change=_on_experiment_change,
    )
    st.session_state[_OPEN_KEY] = name
    return name


def open_experiment(name: str, overrides: Overrides | None = None) -> None:
    """Open another experiment with these overrides, by default its own; for callbacks."""
    referrer = str(st.session_state[params.EXPERIMENT.name])
    st.session_state[params.EXPERIMENT.name] = name
    _swap_overrides(referrer, name)
    if overrides is not None:
        set_overrides(overrides)
    st.session_state[_REFERRER_KEY] = referrer


def get_referrer() -> str:
    """Return the experiment whose button opened this one, "" if the reader chose it."""
    return str(st.session_state.get(_REFERRER_KEY, ""))


def get_overrides() -> Overrides:
    """Return the current overrides; for callbacks."""
    overrides = st.session_state.get(params.OVERRIDES.name)
    return overrides if isinstance(overrides, Overrides) else Overrides()


def set_overrides(overrides: Overrides) -> None:
    st.session_state[params.OVERRIDES.name] = overrides


def read_event(component: str, event: str, experiment: str) -> Any:
    """Return the value of an event from a component; None if another experiment than `experiment` is open by now."""
    return (
        get_event(component, event) if st.session_state.get(params.EXPERIMENT.name, experiment) == experiment else None
    )


def read_change(component: str, event: str, experiment: str) -> dict[str, Any] | None:
    """Return a change from a component; None if it belongs to another sentence or model.

    A component shows the old sentence until the new one is translated.
    """
    change = read_event(component, event, experiment)
    if not isinstance(change, dict):
        return None
    sentence = SentenceInput.from_text(str(st.session_state.get(params.SENTENCE.name) or "")).text
    is_stale = sentence and change.get("id") != make_input_id(sentence, params.get_chosen_model())
    return None if is_stale else change


def parse_prefix(change: dict[str, Any] | None) -> tuple[int, ...] | None:
    """Return the forced piece ids of a change; None unless they are a list of ids."""
    ids = change.get("pieces") if change else None
    if not isinstance(ids, list) or any(type(piece_id) is not int or piece_id < 0 for piece_id in ids):
        return None
    return tuple(ids)


def take_prefix(component: str, experiment: str) -> bool:
    """Force the prefix, or none, that a component sends; return whether it sent one."""
    prefix = parse_prefix(read_change(component, "take", experiment))
    if prefix is not None:
        set_overrides(replace(get_overrides(), prefix=prefix))
    return prefix is not None


def make_input_id(text: str, model_name: str) -> str:
    """Return a short id of a sentence and a model."""
    return make_short_id((text, model_name))


def render_carried_overrides(experiment: Experiment, overrides: Overrides, t: Messages) -> None:
    """Announce the overrides that the experiment does not show itself, with the button that removes them."""
    visible = Overrides(prefix=overrides.prefix) if "prefix" in experiment.drawn_override_kinds else Overrides()
    if "attention" in experiment.drawn_override_kinds:
        visible = replace(visible, rows=overrides.rows, rules=overrides.rules)
    if visible == overrides:
        return
    num_attention = 0 if "attention" in experiment.drawn_override_kinds else len(overrides.rows) + len(overrides.rules)
    num_forced = 0 if "prefix" in experiment.drawn_override_kinds else len(overrides.prefix)
    parts = [t("laboratory.carried_looks", count=num_attention)] if num_attention else []
    parts += [t("laboratory.carried_begun", count=num_forced)] if num_forced else []
    text = t(f"laboratory.{'carried' if experiment.uses_overrides else 'set_aside'}", what=", ".join(parts))
    with st.container(key="carried", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p>{escape_html(text)}</p>", width="content")
        st.button(t("laboratory.clean"), key="begin-clean", on_click=set_overrides, args=(visible,))


def is_switching_experiment(name: str) -> bool:
    """Return whether the previous run of the page drew another experiment."""
    return bool(st.session_state.get(_DRAWN_KEY, name) != name)


def mark_drawn(name: str) -> None:
    st.session_state[_DRAWN_KEY] = name


def _on_experiment_change() -> None:
    name = str(st.session_state[params.EXPERIMENT.name])
    _swap_overrides(str(st.session_state.get(_OPEN_KEY, name)), name)
    st.session_state.pop(_REFERRER_KEY, None)


def _swap_overrides(previous_experiment: str, opened_experiment: str) -> None:
    """Store the overrides of the closed experiment and restore those of the opened one, if they fit the sentence."""
    if previous_experiment == opened_experiment:
        return
    overrides_by_experiment: dict[str, tuple[object, Overrides]] = st.session_state.setdefault(_OVERRIDES_KEY, {})
    input_key = tuple(st.session_state.get(row.name) for row in (params.SENTENCE, params.MODEL))
    overrides_by_experiment[previous_experiment] = input_key, get_overrides()
    stored_key, overrides = overrides_by_experiment.pop(opened_experiment, (input_key, Overrides()))
    set_overrides(overrides if stored_key == input_key else Overrides())
