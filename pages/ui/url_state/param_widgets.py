"""The controls for the rows of the table of links: kept between pages, and carried by the link as their row says.

Every control that holds a value is drawn here (the box besides, in controls.py), so that none goes past the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from pages.ui.components import glossary
from pages.ui.escape import encode_non_ascii
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.param_types import Choice, MultiChoice, Param
from pages.ui.url_state.state import reset_params, restore_param, store_param

Option = TypeVar("Option", bound=str)


def draw_option_buttons(
    row: Param[Option], t: Messages, text: Callable[[Option], str] | None = None, **places: object
) -> Option:
    """A quiet choice of one option; its texts are option.NAME and option.OPTION, or what `text` makes of an option."""
    return draw_buttons(row, t(f"option.{row.name}"), text or (lambda option: t(f"option.{option}", **places)), t)


def draw_buttons(
    row: Param[Option], label: str, text: Callable[[Option], str], t: Messages, hidden: bool = False,
    changed: Callable[[], None] | None = None,
) -> Option:
    """A choice of one option in a row of buttons; `hidden`: its label is for screen readers only; `changed` is called
    when the reader has chosen another one. Its help says what its terms mean."""
    row, options = _resolve_options(row)
    restore_param(row)
    if st.session_state[row.name] not in options:  # what there is depends on another choice
        st.session_state[row.name] = row.kind.default()
    st.segmented_control(
        label,
        options,
        format_func=lambda option: encode_non_ascii(text(option)),
        required=True,
        key=row.name,
        persist_state="session",
        label_visibility="collapsed" if hidden else "visible",
        help=glossary.get_control_help(row.name, t),
        on_change=changed,
    )
    return _store_choice(row, options)


def draw_selectbox(row: Param[Option], label: str, text: Callable[[Option], str], hidden: bool = True) -> Option:
    """A choice of one option in a list that opens; `hidden`: its label is for screen readers only."""
    row, options = _resolve_options(row)
    restore_param(row, "list")
    st.selectbox(
        label, options, format_func=text, key=row.name, persist_state="session",
        label_visibility="collapsed" if hidden else "visible",
    )  # fmt: skip
    return _store_choice(row, options)


def draw_multi_buttons(
    row: Param[tuple[str, ...]], label: str, text: Callable[[str], str], t: Messages
) -> tuple[str, ...]:
    """A choice of any number of options, in their order, in a row of buttons; what its terms mean is its help."""
    row, options = _resolve_options(row)
    restore_param(row)
    kept = st.session_state[row.name]
    if kept and not any(option in options for option in kept):  # what there is depends on another choice
        st.session_state[row.name] = list(row.kind.default())
    st.segmented_control(
        label,
        options,
        format_func=lambda option: encode_non_ascii(text(option)),
        selection_mode="multi",
        key=row.name,
        persist_state="session",
        help=glossary.get_control_help(row.name, t),
    )
    return _store_choices(row, options)


def draw_multiselect(
    row: Param[tuple[str, ...]], label: str, text: Callable[[str], str], empty: str
) -> tuple[str, ...]:
    """A choice of any number of options in a list that opens; `empty` is said where none is chosen."""
    row, options = _resolve_options(row)
    restore_param(row)
    st.multiselect(label, options, format_func=text, key=row.name, persist_state="session", placeholder=empty)
    return _store_choices(row, options)


def draw_text_input(row: Param[str], of: str, label: str) -> str:
    """A box of one line whose text belongs to the sentence `of`: another sentence empties it, unless a link brought
    another text with it; none leaves it."""
    restore_param(row)
    place = get_sentence_key(row)
    before, said = st.session_state.get(place, (of, ""))
    if of and before != of and st.session_state[row.name] == said:
        reset_params(row)
    st.text_input(label, key=row.name, persist_state="session", autocomplete="off")
    text = str(st.session_state[row.name] or "")
    store_param(row, text)
    if of:
        st.session_state[place] = of, text
    return text


def get_sentence_key(row: Param[str]) -> str:
    """Where the session keeps the sentence that the text of such a box belongs to, and that text."""
    return f"{row.name}-of"


def draw_text_area(row: Param[str], label: str, height: int) -> str:
    """A box of several lines, `height` pixels high."""
    restore_param(row)
    st.text_area(label, key=row.name, persist_state="session", height=height)
    text = str(st.session_state[row.name] or "")
    store_param(row, text)
    return text


def _resolve_options(row: Param[Any]) -> tuple[Param[Any], Sequence[Any]]:
    """The row with the options there are now, looked for once a run, and those options."""
    assert isinstance(row.kind, Choice | MultiChoice)  # rows of these controls are
    kind = row.kind.now()
    return replace(row, kind=kind), kind.options()


def _store_choice(row: Param[Option], options: Sequence[Option]) -> Option:
    found = st.session_state[row.name]
    chosen = found if found in options else row.kind.default()
    store_param(row, chosen)
    return chosen


def _store_choices(row: Param[tuple[str, ...]], options: Sequence[str]) -> tuple[str, ...]:
    found = st.session_state[row.name] or ()
    chosen = tuple(option for option in options if option in found)
    store_param(row, chosen)
    return chosen
