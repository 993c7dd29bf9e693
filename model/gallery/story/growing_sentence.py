"""The sentence of the story that grows clause by clause until one vector no longer holds it (assets/story)."""

from __future__ import annotations

from pathlib import Path

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.decoding.translate import translate
from model.gallery.story.phrase_table import FILE as PHRASES
from model.serialization.files import replace_file
from model.text.clauses import build_prefixes
from model.text.normalise import Normalised, normalise
from model.trace import Trace

FILE = PHRASES.with_name("growth.jsonl")
SENTENCE = (
    "My friend bought a book, and he gave it to his sister, because she wanted to learn the language of the country "
    "where their parents had met before the war."
)


def list_prefixes() -> list[Normalised]:
    """What the models are given: the sentence up to each of its clauses."""
    return [normalise(text) for text in build_prefixes(normalise(SENTENCE), "en")]


def write_traces(file: Path = FILE) -> Path:
    """Translate every beginning of the sentence greedily with the shipped pair of models, a Trace a line; the model
    without attention in detail, for its one vector. Returns the file's path."""
    lines = [
        found[0].to_json()
        for card in selection.select_shipped_pair()
        for found in translate(
            checkpoint.load_model(card.name), list_prefixes(), Settings(candidates=0, detail=not card.has_attention)
        )
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, ("\n".join(lines) + "\n").encode())
    return file


def read_traces(file: Path = FILE) -> tuple[Trace, ...]:
    """The Traces, shortest first, the attending model's before the other's. Raises OSError, or CodecError where a line
    holds none."""
    return tuple(Trace.from_json(line) for line in file.read_text(encoding="utf-8").splitlines() if line)
