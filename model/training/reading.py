"""Reading a section of a recipe into its dataclass: every key known, present, of its type and within its range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

SHOWN = 60  # characters of a wrong value that a message repeats

Section = TypeVar("Section")


class RecipeError(ValueError):
    """A recipe or a model name that cannot be used; the message names the key, what was given and what is allowed."""


def shown(value: Any) -> str:
    """A value as a message repeats it: on one line, and not at length."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        return "a number too long to write"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def within(section: Any, title: str, low: float, high: float, *names: str, above: bool = False) -> None:
    """Raise RecipeError unless each of these numbers is from `low` (or, if so asked, above it) to `high`."""
    for name in names:
        value = getattr(section, name)
        if not low <= value <= high or (above and value == low):  # NaN compares with nothing
            allowed = f"above {low:,} and at most {high:,}" if above else f"from {low:,} to {high:,}"
            raise RecipeError(f"{title}.{name} is {shown(value)}; it must be {allowed}")


def read(kind: type[Section], title: str, given: Any) -> Section:
    """The dataclass `kind` from a table of keys; fields with a default may be missing. Raises RecipeError."""
    if not isinstance(given, Mapping):
        raise RecipeError(f"recipe: {title} is {shown(given)}; it must be a section of keys, [{title}]")
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    for name in given:
        if name not in known:
            allowed = ", ".join(known)
            raise RecipeError(f"recipe, section {title}: the key {shown(name)} is not known; allowed: {allowed}")
    for name, field in known.items():
        if name not in given and field.default is MISSING:
            raise RecipeError(f"recipe, section {title}: {name} is missing; it must be {_allowed(hints[name])}")
    return kind(**{name: _typed(f"{title}.{name}", value, hints[name]) for name, value in given.items()})


def _typed(key: str, value: Any, hint: Any) -> Any:
    """The value in the type the field asks for; RecipeError where it is of another."""
    hint = _bare(hint)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if get_origin(hint) is Literal:
        fits = isinstance(value, str) and value in get_args(hint)
    elif hint is bool:
        fits = isinstance(value, bool)
    elif hint is int:
        fits = number and isinstance(value, int)
    elif hint is float:
        fits = number
    elif get_origin(hint) is tuple:
        fits = isinstance(value, (list, tuple)) and len(value) == len(get_args(hint))
        if fits:
            return tuple(_typed(key, part, part_hint) for part, part_hint in zip(value, get_args(hint), strict=True))
    else:
        fits = isinstance(value, Mapping)
    if not fits:
        raise RecipeError(f"{key} is {shown(value)}; it must be {_allowed(hint)}")
    if hint is float:
        try:
            return float(value)
        except OverflowError:
            raise RecipeError(f"{key} is {shown(value)}; that is too large") from None
    return dict(value) if isinstance(value, Mapping) else value


def _bare(hint: Any) -> Any:
    """`X` for `X | None`: what a file can say."""
    return next(part for part in get_args(hint) if part is not type(None)) if isinstance(hint, UnionType) else hint


def _allowed(hint: Any) -> str:
    """What a type allows, in words."""
    hint = _bare(hint)
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(get_args(hint))
    if get_origin(hint) is tuple:
        return "a list of two numbers"
    names = {int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(hint, "a table such as { europarl = 1 }")
