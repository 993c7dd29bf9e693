"""Sentences as bars: what the component of assets/player/your_text draws, of a reader's file or of a shipped test set.

A measure has one series of numbers for all, for each model, or for each pair of models; None where a sentence has no
such number. Which end of a measure is the worse is said with it: the list begins there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.sentences import compute_sentence_bleu
from model.text.bleu import Counts
from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.backend.jobs import Job, SentenceResult
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.widgets.requests import describe_sentence_error
from pages.ui.your_text.payload_types import BarMeasure, BarOutput, BarRow, SentenceBarsData

FILE_STEM = "sentences"  # what downloaded files are called

Values = list[float | None]
End = Literal["low", "high"]

mount = Component("sentence_bars", SentenceBarsData)


@dataclass(frozen=True)
class SentenceMeasure:
    """One number of each sentence, for every model or pair of models by its label.

    `worst`: which end the list begins with; `digits`: decimals shown; `full`: a value that the scale reaches to even if
    no sentence does; `attention`: whether it is made of attention weights, which have their colour.
    """

    name: str
    series: tuple[tuple[str, Values], ...]
    worst: End
    digits: int = 1
    full: float | None = None
    attention: bool = False

    def to_payload(self, t: Messages) -> BarMeasure:
        return {
            "key": self.name,
            "label": t(f"measure.{self.name}"),
            "about": t.sent(f"measure.{self.name}_about"),
            "series": [{"label": label, "values": _round_values(values)} for label, values in self.series],
            "worst": self.worst,
            "digits": self.digits,
            "full": self.full,
            "attention": self.attention,
        }


def build_job_measures(job: Job, places: Sequence[int], models: Sequence[str], t: Messages) -> list[SentenceMeasure]:
    """The measures of the sentences at `places`, which `models` are done with, in their order; without references no
    scores."""

    def each(name: str, take: Callable[[SentenceResult], float | None], worst: End, **more: Any) -> SentenceMeasure:
        series = []
        for model in models:
            made = [job.outcomes[model][place] for place in places]
            series.append((get_title(model), [None if one is None else take(one) for one in made]))
        return SentenceMeasure(name, tuple(series), worst, **more)

    def own(take: Callable[[Any], float | None], factor: float = 1.0) -> Callable[[SentenceResult], float | None]:
        """A number of the measures, where there are any."""

        def number(outcome: SentenceResult) -> float | None:
            value = None if outcome.measures is None else take(outcome.measures)
            return None if value is None else factor * value

        return number

    length = SentenceMeasure("length", ((t("measure.all"), [job.lengths[place] for place in places]),), "high", 0)
    made = [
        each("bleu", lambda one: one.scores.bleu if one.scores else None, "low", full=100.0),
        each("chrf", lambda one: one.scores.chrf if one.scores else None, "low", full=100.0),
        each("confidence", own(lambda measures: measures.confidence), "low", full=100.0, attention=True),
        each("coverage", own(lambda measures: measures.coverage), "low", full=100.0, attention=True),
        each("certainty", own(lambda measures: measures.log_probability), "low", digits=2),
        each("repetition", own(lambda measures: measures.repetition, 100.0), "high", digits=0),
        each("ratio", own(lambda measures: measures.ratio), "low", digits=2),
    ]
    return arrange_measures(made, length, t)


def arrange_measures(made: Sequence[SentenceMeasure], length: SentenceMeasure, t: Messages) -> list[SentenceMeasure]:
    """Differences in BLEU first, then the measures, and the length; what no sentence has a number for is left out."""
    measures = [*(build_difference(one, t) for one in made if one.name == "bleu"), *made, length]
    kept = []
    for measure in measures:
        series = tuple(one for one in measure.series if any(value is not None for value in one[1]))
        if series:
            kept.append(
                SentenceMeasure(measure.name, series, measure.worst, measure.digits, measure.full, measure.attention)
            )
    return kept


def build_difference(bleu: SentenceMeasure, t: Messages) -> SentenceMeasure:
    """How much better each model's sentences score than those of every one after it."""
    series = []
    for (one, firsts), (other, seconds) in combinations(bleu.series, 2):
        values: Values = [None if a is None or b is None else a - b for a, b in zip(firsts, seconds, strict=True)]
        series.append((t("measure.minus", one=one, other=other), values))
    return SentenceMeasure("difference", tuple(series), "high")


