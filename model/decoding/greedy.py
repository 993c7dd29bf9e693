"""Greedy search, and decoding with one hypothesis per sentence in general."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from model.decoding.batch_decoder import BatchDecoder
from model.decoding.hypothesis import EMPTY_HYPOTHESIS, Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import StepResult, Translator

ChooseTokens = Callable[[StepResult, Mapping[int, int]], Mapping[int, int]]
"""Return the token of each row, given the step's result and, by row number, the sentence of each row without a forced
token."""


def search_greedily(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]],
    should_stop: StopCallback | None = None,
    overrides: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """Take the most probable token at every step. Return a list of one hypothesis for each source."""
    return search_single_path(network, sources, settings, prefixes, should_stop, overrides)


def search_single_path(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]],
    should_stop: StopCallback | None = None,
    overrides: Sequence[Overrides] | None = None,
    choose_tokens: ChooseTokens | None = None,
    max_lengths: Sequence[int] | None = None,
) -> list[list[Hypothesis]]:
    """Return a list of one hypothesis for each source, which begins with its prefix.

    After the prefix `choose_tokens` decides, or the most probable token is taken. Prefixes in `overrides` are ignored
    here. Finished sentences leave the batch. `max_lengths`: by default those of the settings.
    """
    results: dict[int, Hypothesis] = {}
    if not sources:
        return []
    max_lengths = max_lengths or [settings.compute_max_target_length(len(source)) for source in sources]
    decoder = BatchDecoder(network, sources, settings, overrides)
    sentences = list(range(len(sources)))  # the sentence of each row
    hypotheses = [EMPTY_HYPOTHESIS] * len(sources)
    while sentences:
        raise_if_stopped(should_stop)
        result, output = decoder.step([hypothesis.token for hypothesis in hypotheses], sentences)
        length = hypotheses[0].length
        tokens = {row: prefixes[sentence][length] for row, sentence in enumerate(sentences)
                  if length < len(prefixes[sentence])}
        if choose_tokens is not None:
            tokens |= choose_tokens(result, {row: sentence for row, sentence in enumerate(sentences)
                                             if row not in tokens})
        log_probs = decoder.get_forced_log_probs(result, tokens)
        hypotheses = [hypothesis.extend(tokens[row], log_probs[row], output, row) if row in tokens
                      else hypothesis.extend_by_rank(output, row, 0) for row, hypothesis in enumerate(hypotheses)]
        live_rows = []
        for row, (sentence, hypothesis) in enumerate(zip(sentences, hypotheses, strict=True)):
            if hypothesis.is_finished or hypothesis.length == max_lengths[sentence]:
                results[sentence] = hypothesis.to_hypothesis(decoder.sources[sentence], settings)
            else:
                live_rows.append(row)
        if len(live_rows) < len(hypotheses):
            sentences = [sentences[row] for row in live_rows]
            hypotheses = [hypotheses[row] for row in live_rows]
            if sentences:
                decoder.select(live_rows)
    return [[results[sentence]] for sentence in range(len(sources))]
