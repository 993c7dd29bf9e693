"""Read the sections of a TOML file into dataclasses: training recipes and control files of corpora."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from model.serialization.messages import quote_value

Section = TypeVar("Section")


class SettingsFileError(ValueError):
    """A file of settings that cannot be used; the message names the key, its value and what is allowed."""


def check_range(section: Any, title: str, low: float, high: float, *names: str, is_low_excluded: bool = False) -> None:
    """Raise SettingsFileError unless these fields are from `low` (exclusive if `is_low_excluded`) to `high`."""
    for name in names:
        value = getattr(section, name)
        if not low <= value <= high or (is_low_excluded and value == low):  # also false for NaN
            allowed = f"above {low:,} and at most {high:,}" if is_low_excluded else f"from {low:,} to {high:,}"
            raise SettingsFileError(f"{title}.{name} is {quote_value(value)}; it must be {allowed}")


def read_section(section_type: type[Section], title: str, table: Any, file: str = "recipe") -> Section:
    """Return a dataclass from a table of keys; fields with a default may be missing. Raises SettingsFileError.

    `file`: the kind of file, for messages; a `title` equal to it means the whole file. Fields that are dataclasses,
    or tables of dataclasses, are read recursively.
    """
    if not isinstance(table, Mapping):
        raise SettingsFileError(f"{file}: {title} is {quote_value(table)}; it must be a section of keys, [{title}]")
    location = file if title == file else f"{file}, section {title}"
    section_fields = {field.name: field for field in fields(section_type)}  # type: ignore[arg-type]
    hints = get_type_hints(section_type)
    for name in table:
        if name not in section_fields:
            allowed = ", ".join(section_fields)
            raise SettingsFileError(f"{location}: the key {quote_value(name)} is not known; allowed: {allowed}")
    for name, field in section_fields.items():
        if name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise SettingsFileError(f"{location}: {name} is missing; it must be {_describe_type(hints[name])}")
    prefix = "" if title == file else f"{title}."
    values = {name: _convert(f"{prefix}{name}", value, hints[name], file) for name, value in table.items()}
    return section_type(**values)


def _convert(key: str, value: Any, hint: Any, file: str) -> Any:
    """Return the value as the type of its field. Raises SettingsFileError if it has another type."""
    hint = _strip_optional(hint)
    if is_dataclass(hint):
        return read_section(cast(type, hint), key, value, file)
    if get_origin(hint) is Mapping and is_dataclass(part_type := get_args(hint)[1]) and isinstance(value, Mapping):
        return {name: read_section(cast(type, part_type), f"{key}.{name}", part, file) for name, part in value.items()}
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if get_origin(hint) is Literal:
        is_valid = isinstance(value, str) and value in get_args(hint)
    elif hint is bool:
        is_valid = isinstance(value, bool)
    elif hint is int:
        is_valid = is_number and isinstance(value, int)
    elif hint is float:
        is_valid = is_number
    elif hint is str:
        is_valid = isinstance(value, str)
    elif get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        is_valid = isinstance(value, (list, tuple))
        if is_valid:
            return tuple(_convert(key, part, get_args(hint)[0], file) for part in value)
    elif get_origin(hint) is tuple:
        is_valid = isinstance(value, (list, tuple)) and len(value) == len(get_args(hint))
        if is_valid:
            hints = zip(value, get_args(hint), strict=True)
            return tuple(_convert(key, part, part_hint, file) for part, part_hint in hints)
    else:
        is_valid = isinstance(value, Mapping)
    if not is_valid:
        raise SettingsFileError(f"{key} is {quote_value(value)}; it must be {_describe_type(hint)}")
    if hint is float:
        try:
            return float(value)
        except OverflowError:
            raise SettingsFileError(f"{key} is {quote_value(value)}; that is too large") from None
    return dict(value) if isinstance(value, Mapping) else value


def _strip_optional(hint: Any) -> Any:
    """Return X for `X | None`: TOML has no null."""
    return next(part for part in get_args(hint) if part is not type(None)) if isinstance(hint, UnionType) else hint


def _describe_type(hint: Any) -> str:
    """Describe the allowed values of a type for messages."""
    hint = _strip_optional(hint)
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


def load_toml(path: Path, description: str, missing_message: str) -> dict[str, Any]:
    """Read a TOML file in UTF-8. Raises SettingsFileError.

    `description`: what the file is, such as "recipe"; `missing_message`: the whole message if there is no such file.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        message = f"the {description} {path} is not UTF-8 (byte {error.start + 1}); save it as UTF-8"
        raise SettingsFileError(message) from error
    except (PermissionError, IsADirectoryError) as error:
        raise SettingsFileError(f"the {description} {path} cannot be read ({error.strerror})") from error
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        raise SettingsFileError(missing_message) from error
    try:
        return tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise SettingsFileError(f"the {description} {path} is not valid TOML: {error}") from error
