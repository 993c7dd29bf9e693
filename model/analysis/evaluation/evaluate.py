"""Making an evaluation: translate, score, count. Sentences of like length share a batch; torch comes with the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from model.analysis.evaluation.evaluation import (
    COLUMNS,
    FINISHED,
    UNFINISHED,
    UNTRANSLATED,
    DataDescription,
    Evaluation,
    EvaluationError,
    ParallelText,
    perplexity,
)
from model.analysis.metrics.length_curve import bleu_band, compute_length_curve
from model.decoding import Hypothesis, Settings, search
from model.decoding.forced_decoding import MAX_TARGET_PIECES, compute_log_likelihoods
from model.decoding.length_batches import map_by_length
from model.decoding.translate import MAX_CHARACTERS, MAX_SOURCE_PIECES, TranslationModel, build_trace, encode_text
from model.progress import ProgressCallback
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
from model.text.normalise import Normalised
from model.text.symbols import split_symbols

MAX_BATCH_SENTENCES = 128
MAX_BATCH_PIECES = 8192  # of source pieces, padding and the beam's copies counted: bounds the memory of a batch

EncodedPair = tuple[list[int], list[int]]
"""The pieces of a source and of its reference."""

def evaluate(
    model: TranslationModel,
    text: ParallelText,
    settings: Settings | None = None,
    *,
    progress: ProgressCallback | None = None,
    command: str = "",
) -> Evaluation:
    """Translate the sources and score them against the references, both sides in their canonical form.

    Of the settings, what decides the translation matters (greedy unless said otherwise); `command` is noted as how to
    make this again. A source that is empty or too long for the search counts as an empty output. The longest sentences
    come first, so that the time left is never underestimated. Raises EvaluationError where nothing can be translated.
    """
    settings = replace(settings or Settings(), n_best=1, candidates=0, detail=False, tree=False)
    report = progress or (lambda stage, done, total: None)
    references = [reference for _, reference in text.pairs]
    texts = [source for source, _ in text.pairs]
    sources = _encoded(model, texts, MAX_SOURCE_PIECES, empty=False)
    targets = _encoded(model, references, MAX_TARGET_PIECES, empty=True)
    if not any(source and target for source, target in zip(sources, targets, strict=True)):
        raise EvaluationError(f"Nothing in {text.name} can be translated: every source is empty or too long.")

    outputs, outcomes = _translated(model, texts, sources, settings, report)
    counts = np.zeros((len(text.pairs), len(COLUMNS)), dtype=np.int64)
    _column(counts, "source_words")[:] = [
        languages.get_language(model.languages[0]).count_words(source) for source, _ in text.pairs
    ]
    _column(counts, "outcome")[:] = outcomes
    _score_references(model, sources, targets, counts, report)

    report("scoring", 0, len(outputs))
    target_language = model.languages[1]
    sums = count_statistics(outputs, references, target_language)
    counts[:, 1 : 1 + NGRAM_ORDERS] = sums[:, :NGRAM_ORDERS]
    counts[:, 1 + NGRAM_ORDERS : 3 + NGRAM_ORDERS] = sums[:, 2 * NGRAM_ORDERS :]
    low, high = bleu_band(sums)
    moses, moses_signature = compute_moses_bleu(outputs, references, target_language)
    characters, chrf_signature = compute_chrf(outputs, references)
    by_length = compute_length_curve(sums, _column(counts, "source_words"))
    report("scoring", len(outputs), len(outputs))
    return Evaluation(
        model=model.name,
        fingerprint=model.fingerprint,
        data=DataDescription(text.name, text.sha256, len(text.pairs)),
        search={"name": settings.method, **settings.provenance, **({"seed": settings.seed} if settings.sample else {})},
        scores={"bleu": compute_bleu(sums.sum(axis=0)), "bleu_low": low, "bleu_high": high, "bleu_moses": moses,
                "chrf": characters, "perplexity": perplexity(counts)},
        signatures={
            "bleu": get_bleu_signature(target_language), "bleu_moses": moses_signature, "chrf": chrf_signature,
            "perplexity": f"a piece of the reference, </s> counted, teacher-forced, {len(model.vocabulary)} pieces",
            "text": "output and reference in the canonical form of model/text/normalise.py",
        },
        by_length=by_length,
        unfinished=int((_column(counts, "outcome") == UNFINISHED).sum()),
        untranslated=int((_column(counts, "outcome") == UNTRANSLATED).sum()),
        unscored=int((_column(counts, "reference_pieces") == 0).sum()),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        command=command,
        counts=counts,
    )  # fmt: skip


def translate_texts(
    model: TranslationModel, texts: Sequence[Normalised], settings: Settings, progress: ProgressCallback | None = None
) -> list[str]:
    """The translations alone, in order; "" for a source that is empty or too long for the search."""
    settings = replace(settings, n_best=1, candidates=0, detail=False, tree=False)
    sources = _encoded(model, texts, MAX_SOURCE_PIECES, empty=False)
    return _translated(model, texts, sources, settings, progress or (lambda stage, done, total: None))[0]


def _encoded(model: TranslationModel, texts: Sequence[Normalised], limit: int, *, empty: bool) -> list[list[int]]:
    """The pieces of each text, symbols that are copied set aside; no pieces at all where there are too many, or where
    it may not be empty."""
    readable = [text if len(text) <= MAX_CHARACTERS else Normalised("") for text in texts]
    encoded = model.vocabulary.encode_lines([split_symbols(text, model.vocabulary)[0] for text in readable])
    return [ids if len(ids) - 1 <= limit and (text or empty) and len(given) <= MAX_CHARACTERS else []
            for ids, text, given in zip(encoded, readable, texts, strict=True)]


def _translated(
    model: TranslationModel,
    texts: Sequence[Normalised],
    sources: Sequence[list[int]],
    settings: Settings,
    report: ProgressCallback,
) -> tuple[list[str], list[int]]:
    """The output and the outcome of each source, given as text and as pieces; those without pieces are not
    translated."""
    outputs, outcomes = [""] * len(sources), [UNTRANSLATED] * len(sources)
    rows = [row for row, source in enumerate(sources) if source]
    done = _Count("translating", report, len(sources) - len(rows), len(sources))

    def decoded(batch: list[int]) -> list[tuple[str, int]]:
        # Texts alone: `in_order` keeps what this gives until all is done, and weights of a whole file are gigabytes.
        best = [hypotheses[0] for hypotheses in search(model.network, [sources[row] for row in batch], settings)]
        done.add(len(batch))
        return [(_output_text(model, texts[row], one, settings), FINISHED if one.is_finished else UNFINISHED)
                for row, one in zip(batch, best, strict=True)]

    found = map_by_length(rows, lambda row: -len(sources[row]),
                     lambda batch: _fits([len(sources[row]) for row in batch], settings.beam), decoded)
    for row, (output, outcome) in zip(rows, found, strict=True):
        outputs[row], outcomes[row] = output, outcome
    return outputs, outcomes


def _output_text(model: TranslationModel, text: Normalised, hypothesis: Hypothesis, settings: Settings) -> str:
    """The translation of a text that a hypothesis is, copied symbols included."""
    if not split_symbols(text, model.vocabulary)[1]:
        return model.vocabulary.decode(hypothesis.tokens)
    return build_trace(model, encode_text(model, text, model.languages[0]), hypothesis, settings).target.text


def _score_references(
    model: TranslationModel, sources: Sequence[list[int]], targets: Sequence[list[int]], counts: Counts, report: ProgressCallback
) -> None:
    """Note how likely each reference is; those without pieces, or whose source has none, are left out."""
    pieces, millinats = _column(counts, "reference_pieces"), _column(counts, "reference_millinats")
    rows = [row for row, (source, target) in enumerate(zip(sources, targets, strict=True)) if source and target]
    done = _Count("reading references", report, len(sources) - len(rows), len(sources))

    def read(batch: list[EncodedPair]) -> list[float]:
        found = compute_log_likelihoods(model.network, [source for source, _ in batch], [target for _, target in batch])
        done.add(len(batch))
        return found

    given = [(sources[row], targets[row]) for row in rows]
    found = map_by_length(given, lambda pair: (-len(pair[1]), -_longer(pair)),
                     lambda batch: _fits(list(map(_longer, batch)), 1), read)
    for row, value in zip(rows, found, strict=True):
        pieces[row], millinats[row] = len(targets[row]), max(0, round(-1000 * value))


def _longer(pair: EncodedPair) -> int:
    return max(map(len, pair))


def _fits(lengths: Sequence[int], copies: int) -> bool:
    """Whether memory allows a batch of sentences of these lengths, each decoded so many times at once."""
    return len(lengths) <= MAX_BATCH_SENTENCES and len(lengths) * max(lengths) * copies <= MAX_BATCH_PIECES


class _Count:
    """How many sentences are done, reported as they are."""

    def __init__(self, stage: str, report: ProgressCallback, done: int, total: int) -> None:
        self._stage, self._report, self._done, self._total = stage, report, done, total
        self.add(0)

    def add(self, more: int) -> None:
        self._done += more
        self._report(self._stage, self._done, self._total)


def _column(counts: Counts, name: str) -> Counts:
    """A view of one column, to be written to."""
    values: Counts = counts[:, COLUMNS.index(name)]
    return values
