"""What the components of the laboratory are sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, NotRequired, TypedDict


class ConsolePiece(TypedDict):
    """A piece as it is shown, its word (-1 for the sentence's end), and whether it goes on with a word."""

    text: str
    word: int
    joined: bool


class ConsoleSide(TypedDict):
    """A translation: its pieces, its words with what stands before each, for each piece the row of weights over the
    source's pieces in parts of 1, and its log-probability, written."""

    pieces: list[ConsolePiece]
    words: list[tuple[str, str]]
    alpha: list[list[int]]
    log_probability: str


class ConsoleColumn(TypedDict):
    """The words of both translations that stand in one column (-1 for the sentence's end, None for none) and whether
    they differ; by how many nats the changes made the word before likelier (`gained`), how far they moved what the
    model expected there (`moved`, nats), both None where nothing was changed or nothing stood there; and the row of
    weights after less that before, in parts of 1, None where only one of them has one."""

    before: int | None
    after: int | None
    flipped: bool
    gained: float | None
    moved: float | None
    log: float | None
    difference: list[int] | None


class ConsoleChange(TypedDict):
    """One change as the link writes it, and in words."""

    written: str
    said: str


class ConsoleData(TypedDict):
    """The attention console. `of`: a name of what is shown; `map`: the key of the map that is changed; `after` is None
    where nothing is changed; `told`: what is changed, in a line, "" where nothing is; `kept`: how many words of the
    translation before stayed, in words; `sum`: of the words before the `gained`, written, "" without changes; `back`:
    whether the table of rules led here; `alone`: it stands in a file of its own, where nothing can be asked; `parts`:
    weights are whole numbers of so many parts of 1."""

    of: str
    name: str
    map: str
    languages: tuple[str, str]
    source: list[ConsolePiece]
    before: ConsoleSide
    after: ConsoleSide | None
    columns: list[ConsoleColumn]
    changes: list[ConsoleChange]
    told: str
    kept: str
    sum: str
    back: bool
    alone: NotRequired[bool]
    parts: int
    made: str
    words: Annotated[dict[str, str], "console"]
    language: str


class NeedRow(TypedDict):
    """How the translation fared under one rule: the rule in words (`said`) and as changes are written, how many words
    the model, free, kept, how many it would still have written each given those before, the nats lost by the given
    translation, where the free one first parts from it (`broke`, written, "" where it does not; `ends`: only in that
    one of them has an end), and the free translation's words with what stands before each and whether it flipped."""

    said: str
    written: str
    kept: int
    still: int
    lost: float
    broke: str
    ends: bool
    text: list[tuple[str, str, bool]]


class NeedSetRow(TypedDict):
    """A rule, and of each kind of word the share that would still be the likeliest, None where there were none."""

    said: str
    shares: list[float | None]


class NeedSet(TypedDict):
    """What a measurement over a set of sentences says: which (`title`), the kinds of words with how many there were,
    and a row a rule."""

    title: str
    kinds: list[str]
    rows: list[NeedSetRow]


class NeedData(TypedDict):
    """How much a sentence needs its attention: the translation with what stands before each word, a row a rule, and
    what was measured over a set, if anything was.
    `alone`: it stands in a file of its own, where nothing can be asked."""

    name: str
    languages: tuple[str, str]
    translation: list[tuple[str, str]]
    rows: list[NeedRow]
    set: NeedSet | None
    alone: NotRequired[bool]
    made: str
    words: Annotated[dict[str, str], "need"]
    language: str
