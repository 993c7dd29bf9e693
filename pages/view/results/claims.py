"""The paper's claims and what our measurements say to them, from the shipped record of claims, as HTML."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from model.measure.evaluation.evaluation import EvaluationError
from model.measure.evaluation.stored import records
from model.measure.paper.claims import CLAIMS, Check, Claim
from pages.view.results.evaluations import Search, shown_search, shown_set
from pages.view.service.cards import title_of
from pages.view.shell.escape import markup
from pages.view.shell.messages import Messages

_log = logging.getLogger(__name__)


def claims() -> dict[int, Claim]:
    """The claims that were put to the test, by number; none where no record is shipped or it cannot be read."""
    try:
        found = [_claim(one) for record in records("claims").values() for one in record["claims"]]
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
        )
        for one in given["checks"]
    )
    return Claim(int(given["number"]), checks)


def _number(value: Any) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise ValueError(f"not a number: {json.dumps(value)[:40]}")


def html(numbers: Sequence[int], known: dict[int, Claim], say: Messages) -> str:
    """The claims of these numbers, each with its verdict and, to be opened, its checks."""
    return "".join(_one(number, known.get(number), say) for number in numbers)


def _one(number: int, claim: Claim | None, say: Messages) -> str:
    verdict = "unmeasured" if claim is None else claim.verdict
    head = (
        f"<b class='verdict {verdict}'>{markup(say(f'verdict.{verdict}'))}</b> "
        f"{markup(say('verdict.claim', number=number, claim=say(f'claim.c{number}')))}"
    )
    if claim is None:
        return f"<p class='claim'>{head}</p>"
    rows = "".join(f"<li class='{check.outcome}'>{markup(_check(check, say))}</li>" for check in claim.checks)
    return f"<details class='claim'><summary>{head}</summary><ul>{rows}</ul></details>"


def _check(check: Check, say: Messages) -> str:
    """One number with its band and its bound, in a sentence."""
    where = {
        "what": say(f"check.{check.key}"),
        "models": " / ".join(map(title_of, check.models)),
        "data": shown_set(check.data, say, [check.data, check.data.partition(", ")[0]]),
        "search": shown_search(Search(check.beam), say) if check.beam else say("check.forced"),
    }
    if check.value is None or check.low is None or check.high is None:
        return say("check.missing", **where)
    bound = check.above if check.above is not None else check.below
    return say(
        "check.more" if check.above is not None else "check.less",
        outcome=say(f"verdict.{check.outcome}"),
        value=f"{check.value:.2f}",
        low=f"{check.low:.2f}",
        high=f"{check.high:.2f}",
        bound="–" if bound is None else f"{bound:g}",
        **where,
    )
