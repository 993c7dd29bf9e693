"""Translate the story's sentence clause by clause, until one vector no longer holds it (assets/story)."""

from __future__ import annotations

from pathlib import Path

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.decoding.translate import translate
from model.gallery.story.phrase_table import FILE as PHRASES
from model.serialization.files import replace_file
from model.text.clauses import build_prefixes
from model.text.normalise import NormalisedText, normalise
from model.trace import Trace

FILE = PHRASES.with_name("growth.jsonl")
SENTENCE = (
    "My friend bought a book, and he gave it to his sister, because she wanted to learn the language of the small "
    "country where their parents had met before the war."
)


def list_prefixes() -> list[NormalisedText]:
    """Return the sentence up to the end of each of its clauses."""
    return [normalise(text) for text in build_prefixes(normalise(SENTENCE), "en")]


def write_traces() -> Path:
    """Translate all prefixes greedily with the shipped pair of models; write a Trace per line.

    The model without attention is recorded in detail, for its vector. Returns the path.
    """
    lines = [
        traces[0].to_json()
        for card in selection.select_shipped_pair()
        for traces in translate(
            checkpoint.load_model(card.name), list_prefixes(), Settings(candidates=0, detail=not card.has_attention)
        )
    ]
    FILE.parent.mkdir(parents=True, exist_ok=True)
    replace_file(FILE, ("\n".join(lines) + "\n").encode())
    return FILE


def read_traces() -> tuple[Trace, ...]:
    """Read the Traces: first the model with attention, shortest prefix first. Raises OSError or CodecError."""
    return tuple(Trace.from_json(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line)
