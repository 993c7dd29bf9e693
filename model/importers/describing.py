"""Describes what was understood of a file of attention, for the command line."""

from __future__ import annotations

from typing import Any

from model.importers.attention_files import read_attention
from model.importers.roles import AXES
from model.importers.sentences import ImportedMap, ImportedSentence


def describe_attention_file(name: str, data: bytes) -> dict[str, object]:
    """Return the sentences of a file, with tokens, words and maps, and the notes on it. Raises AttentionFileError."""
    found = read_attention(data, name)
    return {
        "kind": "attention",
        "sentences": [_sentence(one) for one in found.sentences],
        "notes": [str(note) for note in found.notes],
    }


def _sentence(one: ImportedSentence) -> dict[str, Any]:
    return {
        "number": one.number,
        "source": {"tokens": list(one.source), "words": list(one.trace.source.words)},
        "target": {"tokens": list(one.target), "words": list(one.trace.target.words)},
        "maps": [_map(each) for each in one.maps],
    }


def _map(one: ImportedMap) -> dict[str, Any]:
    rows, columns = AXES[one.role]
    return {"name": one.name, "rows": rows, "columns": columns, "shape": list(one.shape), "layers": one.layers,
            "heads": one.heads}  # fmt: skip
