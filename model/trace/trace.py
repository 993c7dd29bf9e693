"""The one record in the middle: what one model did with one sentence.

Search makes a `Trace`; pages, exports and measures read it. Plain Python and read-only numpy: no torch, no Streamlit.
Every record checks itself when it is made, so that a Trace that exists can be drawn, and `Trace.from_json` can be given
a stranger's file. How many pieces there are is written T (target) and S (source) in the shapes below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from model.serialization.codec import dump_json, get_schema, omit_if_empty, parse_json, read_record, to_plain
from model.text.languages import DEFAULT_PAIR, validate_code
from model.trace.checks import Array, TraceError, check_finite, check_text, convert_to_tuples, freeze_array, quote_value
from model.trace.maps import MapDescription, check_unique_keys, find_main_map
from model.trace.tree import Tree

SCHEMA = 2
READABLE_SCHEMAS = (1, SCHEMA)  # schema 1 had maps without layers and heads, one of them at most, and no edits
END_PIECE = "</s>"  # the piece that ends a sentence, on both sides
WORD_START = "▁"  # SentencePiece's mark (U+2581) on a piece that begins a word
ENERGIES = "energies"  # the name of the detail that becomes it, (T, S)
IMPORTED = "read in"  # the search of a translation made elsewhere, of which only the weights are known
ANNOTATIONS = "annotations"  # the name of the source detail of an encoder, (S, ...)

Setting = int | float | str | bool


@dataclass(frozen=True)
class Symbol:
    """An emoji or an arrow that the model was not shown: it was copied from the source to the translation.

    `start`: the position of its first character in the text of its side.
    """

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Side:
    """One side of the translation: its canonical text, its words, its pieces, and which word each piece belongs to.

    `word_of[k]` is the number of the word that piece k belongs to, or -1 if it belongs to none (the final "</s>").
    Apart from the -1 the numbers rise and leave no word out. `symbols`: the parts of the text that were copied
    (`model.text.symbols`), in order; they belong to no word and no piece. Raises TraceError.
    """

    text: str
    words: tuple[str, ...]
    pieces: tuple[str, ...]
    word_of: tuple[int, ...]
    symbols: tuple[Symbol, ...] = field(default=(), metadata=omit_if_empty())

    def __post_init__(self) -> None:
        convert_to_tuples(self, "words", "pieces", "word_of", "symbols")
        check_text("text", self.text, *self.words, *self.pieces)
        end = 0
        for symbol in self.symbols:
            if not symbol.text or symbol.start < end or self.text[symbol.start : symbol.end] != symbol.text:
                raise TraceError(f"A copied symbol stands in the text, after the symbols before it: got "
                                 f"{quote_value(symbol.text)} at {symbol.start}.")
            end = symbol.end
        if len(self.word_of) != len(self.pieces):
            raise TraceError(f"Each piece has one word number: got {len(self.pieces)} pieces and "
                             f"{len(self.word_of)} word numbers.")
        numbers = [word for word in self.word_of if word != -1]
        if any(later < earlier for earlier, later in pairwise(numbers)):
            raise TraceError(f"The word numbers of the pieces must not fall: got {quote_value(numbers)}.")
        if sorted(set(numbers)) != list(range(len(self.words))):
            raise TraceError(f"The pieces must cover every word: got {len(self.words)} words and "
                             f"the word numbers {quote_value(sorted(set(numbers)))}.")

    @property
    def has_end(self) -> bool:
        """Whether the last piece is the end of the sentence."""
        return bool(self.pieces) and self.pieces[-1] == END_PIECE and self.word_of[-1] == -1

    @cached_property
    def word_spans(self) -> tuple[tuple[int, int] | None, ...]:
        """Where each word stands in the text, as (start, end); None for a word that does not, in a record of others.

        A symbol may stand within the span of a word of signs ("!🎉!").
        """
        visible = self.text
        for symbol in self.symbols:
            visible = visible[: symbol.start] + "\0" * len(symbol.text) + visible[symbol.end :]
        found: list[tuple[int, int] | None] = []
        end = 0
        for word in self.words:
            pattern = "[\0 ]*".join(map(re.escape, word)) if self.symbols else re.escape(word)
            match = re.compile(pattern).search(visible, end)
            found.append(match.span() if match else None)
            end = match.end() if match else end
        return tuple(found)


@dataclass(frozen=True)
class Candidate:
    """A piece the model might have written at one step; `log_probability` in nats, under the model."""

    id: int
    piece: str
    log_probability: float

    def __post_init__(self) -> None:
        _check_piece(self)

    @property
    def continues_word(self) -> bool:
        """Whether the piece would go on with the word before it (it neither begins a word nor ends the sentence)."""
        return not self.piece.startswith(WORD_START) and self.piece != END_PIECE


@dataclass(frozen=True)
class Step:
    """The piece written at one step, and the likeliest candidates there, best first (none where nobody asked)."""

    id: int
    piece: str
    log_probability: float
    candidates: tuple[Candidate, ...] = ()

    def __post_init__(self) -> None:
        convert_to_tuples(self, "candidates")
        _check_piece(self)
        for better, worse in pairwise(self.candidates):
            if worse.log_probability > better.log_probability:
                raise TraceError(f"Candidates come best first: got {better.log_probability} before "
                                 f"{worse.log_probability} at the piece {quote_value(self.piece)}.")


def compute_row_sums(values: Array) -> NDArray[np.float64]:
    """What each row of a map sums to, as its numbers are kept."""
    return np.asarray(values, np.float32).sum(axis=1, dtype=np.float64)


def is_row_stochastic(values: Array) -> bool:
    """Whether every row sums to 1, but for numbers that were rounded: by 0.001 and what single precision adds."""
    return bool(np.abs(compute_row_sums(values) - 1).max() <= 1.001e-3)


@dataclass(frozen=True, eq=False)
class WeightMap:
    """A named matrix of weights over pieces: `values` (rows, columns), float32, read-only, for example α (T, S).

    What it is stands in its other fields, which are those of a `MapDescription`. Raises TraceError.
    """

    name: str
    values: Array
    rows: str = "target"
    columns: str = "source"
    rows_sum_to_one: bool = True
    layer: int | None = None
    head: int | None = None

    @classmethod
    def from_description(cls, description: MapDescription, values: Array) -> WeightMap:
        """The weights of one sentence for what a network says of its map."""
        one = description
        return cls(one.name, values, one.rows, one.columns, one.rows_sum_to_one, one.layer, one.head)

    @cached_property
    def description(self) -> MapDescription:
        """What this map is, without its weights."""
        return MapDescription(self.name, self.layer, self.head, self.rows, self.columns, self.rows_sum_to_one)

    @property
    def key(self) -> str:
        """What tells it from the Trace's other maps (`MapDescription.key`)."""
        return self.description.key

    def __post_init__(self) -> None:
        _ = self.description  # which checks what it says of itself
        object.__setattr__(self, "values", freeze_array(self.values, f"The map {quote_value(self.name)}"))
        if self.values.ndim != 2:
            raise TraceError(f"The map {quote_value(self.name)} must have 2 axes: got {self.values.ndim}.")
        if self.rows_sum_to_one:
            sums = compute_row_sums(self.values)
            worst = int(np.argmax(np.abs(sums - 1)))
            if not is_row_stochastic(self.values):
                raise TraceError(f"Each row of the map {quote_value(self.name)} must sum to 1: row {worst + 1} "
                                 f"sums to {sums[worst]:.4f}.")
            if self.values.min() < 0:
                raise TraceError(f"The map {quote_value(self.name)} holds shares of 1 and so no number below 0: "
                                 f"got {self.values.min():.4f}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightMap):
            return NotImplemented
        return self.description == other.description and np.array_equal(self.values, other.values)


@dataclass(frozen=True)
class Provenance:
    """Who made a trace: model and the first digits of its weights' sha256, search and its settings, seed if any.

    `edits`: what a reader changed of the model's own doing, as `model.decoding.overrides` writes it; "" for nothing.
    """

    model: str
    fingerprint: str
    search: str
    settings: dict[str, Setting]
    seed: int | None = None
    edits: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", dict(self.settings))
        check_text("provenance", self.model, self.fingerprint, self.search, self.edits)
        for key, value in self.settings.items():
            check_text("name of a setting", key)
            unfit = not math.isfinite(value) if isinstance(value, float) else not isinstance(value, (bool, int, str))
            if unfit:
                raise TraceError(f"The setting {quote_value(key)} must be a finite number, a text or a truth value: "
                                 f"got {quote_value(value)}.")
            if isinstance(value, str):
                check_text(f"setting {quote_value(key)}", value)


@dataclass(frozen=True, eq=False)
class Trace:
    """What one model did with one sentence.

    `source` ends in "</s>", `target` exactly when `finished`. `steps` has one entry for each target piece. Every map is
    as long as its sides; RNNencdec has none. `shown` is the key of the map that a reader sees first, a target x source
    one: the first of them unless another is named, None where there is none. `log_probability` is the sum over the
    steps in nats, `score` what the search ranked by. `detail` (on request) holds further arrays by name, float32,
    read-only, their first axis the T steps; `source_detail` (on request) others whose first axis is the S source
    pieces. `tree` (on request) is all that the beam looked at for this sentence; of the n best traces of a sentence
    only the first has it, since it holds the paths of all of them (`Tree.find`). `languages` are the codes of the
    source's and the target's; a record from before they were noted is of English and French. Raises TraceError, with
    both numbers, where parts do not fit.
    """

    source: Side
    target: Side
    steps: tuple[Step, ...]
    maps: tuple[WeightMap, ...]
    log_probability: float
    score: float
    finished: bool
    made_by: Provenance
    detail: dict[str, Array] | None = None
    tree: Tree | None = None
    source_detail: dict[str, Array] | None = None
    languages: tuple[str, ...] = field(default_factory=lambda: DEFAULT_PAIR)
    shown: str | None = None
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        check_schema(self.schema)
        object.__setattr__(self, "schema", SCHEMA)
        convert_to_tuples(self, "steps", "maps")
        object.__setattr__(self, "languages", _pair(self.languages))
        for name in ("log_probability", "score"):
            object.__setattr__(
                self, name, check_finite(getattr(self, name), f"The {name.replace('_', '-')} of the trace")
            )
        self._check_sides()
        self._check_maps()
        self._check_detail("detail", "target")
        self._check_detail("source_detail", "source")
        self._check_tree()

    def _check_sides(self) -> None:
        if self.has_probabilities and not self.source.has_end:
            raise TraceError(f'The source must end in the piece "{END_PIECE}": got {_last(self.source.pieces)}.')
        if self.finished != self.target.has_end:
            expected = f'must end in "{END_PIECE}"' if self.finished else f'must not end in "{END_PIECE}"'
            state = "A finished" if self.finished else "An unfinished"
            raise TraceError(f"{state} target {expected}: got {_last(self.target.pieces)}.")
        if not self.steps:
            raise TraceError("A trace has at least one step: got 0.")
        if len(self.steps) != len(self.target.pieces):
            raise TraceError(f"Each target piece has one step: got {len(self.target.pieces)} target pieces and "
                             f"{len(self.steps)} steps.")
        for number, (step, piece) in enumerate(zip(self.steps, self.target.pieces, strict=True), 1):
            if step.piece != piece:
                raise TraceError(
                    f"Step {number} wrote {quote_value(step.piece)} and the target has {quote_value(piece)} there."
                )

    def _check_maps(self) -> None:
        check_unique_keys([weights.description for weights in self.maps])
        first = find_main_map([weights.description for weights in self.maps])
        if self.shown is None and first is not None:
            object.__setattr__(self, "shown", first.key)
        elif self.shown is not None and not any(
            one.key == self.shown and one.description.is_source_attention for one in self.maps
        ):
            raise TraceError(
                f"The map shown first must be a target x source map of the trace: got {quote_value(self.shown)}."
            )
        for weights in self.maps:
            rows, columns = weights.values.shape
            for axis, side, got in (("rows", weights.rows, rows), ("columns", weights.columns, columns)):
                pieces = len(self._side(side).pieces)
                if got != pieces:
                    raise TraceError(
                        f"The map {quote_value(weights.name)} does not fit: got {pieces} {side} pieces and "
                        f"a map of {got} {axis}."
                    )

    def _check_detail(self, field: str, side: str) -> None:
        """Freeze the arrays of `field`, whose first axis is the pieces of `side`."""
        if getattr(self, field) is None:
            return
        what, pieces = field.replace("_", " "), len(self._side(side).pieces)
        detail = {
            name: freeze_array(values, f"The {what} {quote_value(name)}")
            for name, values in getattr(self, field).items()
        }
        object.__setattr__(self, field, detail)
        for name, values in detail.items():
            check_text(f"name of a {what}", name)
            if values.ndim == 0 or len(values) != pieces:
                got = f"{len(values)} rows" if values.ndim else "one number"
                raise TraceError(f"The {what} {quote_value(name)} does not fit: got {pieces} {side} pieces and {got}.")

    def _check_tree(self) -> None:
        if self.tree is None:
            return
        path = self.tree.find_path([step.id for step in self.steps])
        if path is None:
            raise TraceError(f"The tree has no path for the target of {len(self.steps)} pieces.")
        for number, (step, node) in enumerate(zip(self.steps, path, strict=True), 1):
            if self.tree.pieces[node] != step.piece:
                raise TraceError(f"Step {number} wrote {quote_value(step.piece)} and the tree has "
                                 f"{quote_value(self.tree.pieces[node])} there.")
        fate, expected = self.tree.get_fate(path[-1]), "finished" if self.finished else "kept"
        if fate != expected:
            raise TraceError(f"The target's last node in the tree must be {expected}: got {fate}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        mine, others = ((t.source, t.target, t.steps, t.maps, t.log_probability, t.score, t.finished, t.made_by, t.tree,
                         t.languages, t.shown) for t in (self, other))
        return mine == others and _equal(self.detail, other.detail) and _equal(self.source_detail, other.source_detail)

    def __hash__(self) -> int:
        return hash((self.source.text, self.target.text, self.log_probability, self.made_by.fingerprint))

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_language(self) -> str:
        return self.languages[1]

    def _side(self, name: str) -> Side:
        return self.source if name == "source" else self.target

    @property
    def has_probabilities(self) -> bool:
        """Whether its probabilities are known: not those of a translation made elsewhere, whose source may besides lack
        an end."""
        return self.made_by.search != IMPORTED

    @property
    def has_attention(self) -> bool:
        """Whether some map says where the decoder looked in the source."""
        return self.shown is not None

    def get_map(self, key: str | None = None) -> WeightMap:
        """The weight map of that key, or the one that a reader sees first; TraceError if there is none (RNNencdec has
        no map at all)."""
        wanted = self.shown if key is None else key
        for weights in self.maps:
            if weights.key == wanted:
                return weights
        present = ", ".join(quote_value(weights.key) for weights in self.maps) or "none"
        raise TraceError(f"This trace of {quote_value(self.made_by.model)} has no weight map"
                         f"{'' if key is None else f' {quote_value(key)}'}; it has {present}.")

    def compute_word_map(self, key: str | None = None) -> Array:
        """The map over words, (target words, source words): sum over source pieces, mean over target pieces.

        What the model gave to the end of the source is left out and not shared among the words, so that rows may sum
        to less than 1.
        """
        weights = self.get_map(key)
        rows, columns = self._side(weights.rows), self._side(weights.columns)
        return self.compute_word_map_with_end(key)[: len(rows.words), : len(columns.words)]

    def compute_word_map_with_end(self, key: str | None = None) -> Array:
        """As `word_map`, with a last row and a last column for the pieces of no word (the end of the sentence).

        A side whose pieces all belong to words (an unfinished target) has no such row or column. Rows that sum to 1
        over pieces sum to 1 here.
        """
        weights = self.get_map(key)
        rows, columns = self._side(weights.rows), self._side(weights.columns)
        owners = columns.word_of if weights.rows != weights.columns or weights.rows == "source" \
            else (-1, *columns.word_of[:-1])  # what the decoder was given at each step: nothing, then the piece before
        means = build_word_membership(rows.word_of, len(rows.words))
        means = means / means.sum(axis=1, keepdims=True)
        sums = build_word_membership(owners, len(columns.words))
        return freeze_array(means @ weights.values.astype(np.float64) @ sums.T, f"The map {quote_value(weights.key)}")

    def compute_word_map_in_order(self, key: str | None = None) -> Array:
        """Return the map over words as `word_map_with_end` does, but with a row and a column for each piece of no word,
        where it stands: an imported file may have several. In a decoder's self-attention the first column is nothing,
        what it was given at the first step, and a word's column what it was given one step later."""
        weights = self.get_map(key)
        rows, columns = self._side(weights.rows), self._side(weights.columns)
        groups = group_positions_by_word(columns)
        if weights.rows == weights.columns == "target":
            groups = [(0,), *(tuple(place + 1 for place in positions) for positions in groups)]
            if columns.word_of[-1] == -1:
                groups.pop()
        means = _indicator(group_positions_by_word(rows), len(rows.pieces))
        means = means / means.sum(axis=1, keepdims=True)
        sums = _indicator(groups, len(columns.pieces))
        return freeze_array(means @ weights.values.astype(np.float64) @ sums.T, f"The map {quote_value(weights.key)}")

    def compute_word_log_probs(self) -> NDArray[np.float64]:
        """For each target word the sum of the log-probabilities of its pieces, (target words,), in nats."""
        sums = np.zeros(len(self.target.words))
        for word, step in zip(self.target.word_of, self.steps, strict=True):
            if word != -1:
                sums[word] += step.log_probability
        return sums

    def to_json(self) -> str:
        """The trace as one line of JSON; `from_json` gives back an equal one, every number exactly."""
        return dump_json(to_plain(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Trace:
        """The trace in a JSON text that may come from anywhere; CodecError, in one sentence, if it holds none."""
        value = parse_json(text, "a trace")
        check_schema(get_schema(value, "a trace"))
        return read_record(cls, value, "trace")


def check_schema(schema: object) -> None:
    """Refuse, with a TraceError, a trace written in a form this version does not know."""
    if schema not in READABLE_SCHEMAS or isinstance(schema, bool):
        raise TraceError(f"This version reads traces of schema {' and '.join(map(str, READABLE_SCHEMAS))}: got schema "
                         f"{quote_value(schema)}.")


def group_positions_by_word(side: Side) -> list[tuple[int, ...]]:
    """Return the positions of the pieces of each word, in order; a piece of no word is by itself."""
    found: list[tuple[int, ...]] = []
    for position, word in enumerate(side.word_of):
        if word != -1 and position and side.word_of[position - 1] == word:
            found[-1] = (*found[-1], position)
        else:
            found.append((position,))
    return found


def _indicator(groups: Sequence[Sequence[int]], pieces: int) -> NDArray[np.float64]:
    """Return which of so many pieces are in which group, (groups, pieces) of 0 and 1; positions beyond are left out."""
    numbers = np.arange(pieces)
    return np.array([np.isin(numbers, positions) for positions in groups], dtype=np.float64)


def build_word_membership(word_of: Sequence[int], words: int) -> NDArray[np.float64]:
    """Which piece belongs to which word, (words, pieces) of 0 and 1; one more row if there are pieces of no word."""
    numbers = np.array(word_of, dtype=np.int64)
    none = numbers == -1
    belongs: NDArray[np.bool_] = np.arange(words + bool(none.any()))[:, None] == np.where(none, words, numbers)
    return belongs.astype(np.float64)


def _pair(given: Sequence[str]) -> tuple[str, str]:
    """Two codes of languages; TraceError for anything else."""
    codes = tuple(given)
    if len(codes) != 2:
        raise TraceError(f"A trace has two languages, the source's and the target's: got {quote_value(codes)}.")
    try:
        return validate_code(codes[0]), validate_code(codes[1])
    except ValueError:
        raise TraceError(
            f"The languages of a trace are codes such as en, fr or ko: got {quote_value(codes)}."
        ) from None


def _equal(one: dict[str, Array] | None, other: dict[str, Array] | None) -> bool:
    if one is None or other is None:
        return one is other
    return sorted(one) == sorted(other) and all(np.array_equal(values, other[name]) for name, values in one.items())


def _check_piece(record: Candidate | Step) -> None:
    check_text("piece", record.piece)
    if record.id < 0:
        raise TraceError(
            f"The number of a piece counts from 0: got {quote_value(record.id)} for {quote_value(record.piece)}."
        )
    number = check_finite(record.log_probability, f"The log-probability of {quote_value(record.piece)}")
    if number > 1e-6:  # rounding may leave a certain piece a hair above 0
        raise TraceError(f"A log-probability is at most 0: got {number} for {quote_value(record.piece)}.")
    object.__setattr__(record, "log_probability", number)


def _last(pieces: Sequence[str]) -> str:
    return quote_value(pieces[-1]) if pieces else "no piece at all"
