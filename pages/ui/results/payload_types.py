"""Payloads of the components of Length and BLEU. The browser code is type-checked against them."""

from typing import Annotated, TypedDict

from model.networks.registry import Marker


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


class OnsetModel(TypedDict):
    """A model. `pieces` and `bleu`: of each moment. `moments`: the moment for each position of the slider."""

    name: str
    is_dashed: bool
    is_hollow: bool
    marker: Marker
    pieces: list[int]
    bleu: list[float]
    moments: list[int]
    probes: list[OnsetTranslation]


class AlignmentOnsetData(TypedDict):
    """The onset of alignment, opened at a probe and a moment (from 1; 0: the last). `ticks`: target pieces at each
    position of the slider."""

    id: str
    probe: int
    moment: int
    ticks: list[int]
    probes: list[OnsetProbe]
    models: list[OnsetModel]
    languages: tuple[str, str]
    words: Annotated[dict[str, str], "birth"]
    language: str
