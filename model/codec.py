"""Traces as JSON: exact in both directions, and strict about what strangers send.

A record becomes an object with a key for each field, an array a list of lists. Reading follows the types of the fields,
so that a file with a wrong, missing or unknown key is refused by the place where it is, never read halfway.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
from typing import Any, NoReturn, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from model.trace import Trace, TraceError, check_schema


def write(trace: Trace) -> str:
    """The trace as one line of JSON without NaN or infinities."""
    return json.dumps(_plain(trace), ensure_ascii=False, allow_nan=False)


def read(text: str | bytes) -> Trace:
    """The trace in a JSON text; TraceError, in one sentence, says what is wrong with any other text."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except TraceError:
        raise
    except RecursionError:
        raise TraceError("This is not a trace: its JSON is nested far too deeply.") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"This is not a trace but malformed JSON: {error.msg} at line {error.lineno}, "
                         f"column {error.colno}.") from None
    except ValueError:  # bytes that are not UTF-8, an integer of thousands of digits
        raise TraceError("This is not a trace: its bytes cannot be read as JSON.") from None
    if not isinstance(value, dict):
        raise TraceError(f"This is not a trace: expected a JSON object, got {_kind(value)}.")
    if "schema" not in value:
        raise TraceError('This is not a trace: it does not say its "schema".')
    check_schema(value["schema"])
    return cast(Trace, _read(Trace, value, "trace"))


def _plain(value: Any) -> Any:
    """A record as what `json` writes: objects, lists, texts and numbers."""
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        # Nine significant digits name a float32 exactly, in half the characters that Python's repr would need.
        return _rounded(value.tolist())
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _rounded(values: Any) -> Any:
    return [_rounded(item) for item in values] if isinstance(values, list) else float(f"{values:.9g}")


def _read(kind: Any, value: Any, where: str) -> Any:
    """`value`, out of JSON, as an instance of the type `kind`; `where` names its place in messages."""
    if dataclasses.is_dataclass(kind):
        return _record(cast(type, kind), value, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _choice(arguments, value, where)
    if origin is tuple:
        if not isinstance(value, list):
            _refuse(where, "a list", value)
        return tuple(_read(arguments[0], item, f"{where}[{number}]") for number, item in enumerate(value))
    if origin is dict:
        if not isinstance(value, dict):
            _refuse(where, "an object", value)
        return {key: _read(arguments[1], item, f"{where}.{_cut(key)}") for key, item in value.items()}
    if origin is np.ndarray:
        return _array(value, where)
    if kind is float and type(value) is int and abs(value) < 2**53:  # other writers may leave out the ".0"
        return float(value)
    if type(value) is not kind:
        _refuse(where, _NAMES[kind], value)
    return value


_hints = functools.cache(get_type_hints)  # there are a dozen kinds, and a file of Traces has thousands of each


def _record(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        _refuse(where, "an object", value)
    hints = _hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for key in value:
        if key not in fields:
            raise TraceError(f'The {where} has an unknown key "{_cut(key)}".')
    for name, field in fields.items():
        if name not in value and field.default is not None:  # what may be None may be left out
            raise TraceError(f'The {where} lacks the key "{name}".')
    return kind(**{name: _read(hints[name], item, name if where == "trace" else f"{where}.{name}")
                   for name, item in value.items()})


def _choice(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    """One of several types: the exact type of the value decides, and null is None."""
    if value is None and type(None) in kinds:
        return None
    if type(value) in kinds:
        return value
    others = [kind for kind in kinds if kind not in _NAMES]
    if others:
        return _read(others[0], value, where)
    _refuse(where, " or ".join(_NAMES[kind] for kind in kinds), value)


def _array(value: Any, where: str) -> Any:
    """A float32 array out of lists of numbers of equal length."""
    if not isinstance(value, list):
        _refuse(where, "a list of numbers", value)
    try:
        items = np.array(value, dtype=object)
        # numpy walks arrays of up to 32 axes only, and nothing here has more than a few.
        if items.ndim < 8 and all(type(item) in (int, float) for item in items.flat):
            with np.errstate(over="ignore"):
                return items.astype(np.float32)
    except (ValueError, OverflowError, RecursionError):
        pass
    raise TraceError(f"The {where} must be lists of numbers, all of equal length.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise TraceError(f'This is not a trace: the key "{_cut(twice)}" stands twice in one object.')
    return result


def _constant(name: str) -> NoReturn:
    raise TraceError(f"This is not a trace: it holds {name}, which is no JSON number.")


_NAMES: dict[Any, str] = {str: "a text", bool: "true or false", int: "a whole number", float: "a number",
                          type(None): "null", list: "a list", dict: "an object"}


def _kind(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "a number too large"
    return _NAMES[type(value)]


def _cut(text: str) -> str:
    return ascii(text[:40])[1:-1]


def _refuse(where: str, expected: str, value: Any) -> NoReturn:
    raise TraceError(f"The {where} must be {expected}: got {_kind(value)}.")
