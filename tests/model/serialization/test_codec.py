"""The codec: shipped records survive it byte for byte; everything else is refused in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from model.analysis.evaluation.evaluation import Evaluation, EvaluationHeader
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, EVERYDAY_PREFIX, RECORD_KINDS, load_records
from model.analysis.paper.figures import FOLDER as FIGURES
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CARD, Card
from model.serialization.codec import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    CodecError,
    dump_entries,
    dump_json,
    mark_as_columns,
    mark_as_not_stored,
    parse_json,
    read_record,
    to_plain,
)
from model.text import everyday_sentences
from model.trace import Trace
from tests.hostile import CASES

ASSETS = checkpoint.SHIPPED.parent


# ---- shipped files ----------------------------------------------------------------------------------------------


def select_old_keys(new_value: Any, old_value: Any) -> Any:
    """Return the part of plain values that an older file has too: later schemas may add keys."""
    if isinstance(old_value, dict):
        return {key: value if key == "schema" else select_old_keys(new_value[key], value)
                for key, value in old_value.items()}  # fmt: skip
    if isinstance(old_value, list):
        assert len(new_value) == len(old_value)
        return [select_old_keys(*pair) for pair in zip(new_value, old_value, strict=True)]
    return new_value


@pytest.mark.verdict
def test_every_shipped_trace_round_trips_byte_for_byte() -> None:
    texts = [path.read_text(encoding="utf-8").rstrip("\n") for path in sorted((ASSETS / "opening").glob("*.json"))]
    texts += [line for path in FIGURES.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(texts) > 20
    for text in texts:
        trace = Trace.from_json(text)
        trace_json = trace.to_json()
        assert dump_json(select_old_keys(parse_json(trace_json, "a trace"), parse_json(text, "a trace"))) == text
        assert Trace.from_json(trace_json) == trace
        assert Trace.from_json(trace_json).to_json() == trace_json


def test_every_shipped_evaluation_round_trips_byte_for_byte() -> None:
    record_names = {name for kind in RECORD_KINDS for name in load_records(kind)}
    paths = [path for path in EVALUATIONS_FOLDER.glob("*.json")
             if path.name not in record_names and EVERYDAY_PREFIX not in path.name]  # fmt: skip
    assert len(paths) > 20
    for path in paths:
        text = path.read_text(encoding="utf-8")
        evaluation = Evaluation.from_json(text)
        assert evaluation.to_json() + "\n" == text
        value = parse_json(text, "an evaluation")
        counts = value.pop("counts")
        assert {**to_plain(EvaluationHeader.from_plain(value)), "counts": counts} == to_plain(evaluation)


def test_every_shipped_card_round_trips_byte_for_byte(tmp_path: Path) -> None:
    for card in checkpoint.list_cards():
        checkpoint.write_card(tmp_path, card)
        content = (card.folder / CARD).read_bytes()
        new_value = parse_json((tmp_path / CARD).read_bytes(), "a card")
        old_keys = select_old_keys(new_value, parse_json(content, "a card"))
        assert (dump_json(old_keys, indent=1) + "\n").encode() == content
        assert read_record(Card, new_value, "card") == card


def test_everyday_sentences_and_other_measurements_round_trip_byte_for_byte() -> None:
    for path in everyday_sentences.LISTS.values():
        content = path.read_bytes()
        record = read_record(everyday_sentences.EverydayFile, parse_json(content, "a file"), "file")
        assert record.to_json().encode() == content
    for name, value in ((name, value) for kind in RECORD_KINDS for name, value in load_records(kind).items()):
        assert dump_entries(value) == (EVALUATIONS_FOLDER / name).read_text(encoding="utf-8")


# ---- records ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    name: str
    side: Literal["source", "target"] = "source"
    weight: float | None = None


@dataclass(frozen=True, eq=False)
class Whole:
    parts: tuple[Part, ...]
    span: tuple[int, int]
    values: NDArray[np.float32]
    counts: NDArray[np.int64] = field(metadata=mark_as_columns(("good", "bad")))
    notes: dict[str, Any] = field(default_factory=dict)
    many: list[int] = field(default_factory=list)
    title: str = ""
    place: Path = field(default=Path(), metadata=mark_as_not_stored())


def build_whole(**overrides: Any) -> dict[str, Any]:
    return {
        "parts": [{"name": "a", "side": "target", "weight": 0.1}], "span": [1, 2],
        "values": [[0.5, 1.0], [-0.0, 0.100000001]], "counts": {"good": [1, 2, 3], "bad": [4, 5, 6]},
        "notes": {"x": [1, {"y": None}]}, "many": [7], "title": "t",
    } | overrides  # fmt: skip


def test_record_with_every_kind_of_field_round_trips() -> None:
    value = build_whole()
    record = read_record(Whole, parse_json(dump_json(value), "a whole"), "whole")
    assert record.parts == (Part("a", "target", 0.1),)
    assert record.span == (1, 2)
    assert record.values.dtype == np.float32
    assert record.counts.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert record.many == [7]
    assert to_plain(record) == value
    assert dump_json(to_plain(record)) == dump_json(value)


def test_only_fields_with_empty_defaults_may_be_missing() -> None:
    value = build_whole(parts=[{"name": "a", "side": "source", "weight": 2}])
    for name in ("notes", "many", "title"):
        del value[name]
    record = read_record(Whole, value, "whole")
    assert record.title == ""
    assert type(record.parts[0].weight) is float  # other writers may omit the ".0"
    with pytest.raises(CodecError, match=r'^The parts\[0\] lacks the key "side"\.$'):
        read_record(Whole, build_whole(parts=[{"name": "a"}]), "whole")


@pytest.mark.parametrize(("overrides", "message"), [
    ({"place": "/"}, 'The whole has an unknown key "place"'),
    ({"span": [1]}, "The span must have 2 entries: got 1"),
    ({"span": [1, "2"]}, r"The span\[1\] must be a whole number: got a text"),
    ({"parts": [{"name": "a", "side": "<b>\n"}]}, r"The parts\[0\].side must be one of 'source', 'target': got '<b>"),
    ({"parts": [{"name": "a", "side": ["source"]}]}, r"The parts\[0\].side must be one of .*: got a list"),
    ({"parts": {}}, "The parts must be a list: got an object"),
    ({"values": [[1], [1, 2]]}, "The values must be lists of numbers, all of equal length"),
    ({"counts": {"good": [1]}}, 'The counts lacks the key "bad"'),
    ({"counts": {"good": [1], "bad": [2], "ugly": [3]}}, 'The counts has an unknown key "ugly"'),
    ({"counts": {"good": [1], "bad": [2, 3]}}, "The counts.bad must have 1 numbers: got 2"),
    ({"counts": {"good": [[1]], "bad": [[2]]}}, "The counts.good must be one list of numbers"),
    ({"counts": {"good": [True], "bad": [2]}}, "The counts.good must be lists of whole numbers"),
    ({"counts": {"good": [10**30], "bad": [2]}}, "The counts.good must be lists of whole numbers"),
    ({"counts": []}, "The counts must be an object: got a list"),
    ({"many": [1.0]}, r"The many\[0\] must be a whole number: got a number"),
    ({"title": None}, "The title must be a text: got null"),
    ({"values": [[10**400]]}, "The values must be lists of numbers"),
    ({"parts": [{"name": "a", "side": "source", "weight": 10**400}]},
     r"The parts\[0\].weight must be a number: got a whole number"),
    ({"parts": [{"name": "a", "side": "source", "weight": False}]}, "must be a number or null: got true or false"),
])  # fmt: skip
def test_wrong_fields_are_refused_with_their_path(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(CodecError, match=message) as caught:
        read_record(Whole, build_whole(**overrides), "whole")
    assert "\n" not in str(caught.value)


# ---- untrusted text ---------------------------------------------------------------------------------------------


def nest(depth: int) -> str:
    return '{"a": ' * depth + "0" + "}" * depth


def test_nesting_has_a_fixed_limit() -> None:
    assert parse_json(nest(MAX_DEPTH), "a record")
    for text in (nest(MAX_DEPTH + 1), nest(100_000), '{"a": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}"):
        with pytest.raises(CodecError, match=r"^This is not a record: its JSON is nested far too deeply\.$"):
            parse_json(text, "a record")


@pytest.mark.parametrize(("text", "message"), [
    ('{"a": [0, 1e999]}', r"a\[1\] must be a finite number"),
    ('{"a": {"b": {"c": -1e400}}}', r"a.b.c must be a finite number"),
    ('{"a": NaN}', "holds NaN"),
    ('{"a": ["x", "\\udc00"]}', r"a\[1\] holds a broken character"),
    ('{"a": {"\\ud800": 1}}', "a key of a holds a broken character"),
    ('{"\\ud800": 1}', "a key holds a broken character"),
    ('{"a": {"b": 1, "b": 2}}', 'the key "b" stands twice'),
    ("[]", "expected a JSON object, got a list"),
    ("", "malformed JSON: .* line 1, column 1"),
    ("{", "malformed JSON"),
    (" " * (MAX_CHARACTERS + 1), "more than 67,108,864 characters"),
    ("9" * 10_000, "cannot be read as JSON"),
    (b"PK\x03\x04\xff an archive", "cannot be read as JSON"),
])  # fmt: skip
def test_texts_without_a_valid_object_are_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(CodecError, match=f"^This is not a record.*{message}") as caught:
        parse_json(text, "a record")
    assert "\n" not in str(caught.value)


def test_surrogate_pairs_are_read() -> None:
    assert parse_json('{"a": "\\ud83d\\ude00"}', "a record") == {"a": "\U0001f600"}


@pytest.mark.verdict
@pytest.mark.parametrize("name", CASES)
def test_hostile_texts_are_neither_records_nor_crashes(name: str) -> None:
    text = CASES[name]
    for content in (text, text.encode("utf-8", "surrogatepass"), json.dumps(text), json.dumps([text])):
        with pytest.raises(CodecError) as caught:
            read_record(Part, parse_json(content, "a part"), "part")
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 200
    for value in ({"name": text}, {text: "name"}, {"name": {text: text}}, {"name": "a", "side": text}):
        with pytest.raises(CodecError) as caught:
            read_record(Part, parse_json(json.dumps(value), "a part"), "part")
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("write", [dump_json, dump_entries])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_values_that_json_lacks_are_not_written(write: Callable[[Any], str], value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write({"a": [value]})


# ---- modules ----------------------------------------------------------------------------------------------------


def test_records_can_be_imported_without_torch() -> None:
    code = ("import sys, model.analysis.evaluation.evaluation, model.training.diary_record, "
            "model.checkpoints.checkpoint; sys.exit('torch' in sys.modules or 'streamlit' in sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True)
