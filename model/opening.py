"""The Traces the first page opens on: made here once with the shipped models, so that it opens without any model."""

from __future__ import annotations

from pathlib import Path

from model import checkpoint
from model.search import Settings
from model.search.translate import translate_one

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "opening"
MODELS = ("rnnsearch-50", "rnnencdec-50")
SENTENCES = (
    "The small grey cat sleeps on the warm roof of the old house.",
    "I am a student.",
    "She did not tell me why she was so angry yesterday.",
    "The members of the European Economic Area will meet again next spring.",
    "I believe that we should first ask the citizens what they expect from us, and only then write new rules, because "
    "nobody will follow a law that was made without them.",
)


def write(folder: Path = FOLDER) -> list[Path]:
    """Translate the opening sentences with the shipped models, greedily, and write a Trace each. Returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    written = []
    for name in MODELS:
        model = checkpoint.load(name)
        for number, sentence in enumerate(SENTENCES, 1):
            path = folder / f"{number:02}-{name}.json"
            path.write_text(translate_one(model, sentence, Settings()).to_json() + "\n", encoding="utf-8")
            written.append(path)
    return written
