"""The Trace: what one model did with one sentence.

Decoding makes Traces; pages, exports and measurements read them. Records are plain Python and read-only numpy, without
torch or Streamlit. Each checks itself on construction, so that every Trace can be drawn and `Trace.from_json` is safe
for untrusted files. In shapes, T is the number of target pieces and S that of source pieces, SentencePiece's "</s>"
included.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from model.serialization.codec import dump_json, get_schema, mark_as_omitted_if_empty, parse_json, read_record, to_plain
from model.serialization.messages import quote_value
from model.text.languages import DEFAULT_PAIR, validate_code
from model.trace.checks import (
    Array,
    TraceError,
    check_finite,
    check_text,
    check_token,
    convert_to_tuples,
    freeze_array,
)
from model.trace.maps import MapDescription, check_unique_keys, find_main_map
from model.trace.tree import Tree

SCHEMA = 4
READABLE_SCHEMAS = (1, 2, 3, SCHEMA)  # schema 1: at most one map, without layers and heads, and no overrides
OLD_KEYS = {"finished": "is_finished", "made_by": "provenance", "shown": "displayed_map_key"}
"""Keys of schemas 1 and 2, and what they are now. In schemas 1 to 3, `Provenance.overrides` was "edits"."""
END_PIECE = "</s>"  # ends a sentence on both sides
UNK_PIECE = "<unk>"  # a word that a vocabulary of whole words lacks
UNK_WORD = "UNK"  # its text; letters, so that a comma after it is a separate word
WORD_START = "▁"  # U+2581, SentencePiece's mark at the start of a word
ENERGIES = "energies"  # name in `detail`: (T, S)
IMPORTED = "read in"  # `provenance.search` of a translation from another toolkit: its probabilities are unknown
ANNOTATIONS = "annotations"  # name in `source_detail`: (S, ...)

Setting = int | float | str | bool


@dataclass(frozen=True)
class Symbol:
    """An emoji or arrow that was copied from source to target without the model seeing it.

    `start`: position of its first character in the text of its side.
    """

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Side:
    """The source or target side: its normalised text, words and pieces.

    `word_of[k]` is the word number of piece k, from 0, or -1 for no word (the final "</s>"). Apart from -1 the word
    numbers do not fall and skip no word, and nothing stands between the pieces of a word. `symbols`: copied symbols in
    order (`model.text.symbols`); they belong to no word and no piece. Raises TraceError.
    """

    text: str
    words: tuple[str, ...]
    pieces: tuple[str, ...]
    word_of: tuple[int, ...]
    symbols: tuple[Symbol, ...] = field(default=(), metadata=mark_as_omitted_if_empty())

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
        if any(number > next_number for number, next_number in pairwise(numbers)):
            raise TraceError(f"The word numbers of the pieces must not fall: got {quote_value(numbers)}.")
        if sorted(set(numbers)) != list(range(len(self.words))):
            raise TraceError(f"The pieces must cover every word: got {len(self.words)} words and "
                             f"the word numbers {quote_value(sorted(set(numbers)))}.")
        without_ends = [word for word, piece in zip(self.word_of, self.pieces, strict=True) if piece != END_PIECE]
        runs = [word for word, _ in groupby(without_ends) if word != -1]
        if len(runs) != len(self.words):
            raise TraceError(f"The pieces of a word must stand side by side: got the word numbers "
                             f"{quote_value(self.word_of)}.")

    @property
    def has_end(self) -> bool:
        """Whether the last piece is "</s>"."""
        return bool(self.pieces) and self.pieces[-1] == END_PIECE and self.word_of[-1] == -1

    @cached_property
    def unknown_words(self) -> frozenset[int]:
        """The numbers of the words that have an UNK piece.

        On the source side the text of such a word is what was typed; on the target side it is "UNK", or what was given
        or put in its place.
        """
        return frozenset(word for word, piece in zip(self.word_of, self.pieces, strict=True) if piece == UNK_PIECE)

    def get_written_piece(self, position: int) -> str:
        """Return a piece; instead of UNK the word itself, as networks write it that copy unknown words."""
        piece, word = self.pieces[position], self.word_of[position]
        if piece != UNK_PIECE or word == -1:
            return piece
        prefix = self._join_known_pieces(word, range(position))
        suffix = self._join_known_pieces(word, range(position + 1, len(self.pieces)))
        return WORD_START + self.words[word].removeprefix(prefix).removesuffix(suffix)

    def _join_known_pieces(self, word: int, positions: range) -> str:
        """Return the text of the pieces of a word that stand at these positions, without UNK."""
        return "".join(self.pieces[position].removeprefix(WORD_START) for position in positions
                       if self.word_of[position] == word and self.pieces[position] != UNK_PIECE)  # fmt: skip

    @cached_property
    def word_spans(self) -> tuple[tuple[int, int] | None, ...]:
        """The span (start, end) of each word in the text; None for a word that is not found, in imported Traces.

        A symbol may lie inside the span of a word of punctuation ("!🎉!").
        """
        visible = self.text
        for symbol in self.symbols:
            visible = visible[: symbol.start] + "\0" * len(symbol.text) + visible[symbol.end :]
        spans: list[tuple[int, int] | None] = []
        end = 0
        for word in self.words:
            pattern = "[\0 ]*".join(map(re.escape, word)) if self.symbols else re.escape(word)
            match = re.compile(pattern).search(visible, end)
            spans.append(match.span() if match else None)
            end = match.end() if match else end
        return tuple(spans)


def is_unk(word: str) -> bool:
    """Return whether a word is UNK, alone or with an ending ("UNK's")."""
    return UNK_WORD in re.split(r"\W+", word)


def continues_word(piece: str) -> bool:
    """Return whether a piece continues the word before it: not "</s>", not UNK, and without "▁"."""
    return not piece.startswith(WORD_START) and piece not in (UNK_PIECE, END_PIECE)


@dataclass(frozen=True)
class Candidate:
    """A candidate piece of one step; `log_probability` in nats."""

    id: int
    piece: str
    log_probability: float

    def __post_init__(self) -> None:
        _check_piece(self)


@dataclass(frozen=True)
class Step:
    """The piece generated at one step, and the most likely candidates, best first (empty unless requested)."""

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
    """Return the sums of the rows (rows,), in float64 of float32 values."""
    return np.asarray(values, np.float32).sum(axis=1, dtype=np.float64)


def is_row_stochastic(values: Array) -> bool:
    """Return whether every row sums to 1, up to 0.001 for values that were rounded."""
    return bool(np.abs(compute_row_sums(values) - 1).max() <= 1.001e-3)


@dataclass(frozen=True, eq=False)
class WeightMap:
    """Attention weights over pieces: `values` (rows, columns), float32, read-only, such as α (T, S).

    The other fields are those of its `MapDescription`. Raises TraceError.
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
        """Return the map of one sentence with this description."""
        return cls(values=values, **asdict(description))

    @cached_property
    def description(self) -> MapDescription:
        """Its description."""
        return MapDescription(self.name, self.layer, self.head, self.rows, self.columns, self.rows_sum_to_one)

    @property
    def key(self) -> str:
        """Its key within the Trace (`MapDescription.key`)."""
        return self.description.key

    def __post_init__(self) -> None:
        _ = self.description  # runs its checks
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
    """What made a trace: the model and its fingerprint, search, settings, and seed if any.

    `overrides`: the user's overrides, as `model.decoding.overrides` writes it; "" for nothing.
    """

    model: str
    fingerprint: str
    search: str
    settings: dict[str, Setting]
    seed: int | None = None
    overrides: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", dict(self.settings))
        check_text("provenance", self.model, self.fingerprint, self.search, self.overrides)
        for key, value in self.settings.items():
            check_text("name of a setting", key)
            is_valid = math.isfinite(value) if isinstance(value, float) else isinstance(value, (bool, int, str))
            if not is_valid:
                raise TraceError(f"The setting {quote_value(key)} must be a finite number, a text or a truth value: "
                                 f"got {quote_value(value)}.")
            if isinstance(value, str):
                check_text(f"setting {quote_value(key)}", value)


