"""How long each model was trained, its BLEU, and whether that allows a comparison with the others on the screen.

A model with clearly fewer hours than the longest trained one is drawn in grey. Beside it the reader can choose
RNNsearch of equal hours: the scores of its learning curve, and those of a short run of about as many hours if there is
one. No weights of these moments are kept, so there are no translations.
"""

import logging
import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER
from model.analysis.metrics.learning_curve import interpolate_bleu, read_learning_curve
from model.analysis.paper.result_store import has_equal_hours
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from model.checkpoints.checkpoint import Card, CheckpointError
from model.decoding import Settings
from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import cards, evaluations
from pages.ui.charts.learning_curves import load_learning_curves
from pages.ui.family.payload_types import EqualHoursComparison, FamilyBar, FamilyTraining
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_millions

BASE_KIND = "rnnsearch"
POINTS = 41  # of a learning curve, evenly spaced in hours

_log = logging.getLogger(__name__)


def build_training(member: Card, members: Sequence[Card], search: Settings, t: Messages) -> FamilyTraining:
    """Return what the column of a model says about its training, among the models `members`."""
    entry = _find_score(member, search.beam)
    test_set = _describe_main_set(member, t)
    return {
        "bars": _build_bars(member, members, t),
        "score": t.format_for_component("family.score", count=format_decimal(entry.bleu, 1)) if entry else "",
        "score_note": t("family.measured", set=test_set, search=evaluations.describe_search(entry.search, t))
        if entry
        else t("family.unmeasured", set=test_set),
        "has_fewer_hours": has_fewer_hours(member, members),
        "equal_hours": _build_equal_hours(member, search, t) if has_fewer_hours(member, members) else None,
    }


def has_fewer_hours(member: Card, members: Sequence[Card]) -> bool:
    """Return whether a model has unknown hours, or more than a fifth fewer than the longest trained one."""
    max_hours = max(card.hours for card in members)
    return bool(max_hours) and not (member.hours and has_equal_hours(member.hours, max_hours))


def describe_unequal_training(members: Sequence[Card], t: Messages) -> str:
    """Return a note if some of the models are not comparable, with the hours of these and of the others."""
    grey_hours = [card.hours for card in members if has_fewer_hours(card, members) and card.hours]
    comparable_hours = [card.hours for card in members if not has_fewer_hours(card, members)]
    if not grey_hours:
        return ""
    return t("family.unequal", grey=_format_range(grey_hours), others=_format_range(comparable_hours))


def _format_range(hours: Sequence[float]) -> str:
    return "–".join(dict.fromkeys(format_decimal(value, 1) for value in (min(hours), max(hours))))


def _build_bars(member: Card, members: Sequence[Card], t: Messages) -> list[FamilyBar]:
    """Return the hours and tokens of training, on one scale for all models; [] if they are unknown."""
    if not member.target_tokens:
        return []
    hours, tokens = max(card.hours for card in members), max(card.target_tokens for card in members)
    hours_text = t.format_for_component("family.hours", count=format_decimal(member.hours, 1))
    tokens_text = t.format_for_component("family.tokens", count=format_millions(member.target_tokens, t))
    return [
        {"text": hours_text, "share": member.hours / hours if hours else 0.0},
        {"text": tokens_text, "share": member.target_tokens / tokens},
    ]


def _describe_main_set(member: Card, t: Messages) -> str:
    return evaluations.describe_test_set(evaluations.get_main_test_set(member.languages), t)


def _find_score(model: Card | ShortRun, beam: int) -> evaluations.IndexEntry | None:
    """Return the evaluation of these weights on the main test set of their languages whose beam is most like `beam`;
    None if there is none."""
    folder = EVALUATIONS_FOLDER / RUNS_FOLDER if isinstance(model, ShortRun) else EVALUATIONS_FOLDER
    test_set = evaluations.get_main_test_set(model.languages if isinstance(model, Card) else DEFAULT_PAIR)
    entries = [entry for entry in evaluations.load_index(folder).entries
               if (entry.model, entry.fingerprint, entry.data) == (model.name, model.fingerprint, test_set)
               and not entry.search.is_sampled and math.isfinite(entry.bleu)]  # fmt: skip
    return min(entries, key=lambda entry: abs(math.log(entry.search.beam / beam)), default=None)


def _build_equal_hours(member: Card, search: Settings, t: Messages) -> EqualHoursComparison | None:
    """Return RNNsearch with the hours of a model; None without a longer trained RNNsearch of the same languages and
    kind of vocabulary."""
    base_properties = BASE_KIND, member.languages, member.longest_words, member.has_unk
    bases = [card for card in cards.list_cards()
             if (card.kind, card.languages, card.longest_words, card.has_unk) == base_properties
             and card.hours > member.hours]  # fmt: skip
    if not bases or not member.hours or member.kind == BASE_KIND:
        return None
    base = max(bases, key=lambda card: card.hours)
    text = load_learning_curves().choose_text([base.name, member.name])
    points, run = _sample_curves(base, member, text), _describe_run(member, search.beam, t)
    choice = t("family.equal", hours=format_decimal(member.hours, 1))
    if not points and not run:
        return None
    return {"title": base.title, "choice": choice, "set": text, "points": points, "run": run}


def _describe_run(member: Card, beam: int, t: Messages) -> str:
    """Return the BLEU of a short run of RNNsearch with equal hours and of the model, with the same search; "" if one
    of them was not measured."""
    run = find_equal_run(member)
    score = _find_score(run, beam) if run else None
    own_score = _find_score(member, score.search.beam) if score else None
    if run is None or score is None or own_score is None or own_score.search != score.search:
        return ""
    search_name = evaluations.describe_search(score.search, t)
    return t.format_for_component(
        "family.equal_run", hours=format_decimal(run.hours, 1), bleu=format_decimal(score.bleu, 1),
        own=format_decimal(own_score.bleu, 1), model=member.title, set=_describe_main_set(member, t),
        search=search_name,
    )  # fmt: skip


def _sample_curves(base: Card, member: Card, text: str) -> list[tuple[float, float, float]]:
    """Return hours and the BLEU of both models on a development text, up to the end of the member's curve."""
    try:
        base_curve, curve = read_learning_curve(base), read_learning_curve(member)
    except CheckpointError as error:
        _log.warning("no learning curves: %s", error)
        return []
    points: list[tuple[float, float, float]] = []
    for hours in np.linspace(0.0, curve[-1].hours, POINTS) if curve else ():
        scores = [interpolate_bleu(one, float(hours), text) for one in (base_curve, curve)]
        if scores[0] is None or scores[1] is None:
            return []
        points.append((round(float(hours), 3), round(scores[0], 2), round(scores[1], 2)))
    return points


def find_equal_run(member: Card) -> ShortRun | None:
    """Return the short run of RNNsearch whose hours are closest to those of a model, if they are equal; None for models
    of whole words or of other languages, because the short runs are of subwords, from English to French."""
    if member.has_unk or member.languages != DEFAULT_PAIR:
        return None
    runs = [run for run in _read_runs() if (run.kind, run.longest_words) == (BASE_KIND, member.longest_words)
            and run.hours and has_equal_hours(run.hours, member.hours)]  # fmt: skip
    return min(runs, key=lambda run: abs(math.log(run.hours / member.hours)), default=None)


@cache
def _read_runs() -> tuple[ShortRun, ...]:
    try:
        return read_runs(EVALUATIONS_FOLDER)
    except EvaluationError as error:
        _log.warning("short runs are left out: %s", error)
        return ()
