"""Reading a section of a TOML file into its dataclass: every key known, present, of its type and within its range.

Recipes of training and control files of corpora are read with it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from model.serialization.messages import quote_value

Section = TypeVar("Section")


class SettingsError(ValueError):
    """A file of settings that cannot be used; the message names the key, what was given and what is allowed."""


def check_range(section: Any, title: str, low: float, high: float, *names: str, above: bool = False) -> None:
    """Raise SettingsError unless each of these numbers is from `low` (or, if so asked, above it) to `high`."""
    for name in names:
        value = getattr(section, name)
        if not low <= value <= high or (above and value == low):  # NaN compares with nothing
            allowed = f"above {low:,} and at most {high:,}" if above else f"from {low:,} to {high:,}"
            raise SettingsError(f"{title}.{name} is {quote_value(value)}; it must be {allowed}")


def read_section(kind: type[Section], title: str, given: Any, file: str = "recipe") -> Section:
    """The dataclass `kind` from a table of keys; fields with a default may be missing. Raises SettingsError.

    `file`: what kind of file it is, for messages; as the `title` it stands for the whole file. A field that is a
    dataclass itself, or a table of such, is read the same way.
    """
    if not isinstance(given, Mapping):
        raise SettingsError(f"{file}: {title} is {quote_value(given)}; it must be a section of keys, [{title}]")
    where = file if title == file else f"{file}, section {title}"
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    for name in given:
        if name not in known:
            allowed = ", ".join(known)
            raise SettingsError(f"{where}: the key {quote_value(name)} is not known; allowed: {allowed}")
    for name, field in known.items():
        if name not in given and field.default is MISSING and field.default_factory is MISSING:
            raise SettingsError(f"{where}: {name} is missing; it must be {_allowed(hints[name])}")
    prefix = "" if title == file else f"{title}."
    return kind(**{name: _typed(f"{prefix}{name}", value, hints[name], file) for name, value in given.items()})


def _typed(key: str, value: Any, hint: Any, file: str) -> Any:
    """The value in the type the field asks for; SettingsError where it is of another."""
    hint = _bare(hint)
    if is_dataclass(hint):
        return read_section(cast(type, hint), key, value, file)
    if get_origin(hint) is Mapping and is_dataclass(inner := get_args(hint)[1]) and isinstance(value, Mapping):
        return {name: read_section(cast(type, inner), f"{key}.{name}", part, file) for name, part in value.items()}
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if get_origin(hint) is Literal:
        fits = isinstance(value, str) and value in get_args(hint)
    elif hint is bool:
        fits = isinstance(value, bool)
    elif hint is int:
        fits = number and isinstance(value, int)
    elif hint is float:
        fits = number
    elif hint is str:
        fits = isinstance(value, str)
    elif get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        fits = isinstance(value, (list, tuple))
        if fits:
            return tuple(_typed(key, part, get_args(hint)[0], file) for part in value)
    elif get_origin(hint) is tuple:
        fits = isinstance(value, (list, tuple)) and len(value) == len(get_args(hint))
        if fits:
            hints = zip(value, get_args(hint), strict=True)
            return tuple(_typed(key, part, part_hint, file) for part, part_hint in hints)
    else:
        fits = isinstance(value, Mapping)
    if not fits:
        raise SettingsError(f"{key} is {quote_value(value)}; it must be {_allowed(hint)}")
    if hint is float:
        try:
            return float(value)
        except OverflowError:
            raise SettingsError(f"{key} is {quote_value(value)}; that is too large") from None
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
        return "a list of texts" if get_args(hint)[0] is str else "a list of two numbers"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    if hint in names:
        return names[hint]
    if is_dataclass(get_args(hint)[1]):
        return "a section for each, such as [corpora.europarl]"
    example = '{ newstest = "dev/newstest" }' if str in get_args(hint)[1:] else "{ europarl = 1 }"
    return f"a table such as {example}"


def load_toml(path: Path, what: str, unknown: str) -> dict[str, Any]:
    """The content of a TOML file, UTF-8; `what` it is ("recipe") and what to say where there is none (`unknown`).

    Raises SettingsError.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")  # editors of some systems begin a file with a mark
    except UnicodeDecodeError as error:
        raise SettingsError(f"the {what} {path} is not UTF-8 (byte {error.start + 1}); save it as UTF-8") from error
    except (OSError, ValueError) as error:  # ValueError: a name no file can have
        raise SettingsError(unknown) from error
    try:
        return tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"the {what} {path} is not valid TOML: {error}") from error
