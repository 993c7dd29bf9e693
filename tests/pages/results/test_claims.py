"""Claims of the papers: verdicts computed from the recorded numbers, damaged records, hostile names."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from model.analysis.evaluation import stored
from model.analysis.paper.claims import CLAIMS, PAPER_CLAIMS, PAPERS
from pages.ui.escape import escape_html
from pages.ui.i18n.citations import format_citation
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.results import claims


def build_check(low: float | None, high: float | None, above: float | None = 0.0, **fields: Any) -> dict[str, Any]:
    value = None if low is None or high is None else (low + high) / 2
    return {"key": "gain", "models": ["rnnsearch-50", "rnnencdec-50"], "data": "newstest2014", "beam": 12,
            "value": value, "low": low, "high": high, "above": above, "below": None,
            "outcome": "yes"} | fields  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(claims, "load_records", lambda kind: stored.load_records(kind, tmp_path))
    return tmp_path


def write_record(folder: Path, *checks: dict[str, Any], number: Any = 1, numbers: Sequence[int] = ()) -> None:
    claims = [{"number": claim_number, "verdict": "holds", "checks": checks} for claim_number in numbers or [number]]
    (folder / "claims.json").write_text(json.dumps({"kind": "claims", "claims": claims}))


@pytest.mark.parametrize(
    ("checks", "verdict"),
    [
        ([build_check(1.0, 2.0)], "holds"),
        ([build_check(1.0, 2.0), build_check(-1.0, 2.0)], "holds in part"),
        ([build_check(-2.0, -1.0)], "does not hold"),
        ([build_check(-1.0, 2.0)], "inconclusive at this scale"),
        ([build_check(1.0, 2.0), build_check(None, None)], "not measured"),
        ([build_check(0.3, 0.4, None, below=0.1)], "does not hold"),
    ],
)
def test_verdict_follows_from_the_numbers(folder: Path, checks: list[dict[str, Any]], verdict: str) -> None:
    write_record(folder, *checks)
    html = claims.format_claims((1,), claims.read_claims(), load_messages("en"))
    assert f">{verdict}</b> 1. RNNsearch beats RNNencdec at both lengths" in html
    assert html.count("<li") == len(checks)
    counts = claims.format_counts(claims.read_claims(), load_messages("en"))
    assert re.search(f"<b class='[^']+'>{verdict}</b> {7 if verdict == 'not measured' else 1}", counts)
    if checks[0]["value"] is not None:
        assert f"{checks[0]['value']:.2f} ({checks[0]['low']:.2f} to {checks[0]['high']:.2f})".replace("-", "−") in html


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"kind": "claims"}', '{"kind": "claims", "claims": [3]}',
     '{"kind": "claims", "claims": [{"number": 1, "checks": [{}]}]}'],
)  # fmt: skip
def test_damaged_record_is_ignored(folder: Path, content: str) -> None:
    (folder / "claims.json").write_text(content)
    assert claims.read_claims() == {}
    html = claims.format_claims(tuple(CLAIMS), claims.read_claims(), load_messages("en"))
    assert html.count(">not measured<") == len(CLAIMS)


@pytest.mark.parametrize("invalid", [{"value": "<b>"}, {"hours": 3}, {"hours": ["<b>"]}, {"hours": [True]}])
def test_invalid_numbers_are_refused(folder: Path, invalid: dict[str, Any]) -> None:
    write_record(folder, build_check(1.0, 2.0, **invalid))
    assert claims.read_claims() == {}
    write_record(folder, build_check(1.0, 2.0), number=99)
    assert claims.read_claims() == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_claims_are_grouped_by_paper(folder: Path, language: str) -> None:
    t = load_messages(language)
    write_record(folder, build_check(1.0, 2.0), build_check(None, None), numbers=tuple(CLAIMS))
    html = claims.format_other_papers(claims.read_claims(), t)
    assert html.count("<h4>") == len({PAPERS[number] for number in CLAIMS if number not in PAPER_CLAIMS}) == 6
    for number in CLAIMS:
        assert (escape_html(t(f"claim.c{number}")) in html) == (number not in PAPER_CLAIMS)
    sutskever, luong, tu = (
        html.index(f"<h4>{format_citation(paper, t)}</h4>")
        for paper in ("Sutskever, Vinyals and Le 2014", "Luong, Pham and Manning 2015", "Tu et al. 2016")
    )
    assert sutskever < luong < html.index(escape_html(t("claim.c9"))) < html.index(escape_html(t("claim.c11"))) < tu
    assert html.count(f">{t('verdict.unmeasured')}<") == len(CLAIMS) - len(PAPER_CLAIMS)


def test_training_hours_are_shown_with_a_check(folder: Path) -> None:
    t = load_messages("en")
    checks = (build_check(1.0, 2.0, hours=[2.58, 3.0], has_similar_hours=True),
              build_check(None, None, hours=[2.5, 9.04], has_similar_hours=False),
              build_check(None, None, hours=[2.5, 2.6], has_similar_hours=True), build_check(1.0, 2.0))  # fmt: skip
    write_record(folder, *checks, number=9)
    compared, unfair, missing, plain = claims.format_other_papers(claims.read_claims(), t).split("<li")[1:]
    context = {"what": t("check.gain"), "models": "RNNsearch-50 / RNNencdec-50", "data": "newstest2014"}
    context["search"] = t("length.beam", width=12)
    assert escape_html(t("check.hours", outcome="", hours="2.6 / 3.0")) in compared
    assert "1.50 (1.00" in compared
    assert escape_html(t("check.unfair", hours="2.5 / 9.0", **context)) in unfair
    assert escape_html(t("check.hours", outcome=t("check.missing", **context), hours="2.5 / 2.6")) in missing
    assert t("check.hours", outcome="", hours="")[:6] not in plain


MODELS = "RNNsearch-50", "RNNencdec-50"


@pytest.mark.parametrize(("low", "hours", "verdict"), [
    (1.0, [0.56, 0.53], "open"), (-3.0, [2.5, 1.99], "open"), (-3.0, [2.5, 2.0], "not"), (-1.0, [2.5, 2.0], "open"),
])  # fmt: skip
def test_open_verdict_names_the_training_of_each_side(
    folder: Path, low: float, hours: list[float], verdict: str
) -> None:
    t = load_messages("en")
    write_record(folder, build_check(low, low + 2, hours=hours, has_similar_hours=True), number=9)
    html = claims.format_claims((9,), claims.read_claims(), t)
    models = ", ".join(f"{name} {spent:.1f} h" for name, spent in zip(MODELS, hours, strict=True))
    assert f">{t(f'verdict.{verdict}')}</b>" in html
    assert (f"Training: {models}" in html) == (verdict == "open")
    assert ("too short for a verdict" in html) == ("too few for a verdict" in html) == (min(hours) < 2)


def test_hostile_names_stay_text(folder: Path) -> None:
    write_record(folder, build_check(1.0, 2.0, models=["<script>"], data="<img src=x>"))
    html = claims.format_claims((1,), claims.read_claims(), load_messages("en"))
    assert "<script" not in html
    assert "<img" not in html
