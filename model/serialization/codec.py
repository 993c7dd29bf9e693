"""JSON for records (dataclasses): exact in both directions, and strict about files from elsewhere.

    value = parse_json(content, "a trace")             # any bytes: an object of plain JSON values, or CodecError
    trace = read_record(Trace, value, "trace")         # the record, every field of its type
    content = dump_json(to_plain(trace))               # and back

A record becomes an object with a key for each field, a tuple a list, an array a list of lists. Reading follows the
types of the fields: a wrong, missing or unknown key raises CodecError naming its place. A record's own checks may raise
other errors derived from CodecError.

A file may leave out fields whose default is empty: None, 0, "", an empty object or list. A field's metadata may be
`mark_as_columns`, `mark_as_not_stored` or `mark_as_omitted_if_empty`. Needs neither torch nor Streamlit.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

MAX_CHARACTERS = 64 * 2**20  # also bytes; the largest shipped file has 1.3 million
MAX_DEPTH = 64  # nested lists and objects; shipped files have up to ten
_COLUMN_NAMES, _IS_STORED, _WRITE_EMPTY = "columns", "stored", "written empty"

Record = TypeVar("Record")


class CodecError(ValueError):
    """A file holds no record, or an inconsistent one; the message is one sentence for the user."""


def mark_as_columns(names: Sequence[str]) -> dict[str, Any]:
    """Return metadata of a matrix field (rows, names): in JSON an object with a list for each named column."""
    return {_COLUMN_NAMES: tuple(names)}


def mark_as_not_stored() -> dict[str, Any]:
    """Return metadata of a field that is neither written nor read."""
    return {_IS_STORED: False}


def mark_as_omitted_if_empty() -> dict[str, Any]:
    """Return metadata of a field that is written only if it is not empty."""
    return {_WRITE_EMPTY: False}


# ---- writing ----------------------------------------------------------------------------------------------------


def to_plain(value: Any) -> Any:
    """Convert a record, or dicts, lists and arrays of records, to plain JSON values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode_field(field, getattr(value, field.name)) for field in _list_fields(type(value))
                if field.metadata.get(_WRITE_EMPTY, True) or getattr(value, field.name)}
    if isinstance(value, np.ndarray):
        # Nine significant digits identify a float32, in half the characters of Python's repr.
        return _round_float32(value.tolist()) if value.dtype == np.float32 else value.tolist()
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def dump_json(value: Any, *, compact: bool = False, indent: int | None = None) -> str:
    """Return plain values as JSON: in one line, without spaces if `compact`, or indented.

    Raises ValueError for NaN and infinities.
    """
    separators = (",", ":") if compact else None
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)


def dump_entries(value: Mapping[str, Any]) -> str:
    """Return an object as compact JSON with a line for each entry, and a final line break."""
    return "{\n" + ",\n".join(dump_each_entry(value)) + "\n}\n"


