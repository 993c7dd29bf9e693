"""Reads arrays and their tokens out of JSON, NPZ and NPY."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from model.importers.errors import AttentionFileError
from model.importers.sentences import CROSS_AXES, MAP_LIMIT, SENTENCE_LIMIT, RawSentence
from model.importers.weights import has_numbers_only
from model.serialization.codec import CodecError, dump_json
from model.trace import Trace

UNPACKED_BYTE_LIMIT = 64 * 2**20
TRACE_LENGTH_LIMIT = 2000  # words or pieces of a side of this app's own files: more than any of its models reads or writes
ZIP_START, NPY_START = b"PK\x03\x04", b"\x93NUMPY"

SOURCE_KEYS = frozenset({"source", "src", "source_tokens", "src_tokens", "source_sent", "src_sent", "source_words",
                         "encoder_tokens", "input_tokens"})  # fmt: skip
TARGET_KEYS = frozenset({"target", "trg", "tgt", "target_tokens", "trg_tokens", "tgt_tokens", "target_sent", "trg_sent",
                         "tgt_sent", "target_words", "decoder_tokens", "output_tokens", "translation", "hypothesis",
                         "prediction", "tokens"})  # fmt: skip
_MAPS = "maps"  # an object of further maps by their names
_AXES = "axes"
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")

Item = RawSentence | AttentionFileError | Trace


def read_json(text: str) -> list[Item]:
    """Read one object, a list of them, or several one after another, on lines of their own or over several lines.

    A line of such objects that is not well-formed is an error of its own. Raises AttentionFileError.
    """
    values: list[Any] = []
    position = _skip_space(text, 0)
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as error:  # RecursionError: lists nested by the thousand
            line = error.lineno if isinstance(error, json.JSONDecodeError) else text.count("\n", 0, position) + 1
            problem = AttentionFileError("json", line=line)
            end = text.find("\n", position)
            if not values or not _is_json_line(text, position, end):
                raise problem from None
            value, position = problem, len(text) if end < 0 else end
        values.append(value)
        position = _skip_space(text, position)
    if len(values) == 1 and isinstance(values[0], list):
        values = _parse_list(values[0])
    check_count(len(values))
    found: list[Item] = []
    for value in values:
        found += [value] if isinstance(value, AttentionFileError) else parse_value(value, len(found) + 1)
    return found


def check_count(count: int) -> None:
    """Refuse more sentences than are read."""
    if count > SENTENCE_LIMIT:
        raise AttentionFileError("sentences", got=count, limit=SENTENCE_LIMIT)


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _is_json_line(text: str, position: int, end: int) -> bool:
    """Say whether what begins at `position` is on a line of its own, so that the next line may be read by itself."""
    begins_line = "\n" in text[:position] and not text[text.rfind("\n", 0, position) + 1 : position].strip()
    following = text[end:].lstrip()[:1] if end >= 0 else ""
    return begins_line and text[position] == "{" and following in ("", "{")


def _parse_list(values: list[Any]) -> list[Any]:
    """Return the sentences of a list; a list of lists is one sentence's weights, or the links that Nematus saves."""
    if values and all(isinstance(value, list) for value in values):
        links = _parse_nematus_links(values)
        return [{"attention": values}] if links is None else links
    return values


def _parse_nematus_links(rows: list[list[Any]]) -> list[dict[str, Any]] | None:
    """Read Nematus' JSON, [target, source, weight, ...] for each pair of tokens; None where it is something else."""
    if not all(len(row) >= 3 and isinstance(row[0], str) and isinstance(row[1], str) for row in rows):
        return None
    width = next((place + 1 for place, row in enumerate(rows) if row[1] == "</s>"), len(rows))
    try:
        weights = [float(row[2]) for row in rows]
    except (TypeError, ValueError):
        return None
    return [{"source": [row[1] for row in rows[:width]], "target": [row[0] for row in rows[::width]],
             "attention": [weights[place : place + width] for place in range(0, len(rows), width)]}]  # fmt: skip


def parse_value(value: Any, number: int) -> list[Item]:
    """Return the sentences of an object: this app's own Trace, or tokens and weights under usual names."""
    if isinstance(value, dict) and "made_by" in value and "steps" in value:
        try:
            return [_parse_trace(value, number)]
        except AttentionFileError as error:
            return [error]
    if not isinstance(value, dict):
        return [AttentionFileError("no_tokens", side="source", sentence=number)]
    return list(_parse_object(value))


def _parse_trace(value: dict[str, Any], number: int) -> Trace:
    """Open a Trace that Translate or Your own text saved."""
    for name in ("source", "target"):
        side = value.get(name)
        for tokens in (side.get("words"), side.get("pieces")) if isinstance(side, dict) else ():
            if isinstance(tokens, list) and len(tokens) > TRACE_LENGTH_LIMIT:
                raise AttentionFileError("length", got=len(tokens), limit=TRACE_LENGTH_LIMIT, side=name, sentence=number)
    if isinstance(value.get("maps"), list) and len(value["maps"]) > MAP_LIMIT:
        raise AttentionFileError("maps", got=len(value["maps"]), limit=MAP_LIMIT, sentence=number)
    try:
        return Trace.from_json(dump_json(value))
    except (CodecError, ValueError) as error:
        raise AttentionFileError("trace", sentence=number, reason=str(error)) from None


