"""Payloads of the ideas about recurrent networks. The browser's types are generated from these."""

from typing import Annotated, TypedDict


class PrefixTranslation(TypedDict):
    """The translation of the first words of a sentence. `omissions`: their content words without a translation, by
    index."""

    text: str
    omissions: list[int]


class SentencePrefix(TypedDict):
    """The words before the position `end`, `word_count` without punctuation. `vector`: some units of RNNencdec's
    vector. `annotations`: some units of RNNsearch's annotations, forward ones first, a row for each of `tokens`.
    `translations`: by both models."""

    end: int
    word_count: int
    tokens: list[str]
    vector: list[float]
    annotations: list[list[float]]
    translations: tuple[PrefixTranslation, PrefixTranslation]


class BottleneckData(TypedDict):
    """A sentence that grows word by word, RNNencdec beside RNNsearch. `source`: words with the space before each.
    `content`: indices of content words. `has_lexicon`: whether a lexicon tells lost words. `sizes`: units of the
    vector, and of an annotation."""

    source: list[tuple[str, str]]
    content: list[int]
    has_lexicon: bool
    prefixes: list[SentencePrefix]
    sizes: tuple[int, int]
    titles: tuple[str, str]
    languages: tuple[str, str]
    messages: Annotated[dict[str, str], "bottleneck"]
    controls: Annotated[dict[str, str], "playback"]
    language: str


class DirectionsData(TypedDict):
    """Some units of a bidirectional encoder's states, a row for each of `tokens`. `units`: of each direction."""

    tokens: list[str]
    forward: list[list[float]]
    backward: list[list[float]]
    units: int
    title: str
    source_language: str
    messages: Annotated[dict[str, str], "bidirectional"]
    controls: Annotated[dict[str, str], "playback"]
    language: str


class UnitRun(TypedDict):
    """One unit at every step. `gates`: a row for each gate. `memory`: before the first step and after each
    one."""

    number: int
    gates: list[list[float]]
    candidate: list[float]
    memory: list[float]


class UnitsModel(TypedDict):
    """Some of the `size` units of one model. `tokens`: in the order of reading. `gates`: names of the gates."""

    title: str
    cell: str
    gates: list[str]
    tokens: list[str]
    size: int
    units: list[UnitRun]


class UnitGatesData(TypedDict):
    """Gates of single units of a GRU and an LSTM."""

    models: list[UnitsModel]
    source_language: str
    messages: Annotated[dict[str, str], "unit_gates"]
    language: str


class TanhData(TypedDict):
    """A plain tanh RNN h = tanh(λ·Q·h + x). `matrix`: the orthogonal Q. `inputs`: x for each of `tokens`."""

    tokens: list[str]
    matrix: list[list[float]]
    inputs: list[list[float]]
    messages: Annotated[dict[str, str], "tanh_rnn"]
    language: str


class ForcedToken(TypedDict):
    """A token of the given translation: its probability, and the most likely token with its own."""

    text: str
    p: float
    best_token: str
    best_p: float
    is_best: bool


class ForcingData(TypedDict):
    """Teacher forcing. `continuations`: at index k the tokens of the translation whose first k are given.
    `first_difference`: the first step at which the free translation has another token, -1 for none; `free_rest`: what
    follows this. `loss`: mean −log p in nats."""

    forced_tokens: list[ForcedToken]
    continuations: list[list[str]]
    first_difference: int
    free_rest: str
    loss: float
    target_language: str
    messages: Annotated[dict[str, str], "forcing"]
    controls: Annotated[dict[str, str], "playback"]
    language: str


class NextTokenStep(TypedDict):
    """The distribution at one step: `tokens`, best first, with `log_probs`, and `rest_count` others. `rest_sums`: for
    each temperature, log Σ exp(log p / temperature) over these, null for none. `prefix`: the translation so far."""

    prefix: str
    tokens: list[str]
    log_probs: list[float]
    rest_count: int
    rest_sums: list[float | None]


class NextTokenData(TypedDict):
    """The distributions of all steps of a greedy translation. `translation`: its tokens."""

    steps: list[NextTokenStep]
    translation: list[str]
    temperatures: list[float]
    target_language: str
    messages: Annotated[dict[str, str], "next_token"]
    language: str


class PathNode(TypedDict):
    """One hypothesis of the beam at one step, by rank from 0. `parent`: its index in `nodes`, -1 for none.
    `total_log_probability`: its log p so far. `is_on_best_path`, `is_on_greedy_path`: whether it is on the path of the
    result, and of greedy search."""

    step: int
    rank: int
    parent: int
    text: str
    total_log_probability: float
    fate: str
    is_on_best_path: bool
    is_on_greedy_path: bool


class BeamPathsData(TypedDict):
    """The tree of a beam search. `results`: the texts of greedy and beam search, each with its log p, in all and by
    token. `is_same`: whether both are the same."""

    nodes: list[PathNode]
    width: int
    results: list[tuple[str, float, float]]
    is_same: bool
    target_language: str
    messages: Annotated[dict[str, str], "beam_paths"]
    language: str
