"""Measure texts longer than any in training: successive test sentences joined, against the same sentences one by one.

Both translations are scored on the same texts against the joined references, so only the length of the source differs.
The texts are chosen by their words alone, so that all models get the same ones, whatever their vocabularies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.analysis.metrics.length_curve import estimate_bleu_band
from model.decoding import Settings
from model.decoding.translate import MAX_SOURCE_TOKENS, TranslationModel
from model.progress import ProgressCallback
from model.text.bleu import Counts, compute_bleu, count_statistics, get_bleu_signature
from model.text.normalise import NormalisedText, normalise
from model.text.sampling import sample_evenly

SCHEMA = 2
WORDS = (100, 200, 300)
TEXTS = 50
"""Texts of each length, evenly spaced over the file. Pages and READMEs show all of WORDS."""

Sentences = Sequence[tuple[NormalisedText, NormalisedText]]


def join_sentences(pairs: Sentences, words: int) -> list[Sentences]:
    """Divide successive pairs into texts whose sources have at least this many words; a shorter rest is left out."""
    texts, current, count = list[Sentences](), list[tuple[NormalisedText, NormalisedText]](), 0
    for pair in pairs:
        current.append(pair)
        count += len(pair[0].split())
        if count >= words:
            texts.append(current)
            current, count = [], 0
    return texts


def measure_joined(
    model: TranslationModel, text: ParallelText, *, settings: Settings | None = None, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/joined-NAME.json`: for each of WORDS, BLEU of joined and of single
    sentences, and the output's share of the reference's words.

    Raises EvaluationError if no text has so many words, or if one has too many tokens for search.
    """
    settings = settings or Settings()
    points = [point for words in WORDS if (point := _measure_length(model, text, words, settings, progress))]
    if not points:
        raise EvaluationError(f"No text of {WORDS[0]} words or more can be joined from {text.name}.")
    return {
        **build_record_head("joined", SCHEMA, model, asdict(text.describe()), settings),
        "signature": get_bleu_signature(model.languages[1]), "points": points,
        **build_date_and_command(command),
    }  # fmt: skip


def _measure_length(
    model: TranslationModel, text: ParallelText, words: int, settings: Settings, progress: ProgressCallback | None
) -> dict[str, Any] | None:
    """Measure the texts of one length; None if there are none."""
    texts = sample_evenly(join_sentences(text.pairs, words), TEXTS)
    if not texts:
        return None
    sources, references = ([_join(pair[side] for pair in sentences) for sentences in texts] for side in (0, 1))
    if max(len(model.vocabulary.encode(source)) - 1 for source in sources) > MAX_SOURCE_TOKENS:
        raise EvaluationError(f"Texts of {words} words must have at most {MAX_SOURCE_TOKENS} tokens of {model.name}, "
                              f"and one of {text.name} has more: join fewer words.")
    outputs = translate_texts(model, sources, settings, progress)
    singles = iter(translate_texts(model, [source for sentences in texts for source, _ in sentences], settings,
                                   progress))
    single_outputs = [_join(next(singles) for _ in sentences) for sentences in texts]
    language = model.languages[1]
    joined_counts, single_counts = (count_statistics(translations, references, language)
                                    for translations in (outputs, single_outputs))
    return {
        "words": words, "texts": len(texts), "joined": _score(joined_counts), "single": _score(single_counts),
        "share_of_words": _count_words(outputs) / _count_words(references),
    }  # fmt: skip


def _join(sentences: Iterable[str]) -> NormalisedText:
    return normalise(" ".join(sentences))


def _count_words(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _score(statistics: Counts) -> dict[str, float]:
    low, high = estimate_bleu_band(statistics)
    return {"bleu": compute_bleu(statistics.sum(axis=0)), "low": low, "high": high}
