"""Align given pairs by the attention of a model that is forced to generate the target.

Soft alignment is α pooled from tokens of the model to words: summed over the tokens of a source word, averaged over
those of a target word, with "</s>" as last row and column, so that rows still sum to 1. The hard alignment links each
target word to the source word with the largest weight, the first of equal ones; if that is the source's "</s>", to
nothing.

Words are those of `model.text.words`, or the white-space tokens of a file whose links are compared. There, a model
token that covers several file tokens counts for each of them. The file's tokens are given to the model as they are
written, or detokenised (`detokenize`), which is the only French it has seen.
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
from model.decoding.forced_decoding import build_forced_traces
from model.decoding.translate import TranslationModel
from model.serialization.codec import dump_json
from model.text.normalise import normalise
from model.text.symbols import split_symbols
from model.text.vocabulary import Vocabulary
from model.trace import END_PIECE, Array, Trace, find_main_map

Weights = NDArray[np.float64]
TokenForm = Literal["surface", "written"]
TOKEN_FORMS: tuple[TokenForm, ...] = get_args(TokenForm)
"""How a file's tokens are given to a model: detokenised ("surface"), or as they are written."""


class AlignmentError(ValueError):
    """Raised for pairs that cannot be read or aligned; the message is one sentence for the user."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """The alignment of one pair.

    A pair with an empty side has no trace, words or links.

    Attributes:
        source: the source words, or the file's tokens.
        target: the target words, or the file's tokens.
        weights: (target words + 1, source words + 1); the last row and column are "</s>". A token that the model does
            not see has a row or column of zeros.
        trace: the forced translation, over the model's tokens and words.
        is_tokenized: whether `source` and `target` are a file's tokens.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Array | Weights
    trace: Trace | None
    is_tokenized: bool = False

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The hard alignment: (source word, target word), from 0, in target order."""
        links = []
        for target, row in enumerate(self.weights[: len(self.target)]):
            source = int(np.argmax(row))
            if source < len(self.source) and row[source] > 0:
                links.append((source, target))
        return tuple(links)

    def format_pharaoh(self) -> str:
        """Return the links in Pharaoh format: `i-j`, source word - target word, from 0, separated by spaces."""
        return " ".join(f"{source}-{target}" for source, target in self.links)

    def to_json(self) -> str:
        """Return one line of JSON: the Trace, or a file's tokens with their weights; "null" for an empty pair."""
        if self.trace is None:
            return "null"
        if not self.is_tokenized:
            return self.trace.to_json()
        provenance = self.trace.provenance
        content = {
            "model": provenance.model, "fingerprint": provenance.fingerprint, "search": provenance.search,
            "source": [*self.source, END_PIECE], "target": [*self.target, END_PIECE],
            "weights": [[float(f"{value:.6g}") for value in row] for row in self.weights.tolist()],
            "log_probability": self.trace.log_probability,
        }  # fmt: skip
        return dump_json(content)


def align(
    model: TranslationModel, pairs: Iterable[tuple[str, str]], *, token_form: TokenForm | None = None,
    batch_size: int = 32,
) -> Iterator[Alignment]:
    """Yield the alignment of each pair (source, target) by forced decoding, in order and lazily.

    With `token_form`, align the white-space tokens of the texts, given to the model in one of TOKEN_FORMS. Raises
    AlignmentError for a model without attention, and SentenceError with the number of a pair that is too long, after
    the pairs before it.
    """
    if find_main_map(model.network.maps) is None:
        raise AlignmentError(f"{model.name} has no attention, so that it aligns nothing: choose one that attends.")
    if token_form is None:
        texts = ((normalise(source), normalise(target)) for source, target in pairs)
        traces = build_forced_traces(model, texts, Settings(candidates=0), batch_size)
        return (_align_words(trace) for trace in traces)
    split = ((source.split(), target.split()) for source, target in pairs)
    rendered, decoded = tee((pair, render_pair(*pair, token_form)) for pair in split)
    texts = ((normalise(source.text), normalise(target.text)) for _, (source, target) in decoded)
    traces = build_forced_traces(model, texts, Settings(candidates=0), batch_size)
    return (
        _align_tokens(model.vocabulary, pair, sides, trace)
        for trace, (pair, sides) in zip(traces, rendered, strict=True)
    )


