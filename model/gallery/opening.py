"""Create the Traces that pages show at first, with the shipped models, so that pages open without a model.

Each example has several candidate sentences. The first one that meets its criterion (model/gallery/example_criteria.py)
as the shipped models translate it is used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Model
from model.decoding import Settings
from model.decoding.translate import translate_sentence
from model.gallery import example_criteria
from model.gallery.example_criteria import Criterion
from model.paths import ASSETS
from model.serialization.files import replace_folder
from model.text.languages import DEFAULT_PAIR, LanguagePair, parse_language_pair
from model.text.normalise import normalise
from model.text.politeness import STYLES, add_tag, has_style_tags
from model.trace import Trace

FOLDER = ASSETS / "opening"
FAMILY_FOLDER = FOLDER.with_name("opening_family")
FAMILY_FILE = FOLDER.with_name("family.toml")


@dataclass(frozen=True)
class OpeningExample:
    """Candidate sentences, best first, and the criterion that one of them must meet."""

    sentences: tuple[str, ...]
    criterion: Criterion | None = None


EXAMPLES = (
    # Translate and Step by step open on the first example.
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
    # Figure 3 (a) of Bahdanau et al. (2015): three words in reverse order.
    OpeningExample(("The agreement on the European Economic Area was signed in August 1992.",),
                   example_criteria.reverses_word_order),
    # Compare opens on the last example.
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
"""The first candidate of each example."""

OTHER_EXAMPLES = {
    ("ko", "en"): (
        "나는 어제 서울에서 부산까지 KTX를 타고 갔다.",
        "나는 학생이다.",
        "나는 그 사람이 왜 화가 났는지 모르겠다.",
        "저는 서울에서 태어났지만 지금은 부산에 살아요.",
        "머리가 아파서 학교에 가지 않았다.",
    ),
    ("en", "ko"): (
        "I took the KTX from Seoul to Busan yesterday.",
        "I am a student.",
        "I do not know why he is angry.",
        "I go to school at eight every morning.",
        "I was born in Seoul, but now I live in Busan.",
    ),
}
"""Sentences of the pairs beside the default one, for which models may be shipped."""


def write_traces(folder: Path = FOLDER) -> list[Path]:
    """Translate the examples greedily with the shipped models and replace the folder by their Traces, with detail.

    Returns the paths. Raises ValueError if no sentence of an example meets its criterion.
    """
    files = _translate_examples(DEFAULT_PAIR, EXAMPLES)
    shipped = {card.languages for card in checkpoint.list_shipped_cards()}
    for languages, sentences in OTHER_EXAMPLES.items():
        if languages in shipped:
            examples = [OpeningExample((sentence,)) for sentence in sentences]
            files |= _translate_examples(languages, examples, f"{'-'.join(languages)}-")
    replace_folder(folder, files)
    return [folder / name for name in files]


def _translate_examples(
    languages: LanguagePair, examples: Iterable[OpeningExample], prefix: str = ""
) -> dict[str, bytes]:
    """Return the files of a pair of languages, by their names."""
    names = dict.fromkeys(card.name for card in selection.select_shipped_pair(languages))
    models = [checkpoint.load_model(name) for name in names]

    def translate_with_models(sentence: str) -> list[Trace]:
        return [_translate_example(model, sentence, languages, Settings(detail=True)) for model in models]

    files: dict[str, bytes] = {}
    for number, example in enumerate(examples, 1):
        for trace in select_traces(example, map(translate_with_models, example.sentences)):
            files[f"{prefix}{number:02}-{trace.provenance.model}.json"] = f"{trace.to_json()}\n".encode()
    return files


def _translate_example(model: Model, sentence: str, languages: LanguagePair, settings: Settings) -> Trace:
    """Translate a sentence, with the first style if the model has tags for styles of Korean."""
    text = normalise(sentence)
    has_tags = languages[1] == "ko" and has_style_tags(model.vocabulary)
    return translate_sentence(model, add_tag(text, STYLES[0]) if has_tags else text, settings)


def write_family_traces() -> list[Path]:
    """Translate the first sentences of All models greedily with one shipped model of each kind; replace the folder.

    Returns the paths.
    """
    files: dict[str, bytes] = {}
    sentences: dict[str, str] = tomllib.loads(FAMILY_FILE.read_text(encoding="utf-8"))
    for key, sentence in sentences.items():
        languages = parse_language_pair(key) if "-" in key else (key, DEFAULT_PAIR[1])
        cards = [card for card in checkpoint.list_shipped_cards() if card.languages == languages]
        for card in selection.select_best_per_kind(cards):
            trace = _translate_example(checkpoint.load_model(card.name), sentence, languages, Settings())
            files[f"{key}-{card.name}.json"] = f"{trace.to_json()}\n".encode()
    replace_folder(FAMILY_FOLDER, files)
    return [FAMILY_FOLDER / name for name in files]


def select_traces(example: OpeningExample, translations: Iterable[list[Trace]]) -> list[Trace]:
    """Return the Traces of the first sentence that meets the example's criterion."""
    if example.criterion is None:
        return next(iter(translations))
    for traces in translations:
        if example.criterion(traces[0], traces[-1]):
            return traces
    raise ValueError(f"none of {len(example.sentences)} sentences shows {example.criterion.__name__!r} as the shipped "
                     f"models translate them; write another one beside {example.sentences[0]!r} "
                     "(model/gallery/opening.py)")
