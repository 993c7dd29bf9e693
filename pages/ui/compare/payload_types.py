"""What the comparison is sent, key by key. The browser's side is checked against assets/player/payloads.d.ts, made of
this."""

from typing import Annotated, Literal, TypedDict

from model.networks.registry import Marker
from pages.ui.charts.payload_parts import CurvePoint

Languages = tuple[str, str]
"""Of the source and of the target, as codes of BCP 47."""


Mark = Literal["", "repeated", "invented", "other"]


class CurveSet(TypedDict):
    """A test set: what it is called in its files (`key`) and here (`name`); for each model its line, None for a model
    without."""

    key: str
    name: str
    lines: list[list[CurvePoint] | None]


class CurveData(TypedDict):
    """The length curves beside the comparison."""

    sets: list[CurveSet]
    words: Annotated[dict[str, str], "compare_curve"]


class ComparedModel(TypedDict):
    """A model and how it is drawn."""

    name: str
    attends: bool
    dashed: bool
    hollow: bool
    marker: Marker


class ComparedSide(TypedDict):
    """One translation: its words with what stands before each, how each is marked, and what each looked at (places of
    the whole sentence's words, -1 the end, and how much; None without attention).

    `tail`: copied symbols after the last word. `lost`: places of the source; `followed`: the last word before the
    thread is lost, -1 where none is followed, None where all are; `new`: which words the stage before had not; `gone`:
    which of its words are no more; `covered` of `of` source words.
    """

    words: list[tuple[str, str]]
    tail: str
    marks: list[Mark]
    looks: list[list[tuple[int, float]]] | None
    lost: list[int]
    followed: int | None
    new: list[bool]
    gone: list[str]
    log: str
    finished: bool
    covered: int | None
    of: int


class ComparedStage(TypedDict):
    """One beginning of the sentence: its words at its spaces, how many words the stage before had and this one has, and
    the aligned columns (places in each translation, None for none)."""

    count: int
    columns: list[tuple[int | None, int | None]]
    sides: list[ComparedSide]
    old: int
    fed: int


class CompareData(TypedDict):
    """Two translations of a sentence, or of its beginnings (`grown`; `growing`: they are being made), opened at
    `clause` (from 1; 0: not grown).

    `same`: by one model twice; `trained`: how far each model was trained, as far as that is known; `equal`: how they
    translated when all had had as many hours, "" where that is not known; `told`: whether there is a lexicon of these
    languages, so that lost and invented words can be marked; `bare`: whether changes that the whole sentence was
    written with are left out of its beginnings; `tail`: copied symbols after the last word of the source.
    """

    text: str
    languages: Languages
    source: list[tuple[str, str]]
    tail: str
    models: list[ComparedModel]
    same: bool
    stages: list[ComparedStage]
    clauses: int
    grown: bool
    growing: bool
    clause: int
    runs: int
    curve: CurveData
    told: bool
    bare: bool
    trained: list[str]
    equal: str
    made: str
    words: Annotated[dict[str, str], "compare"]
    language: str
