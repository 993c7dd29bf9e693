"""Search along one path a sentence, for a batch at once. Greedy: at every step the likeliest piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from model.decoding.batch_decoder import BatchDecoder, get_log_probs
from model.decoding.hypothesis import EMPTY, Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.networks.base import StepResult, Translator

Choose = Callable[[StepResult, Mapping[int, int]], Mapping[int, int]]
"""From a step, and the sentence of each row that is free to choose, to the piece that each such row writes."""


def greedy_search(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]] | None = None,
    stopped: StopCallback | None = None,
    edits: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) a list of one hypothesis, which begins with its prefix (piece ids)."""
    longest = [settings.max_target_length(len(source)) for source in sources]
    given = prefixes or [()] * len(sources)
    return [[one] for one in search_single_path(network, sources, settings, given, longest, stopped=stopped, edits=edits)]


def search_single_path(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    given: Sequence[Sequence[int]],
    longest: Sequence[int],
    choose: Choose | None = None,
    stopped: StopCallback | None = None,
    edits: Sequence[Overrides] | None = None,
) -> list[Hypothesis]:
    """For each source one hypothesis that begins with the `given` pieces and has at most `longest`.

    After the given pieces `choose` says what is written, or the likeliest piece is. Sentences that have ended leave the
    batch. `edits` has the changed rows of each sentence; their prefixes are among the given pieces already.
    SearchStopped once `stopped` says so.
    """
    results: dict[int, Hypothesis] = {}
    if not sources:
        return []
    decoding = BatchDecoder(network, sources, settings, edits)
    open_sentences = list(range(len(sources)))  # the sentence of each row
    paths = [EMPTY] * len(sources)
    while open_sentences:
        raise_if_stopped(stopped)
        result, look = decoding.step([path.token for path in paths], open_sentences)
        written = paths[0].length
        pieces = {row: given[sentence][written] for row, sentence in enumerate(open_sentences)
                  if written < len(given[sentence])}
        if choose is not None:
            pieces |= choose(result, {row: one for row, one in enumerate(open_sentences) if row not in pieces})
        values = get_log_probs(result, pieces, written + 1)
        paths = [path.extend(pieces[row], values[row], look, row) if row in pieces else path.extend_by_rank(look, row, 0)
                 for row, path in enumerate(paths)]
        staying = []
        for row, (sentence, path) in enumerate(zip(open_sentences, paths, strict=True)):
            if path.is_finished or path.length == longest[sentence]:
                results[sentence] = path.to_hypothesis(decoding.sources[sentence], settings)
            else:
                staying.append(row)
        if len(staying) < len(paths):
            decoding.select(staying)
            open_sentences = [open_sentences[row] for row in staying]
            paths = [paths[row] for row in staying]
    return [results[sentence] for sentence in range(len(sources))]
