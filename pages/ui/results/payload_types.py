"""Payloads of the components of Length and BLEU. The browser code is type-checked against them."""

from typing import Annotated, TypedDict

from pages.ui.charts.payload_parts import LineStyleData


class OnsetProbe(TypedDict):
    """A sentence pair of the diary: words with the space before each."""

    source: list[tuple[str, str]]
    target: list[tuple[str, str]]


class OnsetTranslation(TypedDict):
    """A model's translation of a probe at each moment, and α over words (bytes in units of 1/255, row by row, base64;
    None without attention). `diagonal`, `reordering`: the moment from which the diagonal and the reordering persist."""

    translations: list[str]
    alpha: list[str] | None
    diagonal: int | None
    reordering: int | None


class OnsetModel(LineStyleData):
    """A model and its line style. `target_tokens` and `bleu`: of each moment. `moments`: the moment for each position
    of the slider."""

    name: str
    target_tokens: list[int]
    bleu: list[float]
    moments: list[int]
    probes: list[OnsetTranslation]


class AlignmentOnsetData(TypedDict):
    """The onset of alignment, opened at a probe and a moment (from 1; 0: the last). `ticks`: target tokens at each
    position of the slider."""

    id: str
    probe: int
    moment: int
    ticks: list[int]
    probes: list[OnsetProbe]
    models: list[OnsetModel]
    languages: tuple[str, str]
    messages: Annotated[dict[str, str], "alignment_onset"]
    language: str
