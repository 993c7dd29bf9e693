"""Turns the tokens and weights of one sentence, from whatever file, into a Trace."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.importers import roles
from model.importers.errors import AttentionFileError, ImportNote
from model.importers.roles import Role
from model.importers.tokens import build_side, has_end, has_words, is_start
from model.importers.weights import NAME_LIMIT, Weights, is_transposed, iterate_matrices, to_array, to_layers
from model.serialization.codec import dump_json
from model.trace import END_PIECE, IMPORTED, MapDescription, Provenance, Side, Step, Trace, WeightMap, is_row_stochastic

SENTENCE_LIMIT = 500
LENGTH_LIMIT = 400  # tokens of a side
TOKEN_LIMIT = 100  # characters of a token
MAP_LIMIT = 512  # layers times heads, all maps together
CROSS_AXES = {"attention": roles.AXES["cross"]}
"""The axes of the weights of toolkits that save nothing but cross-attention."""
_NO_LANGUAGE = "und"  # BCP 47: undetermined


@dataclass(frozen=True)
class RawSentence:
    """One sentence as a file gives it.

    `source` and `target`: a list of tokens, a text with spaces between them, or None where the file has none.
    `weights`: arrays by name, of any layout. `row`: which line of a pasted text is its own, counted from 0, where that
    is not its place in the file. `axes`: what the file itself says of the rows and columns of its maps. `option`: what
    makes the toolkit write subwords, where its files are known to have lost them. `omits_ends`: whether the toolkit
    never writes the ends of sentences that it has weights for. `is_padded`: whether rows and columns beyond the tokens
    may be padding.
    """

    source: Any
    target: Any
    weights: Mapping[str, Any]
    row: int | None = None
    axes: Any = None
    option: str = ""
    omits_ends: bool = False
    is_padded: bool = False


@dataclass(frozen=True)
class ImportedMap:
    """A map as it was understood: its name in the file and in the Trace, its role, its rows and columns, and how many
    layers and heads it has."""

    name: str
    label: str
    role: Role
    shape: tuple[int, int]
    layers: int
    heads: int


@dataclass(frozen=True)
class RoleQuestion:
    """A map whose role the reader must choose: its name in the file, and the roles it may have, likeliest first."""

    name: str
    roles: tuple[Role, ...]


@dataclass(frozen=True)
class ImportedSentence:
    """A sentence that was read: its number in the file (from 1), its Trace, its tokens as the file writes them."""

    number: int
    trace: Trace
    source: tuple[str, ...]
    target: tuple[str, ...]
    maps: tuple[ImportedMap, ...]
    questions: tuple[RoleQuestion, ...] = ()
    notes: tuple[ImportNote, ...] = field(default=(), compare=False)


def import_sentence(
    raw: RawSentence, file_name: str, number: int, chosen_roles: Mapping[str, Role]
) -> ImportedSentence:
    """Read one sentence (counted from 1) of a file. `chosen_roles`: what the reader said that maps are, by their names.
    Raises AttentionFileError."""
    source, target = check_tokens(raw.source, "source", number), check_tokens(raw.target, "target", number)
    if not raw.weights:
        raise AttentionFileError("no_maps", sentence=number)
    said = {**_parse_axes(raw.axes, number), **chosen_roles}
    arrays = {name: to_layers(to_array(values, name, number), len(target), name, number)
              for name, values in raw.weights.items()}  # fmt: skip
    many = sum(math.prod(array.shape[:2]) for array in arrays.values())
    if many > MAP_LIMIT:
        raise AttentionFileError("maps", got=many, limit=MAP_LIMIT, sentence=number)
    notes: list[ImportNote] = []
    for name, array in arrays.items():
        if is_transposed(array):
            arrays[name] = np.swapaxes(array, -1, -2)
            notes.append(ImportNote("turned", {"name": name[:NAME_LIMIT]}, (number,)))
    if raw.is_padded:
        height = len(target) if has_end(target) else len(target) + 1
        trimmed = {name: _trim_padding(array, height, len(source)) for name, array in arrays.items()}
        if any(trimmed[name].shape != array.shape for name, array in arrays.items()):
            notes.append(ImportNote("padded", {}, (number,)))
        arrays = trimmed
    read = _RoleResolver(source, target, arrays, said, number, raw.option)
    found = read.resolve()
    full_source, full_target = found.add_end(source, "source"), found.add_end(target, "target")
    for side, tokens in (("source", full_source), ("target", full_target)):
        if not has_words(tokens):
            raise AttentionFileError("no_words", side=side, sentence=number)
    if not raw.omits_ends:
        notes += [ImportNote("end_of_source" if side == "source" else "end_of_target", {}, (number,)) for side in found.sides_with_end]
    if is_start(target[0]) and any(found.roles[name].role == "cross" for name in arrays):
        notes.append(ImportNote("start_row", {"token": target[0]}, (number,)))
    labels = _build_labels({name: found.roles[name].role for name in arrays})
    trace = _build_trace(file_name, build_side(full_source), build_side(full_target), arrays, labels, found, number)
    read_maps = tuple(
        ImportedMap(name, labels[name], found.roles[name].role, (array.shape[2], array.shape[3]), *array.shape[:2])
        for name, array in arrays.items())  # fmt: skip
    questions = tuple(RoleQuestion(name, one.open_roles) for name, one in found.roles.items() if one.open_roles)
    notes += [*_build_role_notes(arrays, found, len(full_target), number), *_build_sum_notes(arrays, number)]
    return ImportedSentence(number, trace, tuple(full_source), tuple(full_target), read_maps, questions, tuple(notes))


def check_tokens(value: Any, side: str, sentence: int) -> list[str]:
    """Return the tokens of a side; a text is split at white space. Raises AttentionFileError."""
    if value is None:
        raise AttentionFileError("no_tokens", side=side, sentence=sentence)
    if isinstance(value, np.ndarray):
        if value.size > LENGTH_LIMIT:  # an archive holds any number of empty texts in a few bytes
            raise AttentionFileError("length", got=value.size, limit=LENGTH_LIMIT, side=side, sentence=sentence)
        value = value.tolist()
    tokens = value.split() if isinstance(value, str) else value
    if isinstance(tokens, list) and len(tokens) == 1 and isinstance(tokens[0], list):  # a batch of one
        tokens = tokens[0]
    if isinstance(tokens, list) and tokens and all(type(token) is int for token in tokens):
        raise AttentionFileError("ids", side=side, sentence=sentence)
    if isinstance(tokens, list) and "" in tokens:
        raise AttentionFileError("empty_token", side=side, place=tokens.index("") + 1, sentence=sentence)
    if not isinstance(tokens, list) or not all(isinstance(token, str) and _is_writable(token) for token in tokens):
        raise AttentionFileError("tokens", side=side, sentence=sentence)
    if not tokens:
        raise AttentionFileError("no_words", side=side, sentence=sentence)
    if len(tokens) > LENGTH_LIMIT:
        raise AttentionFileError("length", got=len(tokens), limit=LENGTH_LIMIT, side=side, sentence=sentence)
    longest = max(map(len, tokens))
    if longest > TOKEN_LIMIT:
        raise AttentionFileError("long", got=longest, limit=TOKEN_LIMIT, side=side, sentence=sentence)
    return tokens


def _is_writable(token: str) -> bool:
    """Say whether a token can be saved and sent to a page: half of a surrogate pair can't."""
    return not any("\ud800" <= character <= "\udfff" for character in token)


