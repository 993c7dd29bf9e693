"""Check the loading of measurements by kind from a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.evaluation.stored import load_evaluations, load_fingerprints, load_records
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_scripted_model


@pytest.fixture
def folder(tmp_path: Path, tiny_vocabulary: Vocabulary) -> Path:
    """Return a folder with an evaluation, an everyday report, another record, and a file that is not JSON."""
    text = ParallelText("one", "0" * 64, tuple(normalise_pairs((("A cat.", "Un chat."),))))
    evaluation = evaluate(build_scripted_model(tiny_vocabulary, {"A cat.": "Un chat."}), text)
    (tmp_path / "one-scripted-greedy.json").write_text(evaluation.to_json(), encoding="utf-8")
    head = {"schema": 1, "model": "scripted", "fingerprint": "0123456789ab"}
    (tmp_path / "everyday-scripted.json").write_text(json.dumps(head | {"outcomes": []}))
    (tmp_path / "alignment-scripted.json").write_text(json.dumps(head | {"kind": "alignment-error"}))
    models = {"scripted": "0123456789ab", "other": "ba9876543210"}
    (tmp_path / "claims.json").write_text(json.dumps({"kind": "claims", "models": models}))
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def test_files_are_loaded_by_kind(folder: Path) -> None:
    result = load_evaluations(folder)
    assert [(entry.model, entry.data.name) for entry in result] == [("scripted", "one")]
    assert load_evaluations(folder / "missing") == []
    assert list(load_records("alignment-error", folder)) == ["alignment-scripted.json"]
    (folder / "claims.json").write_text(json.dumps({"kind": "endings", "model": "scripted", "fingerprint": "0" * 12}))
    assert list(load_records("endings", folder)) == ["claims.json"]  # a rewritten file is read again


def test_fingerprints_are_loaded_for_every_file(folder: Path) -> None:
    mine = {"scripted": "0123456789ab"}
    assert load_fingerprints(folder) == {
        "one-scripted-greedy.json": mine, "everyday-scripted.json": mine, "alignment-scripted.json": mine,
        "claims.json": mine | {"other": "ba9876543210"},
    }  # fmt: skip
    (folder / "anonymous.json").write_text('{"kind": "claims"}')
    with pytest.raises(EvaluationError, match=r"anonymous\.json doesn't say which weights"):
        load_fingerprints(folder)


@pytest.mark.parametrize(("content", "expected"), [
    (b"{", "damaged.json: This is not a measurement but malformed JSON"),
    (b"[" * 100_000, "damaged.json: This is not a measurement: its JSON is nested"),
    (b'{"schema": 1}', "damaged.json: The evaluation lacks the key"),
])  # fmt: skip
def test_a_damaged_file_is_named(folder: Path, content: bytes, expected: str) -> None:
    (folder / "damaged.json").write_bytes(content)
    with pytest.raises(EvaluationError, match=expected):
        load_evaluations(folder)
