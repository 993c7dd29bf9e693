"""Alignment of given pairs: where the model looks while it is made to write a translation that is given to it.

Soft alignment is α itself, brought from pieces to words: summed over the pieces of a source word, averaged over those
of a target word, "</s>" kept as a last row and column, so that rows still sum to 1. The hard alignment links each
target word to the source word it looked at most; where that is the source's "</s>", it is linked to nothing. At most
one link a target word: what several source words say together can't be seen in it, and of equals the first is taken.

Words are those of the view (`model.text.words`) or, where links must be compared with a file's own, its white-space
tokens: there a piece that reaches over several tokens counts for each of them. The model is given such tokens as they
are written, or joined to real text (`surface`), the only French it has seen: two ways, and two alignments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.analysis.alignment.detokenize import DetokenizedText, detokenize
from model.decoding import Settings
from model.decoding.forced_decoding import force
from model.decoding.translate import Model
from model.serialization.codec import dump_json
from model.text.normalise import normalise
from model.text.symbols import split_symbols
from model.text.vocabulary import Vocabulary
from model.trace import END_PIECE, Array, Trace, find_main_map

Weights = NDArray[np.float64]
TokenForm = Literal["surface", "written"]
TOKEN_FORMS: tuple[TokenForm, ...] = get_args(TokenForm)
"""How a model is given a file's tokens: joined to real text, or as they are written."""


class AlignmentError(ValueError):
    """Pairs that cannot be read or aligned; the message is one sentence for the reader."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where a model looked while it wrote a given target.

    `source`, `target`: the words (or tokens) that `weights` (target words + 1, source words + 1) goes over, the last
    row and column being "</s>". A token without a sign that the model sees has a row or column of zeros. `trace`: the
    whole record, over pieces and the view's words. A pair with an empty side has no trace, no words, no links.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Array | Weights
    trace: Trace | None
    tokens: bool = False

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The hard alignment: (source word, target word), counted from 0, in the order of the target."""
        found = []
        for target, row in enumerate(self.weights[: len(self.target)]):
            source = int(np.argmax(row))
            if source < len(self.source) and row[source] > 0:
                found.append((source, target))
        return tuple(found)

    def pharaoh(self) -> str:
        """The links as `i-j`, source word - target word, counted from 0, apart by spaces; "" if there are none."""
        return " ".join(f"{source}-{target}" for source, target in self.links)

    def to_json(self) -> str:
        """One line: the Trace, or, over a file's tokens, these tokens and their weights; "null" for an empty pair."""
        if self.trace is None:
            return "null"
        if not self.tokens:
            return self.trace.to_json()
        made_by = self.trace.made_by
        content = {
            "model": made_by.model, "fingerprint": made_by.fingerprint, "search": made_by.search,
            "source": [*self.source, END_PIECE], "target": [*self.target, END_PIECE],
            "weights": [[float(f"{value:.6g}") for value in row] for row in self.weights.tolist()],
            "log_probability": self.trace.log_probability,
        }  # fmt: skip
        return dump_json(content)


def align(
    model: Model, pairs: Iterable[tuple[str, str]], *, tokens: TokenForm | None = None, batch_size: int = 32
) -> Iterator[Alignment]:
    """The alignment of each pair (source, target), in order and as they come, by teacher-forced attention.

    `tokens`: over the white-space tokens of the given texts instead of the view's words, given to the model in one of
    WAYS. Raises AlignmentError for a model without attention; a pair too long raises SentenceError with its number once
    those before are given back.
    """
    if find_main_map(model.network.maps) is None:
        raise AlignmentError(f"{model.name} has no attention, so that it aligns nothing: choose one that attends.")
    if tokens is None:
        entering = ((normalise(source), normalise(target)) for source, target in pairs)
        traces = force(model, entering, Settings(candidates=0), batch_size)
        return (_alignment(trace) for trace in traces)
    split = ((source.split(), target.split()) for source, target in pairs)
    given, decoded = tee((pair, render_pair(*pair, tokens)) for pair in split)
    texts = ((normalise(source.text), normalise(target.text)) for _, (source, target) in decoded)
    traces = force(model, texts, Settings(candidates=0), batch_size)
    return (
        _token_alignment(model.vocabulary, pair, sides, trace)
        for trace, (pair, sides) in zip(traces, given, strict=True)
    )


