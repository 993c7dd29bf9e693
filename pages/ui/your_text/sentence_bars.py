"""Sentence bars: the data of the component in assets/player/your_text, for a job or a shipped test set.

A measure has one series of values in all, per model, or per pair of models. A value is None where a sentence has none.
The list of sentences starts with a measure's worst value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.sentences import TranslationMeasures, compute_sentence_bleu
from model.text.bleu import Counts
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import Job, SentenceResult
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.widgets.translations import describe_sentence_error
from pages.ui.your_text.payload_types import BarMeasure, BarOutput, BarRow, SentenceBarsData

FILE_STEM = "sentences"  # of downloaded files

Values = list[float | None]
WorstEnd = Literal["low", "high"]

mount = Component("sentence_bars", SentenceBarsData)


@dataclass(frozen=True)
class SentenceMeasure:
    """A value per sentence for every model or pair of models.

    Attributes:
        series: label and values of each model or pair.
        worst: the end of the scale that the list starts with.
        digits: decimals shown.
        included_value: a value that the scale includes in any case.
        is_attention: whether it is computed from attention weights, which have their own colour.
    """

    name: str
    series: tuple[tuple[str, Values], ...]
    worst: WorstEnd
    digits: int = 1
    included_value: float | None = None
    is_attention: bool = False

    def to_payload(self, t: Messages) -> BarMeasure:
        return {
            "key": self.name,
            "label": t(f"measure.{self.name}"),
            "description": t.format_for_component(f"measure.{self.name}_about"),
            "series": [{"label": label, "values": _round_values(values)} for label, values in self.series],
            "worst": self.worst,
            "digits": self.digits,
            "included_value": self.included_value,
            "is_attention": self.is_attention,
        }


def build_job_measures(job: Job, indices: Sequence[int], models: Sequence[str], t: Messages) -> list[SentenceMeasure]:
    """Build the measures of the finished sentences at `indices`; scores need references."""

    def collect(
        name: str, get_value: Callable[[SentenceResult], float | None], worst: WorstEnd, **options: Any
    ) -> SentenceMeasure:
        series = []
        for model in models:
            results = [job.results[model][index] for index in indices]
            values = [None if result is None else get_value(result) for result in results]
            series.append((get_title(model), values))
        return SentenceMeasure(name, tuple(series), worst, **options)

    def from_measures(
        get_value: Callable[[TranslationMeasures], float | None],
    ) -> Callable[[SentenceResult], float | None]:
        return lambda result: None if result.measures is None else get_value(result.measures)

    length = SentenceMeasure("length", ((t("measure.all"), [job.word_counts[index] for index in indices]),), "high", 0)
    measures = [
        collect("bleu", lambda result: result.scores.bleu if result.scores else None, "low", included_value=100.0),
        collect("chrf", lambda result: result.scores.chrf if result.scores else None, "low", included_value=100.0),
        collect(
            "confidence", from_measures(lambda values: values.confidence), "low", included_value=100.0,
            is_attention=True,
        ),
        collect(
            "coverage", from_measures(lambda values: values.coverage), "low", included_value=100.0, is_attention=True,
        ),
        collect("certainty", from_measures(lambda values: values.log_probability), "low", digits=2),
        collect("repetition", from_measures(lambda values: 100.0 * values.repetition), "high", digits=0),
        collect("ratio", from_measures(lambda values: values.ratio), "low", digits=2),
    ]
    return arrange_measures(measures, length, t)


def arrange_measures(
    measures: Sequence[SentenceMeasure], length: SentenceMeasure, t: Messages
) -> list[SentenceMeasure]:
    """Return BLEU differences, the measures, and the length, without series that have no values."""
    differences = [build_difference(measure, t) for measure in measures if measure.name == "bleu"]
    arranged_measures = []
    for measure in (*differences, *measures, length):
        series = tuple((label, values) for label, values in measure.series if set(values) - {None})
        if series:
            arranged_measures.append(replace(measure, series=series))
    return arranged_measures


def build_difference(bleu: SentenceMeasure, t: Messages) -> SentenceMeasure:
    """Return the sentence BLEU of each model minus that of every later model."""
    series = []
    for (first, one_values), (second, other_values) in combinations(bleu.series, 2):
        pairs = zip(one_values, other_values, strict=True)
        values: Values = [None if a is None or b is None else a - b for a, b in pairs]
        series.append((t("measure.minus", one=first, other=second), values))
    return SentenceMeasure("difference", tuple(series), "high")


def build_evaluation_measures(evaluations: Sequence[Evaluation], t: Messages) -> list[SentenceMeasure]:
    """Build the measures of a shipped test set from its counts; there are no texts and no attention."""
    words = evaluations[0].get_column("source_words").tolist()
    length = SentenceMeasure("length", ((t("measure.all"), [*words]),), "high", 0)
    bleus: list[tuple[str, Values]] = []
    ratios: list[tuple[str, Values]] = []
    log_probs: list[tuple[str, Values]] = []
    for evaluation in evaluations:
        label, statistics = get_title(evaluation.model), evaluation.statistics
        bleus.append((label, compute_sentence_bleu(statistics).tolist()))
        ratios.append((label, _compute_length_ratios(statistics)))
        pieces = evaluation.get_column("reference_pieces").tolist()
        millinats = evaluation.get_column("reference_millinats").tolist()
        log_probs.append((label, [-n / p / 1000 if p else None for n, p in zip(millinats, pieces, strict=True)]))
    measures = [
        SentenceMeasure("bleu", tuple(bleus), "low", included_value=100.0),
        SentenceMeasure("reference_ratio", tuple(ratios), "low", digits=2),
        SentenceMeasure("reference_certainty", tuple(log_probs), "low", digits=2),
    ]
    return arrange_measures(measures, length, t)


def _compute_length_ratios(statistics: Counts) -> Values:
    return [int(row[-2]) / int(row[-1]) if row[-1] else None for row in statistics]


def build_job_rows(job: Job, indices: Sequence[int], models: Sequence[str], t: Messages) -> list[BarRow]:
    """Build the finished sentences at `indices` with their texts."""
    document = job.document
    language, _ = cards.find_languages(models)
    return [
        {
            "line": document.line_numbers[index],
            "words": job.word_counts[index],
            "source": document.sources[index],
            "reference": document.references[index] if document.references else None,
            "outputs": [_build_output(job.results[model][index], language, t) for model in models],
        }
        for index in indices
    ]


def _build_output(result: SentenceResult | None, language: str, t: Messages) -> BarOutput:
    assert result is not None  # every model has finished the sentence
    if result.error is None:
        return {"text": result.output}
    kind, got, limit = result.error
    return {"problem": describe_sentence_error(kind, got, limit, language, t)}


def build_evaluation_rows(evaluation: Evaluation) -> list[BarRow]:
    """Build rows without texts: line number and length."""
    words = evaluation.get_column("source_words").tolist()
    return [{"line": line, "words": count} for line, count in enumerate(words, 1)]


def build_bars_payload(
    title: str, rows: list[BarRow], measures: Sequence[SentenceMeasure], models: Sequence[str], t: Messages
) -> SentenceBarsData:
    """Build the component's data; a new `title` resets the component."""
    return {
        "title": title,
        "rows": rows,
        "measures": [measure.to_payload(t) for measure in measures],
        "models": [
            {"name": name, "title": get_title(name), "languages": cards.find_languages([name])} for name in models
        ],
        "pages": [],
        "link_params": {},
        "file": FILE_STEM,
        "description": describe_bars(title, measures, len(rows), t),
        "messages": t.get_table("sentence_bars"),
        "language": t.language,
    }


def describe_bars(title: str, measures: Sequence[SentenceMeasure], sentences: int, t: Messages) -> str:
    """Describe the bars for screen readers: minimum, median and maximum of every measure."""
    parts = []
    for measure in measures:
        for label, values in measure.series:
            low, middle, high = np.quantile([value for value in values if value is not None], (0, 0.5, 1))
            parts.append(
                t(
                    "your_text.described",
                    measure=t(f"measure.{measure.name}"),
                    label=label,
                    low=format_decimal(low, measure.digits),
                    middle=format_decimal(middle, measure.digits),
                    high=format_decimal(high, measure.digits),
                )
            )
    return " ".join([t("your_text.description", title=title, sentences=f"{sentences:,}"), *parts])


def _round_values(values: Values) -> Values:
    return [None if value is None else round(value, 4) for value in values]
