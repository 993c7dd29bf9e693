"""The data of the sentence bars, key by key; assets/player/payloads.d.ts is generated from these types."""

from typing import Annotated, Literal, NotRequired, TypedDict


class BarSeries(TypedDict):
    """A number per sentence, None where it has none."""

    label: str
    values: list[float | None]


class BarMeasure(TypedDict):
    """`SentenceMeasure` of sentence_bars.py."""

    key: str
    label: str
    description: str
    series: list[BarSeries]
    worst: Literal["low", "high"]
    digits: int
    included_value: float | None
    is_attention: bool


class BarOutput(TypedDict):
    """A translation, or why there is none."""

    text: NotRequired[str]
    problem: NotRequired[str]


class BarRow(TypedDict):
    """A sentence: its line in the file, which identifies it, its length in words, and its texts if available."""

    line: int
    words: int
    source: NotRequired[str]
    reference: NotRequired[str | None]
    outputs: NotRequired[list[BarOutput]]


class BarModel(TypedDict):
    """A model: its name in links, its title, and its source and target language."""

    name: str
    title: str
    languages: tuple[str, str]


class BarPage(TypedDict):
    """A page that can open a sentence: with all models, or with one model at a time (`is_per_model`)."""

    title: str
    url: str
    is_per_model: bool


class SentenceBarsData(TypedDict):
    """The sentences of a file or a test set; `link_params`: parameters of
    links."""

    title: str
    rows: list[BarRow]
    measures: list[BarMeasure]
    models: list[BarModel]
    pages: list[BarPage]
    link_params: dict[str, str]
    file: str
    description: str
    messages: Annotated[dict[str, str], "sentence_bars"]
    language: str
