"""Evaluate a model: translate, score, count. Sentences of similar length share a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from model.analysis.evaluation.evaluation import (
    COLUMNS,
    FINISHED,
    UNFINISHED,
    UNTRANSLATED,
    Evaluation,
    EvaluationError,
    ParallelText,
    compute_perplexity,
    get_column,
)
from model.analysis.metrics.length_curve import compute_length_curve, estimate_bleu_band
from model.decoding import Hypothesis, Settings, search
from model.decoding.forced_decoding import MAX_TARGET_TOKENS, compute_log_likelihoods
from model.decoding.length_batches import map_by_length
from model.decoding.translate import (
    MAX_CHARACTERS,
    MAX_SOURCE_TOKENS,
    TranslationModel,
    build_target_side,
    build_trace,
    prepare_source,
)
from model.networks.unknown_words import find_copied_words
from model.progress import ProgressCallback, ignore_progress
from model.serialization.timestamps import format_current_time
from model.text import languages
from model.text.bleu import (
    NGRAM_ORDERS,
    Counts,
    compute_bleu,
    compute_chrf,
    compute_moses_bleu,
    count_statistics,
    get_bleu_signature,
)
from model.text.normalise import NormalisedText
from model.text.symbols import split_symbols

MAX_BATCH_SENTENCES = 128
MAX_BATCH_PIECES = 8192  # source tokens, with padding and beam copies: bounds the memory of a batch

TokenPair = tuple[list[int], list[int]]
"""The token ids of a source and of its reference."""


def evaluate(
    model: TranslationModel,
    text: ParallelText,
    settings: Settings | None = None,
    *,
    progress: ProgressCallback | None = None,
    command: str = "",
) -> Evaluation:
    """Translate the sources and score the outputs against the references, both normalised.

    The search is greedy by default. `command` is stored as the way to repeat the evaluation. A source that is empty or
    too long counts as an empty output. The longest sentences come first, so that the remaining time is not
    underestimated. Raises EvaluationError if nothing can be translated.
    """
    settings = replace(settings or Settings(), n_best=1, candidates=0, detail=False, tree=False)
    report = progress or ignore_progress
    references = [reference for _, reference in text.pairs]
    texts = [source for source, _ in text.pairs]
    sources = _encode(model, texts, texts, MAX_SOURCE_TOKENS, is_empty_allowed=False)
    targets = _encode(model, references, texts, MAX_TARGET_TOKENS, is_empty_allowed=True)
    if not any(source and target for source, target in zip(sources, targets, strict=True)):
        raise EvaluationError(f"Nothing in {text.name} can be translated: every source is empty or too long.")

    outputs, outcomes = _translate(model, texts, sources, settings, report)
    counts = np.zeros((len(text.pairs), len(COLUMNS)), dtype=np.int64)
    get_column(counts, "source_words")[:] = [
        languages.get_language(model.languages[0]).count_words(source) for source, _ in text.pairs
    ]
    get_column(counts, "outcome")[:] = outcomes
    _score_references(model, sources, targets, counts, report)

    report("scoring", 0, len(outputs))
    target_language = model.languages[1]
    sums = count_statistics(outputs, references, target_language)
    counts[:, 1 : 1 + NGRAM_ORDERS] = sums[:, :NGRAM_ORDERS]
    counts[:, 1 + NGRAM_ORDERS : 3 + NGRAM_ORDERS] = sums[:, 2 * NGRAM_ORDERS :]
    low, high = estimate_bleu_band(sums)
    moses_score, moses_signature = compute_moses_bleu(outputs, references, target_language)
    chrf, chrf_signature = compute_chrf(outputs, references)
    by_length = compute_length_curve(sums, get_column(counts, "source_words"))
    report("scoring", len(outputs), len(outputs))
    return Evaluation(
        model=model.name,
        fingerprint=model.fingerprint,
        data=text.describe(),
        search=settings.search_record,
        scores={"bleu": compute_bleu(sums.sum(axis=0)), "bleu_low": low, "bleu_high": high, "bleu_moses": moses_score,
                "chrf": chrf, "perplexity": compute_perplexity(counts)},
        signatures={
            "bleu": get_bleu_signature(target_language), "bleu_moses": moses_signature, "chrf": chrf_signature,
            "perplexity": f"a piece of the reference, </s> counted, teacher-forced, {len(model.vocabulary)} pieces",
            "text": "output and reference in the canonical form of model/text/normalise.py",
        },
        by_length=by_length,
        unfinished=int((get_column(counts, "outcome") == UNFINISHED).sum()),
        untranslated=int((get_column(counts, "outcome") == UNTRANSLATED).sum()),
        unscored=int((get_column(counts, "reference_pieces") == 0).sum()),
        date=format_current_time(),
        command=command,
        counts=counts,
    )  # fmt: skip


def translate_texts(
    model: TranslationModel,
    texts: Sequence[NormalisedText],
    settings: Settings,
    progress: ProgressCallback | None = None,
) -> list[str]:
    """Return the translations in order; "" for a source that is empty or too long."""
    settings = replace(settings, n_best=1, candidates=0, detail=False, tree=False)
    sources = _encode(model, texts, texts, MAX_SOURCE_TOKENS, is_empty_allowed=False)
    return _translate(model, texts, sources, settings, progress or ignore_progress)[0]


def _encode(
    model: TranslationModel, texts: Sequence[NormalisedText], sources: Sequence[NormalisedText], limit: int, *,
    is_empty_allowed: bool,
) -> list[list[int]]:  # fmt: skip
    """Return the token ids of each text without copied symbols; [] for a text that is too long, or empty unless
    allowed. `sources`: whose unknown words the network can copy.
    """
    short_texts = [text if len(text) <= MAX_CHARACTERS else NormalisedText("") for text in texts]
    if model.vocabulary.kind == "word":
        encoded = [model.vocabulary.encode(text, find_copied_words(model.network, model.vocabulary, source))
                   for text, source in zip(short_texts, sources, strict=True)]  # fmt: skip
    else:
        encoded = model.vocabulary.encode_lines([split_symbols(text, model.vocabulary)[0] for text in short_texts])
    return [ids if len(ids) - 1 <= limit and (text or is_empty_allowed) and len(original) <= MAX_CHARACTERS else []
            for ids, text, original in zip(encoded, short_texts, texts, strict=True)]


def _translate(
    model: TranslationModel,
    texts: Sequence[NormalisedText],
    sources: Sequence[list[int]],
    settings: Settings,
    report: ProgressCallback,
) -> tuple[list[str], list[int]]:
    """Return the output and the outcome of each source; a source without token ids is not translated."""
    outputs, outcomes = [""] * len(sources), [UNTRANSLATED] * len(sources)
    rows = [row for row, source in enumerate(sources) if source]
    counter = _ProgressCounter("translating", report, len(sources) - len(rows), len(sources))

    def decode_batch(batch: list[int]) -> list[tuple[str, int]]:
        # Only texts, because all results are kept until the end and attention of a whole file takes gigabytes.
        best = [hypotheses[0] for hypotheses in search(model.network, [sources[row] for row in batch], settings)]
        counter.add(len(batch))
        return [
            (_build_output_text(model, texts[row], hypothesis, settings),
             FINISHED if hypothesis.is_finished else UNFINISHED)
            for row, hypothesis in zip(batch, best, strict=True)
        ]

    results = map_by_length(rows, lambda row: -len(sources[row]),
                     lambda batch: _fits_in_memory([len(sources[row]) for row in batch], settings.beam), decode_batch)
    for row, (output, outcome) in zip(rows, results, strict=True):
        outputs[row], outcomes[row] = output, outcome
    return outputs, outcomes


def _build_output_text(
    model: TranslationModel, text: NormalisedText, hypothesis: Hypothesis, settings: Settings
) -> str:
    """Return the text of a hypothesis, with copied symbols and UNK replaced if the settings say so."""
    if model.vocabulary.kind == "word":
        return build_target_side(model, prepare_source(model, text), hypothesis, settings).text
    if not split_symbols(text, model.vocabulary)[1]:
        return model.vocabulary.decode(hypothesis.tokens)
    return build_trace(model, prepare_source(model, text), hypothesis, settings).target.text


def _score_references(
    model: TranslationModel,
    sources: Sequence[list[int]],
    targets: Sequence[list[int]],
    counts: Counts,
    report: ProgressCallback,
) -> None:
    """Store how likely each reference is; skip pairs in which a side has no token ids."""
    token_counts, millinats = get_column(counts, "reference_pieces"), get_column(counts, "reference_millinats")
    rows = [row for row, (source, target) in enumerate(zip(sources, targets, strict=True)) if source and target]
    counter = _ProgressCounter("reading references", report, len(sources) - len(rows), len(sources))

    def score_batch(batch: list[TokenPair]) -> list[float]:
        log_probs = compute_log_likelihoods(
            model.network, [source for source, _ in batch], [target for _, target in batch]
        )
        counter.add(len(batch))
        return log_probs

    encoded_pairs = [(sources[row], targets[row]) for row in rows]
    log_probs = map_by_length(encoded_pairs, lambda pair: (-len(pair[1]), -_compute_max_length(pair)),
                     lambda batch: _fits_in_memory(list(map(_compute_max_length, batch)), 1), score_batch)
    for row, value in zip(rows, log_probs, strict=True):
        token_counts[row], millinats[row] = len(targets[row]), max(0, round(-1000 * value))


def _compute_max_length(pair: TokenPair) -> int:
    return max(map(len, pair))


def _fits_in_memory(lengths: Sequence[int], copies: int) -> bool:
    """Return whether a batch of these lengths, each with so many hypotheses, fits in memory."""
    return len(lengths) <= MAX_BATCH_SENTENCES and len(lengths) * max(lengths) * copies <= MAX_BATCH_PIECES


class _ProgressCounter:
    """A counter of sentences that reports its progress."""

    def __init__(self, stage: str, report: ProgressCallback, count: int, total: int) -> None:
        self._stage, self._report, self._count, self._total = stage, report, count, total
        self.add(0)

    def add(self, increment: int) -> None:
        self._count += increment
        self._report(self._stage, self._count, self._total)
