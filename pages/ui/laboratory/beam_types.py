"""What the opened beam is sent, key by key. The browser's side is checked against payloads.d.ts of assets/player, made
of this."""

from typing import Annotated, Literal, NotRequired, TypedDict


class BeamNode(TypedDict):
    """A continuation that the search looked at: its place in the tree of the Trace (`number`), that of the one before
    (-1 for none), its piece (`id`), its step and its rank there (both from 0), its text, whether it goes on with a
    word, its probability, the log-probability of its path, and what became of it."""

    number: int
    parent: int
    id: int
    step: int
    rank: int
    text: str
    joined: bool
    p: float
    total: float
    fate: Literal["kept", "finished", "pruned"]


class BeamHypothesis(TypedDict):
    """One of the n best: its text, its score, the numbers of its nodes, and its weights over words."""

    text: str
    score: float
    finished: bool
    path: list[int]
    target: list[str]
    alpha: list[list[float]] | None


class BeamNext(TypedDict):
    """A piece that could come next: its id, whether it goes on with a word, its probability, whether the tree has it
    there, and whether it can be taken (the sentence's end cannot)."""

    id: int
    text: str
    joined: bool
    p: float
    taken: bool
    free: bool


class BeamData(TypedDict):
    """A beam search of one sentence. `of`: a name of what is shown, `question`: of the sentence and the model;
    `at`: the number of the node that is looked at (-1 for none), and what could come `next` after it; `given`: how many
    pieces were given; `ranks`: rows of the tree.
    `alone`: it stands in a file of its own, where nothing can be asked."""

    of: str
    question: str
    name: str
    languages: tuple[str, str]
    source: list[str]
    width: int
    steps: int
    ranks: int
    nodes: list[BeamNode]
    hypotheses: list[BeamHypothesis]
    at: int
    next: list[BeamNext]
    given: int
    alone: NotRequired[bool]
    made: str
    words: Annotated[dict[str, str], "beam"]
    language: str
