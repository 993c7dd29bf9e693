"""The stage that a decoder's step is drawn on, as data: which boxes stand where, and which arrows light in which phase.

A kind of network describes its stage beside its equations (`model.networks.equations.rnnsearch`); whoever draws it
needs to know none of its mathematics. Places are shares of the stage's width, on a wide stage and on a narrow one, and
pixels from its upper edge, so that one description serves every screen. Nothing here needs torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InputToken = Literal["previous", "current"]
Shape = Literal["circle", "box", "chip", "sum", "switch", "label"]
BoxSide = Literal["left", "right", "top", "bottom"]

SHAPES: tuple[str, ...] = ("circle", "box", "chip", "sum", "switch", "label")
HEIGHT = 264  # pixels of the stage of one GRU, and of the candidates at the foot of every stage
LAYER_HEIGHT = 54  # pixels from one layer of cells to the next
MAX_DRAWN_LAYERS = 4  # so many layers are drawn; of more the lowest, the second and the highest


@dataclass(frozen=True)
class Box:
    """One thing on the stage.

    `name`: what arrows call it; `part`: the part of the picture it is, as a symbol of an equation says; `x`, `narrow`
    (shares) and `y` (pixels): its middle, or where a label begins; `text`: what it says, in the field's own signs;
    `index`: of a circle's letter, as a symbol's; `said`: the key of what it says in the reader's language; `holds`:
    the vector of a step that is drawn in it ("before", "after", "context"), of a chip its piece, of a switch the number
    of a step that says how far it is open; `phase`: in which it is there.
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
    """From a box to another ("out": the candidates), in which phase it carries something, as what part it is coloured,
    and the sides it leaves and enters by. `steps`: whether it carries anything at the first step, or after it."""

    start: str
    end: str
    phase: str
    part: str
    start_side: BoxSide = "right"
    end_side: BoxSide = "left"
    steps: Literal["all", "first", "later"] = "all"


@dataclass(frozen=True)
class EncoderDrawing:
    """An encoder of so many layers of cells below the source's pieces, in the order in which it reads them, and the
    pipe from where they end to the box in which the decoder begins."""

    layers: int
    backwards: bool
    final_box: str


@dataclass(frozen=True)
class TargetRow:
    """What is written so far in a row, with the arcs by which the step looks back at it: `y` of the row, and the box
    that looks."""

    y: int
    attending_box: str


@dataclass(frozen=True)
class Frame:
    """A frame around the boxes of one layer, with those of the others behind it: `top` and `bottom` in pixels, `left`
    and `right` as shares."""

    layers: int
    heads: int
    left: float
    right: float
    top: int
    bottom: int


@dataclass(frozen=True)
class Stage:
    """What a step is drawn on.

    `before`, `after` and `gates`: in which row of a Trace's detail, counted from the step's own, the states before and
    after the update and its gates stand. `readout` and `takes` are of a decoder of one GRU with a deep output: which
    state is read out from, the one before the update or after it, and which piece the update takes in; None for any
    other, which says all by its boxes and arrows. `asks`: the box from which the source is looked at. `explains`: parts
    that are something else here than in RNNsearch, with the key of what they are; `terms`: that of the terms to read
    about; `fixed`: that of what is said where nothing is looked at. `window`: how far a local window reaches to either
    side of its middle, None for no window. `covers`: the key of the map that is drawn as what is covered so far.
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
    target_row: TargetRow | None = None
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
            known = {*names, "out"}
            strange = [end for arrow in self.arrows for end in (arrow.start, arrow.end) if end not in known]
            if strange:
                raise ValueError(f"arrows lead to {', '.join(strange)}; the boxes are {', '.join(names)}")


def select_drawn_layers(layers: int) -> tuple[int, ...]:
    """Which of so many layers are drawn, the lowest first."""
    return tuple(range(1, layers + 1)) if layers <= MAX_DRAWN_LAYERS else (1, 2, layers)


def build_lstm_cells(layers: int, bottom: int) -> tuple[tuple[Box, ...], tuple[Arrow, ...]]:
    """Layers of LSTM cells, the lowest at `bottom`, each with its state before and after; each gives its new state to
    the one above it. The highest state after is the box "after"."""
    drawn = select_drawn_layers(layers)
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for place, layer in enumerate(drawn):
        top, y = place == len(drawn) - 1, bottom - place * LAYER_HEIGHT
        before, cell, after = _name_box("before", layer, top), f"cell {layer}", _name_box("after", layer, top)
        boxes += [
            Box(before, "before", "circle", 0.09, y, 0.16, "s", f"{layer},{{before}}", content="before" if top else ""),
            Box(cell, "cell", "box", 0.29, y, 0.48, "LSTM", phase="update"),
            Box(after, "after", "circle", 0.46, y, 0.8, "s", f"{layer},{{step}}", content="after" if top else "",
                phase="update"),
        ]  # fmt: skip
        arrows += [Arrow(before, cell, "update", "before"), Arrow(cell, after, "update", "after")]
        if place:
            arrows.append(Arrow(f"cell {drawn[place - 1]}", cell, "update", "after", "top", "bottom"))
    return tuple(boxes), tuple(arrows)


def _name_box(name: str, layer: int, top: bool) -> str:
    return name if top else f"{name} {layer}"
