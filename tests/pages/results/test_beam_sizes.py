"""BLEU by beam size: verdict, drawing, CSV and damaged records."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from model.analysis.evaluation import stored
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.results import beam_sizes


def build_record(wide: tuple[float, float, float] = (-1.0, -1.8, -0.2), best: int = 2) -> dict[str, Any]:
    """Return an invented record in the form that `python -m model evaluate --all` writes."""

    def point(ranking: str, size: int, bleu: float) -> dict[str, Any]:
        return {"ranking": ranking, "beam": size, "bleu": bleu, "low": bleu - 1, "high": bleu + 1, "ratio": 0.9}

    points = [point(ranking, size, bleu) for ranking in ("length", "none")
              for size, bleu in ((1, 15.0), (2, 17.0), (20, 16.0))]  # fmt: skip
    widest_change = {"best": best, "difference": wide[0], "low": wide[1], "high": wide[2]}
    return {"kind": "beam-sizes", "model": "rnnsearch-50", "fingerprint": "0123456789ab",
            "data": {"name": "newstest2014, 250 spaced", "sentences": 250}, "signatures": {"bleu": "made-up|signature"},
            "points": points, "wide": {"length": widest_change, "none": widest_change},
            "date": "2026-01-02T03:04:05+00:00",
            "command": "python -m model evaluate FOLDER --all --model rnnsearch-50"}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(beam_sizes, "load_records", lambda kind: stored.load_records(kind, tmp_path))
    return tmp_path


def read_record(folder: Path, content: dict[str, Any]) -> beam_sizes.BeamSizeRecord:
    (folder / "beam-sizes-rnnsearch-50.json").write_text(json.dumps(content))
    (beam_record,) = beam_sizes.read_records()
    return beam_record


@pytest.mark.parametrize(
    ("wide", "best", "finding", "text"),
    [
        ((-1.0, -1.8, -0.2), 2, "of 20 hurts",
         "a wide beam hurts. Best is 2 with 17.0 BLEU; 20 scores 16.0, a difference of −1.0 (−1.8 to −0.2)."),
        ((-1.0, -1.8, 0.2), 2, "No significant harm", "no significant harm. Best is 2 with 17.0 BLEU; 20 scores 16.0"),
        ((0.0, 0.0, 0.0), 20, "widest beam, 20, scores best", "no harm. The widest beam, 20, scores best"),
    ],
)
def test_verdict_follows_from_the_band(
    folder: Path, wide: tuple[float, float, float], best: int, finding: str, text: str
) -> None:
    record = read_record(folder, build_record(wide, best))
    assert finding in beam_sizes.format_finding(record, load_messages("en"))
    assert text in beam_sizes.describe_ranking(record, "length", load_messages("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawing_has_a_line_per_ranking(folder: Path, language: str) -> None:
    t, beam_record = load_messages(language), read_record(folder, build_record())
    svg = render(beam_sizes.build_drawing(beam_record, t), "svg", lambda _: ()).decode()
    for text in (t("beams.length"), t("beams.none"), t("beams.size"), "20"):
        assert f">{text}</text>" in svg
    assert [svg.count(f'id="line-{k}"') for k in range(3)] == [1, 1, 0]
    rows = list(csv.DictReader(io.StringIO(beam_sizes.to_csv(beam_record))))
    assert [(row["ranked by"], row["beam"], row["BLEU"]) for row in rows] == [
        (ranking, size, bleu) for ranking in ("length", "none")
        for size, bleu in (("1", "15.0"), ("2", "17.0"), ("20", "16.0"))]  # fmt: skip
    assert {row["weights"] for row in rows} == {"0123456789ab"}
    assert "0123456789ab" in beam_sizes.describe_measurement(beam_record, t)


@pytest.mark.parametrize("damage", ["points", "wide", "data", "fingerprint", "one ranking"])
def test_damaged_record_is_left_out(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    content = {key: value for key, value in build_record().items() if key != damage}
    if damage == "one ranking":
        content |= {"points": content["points"][:3], "wide": {"length": content["wide"]["length"]}}
    (folder / "beam-sizes-rnnsearch-50.json").write_text(json.dumps(content))
    assert beam_sizes.read_records() == ()
    assert "left out" in caplog.text
