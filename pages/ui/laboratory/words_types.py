"""What the rows of forced translations are sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, NotRequired, TypedDict


class ForcedChoice(TypedDict):
    """A piece that could stand in a word's place: its id, its text, whether it goes on with a word, its probability."""

    id: int
    text: str
    joined: bool
    p: float


class ForcedWord(TypedDict):
    """A word with what stands before it, its surprise in nats, whether the model's own translation has another word
    there, the pieces before it (`before`, by their ids), and what could stand in its place."""

    gap: str
    text: str
    surprise: float
    other: bool
    before: list[int]
    choices: list[ForcedChoice]


class ForcedRow(TypedDict):
    """One translation: what it is, its log-probability, its words with its end, and where the model would first have
    gone another way, in words, "" for its own."""

    title: str
    log: str
    words: list[ForcedWord]
    parts: str


class WordsData(TypedDict):
    """The model's translation, the one begun as the reader chose, a reference, the reader's own. `of`: a name of the
    question; `forced`: whether something was; `full`: nats that fill a bar.
    `alone`: it stands in a file of its own, where nothing can be asked."""

    of: str
    name: str
    languages: tuple[str, str]
    rows: list[ForcedRow]
    forced: bool
    full: int
    alone: NotRequired[bool]
    made: str
    words: Annotated[dict[str, str], "force"]
    language: str
