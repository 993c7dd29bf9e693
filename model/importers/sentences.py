"""Conversion of the tokens and weights of one sentence into a Trace."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from model.importers import roles
from model.importers.errors import AttentionFileError, ImportNote
from model.importers.roles import Role
from model.importers.tokens import build_side, has_end, has_words, is_start
from model.importers.weights import (
    MAP_NAME_LIMIT,
    Weights,
    check_size,
    is_transposed,
    iterate_matrices,
    to_array,
    to_layers,
)
from model.serialization.codec import dump_json, has_broken_character
from model.text.normalise import join_surrogates
from model.trace import END_PIECE, IMPORTED, MapDescription, Provenance, Side, Step, Trace, WeightMap, is_row_stochastic

IMPORTED_SENTENCE_LIMIT = 500
LENGTH_LIMIT = 400  # tokens of a side
TOKEN_LIMIT = 100  # characters of a token
MAP_LIMIT = 512  # layers times heads, all maps together
CROSS_AXES = {"attention": roles.AXES["cross"]}
"""The axes of the weights of toolkits that save cross-attention only."""
_NO_LANGUAGE = "und"  # BCP 47: undetermined


@dataclass(frozen=True)
class RawSentence:
    """One sentence as read from a file, not yet validated."""

    source: Any
    """A list of tokens, a text of space-separated tokens, or None."""
    target: Any
    weights: Mapping[str, Any]
    """Arrays of any layout, by name."""
    row: int | None = None
    """Its line in a pasted text, from 0, if that is not its index in the file."""
    axes: Any = None
    """The axes of the maps as the file states them."""
    command: str = ""
    """The toolkit command that writes subwords, if its files may have lost them."""
    omits_ends: bool = False
    """Whether the toolkit never writes end tokens, though it has weights for them."""
    is_padded: bool = False
    """Whether rows and columns beyond the tokens may be padding."""


@dataclass(frozen=True)
class ImportedMap:
    """The interpretation of a map."""

    name: str
    """Its name in the file."""
    label: str
    """Its name in the Trace."""
    role: Role
    shape: tuple[int, int]
    layers: int
    heads: int


@dataclass(frozen=True)
class RoleQuestion:
    """A map whose role the user must choose: its name in the file and its possible roles, likeliest first."""

    name: str
    roles: tuple[Role, ...]


@dataclass(frozen=True)
class ImportedSentence:
    """An imported sentence: its number in the file (from 1), its Trace, and its tokens.

    The tokens are as in the file, with `END_PIECE` added to a side whose weights have an end that it lacks.
    """

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
    """Import one sentence of a file. Raises AttentionFileError.

    `number`: its number, from 1. `chosen_roles`: the user's choice of roles, by the names of maps.
    """
    source, target = check_tokens(raw.source, "source", number), check_tokens(raw.target, "target", number)
    if not raw.weights:
        raise AttentionFileError("no_maps", sentence=number)
    stated_roles = {**_parse_axes(raw.axes, number), **chosen_roles}
    arrays: dict[str, Weights] = {}
    size = 0
    for name, values in raw.weights.items():
        arrays[name] = to_layers(to_array(values, name, number), len(target), name, number)
        size += arrays[name].size
        check_size(size)
    map_count = sum(math.prod(array.shape[:2]) for array in arrays.values())
    if map_count > MAP_LIMIT:
        raise AttentionFileError("maps", got=map_count, limit=MAP_LIMIT, sentence=number)
    notes: list[ImportNote] = []
    for name, array in arrays.items():
        if is_transposed(array):
            arrays[name] = np.swapaxes(array, -1, -2)
            notes.append(ImportNote("transposed", {"name": name[:MAP_NAME_LIMIT]}, (number,)))
    if raw.is_padded:
        height = len(target) if has_end(target) else len(target) + 1
        trimmed = {name: _trim_padding(array, height, len(source)) for name, array in arrays.items()}
        if any(trimmed[name].shape != array.shape for name, array in arrays.items()):
            notes.append(ImportNote("padded", {}, (number,)))
        arrays = trimmed
    assignment = _RoleResolver(source, target, arrays, stated_roles, number, raw.command).resolve()
    full_source, full_target = assignment.add_end(source, "source"), assignment.add_end(target, "target")
    for side, tokens in (("source", full_source), ("target", full_target)):
        if not has_words(tokens):
            raise AttentionFileError("no_words", side=side, sentence=number)
    if not raw.omits_ends:
        notes += [ImportNote("end_of_source" if side == "source" else "end_of_target", {}, (number,))
                  for side in assignment.sides_with_end]  # fmt: skip
    role_of = {name: assignment.roles[name].role for name in arrays}
    if is_start(target[0]) and "cross" in role_of.values():
        notes.append(ImportNote("start_row", {"token": target[0]}, (number,)))
    labels = _build_labels(role_of)
    trace = _build_trace(file_name, build_side(full_source), build_side(full_target), arrays, labels, role_of, number)
    imported_maps = tuple(
        ImportedMap(name, labels[name], role_of[name], (array.shape[2], array.shape[3]), *array.shape[:2])
        for name, array in arrays.items()
    )
    questions = tuple(RoleQuestion(name, choice.open_roles)
                      for name, choice in assignment.roles.items() if choice.open_roles)  # fmt: skip
    notes += [*_build_role_notes(arrays, assignment, len(full_target), number), *_build_sum_notes(arrays, number)]
    return ImportedSentence(number, trace, tuple(full_source), tuple(full_target), imported_maps, questions,
                            tuple(notes))  # fmt: skip


def check_tokens(value: Any, side: str, sentence: int) -> list[str]:
    """Return the tokens of a side, splitting a text at white space. Raises AttentionFileError."""
    if value is None:
        raise AttentionFileError("no_tokens", side=side, sentence=sentence)
    if isinstance(value, np.ndarray):
        if value.size > LENGTH_LIMIT:  # a small archive can hold any number of empty strings
            raise AttentionFileError("length", got=value.size, limit=LENGTH_LIMIT, side=side, sentence=sentence)
        value = value.tolist()
    tokens = value.split() if isinstance(value, str) else value
    if isinstance(tokens, list) and len(tokens) == 1 and isinstance(tokens[0], list):  # a batch of one
        tokens = tokens[0]
    if isinstance(tokens, list) and tokens and all(type(token) is int for token in tokens):
        raise AttentionFileError("ids", side=side, sentence=sentence)
    if isinstance(tokens, list) and "" in tokens:
        raise AttentionFileError("empty_token", side=side, place=tokens.index("") + 1, sentence=sentence)
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens) \
            or any(map(has_broken_character, tokens)):
        raise AttentionFileError("tokens", side=side, sentence=sentence)
    if not tokens:
        raise AttentionFileError("no_words", side=side, sentence=sentence)
    if len(tokens) > LENGTH_LIMIT:
        raise AttentionFileError("length", got=len(tokens), limit=LENGTH_LIMIT, side=side, sentence=sentence)
    longest = max(map(len, tokens))
    if longest > TOKEN_LIMIT:
        raise AttentionFileError("long", got=longest, limit=TOKEN_LIMIT, side=side, sentence=sentence)
    return tokens


def _parse_axes(axes: Any, sentence: int) -> dict[str, Role]:
    """Return the roles that a file states: {"decoder_attentions": ["target", "source"]}. Raises AttentionFileError."""
    if axes is None:
        return {}
    try:
        return {join_surrogates(str(name)): roles.ROLE_BY_AXES[tuple(sides)] for name, sides in axes.items()}
    except (AttributeError, TypeError, KeyError):
        raise AttentionFileError("axes", sentence=sentence) from None


def _trim_padding(array: Weights, height: int, source_length: int) -> Weights:
    """Remove the padding of a batch: columns of zeros, and rows beyond the target and its end."""
    columns = array.shape[-1]
    widths = (source_length, source_length + 1)
    width = next((width for width in widths if width < columns and not array[..., width:].any()), columns)
    return array[..., :height, :width]


@dataclass(frozen=True)
class _RoleChoice:
    """The role of a map, and the equally likely roles if the user must choose."""

    role: Role
    open_roles: tuple[Role, ...] = ()


@dataclass(frozen=True)
class _RoleAssignment:
    """The roles of the maps by name, and the sides that need an end token."""

    sides_with_end: tuple[str, ...]
    roles: Mapping[str, _RoleChoice]

    def add_end(self, tokens: Sequence[str], side: str) -> list[str]:
        return [*tokens, *[END_PIECE] * (side in self.sides_with_end)]


@dataclass(frozen=True)
class _RoleResolver:
    """Assigns roles to the maps of one sentence, arrays (layers, heads, rows, columns)."""

    source: Sequence[str]
    target: Sequence[str]
    arrays: Mapping[str, Weights]
    stated_roles: Mapping[str, Role]
    number: int
    command: str

    def resolve(self) -> _RoleAssignment:
        """Find the roles of all maps, and whether the weights have end tokens that the tokens lack.

        An end is added only to a side without one, and only if no other assignment fits every map as well. Raises
        AttentionFileError if no assignment fits.
        """
        assignments = []
        for target_ends, source_ends in self._list_end_counts():
            choices = {name: self._choose_role(name, len(self.target) + target_ends, len(self.source) + source_ends)
                       for name in self.arrays}  # fmt: skip
            if all(choices.values()):
                sides_with_end = tuple(["source"] * source_ends + ["target"] * target_ends)
                fitting = {name: choice for name, choice in choices.items() if choice}
                assignments.append(_RoleAssignment(sides_with_end, fitting))
        if not assignments:
            raise self._build_shape_error()

        def rate(assignment: _RoleAssignment) -> tuple[int, int]:
            expected = sum(choice.role == roles.get_candidate_roles(name).roles[0]
                           for name, choice in assignment.roles.items())  # fmt: skip
            return expected, -len(assignment.sides_with_end)

        best = max(assignments, key=rate)
        for name, choice in best.roles.items():
            self._reject_doubtful(name, choice.role, best)
        return best

    def _list_end_counts(self) -> list[tuple[int, int]]:
        """Return the numbers of end tokens, 0 or 1, that target and source may lack."""
        return list(product(range(1 if has_end(self.target) else 2), range(1 if has_end(self.source) else 2)))

    def _choose_role(self, name: str, target_length: int, source_length: int) -> _RoleChoice | None:
        """Return the role of a map for these numbers of tokens; None if no role fits."""
        array = self.arrays[name]
        shape = array.shape[-2:]
        candidates = roles.get_candidate_roles(name)
        fitting = [role for role in candidates.roles if roles.get_shape(role, target_length, source_length) == shape]
        if name in self.stated_roles:
            role = self.stated_roles[name]
            return _RoleChoice(role) if roles.get_shape(role, target_length, source_length) == shape else None
        if not fitting:
            return None
        if target_length != source_length or not candidates.is_open or roles.has_hugging_face_names(self.arrays):
            return _RoleChoice(fitting[0])
        is_causal = all(roles.is_causal(matrix) for _, _, matrix in iterate_matrices(array))
        first: Role = "decoder" if "decoder" in candidates.roles else "encoder"
        if candidates.roles == ("encoder", "decoder"):
            order: tuple[Role, ...] = ("decoder", "encoder") if is_causal else ("encoder", "decoder")
        else:
            order = (first, "cross") if is_causal or first == "encoder" else ("cross", first)
        return _RoleChoice(order[0], order)

    def _reject_doubtful(self, name: str, role: Role, assignment: _RoleAssignment) -> None:
        """Raise AttentionFileError for self-attention by shape alone if cross-attention is one token away."""
        rows, columns = self.arrays[name].shape[-2:]
        target = len(assignment.add_end(self.target, "target"))
        source = len(assignment.add_end(self.source, "source"))
        if name in self.stated_roles or role == "cross" or not roles.is_generic_name(name):
            return
        if abs(rows - target) <= 1 and abs(columns - source) <= 1:
            raise self._build_missing_token_error(name) or self._build_error("unclear", name)

    def _build_shape_error(self) -> AttentionFileError:
        """Build the error about the first map that fits no assignment, or else about the first map."""
        target, source = len(self.target), len(self.source)
        unfitting = [name for name in self.arrays
                     if not any(self._choose_role(name, target + target_ends, source + source_ends)
                                for target_ends, source_ends in self._list_end_counts())]  # fmt: skip
        name = next(iter(unfitting or self.arrays))
        shape = self.arrays[name].shape[-2:]
        allowed = (self.stated_roles[name],) if name in self.stated_roles else roles.get_candidate_roles(name).roles
        if self.command:
            return self._build_subword_error(shape)
        missing_token = self._build_missing_token_error(name) if "cross" in allowed else None
        if missing_token is not None:
            return missing_token
        if "cross" in allowed and shape == (source, target):
            return self._build_error("transposed", name)
        if len(allowed) == 1:
            return self._build_error(f"not_{allowed[0]}", name)
        return self._build_error("sides", name)

    def _build_missing_token_error(self, name: str) -> AttentionFileError | None:
        """Build the error about one missing token of cross-attention; return None if the shape indicates none."""
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
        """Build the error about the side whose tokens are not those of the weights."""
        is_target = shape[0] - len(self.target) not in ((0,) if has_end(self.target) else (0, 1))
        side, tokens, expected = ("target", self.target, shape[0]) if is_target else ("source", self.source, shape[1])
        got = len(tokens)
        return AttentionFileError("subwords", side=side, got=got, expected=expected, option=self.command,
                                  sentence=self.number)  # fmt: skip

    def _build_error(self, kind: Any, name: str) -> AttentionFileError:
        rows, columns = self.arrays[name].shape[-2:]
        return AttentionFileError(kind, name=name[:MAP_NAME_LIMIT], rows=rows, columns=columns, target=len(self.target),
                                  source=len(self.source), token=self.target[0], sentence=self.number)  # fmt: skip


def _build_labels(role_of: Mapping[str, Role]) -> dict[str, str]:
    """Return the name of each map in the Trace: its display name if unique, else its own name.

    A name that is taken already, apart from capitals, gets a number.
    """
    display_names = {name: roles.build_display_name(name, role) for name, role in role_of.items()}
    counts = Counter(display_names.values())
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for name, display_name in display_names.items():
        label = base = display_name if counts[display_name] == 1 else roles.sanitise_name(name)
        number = 2
        while label.lower() in taken:
            suffix = f" {number}"
            label, number = base[: roles.NAME_LIMIT - len(suffix)].strip() + suffix, number + 1
        labels[name] = label
        taken.add(label.lower())
    return labels


def _build_trace(
    file_name: str,
    source: Side,
    target: Side,
    arrays: Mapping[str, Weights],
    labels: Mapping[str, str],
    role_of: Mapping[str, Role],
    number: int,
) -> Trace:
    """Build the Trace, cross-attention first."""
    maps = []
    for name, array in arrays.items():
        rows, columns = roles.AXES[role_of[name]]
        for layer, head, matrix in iterate_matrices(array):
            values = matrix.astype(np.float32)
            description = MapDescription(labels[name], layer, head, rows, columns, is_row_stochastic(values))
            maps.append(WeightMap.from_description(description, values))
    maps = _add_head_means(sorted(maps, key=lambda weight_map: not weight_map.description.is_target_by_source))
    for key, count in Counter(weight_map.key for weight_map in maps).items():
        if count > 1:
            raise AttentionFileError("names", name=key, sentence=number)
    return Trace(source, target, _build_steps(target), tuple(maps), 0.0, 0.0, target.has_end,
                 Provenance(file_name, "", IMPORTED, {}), languages=(_NO_LANGUAGE, _NO_LANGUAGE))  # fmt: skip


def _build_steps(target: Side) -> tuple[Step, ...]:
    return tuple(Step(index, piece, 0.0) for index, piece in enumerate(target.pieces))


def _add_head_means(maps: list[WeightMap]) -> list[WeightMap]:
    """Prepend the mean over the heads of every layer with several heads.

    The last but one layer comes first, because its heads align best (Garg et al. 2019).
    """
    groups: dict[tuple[str, int | None], list[WeightMap]] = {}
    for weight_map in maps:
        if weight_map.head is not None and weight_map.description.is_target_by_source:
            groups.setdefault((weight_map.name, weight_map.layer), []).append(weight_map)
    means = []
    for (name, layer), heads in groups.items():
        mean = np.mean([head.values for head in heads], axis=0)
        rows_sum_to_one = all(head.rows_sum_to_one for head in heads) and is_row_stochastic(mean)
        means.append(WeightMap.from_description(MapDescription(name, layer, rows_sum_to_one=rows_sum_to_one), mean))
    if len(means) > 1:
        means.insert(0, means.pop(-2))
    return means + maps


def remove_special_tokens(trace: Trace) -> Trace:
    """Return a Trace without its special tokens, with rows renormalised over the remaining tokens.

    A row without weight on them becomes zeros. The columns of decoder self-attention are the decoder's inputs: the
    tokens one step before.
    """
    positions = {side: [position for position, word in enumerate(getattr(trace, side).word_of) if word >= 0]
                 for side in ("source", "target")}  # fmt: skip
    sides = {side: _select_positions(getattr(trace, side), positions[side]) for side in positions}
    maps = []
    for weight_map in trace.maps:
        rows, columns = positions[weight_map.rows], positions[weight_map.columns]
        if weight_map.rows == weight_map.columns == "target":
            columns = [0, *(position + 1 for position in columns)][: len(columns)]
        weights = weight_map.values.astype(np.float64)
        values = weights[np.ix_(rows, columns)]
        sums = values.sum(axis=1, keepdims=True)
        values = np.divide(values, sums, out=np.zeros_like(values), where=sums > 0)
        if not weight_map.rows_sum_to_one:  # rows keep their sums
            values = values * weights.sum(axis=1)[rows, None]
        rounded = values.astype(np.float32)
        rows_sum_to_one = weight_map.rows_sum_to_one and is_row_stochastic(rounded)
        description = replace(weight_map.description, rows_sum_to_one=rows_sum_to_one)
        maps.append(WeightMap.from_description(description, rounded))
    return Trace(sides["source"], sides["target"], _build_steps(sides["target"]), tuple(maps), 0.0, 0.0, False,
                 trace.provenance, languages=trace.languages, displayed_map_key=trace.displayed_map_key)  # fmt: skip


def _select_positions(side: Side, positions: Sequence[int]) -> Side:
    pieces = tuple(side.pieces[position] for position in positions)
    return Side(side.text, side.words, pieces, tuple(side.word_of[position] for position in positions))


def has_special_tokens(trace: Trace) -> bool:
    """Return whether a token on either side belongs to no word, and both sides have words without it."""
    has_words_too = bool(trace.source.words and trace.target.words)
    return has_words_too and (-1 in trace.source.word_of or -1 in trace.target.word_of)


def _build_role_notes(
    arrays: Mapping[str, Weights], assignment: _RoleAssignment, target_length: int, number: int
) -> Iterator[ImportNote]:
    for name, choice in assignment.roles.items():
        values = {"name": name[:MAP_NAME_LIMIT], "role": roles.ROLE_NAMES[choice.role]}
        if choice.open_roles:
            other_role = next(role for role in choice.open_roles if role != choice.role)
            values |= {"length": str(target_length), "first": str(number), "other": roles.ROLE_NAMES[other_role],
                       "axes": dump_json(roles.AXES[other_role])}  # fmt: skip
            yield ImportNote("open", values, (number,))
        elif choice.role != "cross" and roles.is_generic_name(name):
            rows, columns = arrays[name].shape[-2:]
            values |= {"rows": str(rows), "columns": str(columns), "first": str(number)}
            yield ImportNote("self", values, (number,))


def _build_sum_notes(arrays: Mapping[str, Weights], number: int) -> Iterator[ImportNote]:
    for name, array in arrays.items():
        if all(is_row_stochastic(matrix.astype(np.float32)) for _, _, matrix in iterate_matrices(array)):
            continue
        sums = array.sum(axis=-1)
        worst = int(np.argmax(np.abs(sums - 1)))
        row = str(worst % sums.shape[-1] + 1)
        values = {"name": name[:MAP_NAME_LIMIT], "row": row, "sum": f"{sums.flat[worst]:.3g}", "first": str(number)}
        yield ImportNote("sums", values, (number,))
