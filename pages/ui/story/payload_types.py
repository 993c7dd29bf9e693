"""The data of the story's component, key by key; assets/player/payloads.d.ts is generated from these types."""

from typing import Annotated, TypedDict

from pages.ui.charts.payload_parts import LengthPoint, LineStyleData

SpacedWord = tuple[str, str]
"""The text before a word, and the word."""


class StoryScene(TypedDict):
    """A scene's title and its sentences in order."""

    title: str
    lines: list[str]


class StoryTranslation(TypedDict):
    """One translation of a word or a phrase, its probability, and its count (0: not counted)."""

    text: str
    p: float
    count: int


class StoryPart(TypedDict):
    """A span of words with its translations; `is_wrong`: which words of the first one a good translation does not have
    there."""

    first: int
    last: int
    translations: list[StoryTranslation]
    is_wrong: list[bool]


class StoryTables(TypedDict):
    """Translations word by word and in phrases, counted in `pair_count` sentence pairs; `good`: a good
    translation."""

    source: list[str]
    words: list[StoryPart]
    phrases: list[StoryPart]
    pair_count: int
    good: str


class StoryPrefix(TypedDict):
    """The sentence up to a clause: the number of words read (`word_count`), the vector's values scaled to 0 to 1, and
    its translation with a gloss for each word (None without a lexicon).

    `content`: indices of the source's content words; `omissions`: indices of those that the translation omits.
    """

    word_count: int
    cells: list[float]
    target: list[SpacedWord]
    glosses: list[str] | None
    content: list[int]
    omissions: list[int]


class StoryGrowth(TypedDict):
    """A sentence that grows clause by clause, translated by `model` through one vector of `unit_count` units."""

    model: str
    unit_count: int
    source: list[SpacedWord]
    prefixes: list[StoryPrefix]


class StoryMap(TypedDict):
    """A translation and its α over words, a row per target word; the last column is the end of the sentence."""

    model: str
    source: list[SpacedWord]
    target: list[SpacedWord]
    rows: list[list[float]]


class StoryLookup(TypedDict):
    """One step of that translation: the generated piece, its probability, the decoder state (`query`), and for every
    source piece its annotation (`keys`), energy and weight.

    Vectors are scaled to 0 to 1. `words_to_guess`: the target words whose attention the reader guesses.
    """

    target_index: int
    text: str
    p: float
    query: list[float]
    pieces: list[str]
    keys: list[list[float]]
    energies: list[float]
    weights: list[float]
    context: list[float]
    words_to_guess: list[int]


class StoryCurve(LineStyleData):
    """BLEU by sentence length of one model, and its line style."""

    name: str
    has_attention: bool
    points: list[LengthPoint]


class StoryLongTranslation(TypedDict):
    """A translation compared with a reference: the words (`matches`) that match a content word of the reference, which
    has `content_count`.

    `last_followed`: the last word that still follows the reference; -1: none; None: it follows to the end.
    """

    name: str
    words: list[SpacedWord]
    matches: list[int]
    last_followed: int | None
    content_count: int


class StoryLong(TypedDict):
    """A long sentence and its translations."""

    source: str
    sides: list[StoryLongTranslation]


class StoryEvidence(TypedDict):
    """The curves on one test set, and two long sentences."""

    test_set: str
    sentence_count: int
    curves: list[StoryCurve]
    long: list[StoryLong]


class StoryBar(TypedDict):
    """`thousand_updates`: the updates of a model in its training; `is_published`: whether it is the paper's model."""

    name: str
    thousand_updates: float
    is_published: bool


class StoryHistory(TypedDict):
    """The share of attention links that annotators agree with (None: not measured), and the models' updates."""

    alignment_precision: float | None
    annotated_pair_count: int
    bars: list[StoryBar]


class StoryData(TypedDict):
    """The whole story, opened at `scene` (from 1). A scene whose data is None has no picture. `map_languages`: of `map`
    and `lookup`, where Korean readers see a Korean sentence if a model of the pair is shipped."""

    scene: int
    scenes: list[StoryScene]
    languages: tuple[str, str]
    map_languages: tuple[str, str]
    tables: StoryTables | None
    growth: StoryGrowth | None
    map: StoryMap | None
    lookup: StoryLookup | None
    evidence: StoryEvidence | None
    history: StoryHistory
    provenance: str
    messages: Annotated[dict[str, str], "story"]
    language: str
