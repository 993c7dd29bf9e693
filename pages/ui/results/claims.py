"""The papers' claims and what our measurements say to them, from the shipped record of claims, as HTML."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import load_records
from model.analysis.paper.checks import Check, Claim
from model.analysis.paper.claims import CLAIMS, PAPER, PAPERS
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import Search, describe_search, describe_test_set
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages

DIGITS = {"repeats_less": 4, "looks_evenly": 3}
"""How many digits a check is told with, where two would not tell it."""

_log = logging.getLogger(__name__)


def read_claims() -> dict[int, Claim]:
    """The claims that were put to the test, by number; none where no record is shipped or it cannot be read."""
    try:
        found = [_claim(one) for record in load_records("claims").values() for one in record["claims"]]
    except (EvaluationError, KeyError, TypeError, ValueError) as error:
        _log.warning("the record of claims is left out: %s", error)
        return {}
    return {claim.number: claim for claim in found if claim.number in CLAIMS}


def _claim(given: dict[str, Any]) -> Claim:
    checks = tuple(
        Check(
            key=str(one["key"]),
            models=tuple(map(str, one["models"])),
            data=str(one["data"]),
            beam=int(one["beam"]),
            **{name: _number(one[name]) for name in ("value", "low", "high", "above", "below")},
            hours=tuple(float(_number(hours) or 0.0) for hours in one.get("hours", ())),
            fair=one.get("fair", True) is True,
        )
        for one in given["checks"]
    )
    return Claim(int(given["number"]), checks)


def _number(value: Any) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise ValueError(f"not a number: {json.dumps(value)[:40]}")


def format_claims(numbers: Sequence[int], known: dict[int, Claim], t: Messages) -> str:
    """The claims of these numbers, each with its verdict and, to be opened, its checks."""
    return "".join(_one(number, known.get(number), t) for number in numbers)


def format_other_papers(known: dict[int, Claim], t: Messages) -> str:
    """The claims of other papers, each paper's under its name, with those of the paper that are none of its seven; only
    those that anything was measured of, "" where there is none."""
    papers: dict[str, list[int]] = {}
    for number, paper in PAPERS.items():
        claim = known.get(number)
        if number not in PAPER and claim and any(one.value is not None or not one.fair for one in claim.checks):
            papers.setdefault(paper, []).append(number)
    return "".join(
        f"<h4>{escape_html(paper)}</h4>{format_claims(numbers, known, t)}" for paper, numbers in papers.items()
    )


def _one(number: int, claim: Claim | None, t: Messages) -> str:
    verdict = "unmeasured" if claim is None else claim.verdict
    head = (
        f"<b class='verdict {verdict}'>{escape_html(t(f'verdict.{verdict}'))}</b> "
        f"{escape_html(t('verdict.claim', number=number, claim=t(f'claim.c{number}')))}"
    )
    if claim is None:
        return f"<p class='claim'>{head}</p>"
    rows = "".join(f"<li class='{check.outcome}'>{escape_html(_check(check, t))}</li>" for check in claim.checks)
    return f"<details class='claim'><summary>{head}</summary><ul>{rows}</ul></details>"


def _check(check: Check, t: Messages) -> str:
    """One number with its band and its bound, in a sentence."""
    where = {
        "what": t(f"check.{check.key}"),
        "models": " / ".join(map(get_title, check.models)),
        "data": describe_test_set(check.data, t, [check.data, check.data.partition(", ")[0]]),
        "search": describe_search(Search(check.beam), t) if check.beam else t("check.forced"),
    }
    hours = " / ".join(f"{one:.1f}" for one in check.hours)
    if not check.fair:
        return t("check.unfair", hours=hours, **where)
    if check.value is None or check.low is None or check.high is None:
        said = t("check.missing", **where)
    else:
        said = _found(check, check.value, check.low, check.high, where, t)
    return t("check.hours", said=said, hours=hours) if hours else said


def _found(check: Check, value: float, low: float, high: float, where: dict[str, str], t: Messages) -> str:
    digits = DIGITS.get(check.key, 2)
    bound = check.above if check.above is not None else check.below
    return t(
        "check.more" if check.above is not None else "check.less",
        outcome=t(f"verdict.{check.outcome}"),
        value=f"{value:.{digits}f}",
        low=f"{low:.{digits}f}",
        high=f"{high:.{digits}f}",
        bound="–" if bound is None else f"{bound:g}",
        **where,
    )
