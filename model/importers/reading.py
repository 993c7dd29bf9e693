"""A file of attention: JSON, NPZ, or what Nematus writes, told apart by what stands in it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.codec import CodecError, MalformedError, dump, value_of
from model.importers.problems import ForeignError
from model.importers.record import MAP_LIMIT, Given, trace
from model.text.documents import DocumentError, base_name, decode
from model.trace import Trace

BYTE_LIMIT = 5 * 2**20
UNPACKED_LIMIT = 64 * 2**20
SENTENCE_LIMIT = 500
OWN_LIMIT = 2000  # words or pieces of a side of our own files: more than any model of ours reads or writes
_ZIP = b"PK\x03\x04"
_SOURCES = ("source", "src", "source_tokens", "src_tokens", "source_sent")
_TARGETS = ("target", "trg", "tgt", "target_tokens", "trg_tokens", "tgt_tokens", "target_sent", "tokens")
_MAPS = "maps"  # an object of further maps by their names
_BETWEEN = " ||| "  # the fields of a header of Nematus
_NUMBER, _SCORE, _LENGTHS = re.compile(r"\d+"), re.compile(r"\S+"), re.compile(r" *(\d{1,6}) +(\d{1,6}) *")
_BAR = "&#124;" * 3  # how our own files spell the bars between fields where a text has them


def read(data: bytes, name: str) -> tuple[Trace, ...]:
    """The sentences of a file's bytes, called `name`; one Trace each. Raises ForeignError."""
    if len(data) > BYTE_LIMIT:
        raise ForeignError("size", got=len(data), limit=BYTE_LIMIT)
    name = base_name(name)
    if data.startswith(_ZIP):
        return (trace(_npz(data), name, 1),)
    try:
        lines = _lines(decode(data))
    except DocumentError:
        raise ForeignError("format") from None
    if not lines:
        raise ForeignError("empty")
    first = next(line for line in lines if line)
    if first[0] in "{[":
        found = _json(lines)
    elif _header(first) is not None:
        found = list(_nematus(lines))
    else:
        raise ForeignError("format")
    if not found:
        raise ForeignError("empty")
    if len(found) > SENTENCE_LIMIT:
        raise ForeignError("sentences", got=len(found), limit=SENTENCE_LIMIT)
    return tuple(_opened(one, number) if _ours(one) else trace(_given(one, number), name, number)
                 for number, one in enumerate(found, 1))


def _lines(text: str) -> list[str]:
    """The lines of a text without the white space that it begins and ends with, but for the empty lines before, so that
    they count as in an editor: JSON allows ends of a line inside of texts that `str.splitlines` would cut at."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    body = text.lstrip()
    return [""] * text.count("\n", 0, len(text) - len(body)) + body.split("\n") if body else []


def _npz(data: bytes) -> Given:
    """The one sentence of an NPZ archive: tokens as arrays of texts, and every array of numbers a map."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
        # What else there is unpacks to any size, whatever the archive says; numpy writes these two.
        if any(one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for one in members):
            raise ForeignError("npz")
        unpacked = sum(one.file_size for one in members)
        if unpacked > UNPACKED_LIMIT:
            raise ForeignError("unpacked", got=unpacked, limit=UNPACKED_LIMIT)
        with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
            arrays = {key: loaded[key] for key in loaded.files}
        counted = 8 * sum(array.size for array in arrays.values() if array.dtype.kind in "fiu")
        if counted > UNPACKED_LIMIT:  # small numbers are as large as others once they are counted with
            raise ForeignError("unpacked", got=counted, limit=UNPACKED_LIMIT)
    except ForeignError:
        raise
    except Exception:  # zipfile, what it unpacks with and numpy's reading of headers raise errors of a dozen kinds
        raise ForeignError("npz") from None
    return _given(arrays, 1)


