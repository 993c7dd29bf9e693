"""What the birth of alignment is sent, key by key. The browser's side is checked against assets/player/payloads.d.ts,
made of this."""

from typing import Annotated, TypedDict

from model.networks.registry import Marker


class BirthProbe(TypedDict):
    """A pair that is followed: its words, each with what stands before it."""

    source: list[tuple[str, str]]
    target: list[tuple[str, str]]


class BornProbe(TypedDict):
    """What a model made of a probe, moment by moment: its translation, and α over words (whole 255ths, a byte each, row
    by row, in base64; None without attention). `diagonal`, `turning`: from which moment on they are there."""

    translations: list[str]
    alpha: list[str] | None
    diagonal: int | None
    turning: int | None


class BornModel(TypedDict):
    """A model and its moments: target pieces seen, BLEU on the diary's sample, and where on the slider each stands."""

    name: str
    dashed: bool
    hollow: bool
    marker: Marker
    pieces: list[int]
    bleu: list[float]
    at: list[int]
    probes: list[BornProbe]


class BirthData(TypedDict):
    """Alignment being born, opened at a probe and a moment (from 1; 0: the last). `ticks`: target pieces at each place
    of the slider."""

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
