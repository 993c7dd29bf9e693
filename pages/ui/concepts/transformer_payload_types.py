"""Payloads of the components about the Transformer. The browser's types are generated from these."""

from typing import Annotated, Literal, TypedDict


class SelfAttentionData(TypedDict):
    """One head of self-attention on the sentence: a row of q, k and v for each token."""

    model: str
    stack: Literal["encoder", "decoder"]
    layer: int
    head: int
    tokens: list[str]
    token_language: str
    q: list[list[float]]
    k: list[list[float]]
    v: list[list[float]]
    messages: Annotated[dict[str, str], "qkv"]
    language: str


class PositionsData(TypedDict):
    """The size of the encodings, and log p per target token when the source starts at each of `shifts`."""

    model: str
    tokens: list[str]
    token_language: str
    d: int
    max_training_length: int | None  # most tokens of a sentence in training
    shifts: list[int]
    log_probs: list[float]
    messages: Annotated[dict[str, str], "positions"]
    language: str


class StreamData(TypedDict):
    """The residual stream of a stack. The rows of `update_norms`, `stream_norms` and `shares` are the embedding, then
    each sublayer; those of `active` each feed-forward network. Columns are tokens."""

    tokens: list[str]
    token_language: str
    layers: list[int]  # of each sublayer
    kinds: list[Literal["self_attention", "cross_attention", "feed_forward"]]
    update_norms: list[list[float]]  # norm of what is added
    stream_norms: list[list[float]]  # norm of the sum so far
    shares: list[list[float]]  # of the last state
    active: list[list[float]]  # share of inner units above 0


class LayersData(TypedDict):
    """The residual streams of encoder and decoder, none with post-norm."""

    model: str
    norm: Literal["pre", "post"]
    inner_size: int
    streams: list[StreamData]
    messages: Annotated[dict[str, str], "residual"]
    language: str


class ScalingData(TypedDict):
    """The texts of the softmax experiment. The browser draws its vectors from a seed."""

    messages: Annotated[dict[str, str], "root"]
    language: str


class CountedCostsData(TypedDict):
    """The texts of the counted costs. The browser counts."""

    messages: Annotated[dict[str, str], "counted"]
    language: str


class Coreference(TypedDict):
    """The head in which "it" attends most to the noun, its weight, and that after one other adjective."""

    sentence: str
    layer: int
    head: int
    weight: float
    changed_sentence: str
    changed_weight: float


class OutlookData(TypedDict):
    """The words of the sentence, and where "it" attends to."""

    tokens: list[str]
    token_language: str
    coreference: Coreference | None
    messages: Annotated[dict[str, str], "outlook"]
    language: str