def build_evaluation_measures(evaluations: Sequence[Evaluation], t: Messages) -> list[SentenceMeasure]:
    """The measures of a shipped test set's sentences, made of counts: no text, and nothing of attention."""
    words = evaluations[0].column("source_words")
    length = SentenceMeasure("length", ((t("measure.all"), [int(number) for number in words]),), "high", 0)
    bleus: list[tuple[str, Values]] = []
    ratios: list[tuple[str, Values]] = []
    surprises: list[tuple[str, Values]] = []
    for one in evaluations:
        label, statistics = get_title(one.model), one.statistics
        bleus.append((label, compute_sentence_bleu(statistics).tolist()))
        ratios.append((label, _compute_length_ratios(statistics)))
        pieces, nats = one.column("reference_pieces"), one.column("reference_millinats")
        surprises.append(
            (label, [-n / p / 1000 if p else None for n, p in zip(nats.tolist(), pieces.tolist(), strict=True)])
        )
    made = [
        SentenceMeasure("bleu", tuple(bleus), "low", full=100.0),
        SentenceMeasure("reference_ratio", tuple(ratios), "low", digits=2),
        SentenceMeasure("reference_certainty", tuple(surprises), "low", digits=2),
    ]
    return arrange_measures(made, length, t)


def _compute_length_ratios(statistics: Counts) -> Values:
    return [int(row[-2]) / int(row[-1]) if row[-1] else None for row in statistics]


def build_job_rows(job: Job, places: Sequence[int], models: Sequence[str], t: Messages) -> list[BarRow]:
    """The texts of the sentences at `places`, which `models` are done with."""
    document = job.document
    language = (cards.get_languages(models[0]) or DEFAULT_PAIR)[0] if models else DEFAULT_PAIR[0]
    return [
        {
            "line": document.lines[place],
            "words": job.lengths[place],
            "source": document.sources[place],
            "reference": document.references[place] if document.references else None,
            "outputs": [_build_output(job.outcomes[model][place], language, t) for model in models],
        }
        for place in places
    ]


def _build_output(outcome: SentenceResult | None, language: str, t: Messages) -> BarOutput:
    assert outcome is not None  # the sentence is complete
    if outcome.problem is None:
        return {"text": outcome.output}
    kind, got, limit = outcome.problem
    return {"problem": describe_sentence_error(kind, got, limit, language, t)}


def build_evaluation_rows(evaluation: Evaluation) -> list[BarRow]:
    """Numbers in the place of texts: which sentence it is, and how long."""
    return [{"line": n, "words": int(words)} for n, words in enumerate(evaluation.column("source_words"), 1)]


def build_bars_payload(
    title: str, rows: list[BarRow], measures: Sequence[SentenceMeasure], models: Sequence[str], t: Messages
) -> SentenceBarsData:
    """What is sent to the component, once; `title` says what is shown, and a new one begins anew."""
    return {
        "title": title,
        "rows": rows,
        "measures": [measure.to_payload(t) for measure in measures],
        "first": 0,
        "models": [
            {"name": name, "shown": get_title(name), "languages": cards.get_languages(name) or DEFAULT_PAIR}
            for name in models
        ],
        "pages": [],
        "carried": {},
        "file": FILE_STEM,
        "description": describe_bars(title, measures, len(rows), t),
        "words": t.table("sentence_bars"),
        "language": t.language,
    }


def describe_bars(title: str, measures: Sequence[SentenceMeasure], sentences: int, t: Messages) -> str:
    """The bars in words, for those who do not see them: the least, middle and greatest of every number."""
    parts = []
    for measure in measures:
        for label, values in measure.series:
            present = sorted(value for value in values if value is not None)
            low, middle, high = (present[place] for place in (0, len(present) // 2, -1))
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
