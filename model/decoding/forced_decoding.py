"""Forced decoding: score a given target token by token ("teacher forcing").

The result is the same record as that of search. So the model's view of any translation can be shown: how probable each
token was, what the model preferred, and what it attended to. Torch is imported by the first decoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from model.decoding import split_batch
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
    stream_chunks,
)
from model.text.cleaning import Pair
from model.text.normalise import NormalisedText
from model.text.vocabulary import EOS, PAD
from model.trace import Provenance, Trace

if TYPE_CHECKING:
    from model.networks.base import Translator

MAX_TARGET_TOKENS = 1024  # without "</s>"

EncodedPair = tuple[EncodedSentence, EncodedSentence]


def force_decode(
    network: Translator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    settings: Settings | None = None,
    should_stop: StopCallback | None = None,
) -> list[Hypothesis]:
    """Return the given target of each source as a Hypothesis. All pairs are decoded as one batch.

    sources: token ids, EOS last.
    targets: token ids, with EOS last for a finished translation.
    settings: only `candidates`, `detail`, `unk` and those of the score are used. With `detail` each pair is decoded
        alone.

    Raises ValueError for other sources or targets, for an impossible token and for a network in training mode;
    SettingsError for `beta` above 0 with a model without attention; SearchStopped if `should_stop` returns True.
    """
    from model.decoding.batch_search import force_batch  # here: torch takes seconds to import

    settings = settings or Settings()
    _check_targets(sources, targets)
    return [hypothesis for part in split_batch(len(sources), settings)
            for hypothesis in force_batch(network, sources[part], targets[part], settings, should_stop)]


def compute_log_likelihoods(
    network: Translator, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[float]:
    """Return log p(target | source) of each pair in nats.

    Like `force_decode`, but faster and with little memory.
    """
    from model.decoding.batch_search import sum_target_log_probs  # here: torch takes seconds to import

    _check_targets(sources, targets)
    return sum_target_log_probs(network, sources, targets) if sources else []


def build_forced_trace(
    model: TranslationModel, source: NormalisedText, target: NormalisedText, settings: Settings | None = None,
    should_stop: StopCallback | None = None,
) -> Trace:
    """Return the Trace of a given translation.

    Raises SentenceError if either text is empty or too long; otherwise as `force_decode`.
    """
    settings = settings or Settings()
    pair = _prepare_pair(model, source, target)
    hypothesis = force_decode(model.network, [pair[0].ids], [pair[1].ids], settings, should_stop)[0]
    return _build_trace(model, pair, hypothesis, settings)


def build_forced_traces(
    model: TranslationModel, pairs: Iterable[Pair], settings: Settings | None = None, batch_size: int = 32
) -> Iterator[Trace | None]:
    """Yield the Trace of each pair (source, target), in order; None for a pair with an empty side.

    Pairs are read four batches at a time (the first time one) and batched by length. A batch size of 1 decodes each
    pair before the next is read. Raises SentenceError with the number of a pair that is too long, after the Traces of
    all pairs before it; ValueError for a batch size below 1; SettingsError as `force_decode` does.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be 1 or more: got {batch_size}.")
    settings = settings or Settings()

    def prepare(pair: Pair) -> EncodedPair | None:
        try:
            return _prepare_pair(model, *pair)
        except SentenceError as error:
            if error.kind != "empty":
                raise
            return None

    def decode_batch(batch: list[EncodedPair]) -> list[Hypothesis]:
        return force_decode(model.network, [source.ids for source, _ in batch], [target.ids for _, target in batch],
                            settings)

    def decode_chunk(chunk: Sequence[EncodedPair | None]) -> Iterator[Trace | None]:
        hypotheses = map_by_length([pair for pair in chunk if pair is not None],
                                   lambda pair: (len(pair[1].ids), len(pair[0].ids)), batch_size, decode_batch)
        for pair in chunk:
            yield None if pair is None else _build_trace(model, pair, next(hypotheses), settings)

    return stream_chunks(iter(pairs), batch_size, prepare, decode_chunk)


def _prepare_pair(model: TranslationModel, source: NormalisedText, target: NormalisedText) -> EncodedPair:
    sentence = prepare_source(model, source)
    if len(target) > MAX_CHARACTERS:
        raise SentenceError("characters", len(target), MAX_CHARACTERS, is_target=True)
    if not target:
        raise SentenceError("empty", is_target=True)
    encoded_target = encode_text(model, target, model.languages[1], sentence.unknown_words)
    if len(encoded_target.ids) - 1 > MAX_TARGET_TOKENS:
        raise SentenceError("pieces", len(encoded_target.ids) - 1, MAX_TARGET_TOKENS, is_target=True)
    return sentence, encoded_target


def _build_trace(model: TranslationModel, pair: EncodedPair, hypothesis: Hypothesis, settings: Settings) -> Trace:
    """Build the Trace, with provenance "forced" and the target as it was given, symbols included."""
    source, target = pair
    trace = build_trace(model, source, hypothesis, settings)
    return replace(trace, provenance=Provenance(model.name, model.fingerprint, "forced", {}), target=target.side)


def _check_targets(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> None:
    if len(sources) != len(targets):
        raise ValueError(f"Each source has one target: got {len(sources)} sources and {len(targets)} targets.")
    for target in targets:
        if not target or PAD in target or EOS in target[:-1]:
            raise ValueError(f"A target is a list of token ids without PAD ({PAD}), with EOS ({EOS}) at its end or not "
                             f"at all: got {list(target)[:20]}.")