def _parse_axes(axes: Any, sentence: int) -> dict[str, Role]:
    """Return the roles that a file gives its maps itself: {"decoder_attentions": ["target", "source"]}."""
    if axes is None:
        return {}
    by_sides = {sides: role for role, sides in roles.AXES.items()}
    try:
        return {str(name): by_sides[tuple(sides)] for name, sides in axes.items()}
    except (AttributeError, TypeError, KeyError):
        raise AttentionFileError("axes", sentence=sentence) from None


def _trim_padding(array: Weights, height: int, source: int) -> Weights:
    """Cut what a batch's longest sentence added: columns of zeros, and rows beyond the target and its end."""
    columns = array.shape[-1]
    width = next((one for one in (source, source + 1) if one < columns and not array[..., one:].any()), columns)
    return array[..., :height, :width]


@dataclass(frozen=True)
class _RoleChoice:
    """The role of a map, and the roles that are as likely, if the reader must choose."""

    role: Role
    open_roles: tuple[Role, ...] = ()


@dataclass(frozen=True)
class _RoleAssignment:
    """Which sides get an end of sentence, and the roles of the maps by their names."""

    sides_with_end: tuple[str, ...]
    roles: Mapping[str, _RoleChoice]

    def add_end(self, given: Sequence[str], side: str) -> list[str]:
        return [*given, *[END_PIECE] * (side in self.sides_with_end)]


