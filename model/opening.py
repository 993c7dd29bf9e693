"""The Traces that pages open on: made here once with the shipped models, so that they open without any model."""

from __future__ import annotations

from pathlib import Path

from model import checkpoint, choosing
from model.files import replace_folder
from model.search import Settings
from model.search.translate import translate_one
from model.text.normalise import normalise

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "opening"
SENTENCES = (
    "The black cat sleeps on the old chair in the kitchen.",
    "I am a student.",
    "The red car is in front of the white house.",
    "The members of the European Economic Community will meet again tomorrow.",
    "My brother bought a new car last week, but he does not know how to drive.",
    "I believe that we must first listen to the citizens of our countries, that we must then explain what Europe can "
    "do for them, and that only after this debate should the Commission present a new proposal to Parliament.",
)


def write(folder: Path = FOLDER) -> list[Path]:
    """Translate the opening sentences with the shipped models, greedily, and write a Trace each, with its detail, in
    the place of the folder there was.

    Returns the paths.
    """
    files: dict[str, bytes] = {}
    for card in choosing.shipped_pair():
        model, name = checkpoint.load(card.name), card.name
        for number, sentence in enumerate(SENTENCES, 1):
            trace = translate_one(model, normalise(sentence), Settings(detail=True))
            files[f"{number:02}-{name}.json"] = f"{trace.to_json()}\n".encode()
    replace_folder(folder, files)
    return [folder / name for name in files]