def _parse_object(value: dict[str, Any]) -> Sequence[RawSentence]:
    """Return the sentence of an object or archive, or each of its batch: whatever else has rows is a map."""
    source, target = (_get_first(value, keys) for keys in (SOURCE_KEYS, TARGET_KEYS))
    inner = value.get(_MAPS)
    every = {str(name): one for name, one in (value | (inner if isinstance(inner, dict) else {})).items()}
    weights = {name: one for name, one in every.items()
               if _to_snake_case(name) not in SOURCE_KEYS | TARGET_KEYS and _has_rows(one)}  # fmt: skip
    axes = value.get(_AXES) if isinstance(value.get(_AXES), dict) else None
    size = _count_batch(source)
    if size > 1 and size == _count_batch(target):
        return [RawSentence(_trim_padding(source[place]), _trim_padding(target[place]),
                            {name: _select_sentence(one, place, size) for name, one in weights.items()}, axes=axes, is_padded=True)
                for place in range(size)]  # fmt: skip
    return [RawSentence(source, target, weights, axes=axes)]


def _get_first(value: dict[str, Any], keys: frozenset[str]) -> Any:
    return next((one for name, one in value.items() if _to_snake_case(str(name)) in keys and one is not None), None)


def _to_snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", "_", name[:100]).lower()


def _has_rows(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 1
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _count_batch(tokens: Any) -> int:
    """Return how many sentences the tokens are for; 0 for tokens without a batch."""
    if isinstance(tokens, np.ndarray):
        return len(tokens) if tokens.ndim == 2 else 0
    is_batch = isinstance(tokens, list) and bool(tokens) and all(isinstance(one, list) for one in tokens)
    return len(tokens) if is_batch else 0


def _trim_padding(tokens: Any) -> Any:
    """Return the tokens of one sentence of a batch; arrays are filled up with empty strings."""
    given = tokens.tolist() if isinstance(tokens, np.ndarray) else list(tokens)
    while given and given[-1] == "":
        given.pop()
    return given


def _select_sentence(weights: Any, place: int, size: int) -> Any:
    """Return the weights of one sentence of a batch: its axis is the first, or follows layers, or steps and layers."""
    if not isinstance(weights, np.ndarray) and not has_numbers_only(weights):
        return weights
    try:
        array = np.asarray(weights)
    except ValueError:
        return weights
    axis = {3: (0,), 4: (0, 1), 5: (1, 0), 6: (2, 1, 0)}.get(array.ndim, ())
    found = next((one for one in axis if array.shape[one] == size), None)
    return weights if found is None else np.take(array, place, found)


def read_npz(data: bytes) -> list[Item]:
    """Read an archive: tokens as arrays of strings, every array of numbers a map. Raises AttentionFileError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
        if any(one.filename.endswith("data.pkl") for one in members):  # what torch.save writes
            raise AttentionFileError("pickled")
        # Anything but what numpy writes unpacks to any size, whatever the archive says.
        if any(one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for one in members):
            raise AttentionFileError("npz")
        unpacked = sum(one.file_size for one in members)
        if unpacked > UNPACKED_BYTE_LIMIT:
            raise AttentionFileError("unpacked", got=unpacked, limit=UNPACKED_BYTE_LIMIT)
        with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
            arrays = {key: loaded[key] for key in loaded.files}
    except AttentionFileError:
        raise
    except Exception as error:  # zipfile, what it unpacks with and numpy's headers raise errors of a dozen kinds
        raise AttentionFileError("pickled" if "allow_pickle" in str(error) else "npz") from None
    _check_size(*arrays.values())
    return list(_parse_object(arrays))


def read_npy(data: bytes, lines: int) -> list[Item]:
    """Read one array without tokens, as Neural Monkey saves them. It is of several sentences, padded to the longest,
    where there are more than one line of text, and as many as the array is long. Raises AttentionFileError."""
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # as above
        raise AttentionFileError("pickled" if "allow_pickle" in str(error) else "npz") from None
    if not isinstance(array, np.ndarray):
        raise AttentionFileError("npz")
    _check_size(array)
    if array.ndim > 2 and 1 < lines == len(array):
        return [RawSentence(None, None, {"attention": one}, row=row, axes=CROSS_AXES, is_padded=True)
                for row, one in enumerate(array)]  # fmt: skip
    return [RawSentence(None, None, {"attention": array}, axes=CROSS_AXES)]


def _check_size(*arrays: np.ndarray) -> None:
    counted = 8 * sum(array.size for array in arrays if array.dtype.kind in "fiu")
    if counted > UNPACKED_BYTE_LIMIT:  # small numbers are as large as others once they are calculated with
        raise AttentionFileError("unpacked", got=counted, limit=UNPACKED_BYTE_LIMIT)
