"""What the player is sent, key by key. The browser's side is checked against assets/player/payloads.d.ts, made of
this."""

from typing import Annotated, Literal, TypedDict

Languages = tuple[str, str]
"""Of the source and of the target, as codes of BCP 47."""


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
    """`Reading` of model/networks/equations/stage.py."""

    layers: int
    backwards: bool
    pipe: str


class SentWritten(TypedDict):
    """`Written` of model/networks/equations/stage.py."""

    y: float
    by: str


class SentFrame(TypedDict):
    """`Frame` of model/networks/equations/stage.py: how many others stand behind, and which layer and heads are shown,
    in words."""

    behind: int
    said: str
    left: float
    right: float
    top: float
    bottom: float


class SentStage(TypedDict):
    """`Stage` of model/networks/equations/stage.py. `explains`: what parts are that are something else than usual;
    `terms` and `fixed`: texts in the reader's language."""

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


class SourcePiece(TypedDict):
    """A piece for the screen, the word it belongs to (-1 for the end), and whether it goes on with that word."""

    text: str
    word: int
    joined: bool


class TargetPiece(SourcePiece):
    """A piece of the translation with what stands before it."""

    gap: str


class Vector(TypedDict):
    """A vector: its length, and its blocks as shades from 0 to 1."""

    norm: float
    blocks: list[float]


class Annotations(TypedDict):
    """The same of every source piece."""

    norm: list[float]
    blocks: list[list[float]]


class PlayerCandidate(TypedDict):
    """A piece that could be written, its probability and what of it comes of copying, what there is of its word
    already, and whether it was written."""

    before: str
    text: str
    p: float
    copied: float
    chosen: bool


class Gates(TypedDict):
    """The means of a cell's gates; None where it has no such gate."""

    update: float | None
    reset: float | None
    input: float | None
    forget: float | None
    output: float | None


class Window(TypedDict):
    """A local window: its middle, in pieces from 1, and how far it reaches to either side."""

    middle: float
    reach: int


class PlayerStep(TypedDict):
    """The numbers of one step; what the model or the Trace has none of is None. `top`: the source pieces that are
    looked at most, the most first; `back`: the weights of what was written before, the beginning first; `covered`: how
    much each source piece was looked at before this step, and `covered_after` after it; `p_gen`: the share that is
    written, not copied."""

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
    """One translation, opened at `step` (from 1)."""

    trace: str
    step: int
    model: str
    sentence: str
    languages: Languages
    made: str
    attends: bool
    equations: list[SentEquation]
    stage: SentStage | None
    source: list[SourcePiece]
    target: list[TargetPiece]
    annotations: Annotations | None
    steps: list[PlayerStep]
    finished: bool
    words: Annotated[dict[str, str], "step_by_step"]
    language: str
