"""Attention files from other toolkits that a reader opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from model.importers import AttentionFileError, ImportedFile, Role, read_attention

_SOLVED_BY_TEXT = ("need_tokens", "lines", "subwords")  # problems that sentences typed by the reader may solve


@dataclass(frozen=True)
class AttentionFile:
    """The content of a file, or the problem with it.

    `source`, `target`: the sentences that the reader typed, one per line. `roles`: the roles of maps that the reader
    chose. `needs_text`: whether the page has boxes for the sentences.
    """

    name: str
    data: bytes
    source: str = ""
    target: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    needs_text: bool = False
    content: ImportedFile | None = None
    problem: AttentionFileError | None = None


def open_file(
    name: str, data: bytes, source: str = "", target: str = "", roles: Mapping[str, Role] | None = None,
    needs_text: bool = False,
) -> AttentionFile:
    """Read a file. A problem is stored in the result, not raised."""
    roles = roles or {}
    try:
        content = read_attention(data, name, source=source, target=target, roles=roles)
    except AttentionFileError as error:
        needs_text = needs_text or error.kind in _SOLVED_BY_TEXT
        return AttentionFile(name, data, source, target, roles, needs_text, problem=error)
    return AttentionFile(name, data, source, target, roles, needs_text, content=content)


def reopen_with_text(file: AttentionFile, source: str, target: str) -> AttentionFile:
    """Read a file again with sentences typed by the reader."""
    return open_file(file.name, file.data, source, target, file.roles, needs_text=True)


def reopen_with_role(file: AttentionFile, name: str, role: Role | None) -> AttentionFile:
    """Read a file again with another role of one map; None removes the choice."""
    roles = {key: value for key, value in file.roles.items() if key != name} | ({name: role} if role else {})
    return open_file(file.name, file.data, file.source, file.target, roles, file.needs_text)
