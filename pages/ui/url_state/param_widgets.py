"""The widgets of parameters. They keep their value between pages and write it to the link.

Every widget that holds a value is drawn here, except the sentence box (widgets/controls.py), so that each is in the
table of parameters. The help of a widget explains its terms.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from model.text.politeness import split_tag
from pages.ui.components import glossary
from pages.ui.escape import encode_non_ascii
from pages.ui.i18n.messages import Messages
from pages.ui.url_state.param_types import Choice, MultiChoice, Param
from pages.ui.url_state.state import get_language, reset_params, restore_param, store_param

Option = TypeVar("Option", bound=str)


def list_options(param: Param[Option]) -> Sequence[Option]:
    """Return the options of a choice."""
    return _resolve_options(param)[1]


def draw_option_buttons(
    param: Param[Option], t: Messages, label_option: Callable[[Option], str] | None = None, **values: object
) -> Option:
    """Draw a row of buttons for one option. Label and options have the messages option.NAME and option.OPTION, filled
    with `values`, unless `label_option` gives others."""
    return draw_buttons(
        param, t(f"option.{param.name}"), label_option or (lambda option: t(f"option.{option}", **values)), t
    )


def draw_buttons(
    param: Param[Option], label: str, label_option: Callable[[Option], str], t: Messages, is_label_hidden: bool = False,
    on_change: Callable[[], None] | None = None,
) -> Option:  # fmt: skip
    """Draw a row of buttons for one option. A hidden label is still there for screen readers."""
    param, options = _resolve_options(param)
    restore_param(param, "buttons")
    if st.session_state[param.name] not in options:  # the options may depend on another control
        st.session_state[param.name] = param.get_default()
    st.segmented_control(
        label,
        options,
        format_func=lambda option: encode_non_ascii(label_option(option)),
        required=True,
        key=param.name,
        persist_state="session",
        label_visibility="collapsed" if is_label_hidden else "visible",
        help=glossary.get_control_help(param.name, t),
        on_change=on_change,
    )
    return _store_choice(param, options)


def draw_selectbox(
    param: Param[Option], label: str, label_option: Callable[[Option], str], is_label_hidden: bool = True
) -> Option:
    """Draw a drop-down list for one option. A hidden label is still there for screen readers."""
    param, options = _resolve_options(param)
    restore_param(param, _name_list_widget())
    if st.session_state[param.name] not in options:
        st.session_state[param.name] = param.get_default()
    st.selectbox(
        label, options, format_func=label_option, key=param.name, persist_state="session",
        label_visibility="collapsed" if is_label_hidden else "visible",
    )  # fmt: skip
    return _store_choice(param, options)


def _name_list_widget() -> str:
    """Name the drop-down list of this language. The browser sends the label of the chosen option, so the list must be
    set anew when its labels are in another language."""
    return f"list-{get_language()}"


def get_choice(param: Param[Option]) -> Option:
    """Return the chosen option of a control that is not drawn now, and write it to the link."""
    param, options = _resolve_options(param)
    restore_param(param)
    return _store_choice(param, options)


def draw_multi_buttons(
    param: Param[tuple[str, ...]], label: str, label_option: Callable[[str], str], t: Messages
) -> tuple[str, ...]:
    """Draw a row of buttons for any number of options; return the chosen ones in the order of the options."""
    param, options = _resolve_options(param)
    restore_param(param)
    selected_options = st.session_state[param.name]
    # The options may depend on another control.
    if selected_options and not any(option in options for option in selected_options):
        st.session_state[param.name] = list(param.get_default())
    st.segmented_control(
        label,
        options,
        format_func=lambda option: encode_non_ascii(label_option(option)),
        selection_mode="multi",
        key=param.name,
        persist_state="session",
        help=glossary.get_control_help(param.name, t),
    )
    return _store_choices(param, options)


def draw_multiselect(
    param: Param[tuple[str, ...]], label: str, label_option: Callable[[str], str], placeholder: str
) -> tuple[str, ...]:
    """Draw a drop-down list for any number of options; return the chosen ones in the order of the options."""
    param, options = _resolve_options(param)
    restore_param(param, _name_list_widget())
    if any(option not in options for option in st.session_state[param.name]):
        st.session_state[param.name] = list(param.get_default())
    st.multiselect(
        label, options, format_func=label_option, key=param.name, persist_state="session", placeholder=placeholder
    )
    return _store_choices(param, options)


def draw_text_input(param: Param[str], sentence: str, label: str) -> str:
    """Draw a one-line box whose text belongs to `sentence`, and return the text.

    Another sentence empties the box, unless a link brought another text with it. An empty sentence or another style of
    Korean does not.
    """
    sentence = split_tag(sentence)[1]
    restore_param(param)
    key = get_sentence_key(param)
    previous_sentence, previous_text = st.session_state.get(key, (sentence, ""))
    if sentence and previous_sentence != sentence and st.session_state[param.name] == previous_text:
        reset_params(param)
    st.text_input(label, key=param.name, persist_state="session", autocomplete="off")
    text = str(st.session_state[param.name] or "")
    store_param(param, text)
    if sentence:
        st.session_state[key] = sentence, text
    return text


def get_sentence_key(param: Param[str]) -> str:
    """Return the session key of the sentence that a one-line box belongs to, and of the text in the box."""
    return f"{param.name}-of"


def draw_text_area(param: Param[str], label: str, height: int) -> str:
    """Draw a box of several lines, `height` pixels high, and return the text."""
    restore_param(param)
    st.text_area(label, key=param.name, persist_state="session", height=height)
    text = str(st.session_state[param.name] or "")
    store_param(param, text)
    return text


def _resolve_options(param: Param[Any]) -> tuple[Param[Any], Sequence[Any]]:
    """Return the parameter with its options computed once for this run, and these options."""
    assert isinstance(param.value_type, Choice | MultiChoice)
    options = tuple(param.value_type.options())
    return replace(param, value_type=replace(param.value_type, options=lambda: options)), options


def _store_choice(param: Param[Option], options: Sequence[Option]) -> Option:
    value = st.session_state[param.name]
    choice = value if value in options else param.get_default()
    store_param(param, choice)
    return choice


def _store_choices(param: Param[tuple[str, ...]], options: Sequence[str]) -> tuple[str, ...]:
    values = st.session_state[param.name] or ()
    choices = tuple(option for option in options if option in values)
    store_param(param, choices)
    return choices
