"""Search along one path a sentence, for a batch at once. Greedy: at every step the likeliest piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from model.decoding.batch_decoder import Decoding, values_of
from model.decoding.hypothesis import ROOT, Hypothesis
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings
from model.decoding.stop_callback import Stopped, go_on
from model.networks.base import StepResult, Translator

Choose = Callable[[StepResult, Mapping[int, int]], Mapping[int, int]]
"""From a step, and the sentence of each row that is free to choose, to the piece that each such row writes."""


def greedy(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    prefixes: Sequence[Sequence[int]] | None = None,
    stopped: Stopped | None = None,
    edits: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) a list of one hypothesis, which begins with its prefix (piece ids)."""
    longest = [settings.longest(len(source)) for source in sources]
    given = prefixes or [()] * len(sources)
    return [[one] for one in follow(network, sources, settings, given, longest, stopped=stopped, edits=edits)]


def follow(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings,
    given: Sequence[Sequence[int]],
    longest: Sequence[int],
    choose: Choose | None = None,
    stopped: Stopped | None = None,
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
    decoding = Decoding(network, sources, settings, edits)
    open_sentences = list(range(len(sources)))  # the sentence of each row
    paths = [ROOT] * len(sources)
    while open_sentences:
        go_on(stopped)
        result, look = decoding.take([path.piece for path in paths], open_sentences)
        written = paths[0].length
        pieces = {row: given[sentence][written] for row, sentence in enumerate(open_sentences)
                  if written < len(given[sentence])}
        if choose is not None:
            pieces |= choose(result, {row: one for row, one in enumerate(open_sentences) if row not in pieces})
        values = values_of(result, pieces, written + 1)
        paths = [path.followed(pieces[row], values[row], look, row) if row in pieces else path.extended(look, row, 0)
                 for row, path in enumerate(paths)]
        staying = []
        for row, (sentence, path) in enumerate(zip(open_sentences, paths, strict=True)):
            if path.ended or path.length == longest[sentence]:
                results[sentence] = path.hypothesis(decoding.sources[sentence], settings)
            else:
                staying.append(row)
        if len(staying) < len(paths):
            decoding.select(staying)
            open_sentences = [open_sentences[row] for row in staying]
            paths = [paths[row] for row in staying]
    return [results[sentence] for sentence in range(len(sources))]
