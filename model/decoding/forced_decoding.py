"""Forced decoding: what a network makes of a target that is given to it, piece by piece ("teacher forcing").

Where search asks which piece comes next, here it is known; the record is the same, so that a translation written by a
person can be looked at as one by the model: how likely each piece was, what the model would rather have written there,
and where it looked. Torch is imported by the first decoding, not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING

from model.decoding.hypothesis import Hypothesis
from model.decoding.length_batches import map_by_length
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback
from model.decoding.translate import (
    MAX_CHARACTERS,
    EncodedSentence,
    SentenceError,
    TranslationModel,
    build_trace,
    encode_text,
    prepare_source,
)
from model.text.normalise import Normalised
from model.text.vocabulary import EOS, PAD
from model.trace import Provenance, Trace

if TYPE_CHECKING:
    from model.networks.base import Translator

MAX_TARGET_PIECES = 1024  # target pieces, "</s>" not counted

Pair = tuple[Normalised, Normalised]


def force_decode(
    network: Translator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    settings: Settings | None = None,
    stopped: StopCallback | None = None,
) -> list[Hypothesis]:
    """The given target of each source as a Hypothesis, all decoded as one batch.

    A source is piece ids with EOS last, a target piece ids with EOS last (a finished translation) or without it (how
    one begins). Of the settings only `candidates`, `detail` and, for the score, `length_penalty`, `alpha` and `beta`
    matter; with `detail` each pair is decoded alone, so that no detail holds padding. Raises ValueError for anything
    else given as a source or target, for a piece that the network holds to be impossible, and for a network in
    training; SearchStopped once `stopped` says so.
    """
    import torch

    from model.decoding.greedy import search_single_path

    settings = settings or Settings()
    _check(sources, targets)
    size = 1 if settings.detail else max(1, len(sources))
    with torch.inference_mode():
        return [one for first in range(0, len(sources), size)
                for one in search_single_path(network, sources[first : first + size], settings, targets[first : first + size],
                                  [len(target) for target in targets[first : first + size]], stopped=stopped)]


def compute_log_likelihoods(
    network: Translator, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[float]:
    """log p(target | source) of each pair in nats, summed over the target's pieces; nothing else is kept.

    As `forced`, quicker and in little memory. A batch takes as many steps as its longest target has pieces: put
    targets of like length together.
    """
    import torch

    from model.decoding.batch_decoder import get_device, get_log_probs, start_decoding, to_index_tensor

    _check(sources, targets)
    totals = [0.0] * len(targets)
    if not sources:
        return totals
    with torch.inference_mode():
        stepping, state = start_decoding(network, sources)
        device, previous = get_device(network), [PAD] * len(targets)
        for position in range(max(map(len, targets))):
            result = stepping.step(state, to_index_tensor(device, previous))
            given = {row: target[position] for row, target in enumerate(targets) if position < len(target)}
            for row, value in get_log_probs(result, given, position + 1).items():
                totals[row] += value
            state, previous = result.state, [given.get(row, PAD) for row in range(len(targets))]
    return totals


def build_forced_trace(model: TranslationModel, source: Normalised, target: Normalised, settings: Settings | None = None,
              stopped: StopCallback | None = None) -> Trace:
    """The Trace of a model made to write `target` for `source`; SentenceError if either is empty or too long,
    SearchStopped once `stopped` says so."""
    settings = settings or Settings()
    sentence, given = _prepared(model, source, target)
    found = force_decode(model.network, [sentence.ids], [given.ids], settings, stopped)[0]
    return _trace(model, sentence, given, found, settings)


def build_forced_traces(
    model: TranslationModel, pairs: Iterable[Pair], settings: Settings | None = None, batch_size: int = 32
) -> Iterator[Trace | None]:
    """The Trace of each pair (source, target), in order and as they come; None for a pair with an empty side.

    Four batches of pairs are read at a time (at first only one) and those of like length are decoded together; a batch
    size of 1 reads, decodes and gives back one pair after the other. A pair that is too long raises SentenceError with
    its number once all before it have been given back; ValueError for a batch size below 1.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be 1 or more: got {batch_size}.")
    return _stream(model, pairs, settings or Settings(), batch_size)


def _stream(model: TranslationModel, pairs: Iterable[Pair], settings: Settings, batch_size: int) -> Iterator[Trace | None]:
    coming = iter(pairs)
    number = 0
    for size in chain([batch_size], repeat(4 * batch_size if batch_size > 1 else 1)):
        prepared: list[tuple[EncodedSentence, EncodedSentence] | None] = []
        problem: SentenceError | None = None
        for source, target in islice(coming, size):
            number += 1
            try:
                prepared.append(_prepared(model, source, target))
            except SentenceError as error:
                if error.kind != "empty":
                    problem = error
                    break
                prepared.append(None)
        traces = _together(model, [one for one in prepared if one is not None], settings, batch_size)
        yield from (None if one is None else next(traces) for one in prepared)
        if problem is not None:
            raise SentenceError(problem.kind, problem.size, problem.limit, number)
        if len(prepared) < size:
            return


def _together(
    model: TranslationModel, pairs: Sequence[tuple[EncodedSentence, EncodedSentence]], settings: Settings, batch_size: int
) -> Iterator[Trace]:
    """Decode pairs whose targets are of like length together, and give them back in their order."""
    def decoded(batch: list[tuple[EncodedSentence, EncodedSentence]]) -> list[Hypothesis]:
        sources, targets = [sentence.ids for sentence, _ in batch], [given.ids for _, given in batch]
        return force_decode(model.network, sources, targets, settings)

    found = map_by_length(pairs, lambda pair: (len(pair[1].ids), len(pair[0].ids)), batch_size, decoded)
    for (sentence, given), hypothesis in zip(pairs, found, strict=True):
        yield _trace(model, sentence, given, hypothesis, settings)


def _prepared(model: TranslationModel, source: Normalised, target: Normalised) -> tuple[EncodedSentence, EncodedSentence]:
    """A pair that can be decoded: the source and the target, symbols of either set aside."""
    sentence = prepare_source(model, source)
    if len(target) > MAX_CHARACTERS:
        raise SentenceError("characters", len(target), MAX_CHARACTERS)
    if not target:
        raise SentenceError("empty")
    given = encode_text(model, target, model.languages[1])
    if len(given.ids) - 1 > MAX_TARGET_PIECES:
        raise SentenceError("pieces", len(given.ids) - 1, MAX_TARGET_PIECES)
    return sentence, given


def _trace(model: TranslationModel, sentence: EncodedSentence, given: EncodedSentence, hypothesis: Hypothesis, settings: Settings) -> Trace:
    """The Trace; it says that nothing was searched for, and the target's symbols are those of the given text."""
    made_by = Provenance(model.name, model.fingerprint, "forced", {})
    return replace(build_trace(model, sentence, hypothesis, settings), made_by=made_by, target=given.side)


def _check(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> None:
    if len(sources) != len(targets):
        raise ValueError(f"Each source has one target: got {len(sources)} sources and {len(targets)} targets.")
    for target in targets:
        if not target or PAD in target or EOS in target[:-1]:
            raise ValueError(f"A target is a list of piece ids without PAD ({PAD}), with EOS ({EOS}) at its end or not "
                             f"at all: got {list(target)[:20]}.")
