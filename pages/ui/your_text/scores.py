"""Scores of a job by sentence length: BLEU with its bootstrap band and chrF, for each model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.analysis.metrics.length_curve import (
    BINS,
    BleuDifference,
    LengthBin,
    assign_bins,
    compute_length_curve,
    compute_paired_bleu_difference,
    estimate_bleu_band,
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
from pages.ui.widgets import tables


@dataclass(frozen=True)
class ModelScores:
    """One model's scores: BLEU (`points`) and chrF of each bin of BINS, None for an empty bin, and of all sentences.

    `difference`: how much better the first model is, for the second one, if there are MIN_SENTENCES.
    """

    model: str
    points: tuple[LengthBin, ...]
    chrf_per_bin: tuple[float | None, ...]
    overall: LengthBin
    chrf: float
    statistics: Counts
    signatures: tuple[str, str]
    difference: BleuDifference | None = None


def score_job(job: Job) -> tuple[ModelScores, ...]:
    """Score the sentences that every model has finished; () without references or sentences."""
    indices, document = job.completed_indices, job.document
    if document.references is None or not indices:
        return ()
    lengths = np.array([job.word_counts[index] for index in indices])
    bins = assign_bins(lengths)
    _, chrf_signature = compute_chrf([""], [""])
    model_scores = []
    for model in job.working_models:
        results = [job.results[model][index] for index in indices]
        scores: list[SentenceScores] = [result.scores for result in results if result and result.scores]
        statistics = stack_counts(scores)
        chrf_counts = np.array([
            result.chrf_counts for result in results if result and result.chrf_counts is not None
        ])
        counts_per_bin = [chrf_counts[bins == index] for index in range(len(BINS))]
        chrf_per_bin = tuple(compute_chrf_from_counts(counts.sum(axis=0)) if len(counts) else None
                             for counts in counts_per_bin)  # fmt: skip
        low, high = estimate_bleu_band(statistics)
        overall = LengthBin(1, None, len(indices), compute_bleu(statistics.sum(axis=0)), low, high)
        points = compute_length_curve(statistics, lengths)
        _, target_language = cards.find_languages([model])
        signatures = (get_bleu_signature(target_language), chrf_signature)
        chrf = compute_chrf_from_counts(chrf_counts.sum(axis=0))
        model_scores.append(ModelScores(model, points, chrf_per_bin, overall, chrf, statistics, signatures))
    if len(model_scores) > 1 and len(indices) >= MIN_SENTENCES:
        first, second = model_scores[:2]
        difference = compute_paired_bleu_difference(first.statistics, second.statistics)
        model_scores[1] = replace(second, difference=difference)
    return tuple(model_scores)


def build_table_html(scores: Sequence[ModelScores], t: Messages) -> str:
    """Return the scores as an HTML table: a row per bin and one for all, two columns per model."""
    titles = (escape_html(get_title(model_scores.model)) for model_scores in scores)
    head = "".join(f'<th scope="colgroup" colspan="2">{title}</th>' for title in titles)
    kinds = "".join(
        f'<th scope="col">{escape_html(t("scores.bleu"))}</th><th scope="col">{escape_html(t("scores.chrf"))}</th>'
        for _ in scores
    )
    rows = []
    for index, point in enumerate((*scores[0].points, scores[0].overall)):
        is_overall = index == len(scores[0].points)
        if not point.sentences:
            continue
        cells = []
        for model_scores in scores:
            bleu = model_scores.overall if is_overall else model_scores.points[index]
            chrf = model_scores.chrf if is_overall else model_scores.chrf_per_bin[index]
            assert chrf is not None  # the bin has sentences
            cells += [f"<td>{escape_html(tables.format_point(bleu, t))}</td>", f"<td>{chrf:.1f}</td>"]
        label = t("scores.all") if is_overall else point.label.replace("-", "–")
        rows.append(
            f'<tr{" class=whole" * is_overall}><th scope="row">{escape_html(label)}</th><td>{point.sentences:,}</td>'
            f"{''.join(cells)}</tr>"
        )
    return (
        f'<table><thead><tr><td></td><td></td>{head}</tr><tr><th scope="col">{escape_html(t("scores.words"))}</th>'
        f'<th scope="col">{escape_html(t("scores.sentences"))}</th>{kinds}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def describe_difference(scores: Sequence[ModelScores], t: Messages) -> str:
    """Return the BLEU difference of the first two models with its band, as HTML.

    Returns "" for one model, and for fewer than MIN_SENTENCES sentences, whose bands are too narrow.
    """
    difference = scores[1].difference if len(scores) > 1 else None
    if difference is None:
        return ""
    return t.format_html(
        "scores.gap",
        one=get_title(scores[0].model),
        other=get_title(scores[1].model),
        difference=format_decimal(difference.difference, 1, has_plus=True),
        low=format_decimal(difference.low, 1, has_plus=True),
        high=format_decimal(difference.high, 1, has_plus=True),
        sentences=f"{difference.sentences:,}",
    )


def build_scores_csv(scores: Sequence[ModelScores]) -> str:
    """Return every number of the table and the curve at full precision."""

    def iterate_rows() -> Iterator[tuple[str | float | None, ...]]:
        for model_scores in scores:
            points = zip(model_scores.points, model_scores.chrf_per_bin, strict=True)
            for point, chrf in (*points, (model_scores.overall, model_scores.chrf)):
                bounds = point.band or (None, None)
                numbers = (point.first, point.last, point.sentences, point.bleu, *bounds, chrf)
                yield model_scores.model, *numbers, *model_scores.signatures

    columns = ("model", "first word", "last word", "sentences", "BLEU", "low", "high", "chrF")
    return build_csv((*columns, "BLEU signature", "chrF signature"), iterate_rows())