def _json(lines: Sequence[str]) -> list[Any]:
    """The sentences of a JSON text: one object, a list of them, or an object a line."""
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if len(filled) > 1 and _object(filled[0][1]):
        return [_loaded(line, number) for number, line in filled]
    value = _loaded("\n".join(lines), 1)
    return value if isinstance(value, list) else [value]


def _object(line: str) -> bool:
    """Whether a line is an object by itself."""
    try:
        return isinstance(value_of(line), dict)
    except MalformedError:
        return False


def _loaded(text: str, line: int) -> Any:
    try:
        return value_of(text)
    except MalformedError as error:
        raise ForeignError("json", line=line + error.line - 1) from None


def _ours(one: Any) -> bool:
    return isinstance(one, dict) and "made_by" in one and "steps" in one


def _opened(one: dict[str, Any], number: int) -> Trace:
    """A Trace of ours, as Translate and Your own text save it."""
    for name in ("source", "target"):
        words = one[name].get("words") if isinstance(one.get(name), dict) else None
        for tokens in (words, one[name].get("pieces")) if words is not None else ():
            if isinstance(tokens, list) and len(tokens) > OWN_LIMIT:
                raise ForeignError("length", got=len(tokens), limit=OWN_LIMIT, side=name, sentence=number)
    if isinstance(one.get("maps"), list) and len(one["maps"]) > MAP_LIMIT:
        raise ForeignError("maps", got=len(one["maps"]), limit=MAP_LIMIT, sentence=number)
    try:
        return Trace.from_json(dump(one))
    except (CodecError, ValueError) as error:
        raise ForeignError("trace", sentence=number, reason=str(error)) from None


def _given(one: Any, number: int) -> Given:
    """The tokens and weights of an object or archive: known names for the sides, everything else that has rows and
    columns of something a map."""
    if not isinstance(one, dict):
        raise ForeignError("no_tokens", side="source", sentence=number)
    source, target = (next((one[key] for key in keys if one.get(key) is not None), None)
                      for keys in (_SOURCES, _TARGETS))
    inner = one.get(_MAPS)
    every = one | (inner if isinstance(inner, dict) else {})
    weights = {str(key): value for key, value in every.items()
               if key not in (*_SOURCES, *_TARGETS) and _rows(value)}
    return Given(source, target, weights)


def _rows(value: Any) -> bool:
    """Whether something is made of rows: an array of more than one axis, or a list of lists."""
    if isinstance(value, np.ndarray):
        return value.ndim > 1
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


class _Header(NamedTuple):
    """What Nematus writes above the weights of a sentence."""

    target: str
    source: str
    columns: int
    rows: int


def _header(line: str) -> _Header | None:
    """The header of number, target, score, source and the two lengths that a line is; None where it is none."""
    fields = line.split(_BETWEEN)
    if len(fields) != 5 or not _NUMBER.fullmatch(fields[0]) or not _SCORE.fullmatch(fields[2]):
        return None
    lengths = _LENGTHS.fullmatch(fields[4])
    if lengths is None:
        return None
    target, source = (field.replace(_BAR, "|||") for field in (fields[1], fields[3]))
    return _Header(target, source, int(lengths[1]), int(lengths[2]))


def _nematus(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The sentences of Nematus' alignments as text: a header, then a line of weights for every target token, the end
    among them."""
    place = 0
    while place < len(lines):
        if not lines[place].strip():
            place += 1
            continue
        header = _header(lines[place])
        if header is None:
            raise ForeignError("header", line=place + 1)
        matrix = []
        for number in range(place + 1, place + 1 + header.rows):
            weights = lines[number].split() if number < len(lines) else []
            try:
                matrix.append([float(weight) for weight in weights])
            except ValueError:
                raise ForeignError("rows", line=number + 1, got=0, expected=header.columns) from None
            if len(weights) != header.columns:
                raise ForeignError("rows", line=number + 1, got=len(weights), expected=header.columns)
        yield {"source": header.source, "target": header.target, "attention": matrix}
        place += 1 + header.rows
