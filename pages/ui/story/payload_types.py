"""What the story is sent, key by key. The browser's side is checked against assets/player/payloads.d.ts, made of
this."""

from typing import Annotated, TypedDict

from model.networks.registry import Marker
from pages.ui.charts.payload_parts import CurvePoint

SpacedWord = tuple[str, str]
"""What stands before a word, and the word."""


class StoryScene(TypedDict):
    """A scene's title and its sentences, in the order they are told."""

    title: str
    lines: list[str]


class StoryTranslated(TypedDict):
    """One translation of a word or a phrase, its probability, and how often it was counted (0: not counted)."""

    text: str
    p: float
    count: int


class StoryPart(TypedDict):
    """A stretch of the sentence (its words, from 0) with its translations; `wrong`: which words of the first one are
    not where a good translation has them."""

    first: int
    last: int
    translations: list[StoryTranslated]
    wrong: list[bool]


class StoryTables(TypedDict):
    """Word by word, and in phrases: the words of the sentence, and what was counted in how many pairs."""

    source: list[str]
    words: list[StoryPart]
    phrases: list[StoryPart]
    pairs: int
    good: str


class StoryStage(TypedDict):
    """The sentence up to a clause: how many of its words were read, the vector's cells (shades from 0 to 1), what was
    made of it with a gloss for each word (None without a lexicon), the places of the source's content words, and of
    those that the translation lost."""

    fed: int
    cells: list[float]
    target: list[SpacedWord]
    glosses: list[str] | None
    content: list[int]
    lost: list[int]


class StoryGrowth(TypedDict):
    """A sentence that grows clause by clause, translated through one vector of `numbers` numbers by `model`."""

    model: str
    numbers: int
    source: list[SpacedWord]
    stages: list[StoryStage]


class StoryMap(TypedDict):
    """A translation and its α over words, a row a target word; the last column is the end of the sentence."""

    model: str
    source: list[SpacedWord]
    target: list[SpacedWord]
    rows: list[list[float]]


class StoryLookup(TypedDict):
    """One step of that translation: the piece that is written and its probability, the state that asks, and for every
    source piece its annotation, energy and weight; the context they are mixed into. Cells are shades from 0 to 1."""

    word: int
    text: str
    p: float
    query: list[float]
    pieces: list[str]
    keys: list[list[float]]
    energies: list[float]
    weights: list[float]
    context: list[float]
    guesses: list[int]


class StoryCurve(TypedDict):
    """BLEU by length of one model, and how it is drawn."""

    name: str
    attends: bool
    dashed: bool
    hollow: bool
    marker: Marker
    points: list[CurvePoint]


class StoryFollowed(TypedDict):
    """A translation followed through a reference: which of its words the reference has, the last word before the thread
    is lost (-1: from the beginning; None: it holds to the end), and how many of the reference's content words it
    finds."""

    name: str
    attends: bool
    words: list[SpacedWord]
    found: list[int]
    lost: int | None
    kept: int
    asked: int


class StoryLong(TypedDict):
    """A long sentence and its translations."""

    source: str
    sides: list[StoryFollowed]


class StoryProof(TypedDict):
    """The curves on one test set, and two long sentences."""

    set: str
    sentences: int
    curves: list[StoryCurve]
    long: list[StoryLong]


class StoryBar(TypedDict):
    """How many updates somebody's weights had, in thousands."""

    name: str
    updates: float
    published: bool


class StoryAfter(TypedDict):
    """What attention is not: the share of its links that people agree with (None: not measured), and how far models
    were trained."""

    agree: float | None
    pairs: int
    bars: list[StoryBar]


class StoryData(TypedDict):
    """The whole story, opened at `scene` (from 1); what is not shipped is None, and its scene has no picture."""

    scene: int
    scenes: list[StoryScene]
    languages: tuple[str, str]
    tables: StoryTables | None
    growth: StoryGrowth | None
    map: StoryMap | None
    lookup: StoryLookup | None
    proof: StoryProof | None
    after: StoryAfter
    made: str
    words: Annotated[dict[str, str], "story"]
    language: str
