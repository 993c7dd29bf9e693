"""What the columns of the family are sent, key by key. The browser's side is checked against
assets/player/payloads.d.ts, made of this."""

from typing import Annotated, Literal, TypedDict

FamilyMark = Literal["", "repeated", "invented"]


class FamilyAnswer(TypedDict):
    """What a model made of the sentence: its words with what stands before each, how each is marked, what each looked
    at (places of the source's words, -1 the end, and how much; None without attention), and which of its maps says so
    ("" where it has one only). `beside`: that it looks beside what it writes, "" where it does not. `lost`: places of
    the source; `finished`: whether it came to an end by itself; `tail`: copied symbols after the last word."""

    words: list[tuple[str, str]]
    tail: str
    marks: list[FamilyMark]
    looks: list[list[tuple[int, float]]] | None
    lost: list[int]
    finished: bool
    map: str
    beside: str


class FamilyMember(TypedDict):
    """A model: its name and title, the year of its kind ("" where that is not told) and its paper, how it is drawn, how
    large it is and how far it was trained. `answer` is None until there is one; `problem` says why there is none."""

    name: str
    title: str
    year: str
    paper: str
    attends: bool
    size: str
    taught: str
    answer: FamilyAnswer | None
    problem: str


class FamilyData(TypedDict):
    """One sentence through a family of models, in the order of the years. `source`: its words with what stands before
    each, none before the first answer; `tail`: copied symbols after the last of them; `told`: whether lost and invented
    words can be marked; `unequal`: how unequally they were trained."""

    text: str
    languages: tuple[str, str]
    source: list[tuple[str, str]]
    tail: str
    members: list[FamilyMember]
    told: bool
    unequal: str
    made: str
    words: Annotated[dict[str, str], "family"]
    language: str
