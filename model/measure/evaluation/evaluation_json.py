"""Evaluations as JSON: one line for each field and for each column of the counts, strict about what it reads."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any, NoReturn

import numpy as np

from model.measure.evaluation.evaluation import COLUMNS, Data, Evaluation, EvaluationError
from model.measure.scores.length_curve import Bin

_LARGEST = 2**40  # far above any count, far below what int64 sums can hold


def write(evaluation: Evaluation) -> str:
    """The evaluation as JSON, the schema first, the counts last."""
    content: dict[str, Any] = {"schema": evaluation.schema}
    for field in fields(evaluation):
        value = getattr(evaluation, field.name)
        if field.name == "by_length":
            content[field.name] = [asdict(point) for point in value]
        elif field.name not in ("schema", "counts"):
            content[field.name] = asdict(value) if isinstance(value, Data) else value
    lines = [f"{_text(name)}:{_text(value)}" for name, value in content.items()]
    columns = [f"{_text(name)}:{_text(evaluation.column(name).tolist())}" for name in COLUMNS]
    return "{\n" + ",\n".join(lines) + ',\n"counts":{\n' + ",\n".join(columns) + "\n}}"


def read(text: str | bytes) -> Evaluation:
    """The evaluation in a JSON text; EvaluationError, in one sentence, says what is wrong with any other text."""
    try:
        value = json.loads(text, parse_constant=_constant)
    except EvaluationError:
        raise
    except RecursionError:
        raise EvaluationError("This is not an evaluation: its JSON is nested far too deeply.") from None
    except json.JSONDecodeError as error:
        raise EvaluationError(f"This is not an evaluation but malformed JSON: {error.msg} at line {error.lineno}, "
                              f"column {error.colno}.") from None
    except ValueError:  # bytes that are not UTF-8, an integer of thousands of digits
        raise EvaluationError("This is not an evaluation: its bytes cannot be read as JSON.") from None
    names = {field.name for field in fields(Evaluation)}
    content = _object(value, "evaluation", names)
    for name in ("model", "fingerprint", "date", "command"):
        _typed(content[name], name, str)
    for name in ("schema", "unfinished", "untranslated", "unscored"):
        _typed(content[name], name, int)
    _mapping(content["search"], "search", (int, float, str, bool))
    _mapping(content["signatures"], "signatures", (str,))
    content["scores"] = {name: float(score) for name, score in
                         _mapping(content["scores"], "scores", (int, float)).items()}
    data = _object(content["data"], "data", {"name", "sha256", "sentences"})
    content["data"] = Data(_typed(data["name"], "data.name", str), _typed(data["sha256"], "data.sha256", str),
                           _typed(data["sentences"], "data.sentences", int))
    points = _typed(content["by_length"], "by_length", list)
    content["by_length"] = tuple(_bin(point, f"by_length[{number}]") for number, point in enumerate(points))
    columns = _object(content["counts"], "counts", set(COLUMNS))
    content["counts"] = np.array([_column(columns[name], name, content["data"].sentences) for name in COLUMNS]).T
    return Evaluation(**content)


def _bin(value: Any, where: str) -> Bin:
    point = _object(value, where, {field.name for field in fields(Bin)})
    for name in ("first", "sentences"):
        _typed(point[name], f"{where}.{name}", int)
    if point["last"] is not None:
        _typed(point["last"], f"{where}.last", int)
    for name in ("bleu", "low", "high"):
        if point[name] is not None:
            point[name] = float(_typed(point[name], f"{where}.{name}", float, int))
    return Bin(**point)


def _column(value: Any, name: str, sentences: int) -> list[int]:
    column: list[int] = _typed(value, f"column {name}", list)
    if len(column) != sentences:
        raise EvaluationError(f"The column {name} must have {sentences} numbers: got {len(column)}.")
    if not all(type(number) is int and 0 <= number < _LARGEST for number in column):
        raise EvaluationError(f"The column {name} must hold whole numbers from 0 up.")
    return column


def _object(value: Any, where: str, names: set[str]) -> dict[str, Any]:
    _typed(value, where, dict)
    if set(value) != names:
        missing, unknown = sorted(names - set(value)), sorted(_cut(name) for name in set(value) - names)
        raise EvaluationError(f"The {where} must have its keys: missing {missing or 'none'}, "
                              f"unknown {unknown[:5] or 'none'}.")
    return dict(value)


def _mapping(value: Any, where: str, kinds: tuple[type, ...]) -> dict[str, Any]:
    _typed(value, where, dict)
    return {name: _typed(item, f"{where}.{_cut(name)}", *kinds) for name, item in value.items()}


def _typed(value: Any, where: str, *kinds: type) -> Any:
    if type(value) not in kinds:
        expected = " or ".join(_NAMES[kind] for kind in kinds)
        raise EvaluationError(f"The {where} must be {expected}: got {_NAMES.get(type(value), 'null')}.")
    return value


def _constant(name: str) -> NoReturn:
    raise EvaluationError(f"This is not an evaluation: it holds {name}, which is no JSON number.")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _cut(text: str) -> str:
    return ascii(text[:40])[1:-1]


_NAMES: dict[type, str] = {str: "a text", bool: "true or false", int: "a whole number", float: "a number",
                           list: "a list", dict: "an object"}