def dump_each_entry(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield each entry of an object as compact JSON."""
    return (f"{dump_json(name)}:{dump_json(item, compact=True)}" for name, item in value.items())


def _encode_field(field: dataclasses.Field[Any], value: Any) -> Any:
    names = field.metadata.get(_COLUMN_NAMES)
    return to_plain(value) if names is None else dict(zip(names, to_plain(value.T), strict=True))


def _round_float32(values: Any) -> Any:
    return [_round_float32(item) for item in values] if isinstance(values, list) else float(f"{values:.9g}")


# ---- reading: from bytes to plain values ------------------------------------------------------------------------


def parse_json(text: str | bytes, description: str) -> dict[str, Any]:
    """Return the JSON object in an untrusted text. Raises CodecError.

    `description`: what it should be, for messages ("a trace"). All numbers are finite, all texts can be written as
    UTF-8, and the nesting is at most MAX_DEPTH deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise CodecError(f"This is not {description}: it has more than {MAX_CHARACTERS:,} characters.")

    def refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in pairs:
            if key in result:
                raise CodecError(f'This is not {description}: the key "{_escape(key)}" stands twice in one object.')
            result[key] = value
        return result

    def refuse_constant(name: str) -> NoReturn:
        raise CodecError(f"This is not {description}: it holds {name}, which is no JSON number.")

    try:
        value = json.loads(text, object_pairs_hook=refuse_duplicate_keys, parse_constant=refuse_constant)
    except CodecError:
        raise
    except RecursionError:
        raise CodecError(f"This is not {description}: its JSON is nested far too deeply.") from None
    except json.JSONDecodeError as error:
        raise CodecError(f"This is not {description} but malformed JSON: {error.msg} at line {error.lineno}, "
                         f"column {error.colno}.") from None
    except ValueError:  # bytes that are not UTF-8, an integer of thousands of digits
        raise CodecError(f"This is not {description}: its bytes cannot be read as JSON.") from None
    if not isinstance(value, dict):
        raise CodecError(f"This is not {description}: expected a JSON object, got {_name_type(value)}.")
    _check_values(value, description)
    return value


def get_schema(value: Mapping[str, Any], description: str) -> object:
    """Return the "schema" of a parsed file. Raises CodecError if there is none."""
    if "schema" not in value:
        raise CodecError(f'This is not {description}: it does not say its "schema".')
    return value["schema"]


def check_schema(schema: object, expected: int, records: str, error: type[CodecError] = CodecError) -> None:
    """Raise `error` unless this version reads the schema; `records` names the files: "diaries"."""
    if schema != expected or isinstance(schema, bool):
        raise error(f"This version reads {records} of schema {expected}: got {str(schema)[:40]!r}.")


def _check_values(value: dict[str, Any], description: str) -> None:
    """Check depth, numbers and characters, level by level: no nesting exhausts the stack."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        next_level: list[Any] = []
        for container in level:
            items = [*container, *container.values()] if type(container) is dict else container
            item_types = set(map(type, items))
            if float in item_types and not all(map(math.isfinite, (item for item in items if type(item) is float))):
                place = _find_invalid(value, _is_infinite)
                raise CodecError(f"This is not {description}: {place} must be a finite number.")
            if str in item_types and has_broken_character("".join(item for item in items if type(item) is str)):
                place = _find_invalid(value, has_broken_character)
                raise CodecError(f"This is not {description}: {place} holds a broken character.")
            if item_types & {dict, list}:
                next_level += (item for item in items if type(item) in (dict, list))
        if not next_level:
            return
        level = next_level
    raise CodecError(f"This is not {description}: its JSON is nested far too deeply.")


def has_broken_character(value: Any) -> bool:
    """Return whether a text holds half of a surrogate pair, which cannot be written as UTF-8."""
    if type(value) is not str or value.isascii():
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def _is_infinite(value: Any) -> bool:
    return type(value) is float and not math.isfinite(value)


def _find_invalid(value: Any, is_invalid: Callable[[Any], bool]) -> str:
    """Return the place of the first invalid value, such as "steps[3].piece"."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for location, item in waiting:  # grows during the loop
        if is_invalid(item):
            return location
        if type(item) is dict:
            if any(map(is_invalid, item)):
                return f"a key of {location}" if location else "a key"
            waiting += ((f"{location}.{_escape(key)}".removeprefix("."), child) for key, child in item.items())
        elif type(item) is list:
            waiting += ((f"{location}[{number}]", child) for number, child in enumerate(item))
    raise AssertionError("no invalid value")


# ---- reading: from plain values to records ----------------------------------------------------------------------


def read_record(record_type: type[Record], value: Any, description: str) -> Record:
    """Return a parsed value as a record. Raises CodecError naming the place that is wrong.

    `description`: its name in messages ("trace"). Errors of the record's own checks are passed on.
    """
    return cast(Record, _read_object(record_type, value, description, is_root=True))


def _read_value(hint: Any, value: Any, location: str) -> Any:
    """Return a JSON value as an instance of a type; `location` names its place in messages."""
    if dataclasses.is_dataclass(hint):
        return _read_object(cast(type, hint), value, location)
    if hint is Any:
        return value
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _read_union(arguments, value, location)
    if origin is Literal:
        if value not in arguments or type(value) not in map(type, arguments):
            values = ", ".join(map(repr, arguments))
            raise CodecError(f"The {location} must be one of {values}: got {_describe(value)}.")
        return value
    if origin in (tuple, list):
        if not isinstance(value, list):
            _raise_wrong_type(location, "a list", value)
        if origin is list or arguments[-1] is Ellipsis:
            arguments = (arguments[0],) * len(value)
        if len(arguments) != len(value):
            raise CodecError(f"The {location} must have {len(arguments)} entries: got {len(value)}.")
        return origin(_read_value(item_hint, item, f"{location}[{number}]")
                      for number, (item_hint, item) in enumerate(zip(arguments, value, strict=True)))
    if origin is dict:
        if not isinstance(value, dict):
            _raise_wrong_type(location, "an object", value)
        return {key: _read_value(arguments[1], item, f"{location}.{_escape(key)}") for key, item in value.items()}
    if origin is np.ndarray:
        return _read_array(value, location, get_args(arguments[1])[0])
    if hint is float and type(value) is int and abs(value) < 2**53:  # other writers may omit the ".0"
        return float(value)
    if type(value) is not hint:
        _raise_wrong_type(location, _TYPE_NAMES[hint], value)
    return value


_get_hints = functools.cache(get_type_hints)  # a file of Traces has thousands of records of a dozen types


@functools.cache
def _list_fields(record_type: type) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(field for field in dataclasses.fields(record_type) if field.metadata.get(_IS_STORED, True))


def _read_object(record_type: type, value: Any, location: str, *, is_root: bool = False) -> Any:
    if not isinstance(value, dict):
        _raise_wrong_type(location, "an object", value)
    hints = _get_hints(record_type)
    fields = {field.name: field for field in _list_fields(record_type)}
    for key in value:
        if key not in fields:
            raise CodecError(f'The {location} has an unknown key "{_escape(key)}".')
    for name, field in fields.items():
        if name not in value and field.default_factory is dataclasses.MISSING and field.default:
            raise CodecError(f'The {location} lacks the key "{name}".')
    arguments = {}
    for name, item in value.items():
        place, columns = name if is_root else f"{location}.{name}", fields[name].metadata.get(_COLUMN_NAMES)
        arguments[name] = (
            _read_columns(hints[name], item, place, columns) if columns else _read_value(hints[name], item, place)
        )
    return record_type(**arguments)


def _read_union(hints: tuple[Any, ...], value: Any, location: str) -> Any:
    """Read a value of a union: its exact type decides, and null is None."""
    if value is None and type(None) in hints:
        return None
    if type(value) in hints:
        return value
    composite_hints = [hint for hint in hints if hint not in _TYPE_NAMES]
    if composite_hints:
        return _read_value(composite_hints[0], value, location)
    if float in hints and type(value) is int:
        return _read_value(float, value, location)
    _raise_wrong_type(location, " or ".join(_TYPE_NAMES[hint] for hint in hints), value)


def _read_array(value: Any, location: str, dtype: Any) -> Any:
    """Read an array from lists of equal length, of whole numbers for int64."""
    is_whole = dtype is np.int64
    if not isinstance(value, list):
        _raise_wrong_type(location, "a list of numbers", value)
    try:
        if is_whole and set(map(type, value)) <= {int}:  # fast path for long columns
            return np.array(value, dtype=np.int64)
        items = np.array(value, dtype=object)
        # numpy supports up to 32 axes; no record has more than a few.
        if items.ndim < 8 and all(type(item) is int or (type(item) is float and not is_whole) for item in items.flat):
            with np.errstate(over="ignore"):
                return items.astype(dtype)
    except (ValueError, OverflowError, RecursionError):
        pass
    raise CodecError(f"The {location} must be lists of {'whole ' if is_whole else ''}numbers, all of equal length.")


def _read_columns(hint: Any, value: Any, location: str, names: tuple[str, ...]) -> Any:
    """Read a matrix (rows, names) from an object with a list of equal length for each name."""
    if not isinstance(value, dict):
        _raise_wrong_type(location, "an object", value)
    if set(value) != set(names):
        missing, unknown = [name for name in names if name not in value], [key for key in value if key not in names]
        raise CodecError(f'The {location} lacks the key "{missing[0]}".' if missing else
                         f'The {location} has an unknown key "{_escape(unknown[0])}".')
    columns = [_read_value(hint, value[name], f"{location}.{name}") for name in names]
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1:
            raise CodecError(f"The {location}.{name} must be one list of numbers.")
        if len(column) != len(columns[0]):
            raise CodecError(f"The {location}.{name} must have {len(columns[0])} numbers: got {len(column)}.")
    return np.stack(columns, axis=1)


_TYPE_NAMES: dict[Any, str] = {
    str: "a text", bool: "true or false", int: "a whole number", float: "a number", type(None): "null",
    list: "a list", dict: "an object",
}  # fmt: skip


def _name_type(value: Any) -> str:
    return "a number too large" if _is_infinite(value) else _TYPE_NAMES.get(type(value), "something else")


def _escape(text: object) -> str:
    return ascii(str(text)[:40])[1:-1][:80]


def _describe(value: Any) -> str:
    return f"'{_escape(value)}'" if isinstance(value, str) else _name_type(value)


def _raise_wrong_type(location: str, expected: str, value: Any) -> NoReturn:
    raise CodecError(f"The {location} must be {expected}: got {_name_type(value)}.")
