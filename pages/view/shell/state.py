"""What a reader has chosen: kept while they move between pages, and carried by the link where it is not the default."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar
from uuid import uuid4

import streamlit as st

from model.search import Settings
from pages.view.shell import notices
from pages.view.shell.messages import LANGUAGES, Messages, load, preferred

Option = TypeVar("Option", bound=str)

PAGE = "page"  # where the session keeps which page it is at

SEARCHES = {"greedy": Settings(), "beam": Settings(beam=5)}


def language() -> str:
    """The interface language of this run: what the switch or the link says, else what the browser prefers."""
    for chosen in (st.session_state.get("lang"), st.query_params.get("lang")):
        if chosen in LANGUAGES:
            return str(chosen)
    return preferred(st.context.locale)


def reader() -> str:
    """Who asks, to the service: this session, the same on every page and in every run."""
    return str(st.session_state.setdefault("reader", uuid4().hex))


def messages() -> Messages:
    """The texts of the interface in this run's language."""
    return load(language())


def language_switch(say: Messages) -> None:
    """The switch between the languages; the link carries it once it differs from what the browser prefers."""
    linked("lang", LANGUAGES, language())
    _control("lang", say("language.label"), LANGUAGES, language(), lambda name: say(f"language.{name}"), hidden=True)
    link("lang", st.session_state["lang"], preferred(st.context.locale))


def choice(
    name: str,
    options: tuple[Option, ...],
    say: Messages,
    text: Callable[[Option], str] | None = None,
    default: Option | None = None,
    **places: object,
) -> Option:
    """A quiet choice among `options`, the first one the default unless another is named; its texts are option.NAME and
    option.OPTION, or what `text` makes of an option."""
    shown = text or (lambda option: say(f"option.{option}", **places))
    usual = default if default is not None and default in options else options[0]
    _control(name, say(f"option.{name}"), options, linked(name, options, usual), shown)
    chosen: Option = st.session_state[name] if st.session_state[name] in options else usual
    link(name, chosen, usual)
    return chosen


def presenting() -> bool:
    """Whether the page is being presented: the frame is hidden then, and everything is larger."""
    return bool(st.session_state.setdefault("present", linked("present", ("1",), "") == "1"))


def _control(
    key: str, label: str, options: tuple[Option, ...], first: str, text: Callable[[Option], str], hidden: bool = False
) -> None:
    _bring(key, options, first)
    st.segmented_control(
        label,
        options,
        format_func=text,
        required=True,
        key=key,
        persist_state="session",
        label_visibility="collapsed" if hidden else "visible",
    )
    st.session_state[f"{key}-last"] = st.session_state[key]


def _bring(key: str, options: tuple[Option, ...], first: Option) -> None:
    """Give a control of a page just come to what the link says, or its value on the page before: Streamlit keeps a
    value for each page by itself."""
    here, place = st.session_state.get(PAGE), f"{key}-page"
    if key not in st.session_state or st.session_state.get(place) != here:
        asked = st.query_params.get(key)
        st.session_state[place] = here
        st.session_state[key] = asked if asked in options else st.session_state.get(f"{key}-last", first)


def linked(name: str, allowed: Sequence[Option], default: Option) -> Option:
    """What the link that opened this session says under `name`: one of `allowed`, or `default` where it says nothing.
    Where it says something else the reader is told so."""
    given = st.query_params.get(name)
    if given is None or name in st.session_state:
        return default
    for option in allowed:
        if option == given:
            return option
    notices.broken(name, given, allowed)
    return default


def note_weights(fingerprints: Iterable[str]) -> None:
    """Let the link carry the fingerprints of the models that are on the screen, if it carries anything else, and tell
    the reader if those of the link that opened this session have changed since."""
    shown = ",".join(dict.fromkeys(fingerprints))
    if not st.session_state.setdefault("weights-compared", False):
        notices.compare(st.query_params.get("weights"), shown)
        st.session_state["weights-compared"] = True
    bare = not any(name != "weights" for name in st.query_params)
    link("weights", "" if bare else shown, "")


def link(key: str, value: str, default: str) -> None:
    """Let the link carry `value` under `key`, or nothing where it is the default."""
    if value == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value
