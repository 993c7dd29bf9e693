"""Payload of the player of Step by step. The browser code is type-checked against it."""

from typing import Annotated, Literal, TypedDict

from pages.ui.charts.payload_parts import TokenPiece

Languages = tuple[str, str]
"""Of source and target, as BCP 47 codes."""


class SentSymbol(TypedDict):
    """`Symbol` of model/networks/equations/rnnsearch.py."""

    letter: str
    index: str
    part: str | None
    word: Literal["previous", "current"] | None


class SentEquation(TypedDict):
    """`Equation` of model/networks/equations/rnnsearch.py."""

    phase: str
    lines: list[list[str | SentSymbol]]
    numbers: list[str]


class SentEncoder(TypedDict):
    """The encoder's rows of states, the lowest first, by the order in which they are read, and its equations. A
    sentence about it is `explain`."""

    rows: list[Literal["forward", "backward", "reversed", "all"]]
    lines: list[list[str | SentSymbol]]
    explain: str


class SentBox(TypedDict):
    """`Box` of model/networks/equations/stage.py; `text` is in the reader's language."""

    name: str
    part: str
    shape: Literal["circle", "box", "chip", "sum", "switch", "label"]
    x: float
    y: float
    narrow: float
    text: str
    index: str
    holds: str
    phase: str


class SentArrow(TypedDict):
    """`Arrow` of model/networks/equations/stage.py."""

    start: str
    end: str
    phase: str
    part: str
    leaves: Literal["left", "right", "top", "bottom"]
    enters: Literal["left", "right", "top", "bottom"]
    steps: Literal["all", "first", "later"]


class SentReading(TypedDict):
    """`EncoderDrawing` of model/networks/equations/stage.py."""

    layers: int
    backwards: bool
    pipe: str


class SentWritten(TypedDict):
    """`TargetRow` of model/networks/equations/stage.py."""

    y: float
    by: str


class SentFrame(TypedDict):
    """`Frame` of model/networks/equations/stage.py. `behind`: the number of other layers. `said`: layer and head."""

    behind: int
    said: str
    left: float
    right: float
    top: float
    bottom: float


class SentStage(TypedDict):
    """`Stage` of model/networks/equations/stage.py. `explains`: texts of unusual parts. `terms`, `fixed`: texts."""

    readout: Literal["before", "after"] | None
    takes: Literal["previous", "current"] | None
    boxes: list[SentBox]
    arrows: list[SentArrow]
    height: float
    asks: str
    order: list[str]
    reading: SentReading | None
    written: SentWritten | None
    frame: SentFrame | None
    covers: bool
    explains: dict[str, str]
    terms: str
    fixed: str


class TargetPiece(TokenPiece):
    """A piece of the translation with the space before it."""

    gap: str


class Vector(TypedDict):
    """A vector: its norm, and the means of its blocks, scaled to 0 to 1."""

    norm: float
    blocks: list[float]


class Annotations(TypedDict):
    """The annotations of all source pieces, as in `Vector`."""

    norm: list[float]
    blocks: list[list[float]]


class PlayerCandidate(TypedDict):
    """A candidate piece. `before`: the earlier pieces of its word. `p`: its probability, of which `copied` is by
    copying. `chosen`: whether it was generated."""

    before: str
    text: str
    p: float
    copied: float
    chosen: bool


class Gates(TypedDict):
    """The means of a cell's gates; None for gates it lacks."""

    update: float | None
    reset: float | None
    input: float | None
    forget: float | None
    output: float | None


class Window(TypedDict):
    """A window of local attention: its center, in pieces from 1, and its reach to either side."""

    middle: float
    reach: int


class PlayerStep(TypedDict):
    """The numbers of one step; None if the model or the Trace has none. `top`: the most attended source pieces, in
    order. `back`: the weights of decoder self-attention. `covered`, `covered_after`: coverage of each source piece
    before and after the step. `p_gen`: the probability of generating instead of copying."""

    p: float
    log: float
    so_far: float
    energies: list[float] | None
    alpha: list[float] | None
    top: list[int]
    context: Vector | None
    before: Vector | None
    after: Vector | None
    gates: Gates
    back: list[float] | None
    covered: list[float] | None
    covered_after: list[float] | None
    p_gen: float | None
    window: Window | None
    candidates: list[PlayerCandidate]


class PlayerData(TypedDict):
    """One translation, opened at `step` (from 1). `unknown_notes`: about unknown words."""

    trace: str
    step: int
    model: str
    sentence: str
    languages: Languages
    made: str
    attends: bool
    equations: list[SentEquation]
    encoder: SentEncoder | None
    stage: SentStage | None
    source: list[TokenPiece]
    target: list[TargetPiece]
    annotations: Annotations | None
    steps: list[PlayerStep]
    finished: bool
    unknown_notes: list[str]
    words: Annotated[dict[str, str], "step_by_step"]
    language: str
