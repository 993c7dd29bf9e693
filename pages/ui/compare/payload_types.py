"""Payloads of the component of Compare. The browser code is type-checked against them."""

from typing import Annotated, TypedDict

from pages.ui.charts.payload_parts import ErrorMark, LengthPoint, LineStyleData


class CurveSet(TypedDict):
    """A test set: its name in files (`key`) and on the page, and a line for each model, None without an evaluation."""

    key: str
    name: str
    lines: list[list[LengthPoint] | None]


class CurveData(TypedDict):
    """The length curves beside the comparison."""

    sets: list[CurveSet]
    messages: Annotated[dict[str, str], "compare_curve"]


class ComparedModel(LineStyleData):
    """A model and its line style."""

    name: str


class ComparedSide(TypedDict):
    """One translation. `words`: with the space before each. `tail`: symbols copied after the last word.
    `unknown_words`: the words that the model wrote as UNK. `copied_words`: unknown words of the source that it copied.
    `attended`: for each word the attended positions of the whole sentence (-1: the end) with their weights, None
    without attention. `omissions`: omitted source positions. `last_followed`: the last target word that follows the
    source, -1 if none does, None if all do. `is_new`: words that the previous prefix lacked. `removed_words`: words
    that only the previous prefix had. `attended_word_count`: how many of `source_word_count` source
    words received attention, None without attention. `word_count`: of the translation. Counts are without
    punctuation."""

    words: list[tuple[str, str]]
    tail: str
    marks: list[ErrorMark]
    unknown_words: list[int]
    copied_words: list[int]
    attended: list[list[tuple[int, float]]] | None
    omissions: list[int]
    last_followed: int | None
    is_new: list[bool]
    removed_words: list[str]
    log_probability: str
    is_finished: bool
    attended_word_count: int | None
    source_word_count: int
    word_count: int


class ComparedPrefix(TypedDict):
    """One prefix of the sentence. `word_count`: its number of words. `previous_end`, `end`: positions of the whole
    sentence up to which the previous prefix and this one go. `columns`: aligned words of both translations."""

    word_count: int
    columns: list[tuple[int | None, int | None]]
    sides: list[ComparedSide]
    previous_end: int
    end: int


class CompareData(TypedDict):
    """Two translations of a sentence, or of its prefixes (`has_prefixes`; `is_growing`: prefixes are being translated).
    `shown_clause_count`: the number of clauses shown, 0 for the whole sentence. `growth_count`: how often growing was
    started. `is_same_model`: both by one model. `training_notes`: the training of each model. `equal_training`: BLEU
    after equal training, "" if unknown. `has_lexicon`: whether a lexicon can mark omissions and additions.
    `ignores_overrides`: whether overrides of the whole sentence are left out of the prefixes. `tail`: symbols copied
    after the last word of the source. `unknown_words`: source words that are UNK to one of the models. `unknown_notes`:
    about unknown words."""

    text: str
    languages: tuple[str, str]
    source: list[tuple[str, str]]
    unknown_words: list[int]
    tail: str
    models: list[ComparedModel]
    is_same_model: bool
    prefixes: list[ComparedPrefix]
    clause_count: int
    has_prefixes: bool
    is_growing: bool
    shown_clause_count: int
    growth_count: int
    curve: CurveData
    has_lexicon: bool
    ignores_overrides: bool
    training_notes: list[str]
    equal_training: str
    provenance: str
    unknown_notes: list[str]
    messages: Annotated[dict[str, str], "compare"]
    language: str