@dataclass(frozen=True)
class _RoleResolver:
    """Tokens and arrays (layers, heads, rows, columns) of one sentence, whose maps are to be given roles."""

    source: Sequence[str]
    target: Sequence[str]
    arrays: Mapping[str, Weights]
    stated_roles: Mapping[str, Role]
    number: int
    option: str

    def resolve(self) -> _RoleAssignment:
        """Find the roles of all maps, and whether the weights have an end of sentence that the tokens lack.

        An end is added only to a side that has none, and only where no other reading fits every map as well. Raises
        AttentionFileError where no reading fits.
        """
        ways = []
        for rows in range(1 if has_end(self.target) else 2):
            for columns in range(1 if has_end(self.source) else 2):
                found = {name: self._choose_role(name, len(self.target) + rows, len(self.source) + columns)
                         for name in self.arrays}  # fmt: skip
                if all(found.values()):
                    ended = tuple(["source"] * columns + ["target"] * rows)
                    ways.append(_RoleAssignment(ended, {name: one for name, one in found.items() if one}))
        if not ways:
            raise self._build_shape_error()

        def fit(way: _RoleAssignment) -> tuple[int, int]:
            expected = sum(one.role == roles.get_candidate_roles(name).roles[0] for name, one in way.roles.items())
            return expected, -len(way.sides_with_end)

        best = max(ways, key=fit)
        for name, one in best.roles.items():
            self._reject_doubtful(name, one.role, best)
        return best

    def _choose_role(self, name: str, target: int, source: int) -> _RoleChoice | None:
        """Return the role of a map for so many tokens; None where none fits."""
        array = self.arrays[name]
        shape = array.shape[-2:]
        candidates = roles.get_candidate_roles(name)
        fitting = [role for role in candidates.roles if roles.get_shape(role, target, source) == shape]
        if name in self.stated_roles:
            role = self.stated_roles[name]
            return _RoleChoice(role) if roles.get_shape(role, target, source) == shape else None
        if not fitting:
            return None
        if target != source or not candidates.is_open or roles.has_hugging_face_names(self.arrays):
            return _RoleChoice(fitting[0])
        is_causal = all(roles.is_causal(matrix) for _, _, matrix in iterate_matrices(array))
        first: Role = "decoder" if "decoder" in candidates.roles else "encoder"
        if candidates.roles == ("encoder", "decoder"):
            order: tuple[Role, ...] = ("decoder", "encoder") if is_causal else ("encoder", "decoder")
        else:
            order = (first, "cross") if is_causal or first == "encoder" else ("cross", first)
        return _RoleChoice(order[0], order)

    def _reject_doubtful(self, name: str, role: Role, way: _RoleAssignment) -> None:
        """Refuse to read a map as self-attention by its shape alone where cross-attention is one token away from it."""
        rows, columns = self.arrays[name].shape[-2:]
        target, source = (len(way.add_end(given, side)) for given, side in ((self.target, "target"),
                                                                          (self.source, "source")))  # fmt: skip
        if name in self.stated_roles or role == "cross" or not roles.is_generic_name(name):
            return
        if abs(rows - target) <= 1 and abs(columns - source) <= 1:
            raise self._build_missing_token_error(name) or self._build_error("unclear", name)

    def _build_shape_error(self) -> AttentionFileError:
        """Say what is wrong with the first map that fits no reading, or else with the first of all."""
        target, source = len(self.target), len(self.source)
        lone = [name for name in self.arrays
                if not any(self._choose_role(name, target + rows, source + columns)
                           for rows in range(1 if has_end(self.target) else 2)
                           for columns in range(1 if has_end(self.source) else 2))]  # fmt: skip
        name = next(iter(lone or self.arrays))
        shape = self.arrays[name].shape[-2:]
        allowed = (self.stated_roles[name],) if name in self.stated_roles else roles.get_candidate_roles(name).roles
        if self.option:
            return self._build_subword_error(shape)
        near = self._build_missing_token_error(name) if "cross" in allowed else None
        if near is not None:
            return near
        if "cross" in allowed and shape == (source, target):
            return self._build_error("transposed", name)
        if len(allowed) == 1:
            return self._build_error({"cross": "not_cross", "encoder": "not_encoder", "decoder": "not_decoder"}[allowed[0]],
                               name)  # fmt: skip
        return self._build_error("sides", name)

    def _build_missing_token_error(self, name: str) -> AttentionFileError | None:
        """Say that cross-attention lacks one token, if that is what its shape says."""
        rows, columns = self.arrays[name].shape[-2:]
        target, source = len(self.target), len(self.source)
        fits_rows = rows == target or (rows == target + 1 and not has_end(self.target))
        fits_columns = columns == source or (columns == source + 1 and not has_end(self.source))
        if rows == target - 1 and fits_columns and is_start(self.target[0]):
            return self._build_error("start", name)
        if rows == target + 1 and not fits_rows and fits_columns:
            return self._build_error("missing_target", name)
        if columns == source + 1 and not fits_columns and (fits_rows or rows == target + 1):
            return self._build_error("missing_source", name)
        return None

    def _build_subword_error(self, shape: tuple[int, ...]) -> AttentionFileError:
        """Say which side has other tokens than a toolkit's weights are for."""
        is_target = shape[0] - len(self.target) not in ((0,) if has_end(self.target) else (0, 1))
        side, tokens, expected = ("target", self.target, shape[0]) if is_target else ("source", self.source, shape[1])
        got = len(tokens)
        return AttentionFileError("subwords", side=side, got=got, expected=expected, option=self.option,
                                  sentence=self.number)  # fmt: skip

    def _build_error(self, kind: Any, name: str) -> AttentionFileError:
        rows, columns = self.arrays[name].shape[-2:]
        return AttentionFileError(kind, name=name[:NAME_LIMIT], rows=rows, columns=columns, target=len(self.target),
                                  source=len(self.source), token=self.target[0], sentence=self.number)  # fmt: skip


