"""A file of attention that a reader opened: its bytes, what the reader said about it, and what was read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from model.importers import AttentionFileError, ImportedFile, Role, read_attention

_ASKS_FOR_TEXT = ("need_tokens", "lines", "subwords")  # problems that sentences typed by the reader may solve


@dataclass(frozen=True)
class AttentionFile:
    """A file as it was read last, or the problem with it.

    `source`, `target`: the sentences that the reader typed, a line each; `roles`: what the reader said that maps are;
    `needs_text`: whether the reader is asked for the sentences.
    """

    name: str
    data: bytes
    source: str = ""
    target: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    needs_text: bool = False
    imported: ImportedFile | None = None
    problem: AttentionFileError | None = None


def open_file(
    name: str, data: bytes, source: str = "", target: str = "", roles: Mapping[str, Role] | None = None,
    needs_text: bool = False,
) -> AttentionFile:
    """Read a file with what the reader said about it; a problem is kept, not raised."""
    said = roles or {}
    try:
        found = read_attention(data, name, source=source, target=target, roles=said)
    except AttentionFileError as error:
        asks = needs_text or error.kind in _ASKS_FOR_TEXT
        return AttentionFile(name, data, source, target, said, asks, problem=error)
    return AttentionFile(name, data, source, target, said, needs_text, imported=found)


def reopen_with_text(file: AttentionFile, source: str, target: str) -> AttentionFile:
    """Read a file again with the sentences that the reader typed."""
    return open_file(file.name, file.data, source, target, file.roles, needs_text=True)


def reopen_with_role(file: AttentionFile, name: str, role: Role | None) -> AttentionFile:
    """Read a file again with the role of a map that the reader chose; None takes the choice back."""
    roles = {one: said for one, said in file.roles.items() if one != name} | ({name: role} if role else {})
    return open_file(file.name, file.data, file.source, file.target, roles, file.needs_text)
