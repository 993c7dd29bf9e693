"""Readers of JSON, NPZ and NPY files."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from model.importers.errors import AttentionFileError
from model.importers.sentences import CROSS_AXES, IMPORTED_SENTENCE_LIMIT, MAP_LIMIT, RawSentence
from model.importers.weights import AXIS_LIMIT, UNPACKED_BYTE_LIMIT, check_size, count_axes
from model.serialization.codec import CodecError, dump_json
from model.text.normalise import join_surrogates
from model.trace import Trace

TRACE_LENGTH_LIMIT = 2000  # words or pieces of a side of this app's own files
ZIP_START, NPY_START = b"PK\x03\x04", b"\x93NUMPY"

SOURCE_KEYS = frozenset({"source", "src", "source_tokens", "src_tokens", "source_sent", "src_sent", "source_words",
                         "encoder_tokens", "input_tokens"})  # fmt: skip
TARGET_KEYS = frozenset({"target", "trg", "tgt", "target_tokens", "trg_tokens", "tgt_tokens", "target_sent", "trg_sent",
                         "tgt_sent", "target_words", "decoder_tokens", "output_tokens", "translation", "hypothesis",
                         "prediction", "tokens"})  # fmt: skip
_MAPS = "maps"  # an object of further maps by name
_AXES = "axes"
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")

ImportItem = RawSentence | AttentionFileError | Trace


def read_json(text: str) -> list[ImportItem]:
    """Read one object, a list of objects, or several in a row (JSON Lines or over several lines).

    An invalid line among JSON Lines becomes an error of that sentence. Raises AttentionFileError.
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
    items: list[ImportItem] = []
    for value in values:
        items += [value] if isinstance(value, AttentionFileError) else parse_value(value, len(items) + 1)
    return items


def check_count(count: int) -> None:
    """Raise AttentionFileError for too many sentences."""
    if count > IMPORTED_SENTENCE_LIMIT:
        raise AttentionFileError("sentences", got=count, limit=IMPORTED_SENTENCE_LIMIT)


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _is_json_line(text: str, position: int, end: int) -> bool:
    """Return whether a line of JSON Lines begins at `position`, so that the next line can be read separately."""
    begins_line = "\n" in text[:position] and not text[text.rfind("\n", 0, position) + 1 : position].strip()
    next_character = text[end:].lstrip()[:1] if end >= 0 else ""
    return begins_line and text[position] == "{" and next_character in ("", "{")


def _parse_list(values: list[Any]) -> list[Any]:
    """Return the sentences of a list; a list of lists is one sentence's weights, or links as Nematus saves them."""
    if values and all(isinstance(value, list) for value in values):
        links = _parse_nematus_links(values)
        return [{"attention": values}] if links is None else links
    return values


def _parse_nematus_links(rows: list[list[Any]]) -> list[dict[str, Any]] | None:
    """Read Nematus' JSON, [target, source, weight, ...] for each pair of tokens; return None for anything else."""
    if not all(len(row) >= 3 and isinstance(row[0], str) and isinstance(row[1], str) for row in rows):
        return None
    width = next((number for number, row in enumerate(rows, 1) if row[1] == "</s>"), len(rows))
    try:
        weights = [float(row[2]) for row in rows]
    except (TypeError, ValueError, OverflowError):
        return None
    return [{"source": [row[1] for row in rows[:width]], "target": [row[0] for row in rows[::width]],
             "attention": [weights[place : place + width] for place in range(0, len(rows), width)]}]  # fmt: skip


def parse_value(value: Any, number: int) -> list[ImportItem]:
    """Return the sentences of an object: this app's own Trace, or tokens and weights under usual keys."""
    if isinstance(value, dict) and "steps" in value and ("provenance" in value or "made_by" in value):
        try:
            return [_parse_trace(value, number)]
        except AttentionFileError as error:
            return [error]
    if not isinstance(value, dict):
        return [AttentionFileError("no_tokens", side="source", sentence=number)]
    return list(_parse_object(value))


def _parse_trace(value: dict[str, Any], number: int) -> Trace:
    """Read a Trace that the page Translate or Your text saved."""
    for name in ("source", "target"):
        side = value.get(name)
        for tokens in (side.get("words"), side.get("pieces")) if isinstance(side, dict) else ():
            got = len(tokens) if isinstance(tokens, list) else 0
            if got > TRACE_LENGTH_LIMIT:
                raise AttentionFileError("length", got=got, limit=TRACE_LENGTH_LIMIT, side=name, sentence=number)
    if isinstance(value.get("maps"), list) and len(value["maps"]) > MAP_LIMIT:
        raise AttentionFileError("maps", got=len(value["maps"]), limit=MAP_LIMIT, sentence=number)
    try:
        return Trace.from_json(dump_json(value))
    except RecursionError:
        raise AttentionFileError("trace", sentence=number, reason="It is nested far too deeply.") from None
    except (CodecError, ValueError) as error:
        raise AttentionFileError("trace", sentence=number, reason=str(error)) from None