def _build_labels(role_of: Mapping[str, Role]) -> dict[str, str]:
    """Return what each map is called in the Trace; those whose usual name would be the same keep their own."""
    usual = {name: roles.build_display_name(name, role) for name, role in role_of.items()}
    shown = list(usual.values())
    return {name: one if shown.count(one) == 1 else roles.sanitise_name(name) for name, one in usual.items()}


def _build_trace(file_name: str, source: Side, target: Side, arrays: Mapping[str, Weights], labels: Mapping[str, str],
           found: _RoleAssignment, number: int) -> Trace:  # fmt: skip
    """Build the Trace; maps that say where the decoder attended come first."""
    maps = []
    for name, array in arrays.items():
        rows, columns = roles.AXES[found.roles[name].role]
        for layer, head, values in iterate_matrices(array):
            description = MapDescription(
                labels[name], layer, head, rows, columns, is_row_stochastic(values.astype(np.float32))
            )
            maps.append(WeightMap.from_description(description, values.astype(np.float32)))
    maps = _add_head_means(sorted(maps, key=lambda one: not one.description.is_source_attention))
    keys = [one.key for one in maps]
    for key in keys:
        if keys.count(key) > 1:
            raise AttentionFileError("names", name=key, sentence=number)
    steps = tuple(Step(place, piece, 0.0) for place, piece in enumerate(target.pieces))
    return Trace(source, target, steps, tuple(maps), 0.0, 0.0, target.has_end, Provenance(file_name, "", IMPORTED, {}),
                 languages=(_NO_LANGUAGE, _NO_LANGUAGE))  # fmt: skip


