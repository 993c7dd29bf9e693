"""The drawing of a decoder step as data: boxes, arrows, and the phase in which each arrow is active.

A network kind describes its stage next to its equations (`model.networks.equations.rnnsearch`). Horizontal positions
are fractions of the width, on wide and on narrow screens; vertical ones are pixels from the top. Needs no torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InputToken = Literal["previous", "current"]
Shape = Literal["circle", "box", "chip", "sum", "switch", "label"]
BoxSide = Literal["left", "right", "top", "bottom"]
ReadingOrder = Literal["forward", "backward", "reversed", "end_first", "all"]
"""How a row of encoder states is computed: from the first token, from the last, from the last word to the first and
then the end, from the end and then the first word to the last, or all tokens at once."""

HEIGHT = 264  # pixels, of the stage of one GRU
LAYER_HEIGHT = 54  # pixels
MAX_DRAWN_LAYERS = 4  # with more layers, the lowest, the second and the highest are drawn


@dataclass(frozen=True)
class Box:
    """One box, circle or label.

    `name`: for arrows; `part`: the part of the picture that symbols of equations refer to; `x`, `x_narrow` (fractions)
    and `y` (pixels): its centre, or the start of a label; `text`: a formula or word; `index`: subscript of a circle's
    letter; `text_key`: of a translated text instead; `content`: the vector of the step that it shows ("before",
    "after", "context"), for a chip its token, for a switch the number that says how far it is open; `phase`: in which
    it appears.
    """

    name: str
    part: str
    shape: Shape
    x: float
    y: int
    x_narrow: float
    text: str = ""
    index: str = ""
    text_key: str = ""
    content: str = ""
    phase: str = ""


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes; the end "out" is the list of candidates.

    `phase`: in which it is active; `part`: gives its colour; `start_side`, `end_side`: sides of the boxes; `steps`:
    whether it is active in all steps, the first only, or all but the first.
    """

    start: str
    end: str
    phase: str
    part: str
    start_side: BoxSide = "right"
    end_side: BoxSide = "left"
    steps: Literal["all", "first", "later"] = "all"


@dataclass(frozen=True)
class EncoderDrawing:
    """An encoder drawn below the source tokens, with an arrow from its final state to the decoder's `final_box`."""

    layers: int
    is_reversed: bool
    final_box: str


@dataclass(frozen=True)
class PrefixRow:
    """The row of target tokens so far, at `y` pixels, with arcs of self-attention from a box."""

    y: int
    attending_box: str


@dataclass(frozen=True)
class Frame:
    """A frame around the boxes of one layer, with the other layers behind it; `left` and `right` are fractions."""

    layers: int
    heads: int
    left: float
    right: float
    top: int
    bottom: int


@dataclass(frozen=True)
class Stage:
    """The drawing of a step.

    `before_offset`, `after_offset`, `gates_offset`: rows of a Trace's detail, relative to the step's own, with the
    states before and after the update and its gates. `readout` and `update_token`: for a decoder of one GRU, the state
    that the readout uses and the token that the update reads; None for others, which are drawn by boxes and arrows.
    `attending_box`: the box from which source attention starts. `phase_order`: phases, if not the usual ones.
    `part_keys`: texts of parts that differ from RNNsearch; `terms_key`: of related terms; `fixed_context_key`: of the
    text shown without attention. `window_distance`: half the width of a local window. `coverage_key`: key of the map
    drawn as coverage.
    """

    readout: Literal["before", "after"] | None = None
    update_token: InputToken | None = None
    before_offset: int = -1
    after_offset: int = 0
    gates_offset: int = 0
    boxes: tuple[Box, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    height: int = HEIGHT
    attending_box: str = "before"
    phase_order: tuple[str, ...] = ()
    encoder: EncoderDrawing | None = None
    prefix_row: PrefixRow | None = None
    frame: Frame | None = None
    window_distance: int | None = None
    coverage_key: str = ""
    part_keys: tuple[tuple[str, str], ...] = ()
    terms_key: str = "gru"
    fixed_context_key: str = "last"

    def __post_init__(self) -> None:
        names = [box.name for box in self.boxes]
        if len(set(names)) != len(names):
            raise ValueError(f"two boxes of a stage have one name: {', '.join(names)}")
        if self.readout is None:
            known_names = {*names, "out"}
            unknown = [end for arrow in self.arrows for end in (arrow.start, arrow.end) if end not in known_names]
            if unknown:
                raise ValueError(f"arrows lead to {', '.join(unknown)}; the boxes are {', '.join(names)}")


def select_drawn_layers(layers: int) -> tuple[int, ...]:
    """Return the layers that are drawn, the lowest first."""
    return tuple(range(1, layers + 1)) if layers <= MAX_DRAWN_LAYERS else (1, 2, layers)


def build_lstm_cells(layers: int, bottom: int) -> tuple[tuple[Box, ...], tuple[Arrow, ...]]:
    """Return boxes and arrows of LSTM layers, the lowest at `bottom`; the highest new state is the box "after"."""
    drawn_layers = select_drawn_layers(layers)
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for position, layer in enumerate(drawn_layers):
        is_top, y = position == len(drawn_layers) - 1, bottom - position * LAYER_HEIGHT
        before_box, after_box = _name_box("before", layer, is_top), _name_box("after", layer, is_top)
        cell_box = f"cell {layer}"
        boxes += [
            Box(before_box, "before", "circle", 0.09, y, 0.16, "s", f"{layer},{{before}}",
                content="before" if is_top else ""),
            Box(cell_box, "cell", "box", 0.29, y, 0.48, "LSTM", phase="update"),
            Box(after_box, "after", "circle", 0.46, y, 0.8, "s", f"{layer},{{step}}", content="after" if is_top else "",
                phase="update"),
        ]  # fmt: skip
        arrows += [Arrow(before_box, cell_box, "update", "before"), Arrow(cell_box, after_box, "update", "after")]
        if position:
            arrows.append(Arrow(f"cell {drawn_layers[position - 1]}", cell_box, "update", "after", "top", "bottom"))
    return tuple(boxes), tuple(arrows)


def _name_box(name: str, layer: int, is_top: bool) -> str:
    return name if is_top else f"{name} {layer}"
