"""Scores of a reader's file by the length of its sentences: BLEU with its bands and chrF, for each model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.metrics.length_curve import (
    BINS,
    BleuDifference,
    LengthBin,
    assign_bins,
    bleu_band,
    compute_length_curve,
    paired_bleu_difference,
)
from model.analysis.metrics.sentences import SentenceScores, stack_counts
from model.text.bleu import Counts, compute_bleu, compute_chrf, compute_chrf_from_counts, get_bleu_signature
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import Job
from pages.ui.charts.curves import MIN_SENTENCES
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal


@dataclass(frozen=True)
class ModelScores:
    """One model's scores: of each bin of BINS (a point for BLEU, and chrF, None where it is empty) and of all."""

    model: str
    points: tuple[LengthBin, ...]
    chrf_per_bin: tuple[float | None, ...]
    overall: LengthBin
    chrf: float
    statistics: Counts
    signatures: tuple[str, str]


def score_job(job: Job) -> tuple[ModelScores, ...]:
    """The scores of the sentences that every model is done with; none without references or sentences."""
    places, document = job.complete, job.document
    if document.references is None or not places:
        return ()
    lengths = np.array([job.lengths[place] for place in places])
    numbers = assign_bins(lengths)
    found = []
    for model in job.working:
        outcomes = [job.outcomes[model][place] for place in places]
        scores: list[SentenceScores] = [outcome.scores for outcome in outcomes if outcome and outcome.scores]
        statistics = stack_counts(scores)
        counts = np.array([outcome.characters for outcome in outcomes if outcome and outcome.characters is not None])
        members = [counts[numbers == number] for number in range(len(BINS))]
        characters = tuple(compute_chrf_from_counts(of.sum(axis=0)) if len(of) else None for of in members)
        _, signature = compute_chrf([""], [""])
        low, high = bleu_band(statistics)
        whole = LengthBin(1, None, len(places), compute_bleu(statistics.sum(axis=0)), low, high)
        points = compute_length_curve(statistics, lengths)
        languages = cards.get_languages(model)
        signatures = (get_bleu_signature(*(languages or ())[1:]), signature)
        character = compute_chrf_from_counts(counts.sum(axis=0))
        found.append(ModelScores(model, points, characters, whole, character, statistics, signatures))
    return tuple(found)


def gap(scores: Sequence[ModelScores]) -> BleuDifference | None:
    """How much better the first model is than the second on the same sentences, if there are two."""
    return paired_bleu_difference(scores[0].statistics, scores[1].statistics) if len(scores) > 1 else None


def build_table_html(scores: Sequence[ModelScores], t: Messages) -> str:
    """The scores as an HTML table: a line a bin and one for all, two columns a model."""
    head = "".join(f'<th scope="colgroup" colspan="2">{escape_html(get_title(one.model))}</th>' for one in scores)
    kinds = "".join(
        f'<th scope="col">{escape_html(t("scores.bleu"))}</th><th scope="col">{escape_html(t("scores.chrf"))}</th>'
        for _ in scores
    )
    lines = []
    for place, point in enumerate((*scores[0].points, scores[0].overall)):
        last = place == len(scores[0].points)
        if not point.sentences:
            continue
        cells = []
        for one in scores:
            here = one.overall if last else one.points[place]
            character = one.chrf if last else one.chrf_per_bin[place]
            cells += [f"<td>{escape_html(_format_bleu(here))}</td>", f"<td>{character or 0.0:.1f}</td>"]
        label = t("scores.all") if last else point.label.replace("-", "–")
        lines.append(
            f'<tr{" class=whole" * last}><th scope="row">{escape_html(label)}</th><td>{point.sentences:,}</td>'
            f"{''.join(cells)}</tr>"
        )
    return (
        f'<table><thead><tr><td></td><td></td>{head}</tr><tr><th scope="col">{escape_html(t("scores.words"))}</th>'
        f'<th scope="col">{escape_html(t("scores.sentences"))}</th>{kinds}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _format_bleu(point: LengthBin) -> str:
    """A bin's BLEU with its band, where it has one."""
    return f"{point.bleu:.1f}" + (f" ({point.band[0]:.1f}–{point.band[1]:.1f})" if point.band else "")


def describe_difference(scores: Sequence[ModelScores], t: Messages) -> str:
    """The difference between two models, and how far it can be trusted, in a sentence of HTML; "" for one model, and
    of fewer than FEW sentences, whose bands are far too narrow."""
    found = gap(scores)
    if found is None or found.sentences < MIN_SENTENCES:
        return ""
    return t.marked(
        "scores.gap",
        one=get_title(scores[0].model),
        other=get_title(scores[1].model),
        difference=format_decimal(found.difference, 1, plus=True),
        low=format_decimal(found.low, 1, plus=True),
        high=format_decimal(found.high, 1, plus=True),
        sentences=f"{found.sentences:,}",
    )


def scores_to_csv(scores: Sequence[ModelScores]) -> str:
    """Every number of the table and the curve, in full. Safe to open in a spreadsheet."""

    def rows() -> Iterator[tuple[str | float | None, ...]]:
        for one in scores:
            for point, character in [*zip(one.points, one.chrf_per_bin, strict=True), (one.overall, one.chrf)]:
                bounds = point.band or (None, None)
                numbers = (point.first, point.last, point.sentences, point.bleu, *bounds, character)
                yield one.model, *numbers, *one.signatures

    columns = ("model", "first word", "last word", "sentences", "BLEU", "low", "high", "chrF")
    return build_csv((*columns, "BLEU signature", "chrF signature"), rows())
