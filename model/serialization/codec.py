"""JSON in and out for every record: exact in both directions, strict about what strangers send, one kind of error.

A record is a dataclass. It becomes an object with a key for each field, a tuple a list, an array a list of lists.
Reading follows the types of the fields, so that a file with a wrong, missing or unknown key is refused by the place
where it is, never read halfway. A record's own checks may raise an error of their own, of the kind `CodecError`.

    value = parse(content, "a trace")                  # any bytes: an object of plain JSON values, or CodecError
    trace = read(Trace, value, "trace")                # the record, every field of its type
    content = dump(plain(trace))                       # and back

Left out of a file may be what defaults to nothing: None, 0, "", an empty table or list. A field's metadata may be
`in_columns`, a matrix written as a list for each of its columns, `not_stored`, which keeps it out of files, or
`omit_if_empty`, which keeps it out while it is empty. Needs neither torch nor Streamlit.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

MAX_CHARACTERS = 64 * 2**20  # bytes or characters; the largest file of ours has 1.3 million
MAX_DEPTH = 64  # lists and objects inside one another; ours have up to ten
_COLUMNS, _STORED, _WRITTEN_EMPTY = "columns", "stored", "written empty"

Record = TypeVar("Record")


class CodecError(ValueError):
    """A file holds no record, or the record contradicts itself; the message is one sentence for the reader."""


def in_columns(names: Sequence[str]) -> dict[str, Any]:
    """Metadata of a field that is a matrix (rows, names): in JSON an object with a list for each named column."""
    return {_COLUMNS: tuple(names)}


def not_stored() -> dict[str, Any]:
    """Metadata of a field that is no part of the record's file: neither written nor read."""
    return {_STORED: False}


def omit_if_empty() -> dict[str, Any]:
    """Metadata of a field that is written only where it is not empty: a rare one, without which files stay as they
    were."""
    return {_WRITTEN_EMPTY: False}


# ---- out --------------------------------------------------------------------------------------------------------


def to_plain(value: Any) -> Any:
    """A record, or tables, lists and arrays of records, as what `dump` writes: objects, lists, texts and numbers."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _matrix(field, getattr(value, field.name)) for field in _fields(type(value))
                if field.metadata.get(_WRITTEN_EMPTY, True) or getattr(value, field.name)}
    if isinstance(value, np.ndarray):
        # Nine significant digits name a float32 exactly, in half the characters that Python's repr would need.
        return _rounded(value.tolist()) if value.dtype == np.float32 else value.tolist()
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def dump_json(value: Any, *, compact: bool = False, indent: int | None = None) -> str:
    """Plain values as JSON in one line, without a space where `compact`; each value on its own line for an `indent`.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    separators = (",", ":") if compact else None
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)


def dump_entries(value: Mapping[str, Any]) -> str:
    """Plain values as compact JSON with a line for each entry of the object, its brackets and a last line break."""
    return "{\n" + ",\n".join(dump_each_entry(value)) + "\n}\n"


def dump_each_entry(value: Mapping[str, Any]) -> Iterator[str]:
    """Each entry of an object as compact JSON, for a record that is laid out in lines."""
    return (f"{dump_json(name)}:{dump_json(item, compact=True)}" for name, item in value.items())


def _matrix(field: dataclasses.Field[Any], value: Any) -> Any:
    names = field.metadata.get(_COLUMNS)
    return to_plain(value) if names is None else dict(zip(names, to_plain(value.T), strict=True))


def _rounded(values: Any) -> Any:
    return [_rounded(item) for item in values] if isinstance(values, list) else float(f"{values:.9g}")


# ---- in: from bytes to plain values ----------------------------------------------------------------------------


class MalformedJSONError(CodecError):
    """A text that is no JSON, from this line on (counted from 1)."""

    def __init__(self, line: int) -> None:
        super().__init__(f"This is no well-formed JSON at line {line}.")
        self.line = line