def render_pair(
    source: Sequence[str], target: Sequence[str], form: TokenForm
) -> tuple[DetokenizedText, DetokenizedText]:
    """Return the texts to give to a model for the tokens of an English and a French line.

    A line stays as written where detokenising would leave spaces that normalising removes.
    """
    written_texts = _keep_as_written(source), _keep_as_written(target)
    if form == "written":
        return written_texts
    detokenized_texts = detokenize(source, "en"), detokenize(target, "fr")
    first, second = (a if normalise(a.text) == a.text else b
                     for a, b in zip(detokenized_texts, written_texts, strict=True))
    return first, second


def _align_words(trace: Trace | None) -> Alignment:
    if trace is None:
        return Alignment((), (), np.zeros((1, 1)), None)
    return Alignment(trace.source.words, trace.target.words, trace.compute_word_map_with_end(), trace)


def _align_tokens(
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
    """Pool weights (target, source) of model tokens to file tokens: mean over target, sum over source.

    `rows` (target tokens, model tokens) and `columns` (source tokens, model tokens) are memberships of 0 and 1. A model
    token that touches several source tokens is shared equally.
    """
    sizes = rows.sum(axis=1, keepdims=True)
    means = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
    shares = columns / columns.sum(axis=0)
    result: Weights = means @ np.asarray(weights, dtype=np.float64) @ shares.T
    return result


def build_token_membership(side: DetokenizedText, token_count: int, vocabulary: Vocabulary) -> Weights:
    """Return which model token of a text touches which of `token_count` file tokens.

    The result is (token_count + 1, model tokens) of 0 and 1; "</s>" is last. A model token with a character of several
    file tokens ("des" of "de les") touches all of them. Copied symbols, which bypass the model, are touched by none.
    """
    text, symbols = split_symbols(normalise(side.text), vocabulary)
    copied_positions = {position for symbol in symbols for position in range(symbol.start, symbol.end)}
    remaining = (indices for position, (character, indices)
                 in enumerate(zip(side.text, side.token_indices, strict=True))
                 if character != " " and position not in copied_positions)
    owners = [() if character == " " else next(remaining) for character in text]
    spans = vocabulary.find_text_spans(text)
    membership = np.zeros((token_count + 1, len(spans)))
    membership[-1, -1] = 1.0
    next_owner: tuple[int, ...] = (token_count - 1,)
    # From the end: a token without characters (a lone "▁") belongs to the token that begins after it.
    for model_token, span in reversed(list(enumerate(spans[:-1]))):
        span_owners = [owner for owner in owners[span[0] : span[1]] if owner] if span else []
        touched_tokens = sorted({token for owner in span_owners for token in owner}) or list(next_owner)
        next_owner = span_owners[0] if span_owners else next_owner
        membership[touched_tokens, model_token] = 1.0
    return membership


def _keep_as_written(tokens: Sequence[str]) -> DetokenizedText:
    text = normalise(" ".join(tokens))
    owners = tuple((token,) if token >= 0 else () for token in map_characters_to_tokens(tokens, text))
    return DetokenizedText(text, owners, frozenset())


def map_characters_to_tokens(tokens: Sequence[str], text: str) -> list[int]:
    """Return, for each character of `text`, the normalised line of `tokens`, the index of its token; -1 for spaces.

    Normalising may join tokens ("Quoi ?" is "Quoi?") and change them ("«" is a quotation mark), but keeps their order.
    """
    visible = [character for character in text if character != " "]
    token_ends = np.cumsum([len(_strip_spaces(token)) for token in tokens]).tolist()
    if "".join(map(_strip_spaces, tokens)) != "".join(visible):  # a combining accent may be a token
        token_ends = [len(_strip_spaces(" ".join(tokens[: count + 1]))) for count in range(len(tokens))]
    indices = []
    token, position = 0, 0
    for character in text:
        if character == " ":
            indices.append(-1)
            continue
        while token < len(tokens) - 1 and position >= token_ends[token]:
            token += 1
        indices.append(token)
        position += 1
    return indices


def _strip_spaces(text: str) -> str:
    return normalise(text).replace(" ", "")
