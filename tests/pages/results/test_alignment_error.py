"""Alignment error rates: our table and the published one, shifts, heads, CSV and damaged records."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.analysis.evaluation import stored
from model.analysis.paper.published import ALIGNERS
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.results import alignment_error
from tests.traces import make_trace


def build_record(best: int = 0, model: str = "rnnsearch-50", neighbour: int = 0) -> dict[str, Any]:
    """Return an invented record in the form that `python -m model alignment-error` writes."""
    score = {"aer": 0.305, "aer_low": 0.29, "aer_high": 0.32, "precision": 0.7, "recall": 0.68}
    diagonal = score | {"aer": 0.538, "aer_low": 0.52, "aer_high": 0.56}
    return {"kind": "alignment-error", "model": model, "fingerprint": "0123456789ab", "wiring": "groundhog",
            "data": {"sentences": 447}, "scores": {"surface": score, "written": score, "diagonal": diagonal},
            "shifts": {"-1": 0.6, "0": 0.305, "+1": 0.7, "best": best},
            "columns": {"-1": 0.71, "0": 0.305, "+1": 0.72, "best": 0}
            | ({"-1": 0.12, "best": -1} if neighbour < 0 else {"+1": 0.13, "best": 1} if neighbour > 0 else {}),
            "date": "2026-01-02T03:04:05+00:00",
            "command": f"python -m model alignment-error FOLDER --model {model} --save"}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(alignment_error, "load_records", lambda kind: stored.load_records(kind, tmp_path))
    monkeypatch.setattr(alignment_error, "load_record", lambda name: stored.load_record(name, tmp_path))
    alignment_error.load_attention_offset.cache_clear()
    return tmp_path


def read_records(folder: Path, *contents: dict[str, Any]) -> tuple[alignment_error.AlignmentErrorRecord, ...]:
    for content in contents:
        (folder / f"alignment-{content['model']}.json").write_text(json.dumps(content))
    return alignment_error.read_records()


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_and_published_rates_are_in_separate_tables(folder: Path, language: str) -> None:
    t = load_messages(language)
    records = read_records(folder, build_record(), build_record(model="rnnsearch-30"))
    own_table, published = alignment_error.build_own_table(records, t), alignment_error.build_published_table(t)
    assert own_table.count("<tr>") == 1 + 2 + 1  # head, two models, the diagonal
    full_table, sources = alignment_error.build_full_table(records, t), alignment_error.describe_aligners(t)
    assert full_table.count("<tr>") == 1 + 2 * 2 + 1  # two forms of the text
    best = build_record(model="rnnencdec-50")
    best["scores"]["surface"] = best["scores"]["surface"] | {"aer": 0.2}
    finding = alignment_error.format_finding(read_records(folder, best), t)
    assert all(text in finding for text in ("RNNencdec-50", "20.0", "53.8"))
    assert own_table.index("RNNsearch-50") < own_table.index("RNNsearch-30") < own_table.index("53.8 (52.0–56.0)")
    for aligner in ALIGNERS:
        assert f">{aligner.symmetrised:.1f}</td>" in published
        assert aligner.source in sources
        assert aligner.name not in own_table + full_table
    assert "30.5 (29.0–32.0)" not in published


def test_best_row_shift_is_described(folder: Path) -> None:
    t = load_messages("en")
    records = read_records(folder, build_record(), build_record(-1, "rnnsearch-30"))
    assert "60.0, 30.5 and 70.0 %. Unshifted is best" in alignment_error.describe_shifts(records, False, t)
    assert "A shift of −1 is best" in alignment_error.describe_shifts(records, True, t)
    lower_rows = build_record(-1, neighbour=1) | {"shifts": {"-1": 0.1, "0": 0.305, "+1": 0.7, "best": -1}}
    (record,) = read_records(folder, lower_rows)[:1]
    assert (record.rows.best, record.columns.best, record.attention_offset) == (-1, 1, 0)


@pytest.mark.parametrize(("neighbour", "side"), [(1, "left"), (-1, "right")])
def test_attention_to_a_neighbour_is_described(folder: Path, neighbour: int, side: str) -> None:
    """The note is given for the measured model, weights and map only."""
    t, attended = load_messages("en"), make_trace()
    read_records(folder, build_record() | {"fingerprint": attended.provenance.fingerprint})
    assert alignment_error.describe_attention_offset(attended, t) == ""
    alignment_error.load_attention_offset.cache_clear()
    records = read_records(folder, build_record(best=neighbour, neighbour=neighbour))
    text = alignment_error.describe_shifts(records, True, t)
    assert f"attention is shifted one word {side}" in text
    assert "71.0, 30.5 and 13.0 %" in text if neighbour > 0 else "12.0, 30.5 and 72.0 %" in text
    assert alignment_error.describe_attention_offset(attended, t) == t.format_for_component(f"result.{side}")
    other_weights = replace(attended, provenance=replace(attended.provenance, fingerprint="f" * 12))
    assert alignment_error.describe_attention_offset(other_weights, t) == ""
    assert alignment_error.describe_attention_offset(make_trace(model="rnnsearch-30"), t) == ""
    assert alignment_error.describe_attention_offset(make_trace(order=None), t) == ""


def test_heads_are_described(folder: Path) -> None:
    maps = {"aer": {"a": 0.4}, "heads": 0.512,
            "best": {"map": "cross-attention-l3-h2", "chosen_on": 224, "sentences": 223, "aer": 0.321}}  # fmt: skip
    t = load_messages("en")
    records = read_records(folder, build_record(), build_record(model="two-heads") | {"maps": maps, "wiring": ""})
    text = alignment_error.describe_heads(records, t)
    for part in ("two-heads", "cross-attention-l3-h2", "224", "32.1%", "223", "51.2%"):
        assert part in text.replace(" %", "%")
    assert text.count("%") == 2
    assert alignment_error.describe_heads(records[1:], t) == ""
    assert "two-heads:" in alignment_error.describe_shifts(records, False, t)
    maps["best"] = {"map": "a", "chosen_on": 1, "sentences": 0, "aer": None}
    records = read_records(folder, build_record(model="two-heads") | {"maps": maps})
    assert [record.heads for record in records if record.model == "two-heads"] == [None]


def test_csv_has_every_rate(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(alignment_error.to_csv(read_records(folder, build_record())))))
    assert [(row["text"], row["rows moved by"], row["AER"]) for row in rows] == [
        ("surface", "0", "30.50"), ("written", "0", "30.50"), ("diagonal", "0", "53.80"),
        ("surface", "-1", "60.00"), ("surface", "0", "71.00"), ("surface", "1", "70.00"), ("surface", "0", "72.00"),
    ]  # fmt: skip
    assert [row["columns moved by"] for row in rows] == ["0", "0", "0", "0", "-1", "0", "1"]


@pytest.mark.parametrize("damage", ["scores", "shifts", "columns", "data"])
def test_damaged_record_is_left_out(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    assert read_records(folder, {key: value for key, value in build_record().items() if key != damage}) == ()
    assert "left out" in caplog.text