def _add_head_means(maps: list[WeightMap]) -> list[WeightMap]:
    """Return the maps, and before them the mean of every layer's heads where there are several: that of the last layer
    but one first, where heads agree most on what belongs to what (Garg et al. 2019)."""
    groups: dict[tuple[str, int | None], list[WeightMap]] = {}
    for one in maps:
        if one.head is not None and one.description.is_source_attention:
            groups.setdefault((one.name, one.layer), []).append(one)
    means = []
    for (name, layer), heads in groups.items():
        mean = np.mean([one.values for one in heads], axis=0)
        is_whole = all(one.rows_sum_to_one for one in heads) and is_row_stochastic(mean)
        means.append(WeightMap.from_description(MapDescription(name, layer, rows_sum_to_one=is_whole), mean))
    if len(means) > 1:
        means.insert(0, means.pop(-2))
    return means + maps


def remove_special_tokens(trace: Trace) -> Trace:
    """Return the translation without its special tokens, each row divided by what it gives to the others.

    A row that gives nothing to them stays a row of zeros. The columns of a decoder's self-attention are what it was
    given at each step, the tokens one step before.
    """
    kept = {side: [position for position, word in enumerate(getattr(trace, side).word_of) if word >= 0]
            for side in ("source", "target")}  # fmt: skip
    sides = {side: _select_positions(getattr(trace, side), positions) for side, positions in kept.items()}
    maps = []
    for one in trace.maps:
        columns = kept[one.columns]
        if one.rows == one.columns == "target":
            columns = [0, *(position + 1 for position in columns)][: len(columns)]
        values = one.values.astype(np.float64)[np.ix_(kept[one.rows], columns)]
        sums = values.sum(axis=1, keepdims=True)
        values = np.divide(values, sums, out=np.zeros_like(values), where=sums > 0)
        if not one.rows_sum_to_one:  # a row that gave away less than 1 in all still does
            values = values * one.values.astype(np.float64).sum(axis=1)[kept[one.rows], None]
        description = MapDescription(one.name, one.layer, one.head, one.rows, one.columns,
                                     one.rows_sum_to_one and is_row_stochastic(values.astype(np.float32)))  # fmt: skip
        maps.append(WeightMap.from_description(description, values.astype(np.float32)))
    steps = tuple(Step(place, piece, 0.0) for place, piece in enumerate(sides["target"].pieces))
    return Trace(sides["source"], sides["target"], steps, tuple(maps), 0.0, 0.0, False, trace.made_by,
                 languages=trace.languages, shown=trace.shown)  # fmt: skip


def _select_positions(side: Side, positions: Sequence[int]) -> Side:
    pick = [(side.pieces[position], side.word_of[position]) for position in positions]
    return Side(side.text, side.words, tuple(piece for piece, _ in pick), tuple(word for _, word in pick))


def has_special_tokens(trace: Trace) -> bool:
    """Say whether some token on either side belongs to no word."""
    return -1 in trace.source.word_of or -1 in trace.target.word_of


def _build_role_notes(arrays: Mapping[str, Weights], found: _RoleAssignment, length: int, number: int) -> Iterator[ImportNote]:
    for name, one in found.roles.items():
        shown = name[:NAME_LIMIT]
        rows, columns = arrays[name].shape[-2:]
        if one.open_roles:
            other = next(role for role in one.open_roles if role != one.role)
            yield ImportNote("open", {"name": shown, "length": str(length), "role": roles.ROLE_NAMES[one.role],
                                "other": roles.ROLE_NAMES[other], "axes": dump_json(roles.AXES[other])},
                       (number,))  # fmt: skip
        elif one.role != "cross" and roles.is_generic_name(name):
            yield ImportNote("self", {"name": shown, "role": roles.ROLE_NAMES[one.role], "rows": str(rows),
                                "columns": str(columns)}, (number,))  # fmt: skip


def _build_sum_notes(arrays: Mapping[str, Weights], number: int) -> Iterator[ImportNote]:
    for name, array in arrays.items():
        if all(is_row_stochastic(matrix.astype(np.float32)) for _, _, matrix in iterate_matrices(array)):
            continue
        sums = array.sum(axis=-1)
        worst = int(np.argmax(np.abs(sums - 1)))
        row = worst % sums.shape[-1] + 1
        yield ImportNote("sums", {"name": name[:NAME_LIMIT], "row": str(row), "sum": f"{sums.flat[worst]:.3g}"}, (number,))