@dataclass(frozen=True, eq=False)
class Trace:
    """What one model did with one sentence. Raises TraceError, with both numbers, where parts do not fit.

    `source` ends in "</s>", `target` if and only if `is_finished`. `steps`: one for each target piece. `maps`: none for
    RNNencdec. `displayed_map_key`: of the target x source map shown by default, the first unless given; None without
    attention. `log_probability`: sum over the steps, in nats; `score`: what the search ranked by. `detail` (on
    request): further arrays by name, float32, read-only, first axis T; `source_detail` (on request): first axis S.
    `tree` (on request): all hypotheses of the beam. Of the n best traces of a sentence only the first has it; it
    contains the paths of all (`Tree.find_path`). `languages`: codes of source and target; English and French in old
    files without them.
    """

    source: Side
    target: Side
    steps: tuple[Step, ...]
    maps: tuple[WeightMap, ...]
    log_probability: float
    score: float
    is_finished: bool
    provenance: Provenance
    detail: dict[str, Array] | None = None
    tree: Tree | None = None
    source_detail: dict[str, Array] | None = None
    languages: tuple[str, ...] = field(default_factory=lambda: DEFAULT_PAIR)  # a factory: old files may omit it
    displayed_map_key: str | None = None
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        check_schema(self.schema)
        object.__setattr__(self, "schema", SCHEMA)
        convert_to_tuples(self, "steps", "maps")
        object.__setattr__(self, "languages", _check_language_pair(self.languages))
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
            raise TraceError(f'The source must end in the piece "{END_PIECE}": got {_quote_last(self.source.pieces)}.')
        if self.is_finished != self.target.has_end:
            expected = f'must end in "{END_PIECE}"' if self.is_finished else f'must not end in "{END_PIECE}"'
            state = "A finished" if self.is_finished else "An unfinished"
            raise TraceError(f"{state} target {expected}: got {_quote_last(self.target.pieces)}.")
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
        if self.displayed_map_key is None and first is not None:
            object.__setattr__(self, "displayed_map_key", first.key)
        elif self.displayed_map_key is not None and not any(
            weights.key == self.displayed_map_key and weights.description.is_target_by_source for weights in self.maps
        ):
            raise TraceError(
                "The map shown first must be a target x source map of the trace: got "
                f"{quote_value(self.displayed_map_key)}."
            )
        for weights in self.maps:
            rows, columns = weights.values.shape
            for axis, side, length in (("rows", weights.rows, rows), ("columns", weights.columns, columns)):
                pieces = len(self._get_side(side).pieces)
                if length != pieces:
                    raise TraceError(
                        f"The map {quote_value(weights.name)} does not fit: got {pieces} {side} pieces and "
                        f"a map of {length} {axis}."
                    )

    def _check_detail(self, field_name: str, side: str) -> None:
        """Freeze the arrays of a field, and check that their first axis is the pieces of `side`."""
        if getattr(self, field_name) is None:
            return
        label, pieces = field_name.replace("_", " "), len(self._get_side(side).pieces)
        detail = {
            name: freeze_array(values, f"The {label} {quote_value(name)}")
            for name, values in getattr(self, field_name).items()
        }
        object.__setattr__(self, field_name, detail)
        for name, values in detail.items():
            check_text(f"name of a {label}", name)
            if values.ndim == 0 or len(values) != pieces:
                size = f"{len(values)} rows" if values.ndim else "one number"
                raise TraceError(
                    f"The {label} {quote_value(name)} does not fit: got {pieces} {side} pieces and {size}."
                )

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
        fate, expected = self.tree.get_fate(path[-1]), "finished" if self.is_finished else "kept"
        if fate != expected:
            raise TraceError(f"The target's last node in the tree must be {expected}: got {fate}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        names = [field.name for field in fields(self) if field.name not in ("detail", "source_detail")]
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and _are_equal(self.detail, other.detail)
            and _are_equal(self.source_detail, other.source_detail)
        )

    def __hash__(self) -> int:
        return hash((self.source.text, self.target.text, self.log_probability, self.provenance.fingerprint))

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_language(self) -> str:
        return self.languages[1]

    def _get_side(self, name: str) -> Side:
        return self.source if name == "source" else self.target

    @property
    def has_probabilities(self) -> bool:
        """Whether its probabilities are known. Those of imported Traces are not; their source may also lack "</s>"."""
        return self.provenance.search != IMPORTED

    @cached_property
    def copied_words(self) -> frozenset[int]:
        """The numbers of the target words that are unknown words of the source, so that a network must have copied
        them."""
        unknown = {self.source.get_written_piece(position).removeprefix(WORD_START)
                   for position, piece in enumerate(self.source.pieces) if piece == UNK_PIECE}  # fmt: skip
        return frozenset(word for word, piece in zip(self.target.word_of, self.target.pieces, strict=True)
                         if word != -1 and piece.removeprefix(WORD_START) in unknown)

    @cached_property
    def replaced_words(self) -> frozenset[int]:
        """The numbers of the target words whose UNK was replaced after the search, or was given as another word."""
        return frozenset(word for word in self.target.unknown_words if not is_unk(self.target.words[word]))

    @property
    def has_attention(self) -> bool:
        """Whether it has a target x source map."""
        return self.displayed_map_key is not None

    def get_map(self, key: str | None = None) -> WeightMap:
        """Return the map with this key, by default the one shown first. Raises TraceError if there is none."""
        map_key = self.displayed_map_key if key is None else key
        for weights in self.maps:
            if weights.key == map_key:
                return weights
        present = ", ".join(quote_value(weights.key) for weights in self.maps) or "none"
        missing = "target x source map" if key is None else f"weight map {quote_value(key)}"
        raise TraceError(f"This trace of {quote_value(self.provenance.model)} has no {missing}; it has {present}.")

    def compute_word_map(self, key: str | None = None) -> Array:
        """Return the map over words, (target words, source words): sum over source pieces, mean over target pieces.

        Attention to the source's "</s>" is left out, so that rows may sum to less than 1.
        """
        weights = self.get_map(key)
        rows, columns = self._get_side(weights.rows), self._get_side(weights.columns)
        return self.compute_word_map_with_end(key)[: len(rows.words), : len(columns.words)]

    def compute_word_map_with_end(self, key: str | None = None) -> Array:
        """Return the map over words, with a last row and column for the pieces of no word ("</s>"), if there are any.

        Rows that sum to 1 over pieces sum to 1 here.
        """
        weights = self.get_map(key)
        rows, columns = self._get_side(weights.rows), self._get_side(weights.columns)
        owners = columns.word_of if weights.rows != weights.columns or weights.rows == "source" \
            else (-1, *columns.word_of[:-1])  # the decoder's input at each step: nothing, then the piece before
        return _aggregate(weights, build_word_membership(rows.word_of, len(rows.words)),
                          build_word_membership(owners, len(columns.words)))

    def compute_word_map_in_order(self, key: str | None = None) -> Array:
        """Return the map over words and pieces of no word, in the order of the text.

        Imported Traces may have several. In decoder self-attention, the first column is the input of the first step,
        nothing, and each word's column is shifted by one step.
        """
        weights = self.get_map(key)
        rows, columns = self._get_side(weights.rows), self._get_side(weights.columns)
        groups = group_positions_by_word(columns)
        if weights.rows == weights.columns == "target":
            groups = [(0,), *(tuple(place + 1 for place in positions) for positions in groups)]
            if columns.word_of[-1] == -1:
                groups.pop()
        return _aggregate(weights, _build_group_membership(group_positions_by_word(rows), len(rows.pieces)),
                          _build_group_membership(groups, len(columns.pieces)))

    def compute_word_log_probs(self) -> NDArray[np.float64]:
        """Return the summed log-probability of the pieces of each target word, (target words,), in nats."""
        sums = np.zeros(len(self.target.words))
        for word, step in zip(self.target.word_of, self.steps, strict=True):
            if word != -1:
                sums[word] += step.log_probability
        return sums

    def to_json(self) -> str:
        """Return the trace as one line of JSON, exact in every number."""
        return dump_json(to_plain(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Trace:
        """Return the trace in an untrusted JSON text. Raises CodecError with one sentence for the user."""
        value = parse_json(text, "a trace")
        schema = get_schema(value, "a trace")
        check_schema(schema)
        if schema != SCHEMA:
            value = {OLD_KEYS.get(key, key): part for key, part in value.items()}
            provenance = value.get("provenance")
            if isinstance(provenance, dict) and "edits" in provenance:
                value["provenance"] = {"overrides" if key == "edits" else key: part
                                       for key, part in provenance.items()}
        return read_record(cls, value, "trace")


def check_schema(schema: object) -> None:
    """Raise TraceError unless this version can read the schema."""
    if schema not in READABLE_SCHEMAS or isinstance(schema, bool):
        raise TraceError(f"This version reads traces of schema {READABLE_SCHEMAS[0]} to {SCHEMA}: got schema "
                         f"{quote_value(schema)}.")


def group_positions_by_word(side: Side) -> list[tuple[int, ...]]:
    """Return the positions of the pieces of each word, in order; a piece of no word is a group alone."""
    groups: list[tuple[int, ...]] = []
    for position, word in enumerate(side.word_of):
        if word != -1 and position and side.word_of[position - 1] == word:
            groups[-1] = (*groups[-1], position)
        else:
            groups.append((position,))
    return groups


def _aggregate(
    weights: WeightMap, row_membership: NDArray[np.float64], column_membership: NDArray[np.float64]
) -> Array:
    """Return the mean over the pieces of each row group of the sums over each column group.

    row_membership (row groups, rows), column_membership (column groups, columns): 0 and 1.
    """
    means = row_membership / row_membership.sum(axis=1, keepdims=True)
    return freeze_array(means @ weights.values.astype(np.float64) @ column_membership.T,
                        f"The map {quote_value(weights.key)}")  # fmt: skip


def _build_group_membership(groups: Sequence[Sequence[int]], pieces: int) -> NDArray[np.float64]:
    """Return which pieces belong to which group, (groups, pieces) of 0 and 1."""
    positions = np.arange(pieces)
    return np.array([np.isin(positions, group) for group in groups], dtype=np.float64)


def build_word_membership(word_of: Sequence[int], words: int) -> NDArray[np.float64]:
    """Return which pieces belong to which word, (words, pieces) of 0 and 1; a last row for pieces of no word."""
    indices = np.array(word_of, dtype=np.int64)
    has_no_word = indices == -1
    rows = np.arange(words + bool(has_no_word.any()))[:, None]
    is_member: NDArray[np.bool_] = rows == np.where(has_no_word, words, indices)
    return is_member.astype(np.float64)


def _check_language_pair(languages: Sequence[str]) -> tuple[str, str]:
    """Return two language codes. Raises TraceError for anything else."""
    codes = tuple(languages)
    if len(codes) != 2:
        raise TraceError(f"A trace has two languages, the source's and the target's: got {quote_value(codes)}.")
    try:
        return validate_code(codes[0]), validate_code(codes[1])
    except ValueError:
        raise TraceError(
            f"The languages of a trace are codes such as en, fr or ko: got {quote_value(codes)}."
        ) from None


def _are_equal(first: dict[str, Array] | None, second: dict[str, Array] | None) -> bool:
    if first is None or second is None:
        return first is second
    has_same_names = first.keys() == second.keys()
    return has_same_names and all(np.array_equal(values, second[name]) for name, values in first.items())


def _check_piece(record: Candidate | Step) -> None:
    check_text("piece", record.piece)
    description = quote_value(record.piece)
    number = check_finite(record.log_probability, f"The log-probability of {description}")
    check_token(record.id, number, description)
    object.__setattr__(record, "log_probability", number)


def _quote_last(pieces: Sequence[str]) -> str:
    return quote_value(pieces[-1]) if pieces else "no piece at all"
