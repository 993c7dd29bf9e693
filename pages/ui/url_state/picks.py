"""The controls for the rows of the table of links: kept between pages, and carried by the link as their row says.

Every control that holds a value is drawn here (the box besides, in controls.py), so that none goes past the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from pages.ui.components import glossary
from pages.ui.escape import references
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.rows import OneOf, Row, SeveralOf
from pages.ui.url_state.state import bring, forget, keep

Option = TypeVar("Option", bound=str)


def choice(row: Row[Option], t: Messages, text: Callable[[Option], str] | None = None, **places: object) -> Option:
    """A quiet choice of one option; its texts are option.NAME and option.OPTION, or what `text` makes of an option."""
    return one(row, t(f"option.{row.name}"), text or (lambda option: t(f"option.{option}", **places)), t)


def one(
    row: Row[Option], label: str, text: Callable[[Option], str], t: Messages, hidden: bool = False,
    changed: Callable[[], None] | None = None,
) -> Option:
    """A choice of one option in a row of buttons; `hidden`: its label is for screen readers only; `changed` is called
    when the reader has chosen another one. Its help says what its terms mean."""
    row, options = _now(row)
    bring(row)
    if st.session_state[row.name] not in options:  # what there is depends on another choice
        st.session_state[row.name] = row.kind.default()
    st.segmented_control(
        label,
        options,
        format_func=lambda option: references(text(option)),
        required=True,
        key=row.name,
        persist_state="session",
        label_visibility="collapsed" if hidden else "visible",
        help=glossary.hint(row.name, t),
        on_change=changed,
    )
    return _chosen(row, options)


def listed(row: Row[Option], label: str, text: Callable[[Option], str], hidden: bool = True) -> Option:
    """A choice of one option in a list that opens; `hidden`: its label is for screen readers only."""
    row, options = _now(row)
    bring(row, "list")
    st.selectbox(
        label, options, format_func=text, key=row.name, persist_state="session",
        label_visibility="collapsed" if hidden else "visible",
    )  # fmt: skip
    return _chosen(row, options)


def several(
    row: Row[tuple[str, ...]], label: str, text: Callable[[str], str], t: Messages
) -> tuple[str, ...]:
    """A choice of any number of options, in their order, in a row of buttons; what its terms mean is its help."""
    row, options = _now(row)
    bring(row)
    kept = st.session_state[row.name]
    if kept and not any(option in options for option in kept):  # what there is depends on another choice
        st.session_state[row.name] = list(row.kind.default())
    st.segmented_control(
        label,
        options,
        format_func=lambda option: references(text(option)),
        selection_mode="multi",
        key=row.name,
        persist_state="session",
        help=glossary.hint(row.name, t),
    )
    return _chosen_several(row, options)


def ticked(row: Row[tuple[str, ...]], label: str, text: Callable[[str], str], empty: str) -> tuple[str, ...]:
    """A choice of any number of options in a list that opens; `empty` is said where none is chosen."""
    row, options = _now(row)
    bring(row)
    st.multiselect(label, options, format_func=text, key=row.name, persist_state="session", placeholder=empty)
    return _chosen_several(row, options)


def line_of(row: Row[str], of: str, label: str) -> str:
    """A box of one line whose text belongs to the sentence `of`: another sentence empties it, unless a link brought
    another text with it; none leaves it."""
    bring(row)
    place = of_what(row)
    before, said = st.session_state.get(place, (of, ""))
    if of and before != of and st.session_state[row.name] == said:
        forget(row)
    st.text_input(label, key=row.name, persist_state="session", autocomplete="off")
    text = str(st.session_state[row.name] or "")
    keep(row, text)
    if of:
        st.session_state[place] = of, text
    return text


def of_what(row: Row[str]) -> str:
    """Where the session keeps the sentence that the text of such a box belongs to, and that text."""
    return f"{row.name}-of"


def typed(row: Row[str], label: str, height: int) -> str:
    """A box of several lines, `height` pixels high."""
    bring(row)
    st.text_area(label, key=row.name, persist_state="session", height=height)
    text = str(st.session_state[row.name] or "")
    keep(row, text)
    return text


def _now(row: Row[Any]) -> tuple[Row[Any], Sequence[Any]]:
    """The row with the options there are now, looked for once a run, and those options."""
    assert isinstance(row.kind, OneOf | SeveralOf)  # rows of these controls are
    kind = row.kind.now()
    return replace(row, kind=kind), kind.options()


def _chosen(row: Row[Option], options: Sequence[Option]) -> Option:
    found = st.session_state[row.name]
    chosen = found if found in options else row.kind.default()
    keep(row, chosen)
    return chosen


def _chosen_several(row: Row[tuple[str, ...]], options: Sequence[str]) -> tuple[str, ...]:
    found = st.session_state[row.name] or ()
    chosen = tuple(option for option in options if option in found)
    keep(row, chosen)
    return chosen