def _parse_object(value: dict[str, Any]) -> Sequence[RawSentence]:
    """Return the sentence, or the batch of sentences, of an object or archive: any other key with rows is a map."""
    source, target = (_get_first(value, keys) for keys in (SOURCE_KEYS, TARGET_KEYS))
    maps = value.get(_MAPS)
    named = value | (maps if isinstance(maps, dict) else {})
    candidates = {join_surrogates(str(key)): item for key, item in named.items()}
    weights = {name: item for name, item in candidates.items()
               if _to_snake_case(name) not in SOURCE_KEYS | TARGET_KEYS and _has_rows(item)}  # fmt: skip
    axes = None if _has_rows(value.get(_AXES)) else value.get(_AXES)  # a matrix named "axes" is a map
    size = _count_batch(source)
    if size < 2 or size != _count_batch(target):
        return [RawSentence(source, target, weights, axes=axes)]
    return [RawSentence(_trim_padding_tokens(source[index]), _trim_padding_tokens(target[index]),
                        {name: _select_sentence(item, index, size) for name, item in weights.items()},
                        axes=axes, is_padded=True) for index in range(size)]  # fmt: skip


def _get_first(value: dict[str, Any], keys: frozenset[str]) -> Any:
    """Return the first value with one of the keys, in any notation."""
    return next((item for key, item in value.items() if _to_snake_case(str(key)) in keys and item is not None), None)


def _to_snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", "_", name[:100]).lower()


def _has_rows(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 1
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _count_batch(tokens: Any) -> int:
    """Return the batch size of tokens; 0 for tokens without a batch axis."""
    if isinstance(tokens, np.ndarray):
        return len(tokens) if tokens.ndim == 2 else 0
    is_batch = isinstance(tokens, list) and bool(tokens) and all(isinstance(sentence, list) for sentence in tokens)
    return len(tokens) if is_batch else 0


def _trim_padding_tokens(tokens: Any) -> Any:
    """Return the tokens of one sentence of a batch, without the empty strings that pad arrays."""
    trimmed = tokens.tolist() if isinstance(tokens, np.ndarray) else list(tokens)
    while trimmed and trimmed[-1] == "":
        trimmed.pop()
    return trimmed


def _select_sentence(weights: Any, index: int, size: int) -> Any:
    """Return the weights of one sentence of a batch, whose axis is the first or follows layers or steps and layers."""
    if not isinstance(weights, np.ndarray) and not 0 < (count_axes(weights) or 0) <= AXIS_LIMIT:
        return weights
    try:
        array = np.asarray(weights)
    except ValueError:
        return weights
    candidates = {3: (0,), 4: (0, 1), 5: (1, 0), 6: (2, 1, 0)}.get(array.ndim, ())
    axis = next((axis for axis in candidates if array.shape[axis] == size), None)
    return weights if axis is None else np.take(array, index, axis)


def read_npz(data: bytes) -> list[ImportItem]:
    """Read an archive with tokens as arrays of strings and maps as arrays of numbers. Raises AttentionFileError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
        if any(member.filename.endswith("data.pkl") for member in members):  # from torch.save
            raise AttentionFileError("pickled")
        # Only numpy's compression types respect the size that the archive states.
        if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
            raise AttentionFileError("npz")
        unpacked = sum(member.file_size for member in members)
        if unpacked > UNPACKED_BYTE_LIMIT:
            raise AttentionFileError("unpacked", got=unpacked, limit=UNPACKED_BYTE_LIMIT)
        with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
            arrays = {key: array for key in loaded.files if isinstance(array := loaded[key], np.ndarray)}
    except AttentionFileError:
        raise
    except Exception as error:  # zipfile, zlib and numpy raise many kinds of errors
        raise AttentionFileError("pickled" if "allow_pickle" in str(error) else "npz") from None
    _check_size(*arrays.values())
    return list(_parse_object(arrays))


def read_npy(data: bytes, line_count: int) -> list[ImportItem]:
    """Read one array without tokens, as Neural Monkey saves them. Raises AttentionFileError.

    `line_count`: lines of text given for it; if it is over 1 and the length of the array, that is a padded batch.
    """
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # as above
        raise AttentionFileError("pickled" if "allow_pickle" in str(error) else "npz") from None
    if not isinstance(array, np.ndarray):
        raise AttentionFileError("npz")
    _check_size(array)
    if array.ndim > 2 and 1 < line_count == len(array):
        return [RawSentence(None, None, {"attention": weights}, row=row, axes=CROSS_AXES, is_padded=True)
                for row, weights in enumerate(array)]  # fmt: skip
    return [RawSentence(None, None, {"attention": array}, axes=CROSS_AXES)]


def _check_size(*arrays: np.ndarray) -> None:
    check_size(sum(array.size for array in arrays if array.dtype.kind in "fiu"))
