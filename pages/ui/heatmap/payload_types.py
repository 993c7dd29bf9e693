"""What the components of Translate are sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, Literal, TypedDict

Languages = tuple[str, str]
"""Of the source and of the target, as codes of BCP 47."""


class HeatmapSource(TypedDict):
    """The source: the labels that are drawn, the word each belongs to (-1 for the end), and the words, each with what
    stands before it."""

    labels: list[str]
    word_of: list[int]
    words: list[tuple[str, str]]


class Difference(TypedDict):
    """What a translation lost of the source (places of its words), what it repeated and invented (places of its own
    words), and the last of them before it lost the thread: -1 where it never had it, None where it keeps it."""

    lost: list[int]
    repeated: list[int]
    invented: list[int]
    followed: int | None


class Reading(TypedDict):
    """One translation: `words` with what stands before each, their probabilities (`chance`) and the source words they
    looked at most (`gloss`; -1 for the end), and over the labels that are drawn the weights (rows: target; None where
    there are none to draw) and the logarithms of probabilities. `likely`: for a model without attention, below each
    word what a lexicon says it means, "" where it does not know; None where no gloss is wanted or there is no lexicon.

    `chance` is empty where probabilities are not known. `differences`: of this translation and of the one beside it,
    where there is one. `tail`: copied symbols after the last word; others stand before a word.
    """

    labels: list[str]
    word_of: list[int]
    words: list[tuple[str, str]]
    tail: str
    language: str
    chance: list[float]
    gloss: list[int] | None
    likely: list[str] | None
    alpha: list[list[int]] | None
    log: list[float]
    attended: bool
    log_probability: str
    score: str
    notes: list[str]
    differences: list[Difference]


class Beside(Reading):
    """The other model's translation, with the model's name."""

    name: str


class HeatmapData(TypedDict):
    """The n best translations of a sentence, the one at `chosen` (from 0) with its α, and what another model
    made of it.

    `told`: whether lost and invented words can be told: for these languages there is a lexicon. `copied`: whether
    symbols of the source were copied past the model.
    `of`: a name of these translations; `cut`: how many rows and columns are drawn of more, 0 where all are; `parts`:
    weights are whole numbers of so many parts of 1; `alone`: whether there is no other model to set beside it, as with
    attention from elsewhere; `focus`: the key of the widget that is given the keyboard first.
    """

    of: str
    chosen: int
    source: HeatmapSource
    name: str
    languages: Languages
    best: list[Reading]
    beside: Beside | None
    alone: bool
    cut: int
    scale: Literal["violet", "root", "grey"]
    unit: Literal["words", "pieces"]
    gloss: bool
    told: bool
    copied: bool
    parts: int
    made: str
    focus: str
    words: Annotated[dict[str, str], "heatmap", "heatmap_any", "heatmap_loose"]
    language: str


class ExportsData(TypedDict):
    """The way out that only the browser has: the page's address in the clipboard."""

    words: Annotated[dict[str, str], "exports"]
    language: str
