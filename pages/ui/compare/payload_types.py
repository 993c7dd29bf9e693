"""Payloads of the component of Compare. The browser code is type-checked against them."""

from typing import Annotated, Literal, TypedDict

from model.networks.registry import Marker
from pages.ui.charts.payload_parts import CurvePoint

Languages = tuple[str, str]
"""Of source and target, as BCP 47 codes."""


Mark = Literal["", "repeated", "invented", "other"]


class CurveSet(TypedDict):
    """A test set: its name in files (`key`) and on the page, and a line for each model, None without an evaluation."""

    key: str
    name: str
    lines: list[list[CurvePoint] | None]


class CurveData(TypedDict):
    """The length curves beside the comparison."""

    sets: list[CurveSet]
    words: Annotated[dict[str, str], "compare_curve"]


class ComparedModel(TypedDict):
    """A model and its line style."""

    name: str
    attends: bool
    dashed: bool
    hollow: bool
    marker: Marker


class ComparedSide(TypedDict):
    """One translation. `words`: with the space before each. `tail`: symbols copied after the last word. `unknown`: the
    words that the model wrote as UNK. `copied_words`: unknown words of the source that it copied. `looks`: for each
    word the attended positions of the whole sentence (-1: the end) with their weights, None without attention. `lost`:
    omitted source positions. `followed`: the last target word that follows the source, -1 if none does, None if all do.
    `new`: words that the previous prefix lacked. `gone`: words that only it had. `covered` of `of` source words are
    translated."""

    words: list[tuple[str, str]]
    tail: str
    marks: list[Mark]
    unknown: list[int]
    copied_words: list[int]
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
    """One prefix of the sentence. `count`: its number of words. `old`, `fed`: positions of the whole sentence up to
    which the previous prefix and this one go. `columns`: aligned words of both translations."""

    count: int
    columns: list[tuple[int | None, int | None]]
    sides: list[ComparedSide]
    old: int
    fed: int


class CompareData(TypedDict):
    """Two translations of a sentence, or of its prefixes (`grown`; `growing`: they are being made). `clause`: the
    number of clauses shown, 0 for the whole sentence. `runs`: how often growing was started. `same`: both by one model.
    `trained`: the training of each model. `equal`: BLEU after equal training, "" if unknown. `told`: whether a lexicon
    can mark omissions and additions. `bare`: whether overrides of the whole sentence are left out of the prefixes.
    `tail`: symbols copied after the last word of the source. `unknown`: source words that are UNK to one of the
    models. `unknown_notes`: about unknown words."""

    text: str
    languages: Languages
    source: list[tuple[str, str]]
    unknown: list[int]
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
    unknown_notes: list[str]
    words: Annotated[dict[str, str], "compare"]
    language: str
