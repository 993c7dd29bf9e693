"""Payload of the gradients by distance. The browser code is type-checked against it."""

from typing import Annotated, Literal, TypedDict

from pages.ui.charts.payload_parts import LineStyleData


class GradientCurve(TypedDict):
    """Gradient norms by distance from 0, averaged over target tokens. `values`: over all paths. `direct`: through the
    attention of the step alone, None without attention or if there is no other path."""

    values: list[float]
    direct: list[float] | None


class GateRow(TypedDict):
    """One gate of one cell: its mean over the units, 0 to 1, at each position; None where the cell did not run."""

    label: str
    values: list[float | None]


class GateTable(TypedDict):
    """The gates of the encoder or of the decoder, a column per token."""

    side: Literal["encoder", "decoder"]
    tokens: list[str]
    rows: list[GateRow]


class GradientsModel(LineStyleData):
    """The gradients of one model, and its line style. `is_hidden`: whether its line is hidden. `curves`: for the whole
    translation, then for each of `words`; empty until computed. `problem`: why there are none. `tokens`: source
    tokens by distance, with their `positions` in the source. `no_gates`: why `gates` is empty."""

    name: str
    title: str
    is_hidden: bool
    words: list[tuple[str, str]]
    curves: list[GradientCurve]
    tokens: list[str]
    positions: list[int]
    gates: list[GateTable]
    no_gates: str
    problem: str


class GradientsData(TypedDict):
    """Gradients and gates of several models. `descriptions`: of the curves, for the whole translation, then for each
    word. `selected_word`: the chosen word, from 1 (0: the whole translation). `gate_model`: the model whose gates are
    shown."""

    models: list[GradientsModel]
    descriptions: list[str]
    selected_word: int
    gate_model: str
    languages: tuple[str, str]
    messages: Annotated[dict[str, str], "gradients"]
    language: str
