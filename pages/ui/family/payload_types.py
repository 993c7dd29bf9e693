"""Payloads of the components of All models. The browser code is type-checked against them."""

from typing import Annotated, TypedDict

from pages.ui.charts.payload_parts import ErrorMark


class FamilyTranslation(TypedDict):
    """The translation by one model. `words`: with the space before each. `tail`: symbols copied after the last word.
    `unknown_words`: the words that the model wrote as UNK. `copied_words`: unknown words of the source that it copied.
    `attended`: for each word the attended source positions (-1: the end) with their weights, None without attention.
    `omissions`: omitted source positions. `map_name`: the attention map used, "" if the model has only one.
    `shift_note`: a note if the model attends to a neighbour of the word that it generates, else ""."""

    words: list[tuple[str, str]]
    tail: str
    marks: list[ErrorMark]
    unknown_words: list[int]
    copied_words: list[int]
    attended: list[list[tuple[int, float]]] | None
    omissions: list[int]
    is_finished: bool
    map_name: str
    shift_note: str


class FamilyBar(TypedDict):
    """An amount of training. `share`: of the largest of all models on the screen."""

    text: str
    share: float


class EqualHoursComparison(TypedDict):
    """RNNsearch with the training hours of another model. `choice`: the label of the choice. `points`: hours, its BLEU
    on the development text `set` and that of the model, from 0 hours to the end, [] if unknown. `run`: a sentence about
    a short run of RNNsearch, "" if there is none."""

    title: str
    choice: str
    set: str
    points: list[tuple[float, float, float]]
    run: str


class FamilyTraining(TypedDict):
    """How long one model was trained, and its BLEU. `bars`: hours and tokens, [] if unknown. `score`: "" if not
    measured. `score_note`: on which text, with which search. `has_fewer_hours`: whether its hours are
    unknown, or more than a fifth fewer than those of the longest trained model."""

    bars: list[FamilyBar]
    score: str
    score_note: str
    has_fewer_hours: bool
    equal_hours: EqualHoursComparison | None


class FamilyMember(TypedDict):
    """One model. `year` and `paper`: of its architecture, "" if unknown. `translation`: None until the model has
    answered. `problem`: why there is no answer."""

    name: str
    title: str
    year: str
    paper: str
    has_attention: bool
    parameter_count: str
    training: FamilyTraining
    translation: FamilyTranslation | None
    problem: str


class FamilyData(TypedDict):
    """One sentence translated by several models, oldest architecture first. `source`: words with the space before each,
    empty before the first answer. `tail`: symbols copied after the last word. `has_lexicon`: whether a lexicon can mark
    omissions and additions. `unequal_note`: a note about unequal training time. `shows_equal_hours`: whether RNNsearch
    of equal hours is shown beside the models in grey. `unknown_words`: source words that are UNK to one of the models.
    `unknown_notes`: about unknown words."""

    text: str
    languages: tuple[str, str]
    source: list[tuple[str, str]]
    unknown_words: list[int]
    tail: str
    members: list[FamilyMember]
    has_lexicon: bool
    unequal_note: str
    shows_equal_hours: bool
    provenance: str
    unknown_notes: list[str]
    messages: Annotated[dict[str, str], "family"]
    language: str
