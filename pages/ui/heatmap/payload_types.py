"""Payloads of the components of Translate. The browser code is type-checked against them."""

from typing import Annotated, Literal, TypedDict


class HeatmapSource(TypedDict):
    """The source: column labels, the word that each belongs to (-1: the end), and words with the space before each.
    `unknown_words`: the words that are UNK to the model."""

    labels: list[str]
    word_of: list[int]
    words: list[tuple[str, str]]
    unknown_words: list[int]


class Difference(TypedDict):
    """Omissions (source positions), repetitions and additions (target positions), and the last target word that follows
    the source: -1 if none does, None if all do."""

    omissions: list[int]
    repetitions: list[int]
    additions: list[int]
    last_followed: int | None


class HeatmapTranslation(TypedDict):
    """One translation. `words`: with the space before each. `unknown_words`: the words that the model wrote as UNK.
    `copied_words`: unknown words of the source that it copied. `tail`: symbols copied after the last word.
    `probabilities`: word probabilities, empty if unknown. `most_attended`: the source word with the most attention, -1
    for the end. `lexicon_gloss`: the lexicon's gloss for a model without attention, "" if unknown. `alpha`: attention
    weights, (target, source labels), in units of 1 / `weight_scale`. `label_log_probabilities`: log-probabilities of
    the row labels. `differences`: of this translation and of the other model's."""

    labels: list[str]
    word_of: list[int]
    words: list[tuple[str, str]]
    unknown_words: list[int]
    copied_words: list[int]
    tail: str
    language: str
    probabilities: list[float]
    most_attended: list[int] | None
    lexicon_gloss: list[str] | None
    alpha: list[list[int]] | None
    label_log_probabilities: list[float]
    has_attention: bool
    log_probability: str
    score: str
    notes: list[str]
    differences: list[Difference]


class OtherTranslation(HeatmapTranslation):
    """The translation by the other model, with its name."""

    name: str


class HeatmapData(TypedDict):
    """The n best translations of a sentence, and one by another model. `id`: an identifier of these translations.
    `rank`: the rank shown, from 0. `is_alone`: whether there is no other translation. `cell_limit`: MAX_LABELS if
    labels were cut, else 0. `has_lexicon`: whether a lexicon can mark omissions and additions.
    `has_copied_symbols`: whether symbols of the source were copied past the model. `weight_scale`: the integer that
    stands for a weight of 1. `focus`: the key of the widget with the first keyboard focus. `unknown_notes`: about
    unknown words."""

    id: str
    rank: int
    source: HeatmapSource
    name: str
    languages: tuple[str, str]
    n_best: list[HeatmapTranslation]
    other_translation: OtherTranslation | None
    is_alone: bool
    cell_limit: int
    scale: Literal["violet", "root", "grey"]
    unit: Literal["words", "pieces"]
    has_gloss: bool
    has_lexicon: bool
    has_copied_symbols: bool
    weight_scale: int
    provenance: str
    focus: str
    unknown_notes: list[str]
    messages: Annotated[dict[str, str], "heatmap", "heatmap_any", "heatmap_loose"]
    language: str


class HeadMap(TypedDict):
    """One attention map over words. `layer` and `head`: from 1, None if it has none. `values`: (rows, columns), in
    units of 1 / `weight_scale`. `is_selectable`: whether the large heatmap can show it. `is_prunable`: whether it can
    be replaced by uniform weights."""

    key: str
    layer: int | None
    head: int | None
    values: list[list[int]]
    is_selectable: bool
    is_prunable: bool


class HeadGroup(TypedDict):
    """The maps of one name. `description`: what they show. `source`, `target`: labels of columns and rows. `sides`,
    `languages`: of columns and rows. `is_coverage`: whether this is coverage. `max_weight`: the weight with the darkest
    cell, at least 1."""

    name: str
    description: str
    source: list[str]
    target: list[str]
    sides: tuple[str, str]
    languages: tuple[str, str]
    is_coverage: bool
    max_weight: float
    maps: list[HeadMap]


class HeadsData(TypedDict):
    """All attention maps of a translation. `selected`: the key of the map in the large heatmap. `enlarged`: of the map
    enlarged here, "" for none, None if the link does not hold it."""

    groups: list[HeadGroup]
    selected: str
    enlarged: str | None
    weight_scale: int
    messages: Annotated[dict[str, str], "heads"]
    language: str


class ExportsData(TypedDict):
    """The buttons that copy the page's address, which only the browser can do, and show it as a QR code."""

    messages: Annotated[dict[str, str], "exports"]
    language: str