def load_json_value(text: str) -> Any:
    """Any JSON value of a stranger's text, unchecked: its numbers may be infinite, its texts broken. MalformedError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise MalformedJSONError(error.lineno) from None
    except (ValueError, RecursionError):  # an integer of thousands of digits, lists nested by the thousand
        raise MalformedJSONError(1) from None


def parse_json(text: str | bytes, what: str) -> dict[str, Any]:
    """The JSON object in a text that may come from anywhere; `what` it should be is for messages ("a trace").

    The values are finite, can be written as UTF-8 and lie at most DEEPEST deep. Raises CodecError.
    """
    if len(text) > MAX_CHARACTERS:
        raise CodecError(f"This is not {what}: it has more than {MAX_CHARACTERS:,} characters.")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise CodecError(f'This is not {what}: the key "{_cut(twice)}" stands twice in one object.')
        return result

    def constant(name: str) -> NoReturn:
        raise CodecError(f"This is not {what}: it holds {name}, which is no JSON number.")

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=constant)
    except CodecError:
        raise
    except RecursionError:
        raise CodecError(f"This is not {what}: its JSON is nested far too deeply.") from None
    except json.JSONDecodeError as error:
        raise CodecError(f"This is not {what} but malformed JSON: {error.msg} at line {error.lineno}, "
                         f"column {error.colno}.") from None
    except ValueError:  # bytes that are not UTF-8, an integer of thousands of digits
        raise CodecError(f"This is not {what}: its bytes cannot be read as JSON.") from None
    if not isinstance(value, dict):
        raise CodecError(f"This is not {what}: expected a JSON object, got {_kind(value)}.")
    _check(value, what)
    return value


def get_schema(value: Mapping[str, Any], what: str) -> object:
    """What a parsed file says under "schema", to be looked at before all else; CodecError where it says nothing."""
    if "schema" not in value:
        raise CodecError(f'This is not {what}: it does not say its "schema".')
    return value["schema"]


def _check(value: dict[str, Any], what: str) -> None:
    """Level by level, so that no nesting exhausts the stack: depth, finite numbers, whole characters."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for container in level:
            items = [*container, *container.values()] if type(container) is dict else container
            kinds = set(map(type, items))
            if float in kinds and not all(map(math.isfinite, (item for item in items if type(item) is float))):
                raise CodecError(f"This is not {what}: {_place(value, _endless)} must be a finite number.")
            if str in kinds and _broken("".join(item for item in items if type(item) is str)):
                raise CodecError(f"This is not {what}: {_place(value, _broken)} holds a broken character.")
            if dict in kinds or list in kinds:
                inner += (item for item in items if type(item) in (dict, list))
        if not inner:
            return
        level = inner
    raise CodecError(f"This is not {what}: its JSON is nested far too deeply.")


def _broken(value: Any) -> bool:
    """Whether a text holds half of a surrogate pair: it can be neither saved nor sent to a page."""
    if type(value) is not str or value.isascii():
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def _endless(value: Any) -> bool:
    return type(value) is float and not math.isfinite(value)