def render_pair(
    source: Sequence[str], target: Sequence[str], form: TokenForm
) -> tuple[DetokenizedText, DetokenizedText]:
    """The texts that a model is given for the tokens of an English and a French line.

    A line stays as it is written where the rules of `surface` would leave spaces that normalising takes away.
    """
    written = _as_written(source), _as_written(target)
    if form == "written":
        return written
    joined = detokenize(source, "en"), detokenize(target, "fr")
    first, second = (a if normalise(a.text) == a.text else b for a, b in zip(joined, written, strict=True))
    return first, second


def _alignment(trace: Trace | None) -> Alignment:
    if trace is None:
        return Alignment((), (), np.zeros((1, 1)), None)
    return Alignment(trace.source.words, trace.target.words, trace.compute_word_map_with_end(), trace)


def _token_alignment(
    vocabulary: Vocabulary, pair: Sequence[Sequence[str]], sides: Sequence[DetokenizedText], trace: Trace | None
) -> Alignment:
    if trace is None:
        return Alignment((), (), np.zeros((1, 1)), None, True)
    columns, rows = (
        build_token_membership(side, len(tokens), vocabulary) for side, tokens in zip(sides, pair, strict=True)
    )
    weights = pool_to_tokens(trace.get_map().values, rows, columns)
    return Alignment(tuple(pair[0]), tuple(pair[1]), weights, trace, True)


def pool_to_tokens(weights: Array | Weights, rows: Weights, columns: Weights) -> Weights:
    """Weights (target pieces, source pieces) over tokens, by membership (target tokens, target pieces) and (source
    tokens, source pieces): the mean of a target token's pieces, the sum of a source token's shares of pieces.
    """
    sizes = rows.sum(axis=1, keepdims=True)
    means = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
    shares = columns / columns.sum(axis=0)
    result: Weights = means @ np.asarray(weights, dtype=np.float64) @ shares.T
    return result


def build_token_membership(side: DetokenizedText, tokens: int, vocabulary: Vocabulary) -> Weights:
    """Which piece of a text touches which of the tokens it was made of, (tokens + 1, pieces) of 0 and 1; "</s>" last.

    A piece with a character of several tokens ("des", of "de les") touches all of them. No piece touches a symbol that
    is copied past the model. Raises AlignmentError where the vocabulary can't spell the text: unknown words next to
    each other are one piece.
    """
    text, symbols = split_symbols(normalise(side.text), vocabulary)
    copied = {place for symbol in symbols for place in range(symbol.start, symbol.end)}
    seen_owners = (owned for place, (sign, owned) in enumerate(zip(side.text, side.token_indices, strict=True))
                   if sign != " " and place not in copied)
    owners = [() if sign == " " else next(seen_owners) for sign in text]
    ids = vocabulary.encode(text)
    if vocabulary.decode(ids) != text:
        raise AlignmentError(f"The model's vocabulary doesn't know every word of {text[:60]!r}, so that its pieces "
                             "can't be told apart by tokens: align to words instead.")
    result = np.zeros((tokens + 1, len(ids)))
    result[-1, -1] = 1.0
    following: tuple[int, ...] = (tokens - 1,)
    # From the end: a piece that shows nothing (a lone "▁") belongs to the token that begins after it.
    for piece, span in reversed(list(enumerate(vocabulary.find_spans(ids)[:-1]))):
        seen = [owner for owner in owners[span[0] : span[1]] if owner] if span else []
        touched = sorted({token for owner in seen for token in owner}) or list(following)
        following = seen[0] if seen else following
        result[touched, piece] = 1.0
    return result


def _as_written(tokens: Sequence[str]) -> DetokenizedText:
    text = normalise(" ".join(tokens))
    owners = tuple((token,) if token >= 0 else () for token in map_characters_to_tokens(tokens, text))
    return DetokenizedText(text, owners, frozenset())


def map_characters_to_tokens(tokens: Sequence[str], text: str) -> list[int]:
    """The number of the token that each character of `text`, their line normalised, comes from; -1 for spaces.

    Normalising may join tokens ("Quoi ?" is "Quoi?") and change them ("«" is a quotation mark), but keeps the order.
    """
    signs = [character for character in text if character != " "]
    ends = np.cumsum([len(_visible(token)) for token in tokens]).tolist()
    if "".join(map(_visible, tokens)) != "".join(signs):  # tokens that act on one another: a letter, its accent apart
        ends = [len(_visible(" ".join(tokens[: count + 1]))) for count in range(len(tokens))]
    result = []
    token, seen = 0, 0
    for character in text:
        if character == " ":
            result.append(-1)
            continue
        while token < len(tokens) - 1 and seen >= ends[token]:
            token += 1
        result.append(token)
        seen += 1
    return result


def _visible(text: str) -> str:
    return normalise(text).replace(" ", "")
