"""What the gradients of the family are sent, key by key. The browser's side is checked against
assets/player/payloads.d.ts, made of this."""

from typing import Annotated, Literal, TypedDict

from model.networks.registry import Marker


class GradientCurve(TypedDict):
    """By distance from 0, means over the pieces of what was written: `values`, the gradient in the states by all
    roads; `look`, by the direct road alone (None for a decoder that never looks, and where there is no other road)."""

    values: list[float]
    look: list[float] | None


class GateRow(TypedDict):
    """One gate of one cell: what it is called, and its mean over the units, from 0 to 1, at each place; None where the
    cell was not run."""

    label: str
    values: list[float | None]


class GateTable(TypedDict):
    """The gates of one side: a column a piece."""

    side: Literal["encoder", "decoder"]
    places: list[str]
    rows: list[GateRow]


class GradientsModel(TypedDict):
    """A model: its name, its title and how its line is drawn; `quiet`: only once the reader asks for it. `curves`: of
    everything written, then of each of `words` (with what stands before each; the last may be the end); none before
    they are known, and `problem` says why there never will be any. `pieces` are the source's by distance, `places`
    where each stands in the source. `gateless` says why `gates` are none."""

    name: str
    title: str
    dashed: bool
    hollow: bool
    marker: Marker
    quiet: bool
    words: list[tuple[str, str]]
    curves: list[GradientCurve]
    pieces: list[str]
    places: list[int]
    gates: list[GateTable]
    gateless: str
    problem: str


class GradientsData(TypedDict):
    """Gradients by distance and gates of one sentence in a family of models, in the order of the years. `told`: what
    the curves say, of everything written and then of each written word; `written`: which word is chosen, from 1 on (0:
    everything); `shown`: the model whose gates are shown."""

    models: list[GradientsModel]
    told: list[str]
    written: int
    shown: str
    languages: tuple[str, str]
    words: Annotated[dict[str, str], "gradients"]
    language: str
