"""Reading of attention files of other toolkits; the format is detected from the content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.importers.array_formats import NPY_START, ZIP_START, ImportItem, check_count, read_json, read_npy, read_npz
from model.importers.errors import AttentionFileError, ImportNote, merge_notes
from model.importers.roles import AXES, ROLE_BY_AXES, Role
from model.importers.sentences import ImportedMap, ImportedSentence, RawSentence, RoleQuestion, import_sentence
from model.importers.text_formats import find_reader, has_truncated_tokens, read_opennmt
from model.text.documents import BYTE_LIMIT, DocumentError, decode, shorten_file_name
from model.trace import Trace

_PICKLE_START = re.compile(rb"\x80[\x02-\x05]")


@dataclass(frozen=True)
class ImportedFile:
    """An attention file: its readable sentences, the notes on it, and the count of all its sentences."""

    name: str
    sentences: tuple[ImportedSentence, ...]
    notes: tuple[ImportNote, ...]
    count: int

    @property
    def questions(self) -> tuple[RoleQuestion, ...]:
        """The distinct maps whose role the user must choose."""
        by_name = {question.name: question for sentence in self.sentences for question in sentence.questions}
        return tuple(by_name.values())


def read_attention(
    data: bytes, name: str, *, source: str = "", target: str = "", roles: Mapping[str, Role] | None = None
) -> ImportedFile:
    """Read the sentences of a file called `name`. Raises AttentionFileError if none is readable.

    `source`, `target`: a line of space-separated tokens for each sentence, which override those in the file. `roles`:
    the user's choice of roles, by the names of maps. Unreadable sentences are left out and noted.
    """
    if len(data) > BYTE_LIMIT:
        raise AttentionFileError("size", got=len(data), limit=BYTE_LIMIT)
    texts = {"source": _split_text_lines(source), "target": _split_text_lines(target)}
    items, notes = _parse_items(data, max(map(len, texts.values())))
    if not items:
        raise AttentionFileError("empty")
    check_count(len(items))
    items = _add_texts(items, texts)
    sentences: list[ImportedSentence] = []
    problems: list[tuple[int, AttentionFileError]] = []
    for number, item in enumerate(items, 1):
        try:
            sentences.append(_import_item(item, shorten_file_name(name), number, roles or {}))
        except AttentionFileError as error:
            problems.append((number, error))
    if not sentences:
        raise problems[0][1]
    notes += [ImportNote("left_out", {}, (number,), error) for number, error in problems]
    notes += [note for sentence in sentences for note in sentence.notes]
    return ImportedFile(shorten_file_name(name), tuple(sentences), merge_notes(notes), len(items))


def is_attention_file(name: str, data: bytes) -> bool:
    """Return whether a file holds attention rather than text, even if it can't be read."""
    is_archive = data.startswith(ZIP_START) and (name.lower().endswith(".npz") or b".npy" in data)
    if is_archive or data.startswith(NPY_START):
        return True
    is_json = name.lower().endswith((".json", ".jsonl", ".ndjson"))
    if len(data) > BYTE_LIMIT:
        return is_json
    try:
        text = decode(data)
    except DocumentError:
        return False
    if is_json or find_reader(_split_lines(text)) is not None:
        return True
    try:
        items = read_json(text) if text.lstrip()[:1] in ("{", "[") else []
    except AttentionFileError:
        return False
    return any(isinstance(item, Trace) or (isinstance(item, RawSentence) and bool(item.weights)) for item in items)


def describe_attention_file(name: str, data: bytes) -> dict[str, object]:
    """Return a dict for JSON with a file's sentences (tokens, words, maps) and notes. Raises AttentionFileError."""
    imported = read_attention(data, name)
    sentences = [{
        "number": sentence.number,
        "source": {"tokens": list(sentence.source), "words": list(sentence.trace.source.words)},
        "target": {"tokens": list(sentence.target), "words": list(sentence.trace.target.words)},
        "maps": list(map(_describe_map, sentence.maps)),
    } for sentence in imported.sentences]  # fmt: skip
    return {"kind": "attention", "sentences": sentences, "notes": list(map(str, imported.notes))}


def _describe_map(imported_map: ImportedMap) -> dict[str, Any]:
    rows, columns = AXES[imported_map.role]
    return {"name": imported_map.name, "rows": rows, "columns": columns, "shape": list(imported_map.shape),
            "layers": imported_map.layers, "heads": imported_map.heads}  # fmt: skip


def _parse_items(data: bytes, line_count: int) -> tuple[list[ImportItem], list[ImportNote]]:
    """Return the sentences of a file, and notes on its format. `line_count`: lines of text given for it."""
    if data.startswith(ZIP_START):
        return read_npz(data), []
    if data.startswith(NPY_START):
        return read_npy(data, line_count), []
    if _PICKLE_START.match(data):
        raise AttentionFileError("pickled")
    try:
        text = decode(data)
    except DocumentError:
        raise AttentionFileError("format") from None
    if not text.strip():
        raise AttentionFileError("empty")
    lines = _split_lines(text)
    reader = find_reader(lines)
    if reader is not None:
        items = reader(lines)
        is_truncated = reader is read_opennmt and any(
            isinstance(item, RawSentence) and has_truncated_tokens(item) for item in items
        )
        return list(items), [ImportNote("cut")] if is_truncated else []
    if text.lstrip()[0] in "{[":
        return read_json("\n".join(lines)), []
    raise AttentionFileError("format")


def _split_lines(text: str) -> list[str]:
    """Split a text at line feeds and carriage returns; tokens may contain other ends of `str.splitlines`."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")


def _split_text_lines(text: str) -> list[str]:
    return _split_lines(text) if text.strip() else []


def _add_texts(items: Sequence[ImportItem], texts: Mapping[str, Sequence[str]]) -> list[ImportItem]:
    """Add the user's tokens to sentences. Raises AttentionFileError for missing tokens and for too few lines."""
    raws = [item for item in items if isinstance(item, RawSentence)]
    has_no_tokens = all(raw.source is None and raw.target is None for raw in raws)
    has_one_side = all(raw.command for raw in raws)  # as some toolkits write
    missing = [side for side in ("source", "target")
               if raws and not texts[side] and all(getattr(raw, side) is None for raw in raws)]  # fmt: skip
    if missing and (has_no_tokens or has_one_side):
        raise AttentionFileError("need_tokens", side=", ".join(missing))
    rows = [number if item.row is None else item.row
            for number, item in enumerate(items) if isinstance(item, RawSentence)]  # fmt: skip
    line_count = max(rows, default=-1) + 1
    for side, lines in texts.items():
        if lines and line_count > len(lines):
            raise AttentionFileError("lines", side=side, got=len(lines), expected=line_count)
    filled: list[ImportItem] = []
    for number, item in enumerate(items):
        if isinstance(item, RawSentence):
            row = number if item.row is None else item.row
            source, target = (lines[row] if lines else getattr(item, side) for side, lines in texts.items())
            item = replace(item, source=source, target=target)
        filled.append(item)
    return filled


def _import_item(item: ImportItem, name: str, number: int, roles: Mapping[str, Role]) -> ImportedSentence:
    if isinstance(item, AttentionFileError):
        raise item
    if isinstance(item, RawSentence):
        return import_sentence(item, name, number, roles)
    maps = tuple(ImportedMap(weight_map.name, weight_map.name, ROLE_BY_AXES[weight_map.rows, weight_map.columns],
                             weight_map.values.shape, 1, 1) for weight_map in item.maps)  # fmt: skip
    return ImportedSentence(number, item, item.source.pieces, item.target.pieces, maps)
