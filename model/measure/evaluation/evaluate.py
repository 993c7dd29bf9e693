"""Making an evaluation: translate, score, count. Sentences of like length share a batch; torch comes with the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from model.measure.evaluation.evaluation import (
    COLUMNS,
    FINISHED,
    UNFINISHED,
    UNTRANSLATED,
    Data,
    Evaluation,
    EvaluationError,
    ParallelText,
    perplexity,
)
from model.measure.scores.bleu import ORDERS, Counts, bleu, bleu_signature, chrf, moses_bleu, statistics
from model.measure.scores.length_curve import band, curve
from model.search import Settings, search
from model.search.forced import TARGET_LIMIT, log_likelihoods
from model.search.translate import CHARACTER_LIMIT, PIECE_LIMIT, Model

SENTENCES_AT_ONCE = 128
PIECES_AT_ONCE = 8192  # of source pieces, padding and the beam's copies counted: bounds the memory of a batch

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many sentences of it are done, and how many there are."""


def evaluate(
    model: Model,
    text: ParallelText,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
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
    sources = _sources(model, [source for source, _ in text.pairs])
    targets = _encoded(model, references, TARGET_LIMIT, empty=True)
    if not any(source and target for source, target in zip(sources, targets, strict=True)):
        raise EvaluationError(f"Nothing in {text.name} can be translated: every source is empty or too long.")

    outputs, outcomes = _translated(model, sources, settings, report)
    counts = np.zeros((len(text.pairs), len(COLUMNS)), dtype=np.int64)
    _column(counts, "source_words")[:] = [len(source.split()) for source, _ in text.pairs]
    _column(counts, "outcome")[:] = outcomes
    _score_references(model, sources, targets, settings, counts, report)

    report("scoring", 0, len(outputs))
    sums = statistics(outputs, references)
    counts[:, 1 : 1 + ORDERS] = sums[:, :ORDERS]
    counts[:, 1 + ORDERS : 3 + ORDERS] = sums[:, 2 * ORDERS :]
    low, high = band(sums)
    moses, moses_signature = moses_bleu(outputs, references)
    characters, chrf_signature = chrf(outputs, references)
    by_length = curve(sums, _column(counts, "source_words"))
    report("scoring", len(outputs), len(outputs))
    return Evaluation(
        model=model.name,
        fingerprint=model.fingerprint,
        data=Data(text.name, text.sha256, len(text.pairs)),
        search={"name": settings.name, **settings.deciding, **({"seed": settings.seed} if settings.sample else {})},
        scores={"bleu": bleu(sums.sum(axis=0)), "bleu_low": low, "bleu_high": high, "bleu_moses": moses,
                "chrf": characters, "perplexity": perplexity(counts)},
        signatures={
            "bleu": bleu_signature(), "bleu_moses": moses_signature, "chrf": chrf_signature,
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


def translations(
    model: Model, texts: Sequence[str], settings: Settings, progress: Progress | None = None
) -> list[str]:
    """The translations alone, in order; "" for a source that is empty or too long for the search."""
    settings = replace(settings, n_best=1, candidates=0, detail=False, tree=False)
    return _translated(model, _sources(model, texts), settings, progress or (lambda stage, done, total: None))[0]


def _sources(model: Model, texts: Sequence[str]) -> list[list[int]]:
    return _encoded(model, texts, PIECE_LIMIT, empty=False)


def _encoded(model: Model, texts: Sequence[str], limit: int, *, empty: bool) -> list[list[int]]:
    """The pieces of each normalised text; no pieces at all where there are too many, or where it may not be empty."""
    readable = [text if len(text) <= CHARACTER_LIMIT else "" for text in texts]
    encoded = model.vocabulary.encode_lines(readable)
    return [ids if len(ids) - 1 <= limit and (text or empty) and len(given) <= CHARACTER_LIMIT else []
            for ids, text, given in zip(encoded, readable, texts, strict=True)]


def _translated(
    model: Model, sources: Sequence[list[int]], settings: Settings, report: Progress
) -> tuple[list[str], list[int]]:
    """The output and the outcome of each source; those without pieces are not translated."""
    outputs, outcomes = [""] * len(sources), [UNTRANSLATED] * len(sources)
    rows = [row for row, source in enumerate(sources) if source]
    done = len(sources) - len(rows)
    report("translating", done, len(sources))
    for batch in _batches(rows, [len(source) for source in sources], settings.beam):
        for row, found in zip(batch, search(model.network, [sources[row] for row in batch], settings), strict=True):
            outputs[row] = model.vocabulary.decode(found[0].pieces)
            outcomes[row] = FINISHED if found[0].finished else UNFINISHED
        done += len(batch)
        report("translating", done, len(sources))
    return outputs, outcomes


def _score_references(
    model: Model, sources: Sequence[list[int]], targets: Sequence[list[int]], settings: Settings, counts: Counts,
    report: Progress,
) -> None:
    """Note how likely each reference is; those without pieces, or whose source has none, are left out."""
    pieces, millinats = _column(counts, "reference_pieces"), _column(counts, "reference_millinats")
    rows = [row for row, (source, target) in enumerate(zip(sources, targets, strict=True)) if source and target]
    done = len(sources) - len(rows)
    report("reading references", done, len(sources))
    lengths = [max(len(source), len(target)) for source, target in zip(sources, targets, strict=True)]
    for batch in _batches(rows, lengths, 1, by=[len(target) for target in targets]):
        found = log_likelihoods(model.network, [sources[row] for row in batch], [targets[row] for row in batch])
        pieces[batch] = [len(targets[row]) for row in batch]
        millinats[batch] = [max(0, round(-1000 * value)) for value in found]
        done += len(batch)
        report("reading references", done, len(sources))


def _batches(
    rows: Sequence[int], lengths: Sequence[int], copies: int, by: Sequence[int] | None = None
) -> Iterator[list[int]]:
    """Rows of like length together, the longest first, as many as memory allows; `by` orders them otherwise."""
    order = lengths if by is None else by
    batch: list[int] = []
    longest = 0
    for row in sorted(rows, key=lambda row: (-order[row], -lengths[row])):
        reach = max(longest, lengths[row])
        if batch and (len(batch) == SENTENCES_AT_ONCE or (len(batch) + 1) * reach * copies > PIECES_AT_ONCE):
            yield batch
            batch, reach = [], lengths[row]
        batch.append(row)
        longest = reach
    if batch:
        yield batch


def _column(counts: Counts, name: str) -> Counts:
    """A view of one column, to be written to."""
    values: Counts = counts[:, COLUMNS.index(name)]
    return values
