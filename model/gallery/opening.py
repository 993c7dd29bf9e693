"""The Traces that pages open on: made here once with the shipped models, so that they open without any model.

Of each example some sentences are at hand; the first one is taken that shows what the example is there for
(model/gallery/example_criteria.py), as the shipped models translate it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.decoding.translate import translate_sentence
from model.gallery import example_criteria
from model.gallery.example_criteria import Criterion
from model.paths import ASSETS
from model.serialization.files import replace_folder
from model.text.normalise import normalise
from model.trace import Trace

FOLDER = ASSETS / "opening"
FAMILY_FOLDER = FOLDER.with_name("opening_family")
FAMILY = FOLDER.with_name("family.toml")


@dataclass(frozen=True)
class OpeningExample:
    """Sentences of which one is shown, the best ones first, and what it has to show; None for nothing in particular."""

    sentences: tuple[str, ...]
    criterion: Criterion | None = None


EXAMPLES = (
    # The first one is what Translate and Step by step open on.
    OpeningExample((
        "My brother bought a new car last week, but he does not know how to drive.",
        "The black cat sleeps on the old chair in the kitchen.",
    ), example_criteria.has_one_token_per_word),
    OpeningExample(("I am a student.",)),
    OpeningExample((
        "The International Criminal Court has opened an investigation.",
        "The European Central Bank must be independent.",
        "The common agricultural policy needs reform.",
    ), example_criteria.reverses_word_order),
    OpeningExample((
        "The apple, the tree and the water belong to the child.",
        "The school, the church and the hospital are closed.",
        "The house, the garden and the trees are old.",
    ), example_criteria.has_articles_attending_to_nouns),
    OpeningExample((
        "He eats potatoes every day.",
        "I do not like potatoes.",
        "The potatoes are on the table.",
    ), example_criteria.expands_one_word),
    OpeningExample(("The black cat sleeps on the old chair in the kitchen.",)),
    # The last one is what Compare opens on.
    OpeningExample((
        "My sister wanted to become a teacher, but she works in a small hotel near the station because she had to pay "
        "for the studies of her brothers.",
        "We support this proposal because it protects consumers, but we would like to ask the Council why the citizens "
        "of the poorest regions must wait three years for this money.",
        "We must say to our citizens that peace has a price, that freedom is not a gift, and that those who want to "
        "live together must learn to listen.",
        "Ladies and gentlemen, we have decided to support this report because it calls for more money for schools, for "
        "hospitals and for the roads in the poorest regions of Europe.",
        "I am pleased that the Commission has presented this proposal, because many women still earn less than men, "
        "even when they do the same work in the same company.",
        "My father wants to buy a new house near the sea, but my mother would like to stay in the city because her "
        "friends and her sisters live there.",
    ), example_criteria.exceeds_one_vector),
)  # fmt: skip
SENTENCES = tuple(example.sentences[0] for example in EXAMPLES)
"""The best sentence of each."""


def write_traces(folder: Path = FOLDER) -> list[Path]:
    """Translate the examples with the shipped models, greedily, and write a Trace each, with its detail, in the place
    of the folder there was.

    Returns the paths. Raises ValueError where none of an example's sentences shows what it is there for.
    """
    models = [checkpoint.load_model(card.name) for card in selection.select_shipped_pair()]

    def made(sentence: str) -> list[Trace]:
        return [translate_sentence(model, normalise(sentence), Settings(detail=True)) for model in models]

    files: dict[str, bytes] = {}
    for number, example in enumerate(EXAMPLES, 1):
        for trace in select_traces(example, map(made, example.sentences)):
            files[f"{number:02}-{trace.made_by.model}.json"] = f"{trace.to_json()}\n".encode()
    replace_folder(folder, files)
    return [folder / name for name in files]


def write_family_traces(folder: Path = FAMILY_FOLDER) -> list[Path]:
    """Translate the sentences that the family opens on with one shipped model of each kind, greedily, and write a Trace
    each in the place of the folder there was. Returns the paths."""
    files: dict[str, bytes] = {}
    sentences: dict[str, str] = tomllib.loads(FAMILY.read_text(encoding="utf-8"))
    for language, sentence in sentences.items():
        for card in selection.select_best_per_kind(
            [one for one in checkpoint.list_shipped_cards() if one.source_language == language]
        ):
            trace = translate_sentence(checkpoint.load_model(card.name), normalise(sentence), Settings())
            files[f"{language}-{card.name}.json"] = f"{trace.to_json()}\n".encode()
    replace_folder(folder, files)
    return [folder / name for name in files]


def select_traces(example: OpeningExample, made: Iterable[list[Trace]]) -> list[Trace]:
    """The Traces of the first sentence that shows what the example is there for."""
    for traces in made:
        if example.criterion is None or example.criterion(traces[0], traces[-1]):
            return traces
    what = example.criterion.__name__ if example.criterion else ""
    raise ValueError(f"none of {len(example.sentences)} sentences shows {what!r} as the shipped models translate them; "
                     f"write another one beside {example.sentences[0]!r} (model/gallery/opening.py)")