def _place(value: Any, wrong: Any) -> str:
    """Where in a value the first wrong one is, in words of `where`."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for where, item in waiting:  # grows while it is walked
        if wrong(item):
            return where
        if type(item) is dict:
            if any(map(wrong, item)):
                return f"a key of {where}" if where else "a key"
            waiting += ((f"{where}.{_cut(key)}".removeprefix("."), one) for key, one in item.items())
        elif type(item) is list:
            waiting += ((f"{where}[{number}]", one) for number, one in enumerate(item))
    raise AssertionError("nothing wrong in it")


# ---- in: from plain values to records --------------------------------------------------------------------------


def read_record(kind: type[Record], value: Any, what: str) -> Record:
    """A parsed `value` as a record; `what` it is names it in messages ("trace"). Raises CodecError, naming the place.

    What the record itself finds wrong it says in an error of its own.
    """
    return cast(Record, _record(kind, value, what, top=True))


def _read(kind: Any, value: Any, where: str) -> Any:
    """`value`, out of JSON, as an instance of the type `kind`; `where` names its place in messages."""
    if dataclasses.is_dataclass(kind):
        return _record(cast(type, kind), value, where)
    if kind is Any:
        return value
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _choice(arguments, value, where)
    if origin is Literal:
        if value not in arguments or type(value) not in map(type, arguments):
            raise CodecError(f"The {where} must be one of {', '.join(map(repr, arguments))}: got {_some(value)}.")
        return value
    if origin in (tuple, list):
        if not isinstance(value, list):
            _refuse(where, "a list", value)
        if origin is list or arguments[-1] is Ellipsis:
            arguments = (arguments[0],) * len(value)
        if len(arguments) != len(value):
            raise CodecError(f"The {where} must have {len(arguments)} entries: got {len(value)}.")
        return origin(_read(of, item, f"{where}[{number}]")
                      for number, (of, item) in enumerate(zip(arguments, value, strict=True)))
    if origin is dict:
        if not isinstance(value, dict):
            _refuse(where, "an object", value)
        return {key: _read(arguments[1], item, f"{where}.{_cut(key)}") for key, item in value.items()}
    if origin is np.ndarray:
        return _array(value, where, get_args(arguments[1])[0])
    if kind is float and type(value) is int and abs(value) < 2**53:  # other writers may leave out the ".0"
        return float(value)
    if type(value) is not kind:
        _refuse(where, _NAMES[kind], value)
    return value


_hints = functools.cache(get_type_hints)  # there are a dozen kinds, and a file of Traces has thousands of each


@functools.cache
def _fields(kind: type) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(field for field in dataclasses.fields(kind) if field.metadata.get(_STORED, True))


def _record(kind: type, value: Any, where: str, *, top: bool = False) -> Any:
    if not isinstance(value, dict):
        _refuse(where, "an object", value)
    hints = _hints(kind)
    fields = {field.name: field for field in _fields(kind)}
    for key in value:
        if key not in fields:
            raise CodecError(f'The {where} has an unknown key "{_cut(key)}".')
    for name, field in fields.items():
        if name not in value and field.default_factory is dataclasses.MISSING and field.default:
            raise CodecError(f'The {where} lacks the key "{name}".')
    given = {}
    for name, item in value.items():
        place, columns = name if top else f"{where}.{name}", fields[name].metadata.get(_COLUMNS)
        given[name] = _columns(hints[name], item, place, columns) if columns else _read(hints[name], item, place)
    return kind(**given)


def _choice(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    """One of several types: the exact type of the value decides, and null is None."""
    if value is None and type(None) in kinds:
        return None
    if type(value) in kinds:
        return value
    others = [kind for kind in kinds if kind not in _NAMES]
    if others:
        return _read(others[0], value, where)
    if float in kinds and type(value) is int:
        return _read(float, value, where)
    _refuse(where, " or ".join(_NAMES[kind] for kind in kinds), value)


def _array(value: Any, where: str, dtype: Any) -> Any:
    """An array out of lists of numbers of equal length; whole ones for an int64."""
    whole = dtype is np.int64
    if not isinstance(value, list):
        _refuse(where, "a list of numbers", value)
    try:
        if whole and set(map(type, value)) <= {int}:  # one column of many rows: no object for each
            return np.array(value, dtype=np.int64)
        items = np.array(value, dtype=object)
        # numpy walks arrays of up to 32 axes only, and nothing here has more than a few.
        if items.ndim < 8 and all(type(item) is int or (type(item) is float and not whole) for item in items.flat):
            with np.errstate(over="ignore"):
                return items.astype(dtype)
    except (ValueError, OverflowError, RecursionError):
        pass
    raise CodecError(f"The {where} must be lists of {'whole ' if whole else ''}numbers, all of equal length.")


def _columns(kind: Any, value: Any, where: str, names: tuple[str, ...]) -> Any:
    """A matrix (rows, names) out of an object with a list of equal length for each name."""
    if not isinstance(value, dict):
        _refuse(where, "an object", value)
    if set(value) != set(names):
        missing, unknown = [name for name in names if name not in value], [key for key in value if key not in names]
        raise CodecError(f'The {where} lacks the key "{missing[0]}".' if missing else
                         f'The {where} has an unknown key "{_cut(unknown[0])}".')
    columns = [_read(kind, value[name], f"{where}.{name}") for name in names]
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1:
            raise CodecError(f"The {where}.{name} must be one list of numbers.")
        if len(column) != len(columns[0]):
            raise CodecError(f"The {where}.{name} must have {len(columns[0])} numbers: got {len(column)}.")
    return np.stack(columns, axis=1)


_NAMES: dict[Any, str] = {str: "a text", bool: "true or false", int: "a whole number", float: "a number",
                          type(None): "null", list: "a list", dict: "an object"}


def _kind(value: Any) -> str:
    return "a number too large" if _endless(value) else _NAMES.get(type(value), "something else")


def _cut(text: object) -> str:
    return ascii(str(text)[:40])[1:-1][:80]


def _some(value: Any) -> str:
    return f"'{_cut(value)}'" if isinstance(value, str) else _kind(value)


def _refuse(where: str, expected: str, value: Any) -> NoReturn:
    raise CodecError(f"The {where} must be {expected}: got {_kind(value)}.")
