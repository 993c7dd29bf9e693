"""The papers' claims with our verdicts and checks, from the shipped record, as HTML."""

import json
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any

from model.analysis.evaluation.stored import RECORD_ERRORS, load_records
from model.analysis.paper.checks import Check, Claim
from model.analysis.paper.claims import CLAIMS, PAPER_CLAIMS, PAPERS
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import EvaluationSearch, describe_search, describe_test_set
from pages.ui.escape import escape_html
from pages.ui.i18n.citations import format_citation
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

DIGITS = {"repeats_less": 4, "looks_evenly": 3}
"""Digits of checks for which two are too few."""

_log = logging.getLogger(__name__)


def read_claims() -> dict[int, Claim]:
    """Return the checked claims by number; empty without a readable record."""
    try:
        claims = [_read_claim(claim) for record in load_records("claims").values() for claim in record["claims"]]
    except RECORD_ERRORS as error:
        _log.warning("the record of claims is left out: %s", error)
        return {}
    return {claim.number: claim for claim in claims if claim.number in CLAIMS}


def _read_claim(record: dict[str, Any]) -> Claim:
    checks = tuple(
        Check(
            key=str(check["key"]),
            models=tuple(map(str, check["models"])),
            data=str(check["data"]),
            beam=int(check["beam"]),
            **{name: _read_number(check[name]) for name in ("value", "low", "high", "above", "below")},
            hours=tuple(float(_read_number(hours) or 0.0) for hours in check.get("hours", ())),
            has_similar_hours=check.get("has_similar_hours", True) is True,
        )
        for check in record["checks"]
    )
    return Claim(int(record["number"]), checks)


def _read_number(value: Any) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise ValueError(f"not a number: {json.dumps(value)[:40]}")


def format_claims(numbers: Sequence[int], claims: dict[int, Claim], t: Messages) -> str:
    """Return the claims with these numbers, each with its verdict and folded checks."""
    return "".join(_format_claim(number, claims.get(number), t) for number in numbers)


def format_counts(claims: dict[int, Claim], t: Messages) -> str:
    """Return how many of the paper's claims have each verdict, as HTML."""
    verdicts = Counter(claims[number].verdict if number in claims else "unmeasured" for number in PAPER_CLAIMS)
    return " · ".join(f"{_format_verdict(verdict, t)} {count}" for verdict, count in verdicts.most_common())


def _format_verdict(verdict: str, t: Messages) -> str:
    return f"<b class='verdict {verdict}'>{escape_html(t(f'verdict.{verdict}'))}</b>"


def format_other_papers(claims: dict[int, Claim], t: Messages) -> str:
    """Return the measured claims beyond the paper's seven, grouped by paper; "" if there are none."""
    papers: dict[str, list[int]] = {}
    for number, paper in PAPERS.items():
        claim = claims.get(number)
        checks = claim.checks if claim and number not in PAPER_CLAIMS else ()
        if any(check.value is not None or not check.has_similar_hours for check in checks):
            papers.setdefault(paper, []).append(number)
    return "".join(
        f"<div class='paper'><h4>{escape_html(format_citation(paper, t))}</h4>"
        f"<div>{format_claims(numbers, claims, t)}</div></div>"
        for paper, numbers in papers.items()
    )


def _format_claim(number: int, claim: Claim | None, t: Messages) -> str:
    verdict = "unmeasured" if claim is None else claim.verdict
    head = (
        f"{_format_verdict(verdict, t)} {escape_html(t('verdict.claim', number=number, claim=t(f'claim.c{number}')))}"
    )
    if claim is None:
        return f"<p class='claim'>{head}</p>"
    head += _format_training(claim, t)
    rows = "".join(
        f"<li class='{check.outcome}'>{escape_html(_describe_check(check, t))}</li>" for check in claim.checks
    )
    return f"<details class='claim'><summary>{head}</summary><ul>{rows}</ul></details>"


def _format_training(claim: Claim, t: Messages) -> str:
    """Return how long each model of an open claim was trained, as HTML; "" if it does not matter."""
    if claim.verdict != "open" or not claim.hours:
        return ""
    key = "verdict.too_short" if any(check.is_undertrained for check in claim.checks) else "verdict.trained"
    models = ", ".join(t("verdict.model", model=get_title(name), hours=f"{hours:.1f}")
                       for name, hours in claim.hours.items())  # fmt: skip
    return f" <span class='trained'>{escape_html(t(key, list=models))}</span>"


def _describe_check(check: Check, t: Messages) -> str:
    """Return one measured number with its band and its bound, in a sentence."""
    context = {
        "what": t(f"check.{check.key}"),
        "models": " / ".join(map(get_title, check.models)),
        "data": describe_test_set(check.data, t, [check.data, check.data.partition(", ")[0]]),
        "search": describe_search(EvaluationSearch(check.beam), t) if check.beam else t("check.forced"),
    }
    hours = " / ".join(f"{hours:.1f}" for hours in check.hours)
    if not check.has_similar_hours:
        return t("check.unfair", hours=hours, **context)
    if check.value is None or check.low is None or check.high is None:
        text = t("check.missing", **context)
    else:
        text = _describe_value(check, check.value, check.low, check.high, context, t)
    if not hours:
        return text
    return t("check.short" if check.is_undertrained else "check.hours", outcome=text, hours=hours)


def _describe_value(check: Check, value: float, low: float, high: float, context: dict[str, str], t: Messages) -> str:
    digits = DIGITS.get(check.key, 2)
    bound = check.above if check.above is not None else check.below
    return t(
        "check.more" if check.above is not None else "check.less",
        outcome=t(f"verdict.{check.outcome}"),
        value=format_decimal(value, digits),
        low=format_decimal(low, digits),
        high=format_decimal(high, digits),
        bound="–" if bound is None else f"{bound:g}",
        **context,
    )
