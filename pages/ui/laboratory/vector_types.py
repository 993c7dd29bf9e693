"""What the experiment on vectors is sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, TypedDict


class VectorCut(TypedDict):
    """A beginning of the sentence: how many words it has, the last of them, what is written of it (what stands before
    each word, the word), and for each word of the whole translation whether it is there."""

    after: int
    last: str
    text: list[tuple[str, str]]
    kept: list[bool]


class VectorPoint(TypedDict):
    """A word in the plane: its sentence and its place there, both from 0."""

    sentence: int
    word: int
    x: float
    y: float


class VectorSentence(TypedDict):
    """A sentence: its words with what stands before each; which of them is the one of several meanings (-1 for none),
    that word as it is listed, and its meaning here ("" for none)."""

    text: list[tuple[str, str]]
    place: int
    word: str
    sense: str


class VectorSeparated(TypedDict):
    """Of the `count` occurrences of a word so many whose nearest other one has the `same` meaning, and how many that
    would be by `chance`; `first`: the number of its first point."""

    word: str
    same: int
    count: int
    chance: float
    first: int


class VectorPlane(TypedDict):
    """Words among words. `sentences`: the shipped ones, then the reader's; `nearest`: for each of the `points` its
    nearest ones in the shipped sentences and their cosines; `shares` of the variance along x and y; `at`: the point
    that is looked at."""

    sentences: list[VectorSentence]
    points: list[VectorPoint]
    nearest: list[list[tuple[int, float]]]
    separated: list[VectorSeparated]
    shares: tuple[float, float]
    at: int


class VectorData(TypedDict):
    """What is in the vector. `target`: the words of the whole translation; `since`: after how many source words each of
    them is there to stay; `plane`: None where the network says nothing of single words; `means`: what is looked at, in
    words; `made`: by which weights."""

    name: str
    languages: tuple[str, str]
    target: list[str]
    since: list[int]
    cuts: list[VectorCut]
    plane: VectorPlane | None
    means: str
    made: str
    words: Annotated[dict[str, str], "vector"]
    language: str
