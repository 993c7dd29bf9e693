"""What the drawn translations are sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, TypedDict


class SampleGroup(TypedDict):
    """A translation that was drawn: how often, its words with what stands before each, and whether the translation that
    it is set beside has no such word in its place."""

    count: int
    text: list[tuple[str, str, bool]]


class SampleChoice(TypedDict):
    """A word that stood in a place, "" for none, and how often."""

    word: str
    count: int


class SamplingData(TypedDict):
    """Translations drawn of one sentence. `count`: how many; `best`: what they are set beside, in words; `groups`: the
    different ones, most frequent first; `places`: for each word of the one they are set beside what stood there;
    `alpha` (target, source): mean weights over words and the end, None without attention."""

    name: str
    best: str
    languages: tuple[str, str]
    source: list[str]
    target: list[str]
    count: int
    groups: list[SampleGroup]
    places: list[list[SampleChoice]]
    alpha: list[list[float]] | None
    means: str
    made: str
    words: Annotated[dict[str, str], "sampling"]
    language: str
