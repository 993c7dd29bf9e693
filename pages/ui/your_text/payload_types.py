"""What the bars of sentences are sent, key by key. The browser's side is checked against assets/player/payloads.d.ts,
made of this."""

from typing import Annotated, Literal, NotRequired, TypedDict


class BarSeries(TypedDict):
    """A number of every sentence, None where it has none."""

    label: str
    values: list[float | None]


class BarMeasure(TypedDict):
    """`Measure` of sentence_bars.py."""

    key: str
    label: str
    about: str
    series: list[BarSeries]
    worst: Literal["low", "high"]
    digits: int
    full: float | None
    attention: bool


class BarOutput(TypedDict):
    """A translation, or why there is none."""

    text: NotRequired[str]
    problem: NotRequired[str]


class BarRow(TypedDict):
    """A sentence: its line, which names it while the rows of a job at work become more, its length in words and, where
    they are here, its texts."""

    line: int
    words: int
    source: NotRequired[str]
    reference: NotRequired[str | None]
    outputs: NotRequired[list[BarOutput]]


class BarModel(TypedDict):
    """A model's name in links, and on the screen, and the languages (source, target) that it was made for."""

    name: str
    shown: str
    languages: tuple[str, str]


class BarPage(TypedDict):
    """A page that a sentence can be opened on: `each` model by itself, or all of them."""

    title: str
    url: str
    each: bool


class SentenceBarsData(TypedDict):
    """The sentences of a file or of a test set; `first`: the measure to begin with; `carried`: what links carry on."""

    title: str
    rows: list[BarRow]
    measures: list[BarMeasure]
    first: int
    models: list[BarModel]
    pages: list[BarPage]
    carried: dict[str, str]
    file: str
    description: str
    words: Annotated[dict[str, str], "sentence_bars"]
    language: str
