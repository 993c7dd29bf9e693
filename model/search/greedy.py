"""Greedy search: at every step the likeliest piece, for a batch of sentences at once."""

from __future__ import annotations

from collections.abc import Sequence

from model.search.hypothesis import ROOT, Hypothesis
from model.search.settings import Settings
from model.search.step import rows_of, start, take
from model.translator import Translator


def greedy(network: Translator, sources: Sequence[Sequence[int]], settings: Settings) -> list[list[Hypothesis]]:
    """For each source (piece ids, EOS last) a list of one hypothesis. Sentences that have ended leave the batch."""
    results: list[list[Hypothesis]] = [[] for _ in sources]
    state = start(network, sources)
    open_sentences = list(range(len(sources)))  # the sentence of each row
    paths = [ROOT] * len(sources)
    while open_sentences:
        look, state = take(network, state, [path.piece for path in paths], max(1, settings.candidates), settings.detail)
        paths = [path.extended(look, row, 0) for row, path in enumerate(paths)]
        staying = []
        for row, (sentence, path) in enumerate(zip(open_sentences, paths, strict=True)):
            source_pieces = len(sources[sentence])
            if path.ended or path.length == settings.longest(source_pieces):
                score = settings.score(path.total, path.length)
                results[sentence] = [path.hypothesis(source_pieces, settings.candidates, settings.detail, score)]
            else:
                staying.append(row)
        if len(staying) < len(paths):
            state = state.select(rows_of(network, staying))
            open_sentences = [open_sentences[row] for row in staying]
            paths = [paths[row] for row in staying]
    return results
