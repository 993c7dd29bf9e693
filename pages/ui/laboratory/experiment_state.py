"""Which experiment is open, and its changes: each begins with none, finds its own again when the reader comes back to
it, and what a link or another page has brought into it is said, with a button that takes it back."""

import hashlib
from dataclasses import replace
from typing import Any

import streamlit as st

from model.decoding import Overrides
from model.text.normalise import normalise
from pages.ui.components.component import sent
from pages.ui.escape import markup
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import links, picks
from pages.ui.url_state.experiments import Experiment

_OPEN_KEY = "experiment-open"  # where the session keeps which experiment was drawn last
_OVERRIDES_KEY = "experiment-changes"  # and the changes of those that are not open, each with the question it belongs to
_REFERRER_KEY = "experiment-came"  # from which one the reader was led to this one
_DRAWN_KEY = "experiment-drawn"  # of which one is what stands on the page


def render_choice(t: Messages) -> str:
    """The choice of an experiment; its name."""
    part = picks.one(links.PART, t("part.label"), lambda one: t(f"part.{one}"), t, changed=_on_experiment_change)
    st.session_state[_OPEN_KEY] = part
    return part


def open_experiment(part: str, edits: Overrides | None = None) -> None:
    """Open another experiment; for callbacks. `edits`: what it is to show; what it had when it was left if None."""
    came = str(st.session_state[links.PART.name])
    st.session_state[links.PART.name] = part
    _swap_overrides(came, part)
    if edits is not None:
        st.session_state[links.EDITS.name] = edits
    st.session_state[_REFERRER_KEY] = came


def get_referrer() -> str:
    """The experiment that led to the one that is open, "" where the reader chose it."""
    return str(st.session_state.get(_REFERRER_KEY, ""))


def read_event(component: str, event: str, part: str) -> Any:
    """What the reader has just asked for in the component of the experiment `part`; None where another one was opened
    since: what is still seen of the one before is not to change it."""
    here = st.session_state.get(links.PART.name, part) == part
    return sent(component, event) if here else None


def read_change(component: str, event: str, part: str) -> dict[str, Any] | None:
    """The change that the reader has just asked for there; None where it is of a question that was asked before, which
    stays on the page until the next one is answered: a change of that is of no use to this one."""
    found = read_event(component, event, part)
    if not isinstance(found, dict):
        return None
    sentence = normalise(str(st.session_state.get(links.SENTENCE.name) or "")[: links.LIMIT + 1])
    other = sentence and found.get("of") != make_question_id(sentence, links.chosen_model())
    return None if other else found


def parse_prefix(change: dict[str, Any] | None) -> tuple[int, ...] | None:
    """The ids of the pieces that a change out of the browser begins with; None for anything else."""
    ids = change.get("pieces") if change else None
    if not isinstance(ids, list) or any(type(one) is not int or one < 0 for one in ids):
        return None
    return tuple(ids)


def make_question_id(text: str, model: str) -> str:
    """A short name of the question that changes are of: another sentence or model has another."""
    return hashlib.sha256(repr((text, model)).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def render_carried_overrides(one: Experiment, edits: Overrides, t: Messages) -> None:
    """Say what changes the experiment has that it does not show by itself, with the button that takes them back."""
    own = Overrides(prefix=edits.prefix) if "begun" in one.shows else Overrides()
    own = replace(own, rows=edits.rows, rules=edits.rules) if "looks" in one.shows else own
    if own == edits:
        return
    looks = len(edits.rows) + len(edits.rules) if "looks" not in one.shows else 0
    begun = len(edits.prefix) if "begun" not in one.shows else 0
    parts = [t("laboratory.carried_looks", count=looks)] if looks else []
    parts += [t("laboratory.carried_begun", count=begun)] if begun else []
    told = t(f"laboratory.{'carried' if one.follows else 'set_aside'}", what=", ".join(parts))
    with st.container(key="carried", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p>{markup(told)}</p>", width="content")
        st.button(t("laboratory.clean"), key="begin-clean", on_click=_set_overrides, args=(own,))


def _on_experiment_change() -> None:
    """The reader has chosen another experiment."""
    part = str(st.session_state[links.PART.name])
    _swap_overrides(str(st.session_state.get(_OPEN_KEY, part)), part)
    st.session_state.pop(_REFERRER_KEY, None)


def _swap_overrides(before: str, now: str) -> None:
    if before == now:
        return
    kept: dict[str, tuple[object, Overrides]] = st.session_state.setdefault(_OVERRIDES_KEY, {})
    question = tuple(st.session_state.get(row.name) for row in (links.SENTENCE, links.MODEL))
    edits = st.session_state.get(links.EDITS.name)
    kept[before] = (question, edits if isinstance(edits, Overrides) else Overrides())
    of, own = kept.pop(now, (question, Overrides()))
    _set_overrides(own if of == question else Overrides())


def _set_overrides(edits: Overrides) -> None:
    st.session_state[links.EDITS.name] = edits


def is_first_draw(part: str) -> bool:
    """Whether another experiment than this one was drawn last, so that what is still seen is that one's."""
    return bool(st.session_state.get(_DRAWN_KEY, part) != part)


def mark_drawn(part: str) -> None:
    """Note that the experiment has been drawn."""
    st.session_state[_DRAWN_KEY] = part
