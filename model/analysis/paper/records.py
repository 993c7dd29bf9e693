"""Validate the records that claims are computed from, because files may come from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from model.analysis.alignment.alignment_statistics import COLUMNS as ALIGNMENT_COLUMNS
from model.analysis.alignment.hand_aligned import COUNTS
from model.analysis.errors.coverage import COLUMNS as COVERAGE_COLUMNS
from model.analysis.errors.endings import COLUMNS as ENDING_COLUMNS
from model.analysis.evaluation.evaluation import MAX_COUNT, EvaluationError

TABLES: dict[str, Mapping[tuple[str, ...], Iterable[str]]] = {
    "alignment-error": {("statistics",): ALIGNMENT_COLUMNS,
                        ("counts", "surface"): COUNTS, ("counts", "diagonal"): COUNTS},
    "endings": {("counts",): ENDING_COLUMNS},
    "coverage": {("counts",): COVERAGE_COLUMNS},
}
"""Where the tables of a kind are, and the columns they need: one whole number for each sentence."""

COPYING_KIND = "copying"
CLAIM_RECORD_KINDS = (*TABLES, COPYING_KIND)
"""The kinds of record that claims are computed from."""


def check_record(file: str, record: Mapping[str, Any]) -> None:
    """Raise EvaluationError unless a record of a kind in CLAIM_RECORD_KINDS has all that claims read.

    The message names file and place.
    """
    fields: list[tuple[tuple[str, ...], type]] = [(("model",), str), (("fingerprint",), str), (("data", "name"), str)]
    fields += [(("search", "beam"), int)] if record["kind"] != "alignment-error" else []
    for place, kind in fields:
        if type(_get_value(record, place)) is not kind:
            _raise_invalid(file, place, "a text" if kind is str else "a whole number")
    if record["kind"] == COPYING_KIND:
        _check_items(file, record)
    else:
        _check_tables(file, record)


def _check_tables(file: str, record: Mapping[str, Any]) -> None:
    lengths = set()
    for place, columns in TABLES[record["kind"]].items():
        table = _get_value(record, place)
        for name in dict.fromkeys((*columns, *(table if isinstance(table, dict) else ()))):
            column = _get_value(record, (*place, name))
            if not isinstance(column, list) or not column or set(map(type, column)) != {int} \
                    or not 0 <= min(column) <= max(column) <= MAX_COUNT:
                _raise_invalid(file, (*place, name), "a list of whole numbers, one for each sentence")
            lengths.add((place[:1], len(column)))
    if len(lengths) != len({place for place, _ in lengths}):
        raise EvaluationError(f"{file}: the columns are not of equal length. Make it again.")


def _check_items(file: str, record: Mapping[str, Any]) -> None:
    outcomes = _get_value(record, ("outcomes",))
    if not isinstance(outcomes, list) or not outcomes:
        _raise_invalid(file, ("outcomes",), "a list of sentences")
    for number, outcome in enumerate(outcomes):
        items, flags = _get_value(outcome, ("items",)), _get_value(outcome, ("found",))
        if not isinstance(items, list) or not isinstance(flags, list) or len(items) != len(flags) \
                or not set(map(type, items)) <= {str} or not set(map(type, flags)) <= {bool}:
            expected = "a sentence with its items, and of each whether it was found"
            _raise_invalid(file, ("outcomes", str(number)), expected)


def _get_value(record: Any, place: tuple[str, ...]) -> Any:
    """Return the value at a place of a record, None if there is none."""
    for key in place:
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _raise_invalid(file: str, place: tuple[str, ...], expected: str) -> NoReturn:
    raise EvaluationError(f"{file}: {'.'.join(place)} must be {expected}. Make it again.")
