"""Reads a file of attention in any of the known formats, told apart by what is in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from model.importers.array_formats import NPY_START, ZIP_START, Item, check_count, read_json, read_npy, read_npz
from model.importers.errors import AttentionFileError, ImportNote, merge_notes
from model.importers.roles import Role
from model.importers.sentences import ImportedMap, ImportedSentence, RawSentence, RoleQuestion, import_sentence
from model.importers.text_formats import find_reader, find_truncated_tokens, read_opennmt
from model.text.documents import DocumentError, base_name, decode
from model.trace import Trace

BYTE_LIMIT = 5 * 2**20
_PICKLE_START = re.compile(rb"\x80[\x02-\x05]")


@dataclass(frozen=True)
class ImportedFile:
    """A file that was read: its sentences, what should be known about them, and how many sentences it holds in all,
    those that were left out among them."""

    name: str
    sentences: tuple[ImportedSentence, ...]
    notes: tuple[ImportNote, ...]
    count: int

    @property
    def questions(self) -> tuple[RoleQuestion, ...]:
        """The maps whose role the reader must choose, each once."""
        return tuple({one.name: one for sentence in self.sentences for one in sentence.questions}.values())


def read_attention(
    data: bytes, name: str, *, source: str = "", target: str = "", roles: Mapping[str, Role] | None = None
) -> ImportedFile:
    """Read the sentences of a file called `name`.

    `source` and `target`: a line for each sentence, its tokens with spaces between them, for a file without them; they
    are taken in the place of those in the file. `roles`: what the reader said that maps are, by their names. A sentence
    that can't be read is left out and noted, unless none can. Raises AttentionFileError.
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
            sentences.append(_import_item(item, base_name(name), number, roles or {}))
        except AttentionFileError as error:
            problems.append((number, error))
    if not sentences:
        raise problems[0][1]
    notes += [ImportNote("left_out", {}, (number,), error) for number, error in problems]
    notes += [note for sentence in sentences for note in sentence.notes]
    return ImportedFile(base_name(name), tuple(sentences), merge_notes(notes), len(items))


def is_attention_file(name: str, data: bytes) -> bool:
    """Say whether a file is one of attention, to be read or refused as such, rather than a text."""
    if data.startswith(NPY_START) or (data.startswith(ZIP_START) and (name.lower().endswith(".npz")
                                                                    or b".npy" in data)):  # fmt: skip
        return True
    if len(data) > BYTE_LIMIT:
        return name.lower().endswith((".json", ".jsonl", ".ndjson"))
    try:
        text = decode(data)
    except DocumentError:
        return False
    if find_reader(_split_lines(text)) is not None or name.lower().endswith((".json", ".jsonl", ".ndjson")):
        return True
    try:
        items = read_json(text) if text.lstrip()[:1] in ("{", "[") else []
    except AttentionFileError:
        return False
    return any(isinstance(item, Trace) or (isinstance(item, RawSentence) and bool(item.weights)) for item in items)


def _parse_items(data: bytes, lines_given: int) -> tuple[list[Item], list[ImportNote]]:
    """Return what a file holds, sentence by sentence, and what is to be noted about the format."""
    if data.startswith(ZIP_START):
        return read_npz(data), []
    if data.startswith(NPY_START):
        return read_npy(data, lines_given), []
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
        found = reader(lines)
        is_cut = reader is read_opennmt and any(isinstance(one, RawSentence) and any(find_truncated_tokens(one)) for one in found)
        return list(found), [ImportNote("cut")] if is_cut else []
    if text.lstrip()[0] in "{[":
        return read_json("\n".join(lines)), []
    raise AttentionFileError("format")


def _split_lines(text: str) -> list[str]:
    """Split a text at what ends a line in an editor: tokens may hold the other characters `str.splitlines` cuts at."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")


def _split_text_lines(text: str) -> list[str]:
    return _split_lines(text) if text.strip() else []


def _add_texts(items: Sequence[Item], texts: Mapping[str, Sequence[str]]) -> list[Item]:
    """Give sentences the tokens that the reader gave, a line each. Raises AttentionFileError where tokens are missing,
    and where there are fewer lines than sentences."""
    raws = [item for item in items if isinstance(item, RawSentence)]
    both = all(raw.source is None and raw.target is None for raw in raws)
    one = all(raw.option for raw in raws)  # toolkits whose output has only one side
    missing = [side for side in ("source", "target")
               if raws and not texts[side] and all(getattr(raw, side) is None for raw in raws)]  # fmt: skip
    if missing and (both or one):
        raise AttentionFileError("need_tokens", side=" and ".join(missing))
    filled: list[Item] = []
    for number, item in enumerate(items):
        if isinstance(item, RawSentence):
            row = number if item.row is None else item.row
            for side, lines in texts.items():
                if lines and row >= len(lines):
                    raise AttentionFileError("lines", side=side, got=len(lines), expected=row + 1)
            source, target = (lines[row] if lines else getattr(item, side) for side, lines in texts.items())
            item = replace(item, source=source, target=target)
        filled.append(item)
    return filled


def _import_item(item: Item, name: str, number: int, roles: Mapping[str, Role]) -> ImportedSentence:
    if isinstance(item, AttentionFileError):
        raise item
    if isinstance(item, RawSentence):
        return import_sentence(item, name, number, roles)
    by_sides: dict[tuple[str, str], Role] = {("target", "source"): "cross", ("source", "source"): "encoder",
                                            ("target", "target"): "decoder"}  # fmt: skip
    maps = tuple(ImportedMap(one.name, one.name, by_sides[one.rows, one.columns], one.values.shape, 1, 1)
                 for one in item.maps)  # fmt: skip
    return ImportedSentence(number, item, item.source.pieces, item.target.pieces, maps)
