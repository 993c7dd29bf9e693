"""Payload of the player of Step by step. The browser code is type-checked against it."""

from typing import Annotated, Literal, TypedDict

from pages.ui.charts.payload_parts import TokenPiece


class SymbolData(TypedDict):
    """`Symbol` of model/networks/equations/rnnsearch.py."""

    letter: str
    index: str
    part: str | None
    token: Literal["previous", "current"] | None


class EquationData(TypedDict):
    """`Equation` of model/networks/equations/rnnsearch.py."""

    phase: str
    lines: list[list[str | SymbolData]]
    numbers: list[str]


class EncoderData(TypedDict):
    """The encoder's rows of states, the lowest first, by the order in which they are read, and its equations. A
    sentence about it is `explanation`."""

    rows: list[Literal["forward", "backward", "reversed", "end_first", "all"]]
    lines: list[list[str | SymbolData]]
    explanation: str


class BoxData(TypedDict):
    """`Box` of model/networks/equations/stage.py; `text` is in the reader's language."""

    name: str
    part: str
    shape: Literal["circle", "box", "chip", "sum", "switch", "label"]
    x: float
    y: float
    x_narrow: float
    text: str
    index: str
    content: str
    phase: str


class ArrowData(TypedDict):
    """`Arrow` of model/networks/equations/stage.py."""

    start: str
    end: str
    phase: str
    part: str
    start_side: Literal["left", "right", "top", "bottom"]
    end_side: Literal["left", "right", "top", "bottom"]
    steps: Literal["all", "first", "later"]


class EncoderDrawingData(TypedDict):
    """`EncoderDrawing` of model/networks/equations/stage.py."""

    layers: int
    is_reversed: bool
    final_box: str


class PrefixRowData(TypedDict):
    """`PrefixRow` of model/networks/equations/stage.py."""

    y: float
    attending_box: str


class StageFrameData(TypedDict):
    """`Frame` of model/networks/equations/stage.py. `layers_behind`: the number of other layers. `label`: layer and
    head."""

    layers_behind: int
    label: str
    left: float
    right: float
    top: float
    bottom: float


class StageData(TypedDict):
    """`Stage` of model/networks/equations/stage.py. `part_texts`: texts of parts that differ
    from RNNsearch. `terms_text`: on related terms. `fixed_context_text`: shown in place of attention."""

    readout: Literal["before", "after"] | None
    update_token: Literal["previous", "current"] | None
    boxes: list[BoxData]
    arrows: list[ArrowData]
    height: float
    attending_box: str
    phase_order: list[str]
    encoder: EncoderDrawingData | None
    prefix_row: PrefixRowData | None
    frame: StageFrameData | None
    has_coverage: bool
    part_texts: dict[str, str]
    terms_text: str
    fixed_context_text: str


class TargetPiece(TokenPiece):
    """A piece of the translation with the space before it."""

    gap: str


class Vector(TypedDict):
    """A vector: its norm, and the means of its blocks, scaled to 0 to 1."""

    norm: float
    blocks: list[float]


class Annotations(TypedDict):
    """The annotations of all source pieces, as in `Vector`."""

    blocks: list[list[float]]


class PlayerCandidate(TypedDict):
    """A candidate piece. `prefix`: the earlier pieces of its word. `p`: its probability, of which `copy_probability` is
    by copying. `is_chosen`: whether it was generated."""

    prefix: str
    text: str
    p: float
    copy_probability: float
    is_chosen: bool


class Gates(TypedDict):
    """The means of a cell's gates; None for gates it lacks."""

    update: float | None
    reset: float | None
    input: float | None
    forget: float | None
    output: float | None


class Window(TypedDict):
    """A window of local attention: its center, in pieces from 1, and its reach to either side."""

    center: float
    half_width: int


class PlayerStep(TypedDict):
    """The numbers of one step; None if the model or the Trace has none. `top`: the most attended source pieces, in
    order. `before`, `after`: the decoder state before and after the update. `self_attention`: the weights of decoder
    self-attention. `coverage_before`, `coverage_after`: coverage of each source piece before and after the step.
    `p_gen`: the probability of generating instead of copying."""

    p: float
    log_probability: float
    total_log_probability: float
    energies: list[float] | None
    alpha: list[float] | None
    top: list[int]
    context: Vector | None
    before: Vector | None
    after: Vector | None
    gates: Gates
    self_attention: list[float] | None
    coverage_before: list[float] | None
    coverage_after: list[float] | None
    p_gen: float | None
    window: Window | None
    candidates: list[PlayerCandidate]


class PlayerData(TypedDict):
    """One translation, opened at `step` (from 1). `unknown_notes`: about unknown words."""

    trace_id: str
    step: int
    model: str
    sentence: str
    languages: tuple[str, str]
    provenance: str
    has_attention: bool
    equations: list[EquationData]
    encoder: EncoderData | None
    stage: StageData | None
    source: list[TokenPiece]
    target: list[TargetPiece]
    annotations: Annotations | None
    steps: list[PlayerStep]
    is_finished: bool
    unknown_notes: list[str]
    messages: Annotated[dict[str, str], "step_by_step"]
    language: str
