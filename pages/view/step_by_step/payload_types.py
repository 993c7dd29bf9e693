"""What the player is sent, key by key. The browser's side is checked against assets/player/payloads.d.ts, made of
this."""

from typing import Annotated, Literal, TypedDict

Languages = tuple[str, str]
"""Of the source and of the target, as codes of BCP 47."""


class SentSymbol(TypedDict):
    """`Symbol` of model/equations.py."""

    letter: str
    index: str
    part: str | None
    word: Literal["previous", "current"] | None


class SentEquation(TypedDict):
    """`Equation` of model/equations.py."""

    phase: str
    lines: list[list[str | SentSymbol]]
    numbers: list[str]


class SentStage(TypedDict):
    """How the lines of the stage run: `Stage` of model/equations.py."""

    readout: Literal["before", "after"]
    takes: Literal["previous", "current"]


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
    """A piece that could be written, its probability, what there is of its word already, and whether it was written."""

    before: str
    text: str
    p: float
    chosen: bool


class PlayerStep(TypedDict):
    """The numbers of one step; what the model or the Trace has none of is None. `top`: the source pieces that are
    looked at most, the most first."""

    p: float
    log: float
    so_far: float
    energies: list[float] | None
    alpha: list[float] | None
    top: list[int]
    context: Vector | None
    before: Vector | None
    after: Vector | None
    update: float | None
    reset: float | None
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
