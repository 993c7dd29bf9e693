"""Payloads of the ideas about attention. The browser's types are generated from these."""

from typing import Annotated, Literal, TypedDict


class TokenizedData(TypedDict):
    """A translation by its tokens. `provenance`: how the models were trained. `language`: of the interface."""

    source: list[str]
    target: list[str]
    provenance: str
    language: str


class RetrievalData(TokenizedData):
    """Attention as retrieval. `queries`: a row of numbers per target token; `keys`, `values`: per source token.
    `energies`: target x source. `temperatures`: null for infinity. `predictions`: per step and temperature a token and
    its probability."""

    queries: list[list[float]]
    keys: list[list[float]]
    values: list[list[float]]
    energies: list[list[float]]
    temperatures: list[float | None]
    predictions: list[list[tuple[str, float]]]
    units: tuple[int, int]
    shared_messages: Annotated[dict[str, str], "concept_parts"]
    messages: Annotated[dict[str, str], "concept_retrieval"]


ScoreName = Literal["additive", "concat", "general", "dot", "scaled_formula", "scaled_head"]


class ScoreForm(TypedDict):
    """One score function on the sentence: e (target x source; log α up to a constant where only α is known)."""

    name: ScoreName
    model: str
    is_trained: bool
    note: str
    energies: list[list[float]]


class ScoresData(TokenizedData):
    """Score functions over one translation."""

    forms: list[ScoreForm]
    messages: Annotated[dict[str, str], "concept_scores"]


class WindowsData(TokenizedData):
    """Scores of global attention, target x source; the translation, and those with windows of each D from 1."""

    energies: list[list[float]]
    translation: str
    local_m: list[str]
    local_p: list[str]
    target_language: str
    shared_messages: Annotated[dict[str, str], "concept_parts"]
    messages: Annotated[dict[str, str], "concept_windows"]


class WordColumn(TypedDict):
    """The words of the sentence in one language; `name`: of the language."""

    language: str
    name: str
    words: list[str]


class ColumnTranslation(TypedDict):
    """A translation between two columns, given by their positions. `links`: (source word, target word), in the order of
    the target. `reversed_words`: the target words whose link turns back. `weights`: α, target x source words."""

    source: int
    target: int
    title: str
    model: str
    links: list[tuple[int, int]]
    reversed_words: list[int]
    weights: list[list[float]]


class WordOrderShare(TypedDict):
    """How many links turn back on a test set, as a share with its band."""

    title: str
    model: str
    data: str
    sentences: int
    share: float
    low: float
    high: float
    command: str


class WordOrderData(TypedDict):
    """Word order in two or three languages. `is_chain`: the second translation is of the first one's output.
    `is_model_missing`: whether there is no model of Korean."""

    columns: list[WordColumn]
    translations: list[ColumnTranslation]
    is_chain: bool
    reversed_shares: list[WordOrderShare]
    is_model_missing: bool
    messages: Annotated[dict[str, str], "concept_word_order"]
    language: str


class FeedingTranslation(TypedDict):
    """A translation: its tokens, and the probability of each."""

    tokens: list[str]
    probabilities: list[float]


class FeedingData(TypedDict):
    """Luong's network with and without input feeding, and the tokens of RNNsearch's translation. `first_difference`:
    the first step at which both translations of Luong's network differ, -1 for none."""

    with_feeding: FeedingTranslation
    without_feeding: FeedingTranslation
    first_difference: int
    rnnsearch: list[str]
    target_language: str
    titles: tuple[str, str]
    provenance: str
    messages: Annotated[dict[str, str], "concept_feeding"]
    language: str


class CoveredTranslation(TypedDict):
    """One model's translation. `coverage_by_step`: summed attention after each step, (steps + 1) x source words.
    `fertility`: what each source word needs, by the model; empty without coverage. `repetitions`: indices of target
    words."""

    title: str
    target: list[tuple[str, str]]
    word_of: list[int]
    coverage_by_step: list[list[float]]
    fertility: list[float]
    repetitions: list[int]


class CoverageData(TypedDict):
    """Coverage over the steps of two models."""

    source: list[tuple[str, str]]
    models: list[CoveredTranslation]
    languages: tuple[str, str]
    provenance: str
    shared_messages: Annotated[dict[str, str], "concept_parts"]
    messages: Annotated[dict[str, str], "concept_coverage"]
    language: str


class CopyingData(TokenizedData):
    """A pointer-generator's translation: p_gen, p(y) and its copied part of each target token, α target x source."""

    p_gen: list[float]
    probabilities: list[float]
    copied: list[float]
    alpha: list[list[float]]
    messages: Annotated[dict[str, str], "concept_copying"]
