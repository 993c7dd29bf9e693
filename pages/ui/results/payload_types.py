"""Payloads of the components of Length and BLEU. The browser code is type-checked against them."""

from typing import Annotated, TypedDict

from model.networks.registry import Marker


class BirthProbe(TypedDict):
    """A sentence pair of the diary: words with the space before each."""

    source: list[tuple[str, str]]
    target: list[tuple[str, str]]


class BornProbe(TypedDict):
    """A model's translation of a probe at each moment, and α over words (bytes in units of 1/255, row by row, base64;
    None without attention). `diagonal`, `turning`: the moment from which the diagonal and the reordering persist."""

    translations: list[str]
    alpha: list[str] | None
    diagonal: int | None
    turning: int | None


class BornModel(TypedDict):
    """A model. `pieces` and `bleu`: of each moment. `at`: the moment for each position of the slider."""

    name: str
    dashed: bool
    hollow: bool
    marker: Marker
    pieces: list[int]
    bleu: list[float]
    at: list[int]
    probes: list[BornProbe]


class BirthData(TypedDict):
    """The onset of alignment, opened at a probe and a moment (from 1; 0: the last). `ticks`: target pieces at each
    position of the slider."""

    of: str
    probe: int
    moment: int
    ticks: list[int]
    probes: list[BirthProbe]
    models: list[BornModel]
    languages: tuple[str, str]
    made: str
    words: Annotated[dict[str, str], "birth"]
    language: str
