"""The data of the laboratory's components, key by key.

assets/player/payloads.d.ts is generated from these types; the browser's code is checked against it. `is_export`:
whether this is an exported HTML page, where nothing can be requested. `provenance` names model and weights.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from pages.ui.charts.payload_parts import TokenPiece


class ConsoleSide(TypedDict):
    """A translation: its pieces, its words with the text before each, and the log-probability as text.

    `alpha` has a row of weights for each piece, in units of 1 / `weight_scale`.
    """

    pieces: list[TokenPiece]
    words: list[tuple[str, str]]
    alpha: list[list[int]]
    log_probability: str


class ConsoleColumn(TypedDict):
    """Two aligned words, by index: -1 for the end of the sentence, None where there is no word.

    `log_probability_gain`: log-probability gained by the word before the change; `kl_divergence`: KL divergence of the
    predictions there, in nats; `log_probability`: log-probability of the word after the change. `difference`: weights
    after minus before, in units of 1 / `weight_scale`. Each is None where it does not apply.
    """

    word_before: int | None
    word_after: int | None
    is_changed: bool
    log_probability_gain: float | None
    kl_divergence: float | None
    log_probability: float | None
    difference: list[int] | None


class ConsoleOverride(TypedDict):
    """One override as the link writes it, and in words."""

    override: str
    description: str


class ConsoleData(TypedDict):
    """The attention console.

    `id`: id of sentence and model; `map_key`: key of the map that is changed; `overridden`: None without overrides;
    `summary`: the overrides in one line; `unchanged_note`: how many words are unchanged, in words; `total_gain`: total
    log-probability gained, as text; `has_back_link`: the ablation table led here; `weight_scale`: the
    integer that stands for a weight of 1; `unknown_notes`: about unknown words.
    """

    id: str
    name: str
    map_key: str
    languages: tuple[str, str]
    source: list[TokenPiece]
    original: ConsoleSide
    overridden: ConsoleSide | None
    columns: list[ConsoleColumn]
    overrides: list[ConsoleOverride]
    summary: str
    unchanged_note: str
    total_gain: str
    has_back_link: bool
    is_export: NotRequired[bool]
    weight_scale: int
    provenance: str
    unknown_notes: list[str]
    messages: Annotated[dict[str, str], "console"]
    language: str


class AblationRow(TypedDict):
    """Ablation by one rule, in words (`description`) and as an override (`override`).

    `unchanged_count`: number of words that the free translation keeps; `predicted_count`: number of words still
    predicted in the forced run; `nats_lost`: nats lost there; `first_difference`: the first difference, in words;
    `is_end`: that difference is an end; `text`: the free translation's words, each with the text before it and whether
    it changed.
    """

    description: str
    override: str
    unchanged_count: int
    predicted_count: int
    nats_lost: float
    first_difference: str
    is_end: bool
    text: list[tuple[str, str, bool]]


class AblationSetRow(TypedDict):
    """A rule, and the share of words still predicted by kind of word, None where there are none."""

    description: str
    shares: list[float | None]


class AblationSet(TypedDict):
    """Ablation over a set of sentences: its title, the kinds of words with their counts, and a row for each rule."""

    title: str
    kinds: list[str]
    rows: list[AblationSetRow]


class AblationData(TypedDict):
    """Attention ablation of a sentence: its translation, a row for each rule, and what was measured over a set."""

    name: str
    languages: tuple[str, str]
    translation: list[tuple[str, str]]
    rows: list[AblationRow]
    set: AblationSet | None
    is_export: NotRequired[bool]
    provenance: str
    messages: Annotated[dict[str, str], "ablation"]
    language: str


class BeamNode(TypedDict):
    """A continuation that the search scored: its index in the tree (`number`) and its parent's (-1 for none).

    `id` is its piece; `step` and `rank` count from 0; `continues_word`: it continues a word; `p`: its probability;
    `total_log_probability`: log-probability of its path.
    """

    number: int
    parent: int
    id: int
    step: int
    rank: int
    text: str
    continues_word: bool
    p: float
    total_log_probability: float
    fate: Literal["kept", "finished", "pruned"]


class BeamHypothesis(TypedDict):
    """One of the n best translations: its text, score, node numbers, and word map."""

    text: str
    score: float
    is_finished: bool
    path: list[int]
    target: list[str]
    alpha: list[list[float]] | None


class BeamContinuation(TypedDict):
    """A possible next piece; `is_in_tree`: the tree has it there; `is_selectable`: it can be taken (the end cannot)."""

    id: int
    text: str
    continues_word: bool
    p: float
    is_in_tree: bool
    is_selectable: bool


class BeamData(TypedDict):
    """A beam search of one sentence.

    `search_id`: id of the search; `id`: id of sentence and model; `selected`: the selected node (-1 for none);
    `continuations`: what could come after it; `forced_count`: number of forced pieces.
    """

    search_id: str
    id: str
    name: str
    languages: tuple[str, str]
    source: list[str]
    width: int
    steps: int
    nodes: list[BeamNode]
    hypotheses: list[BeamHypothesis]
    selected: int
    continuations: list[BeamContinuation]
    forced_count: int
    is_export: NotRequired[bool]
    provenance: str
    messages: Annotated[dict[str, str], "beam"]
    language: str


class ForcedChoice(TypedDict):
    """A piece that could replace a word: its id, text, whether it continues a word, and its probability."""

    id: int
    text: str
    continues_word: bool
    p: float


class ForcedWord(TypedDict):
    """A word and the text before it (`gap`), its surprise in nats, and whether the model's translation differs there.

    `prefix_ids`: ids of the pieces before it; `choices`: pieces that could replace it.
    """

    gap: str
    text: str
    surprise: float
    is_different: bool
    prefix_ids: list[int]
    choices: list[ForcedChoice]


class ForcedRow(TypedDict):
    """One translation: its title, its log-probability, its words with the end, and where the model diverges from it.

    `divergence_note` says in words where the model diverges; it is "" for the model's own translation.
    """

    title: str
    log_probability: str
    words: list[ForcedWord]
    divergence_note: str


class ForcedDecodingData(TypedDict):
    """Translations of one sentence: the model's, the one with a forced prefix, a reference, the reader's.

    `id`: id of sentence and model; `has_forced_prefix`: there is a forced prefix; `full_bar`: nats that fill a bar.
    """

    id: str
    languages: tuple[str, str]
    rows: list[ForcedRow]
    has_forced_prefix: bool
    full_bar: int
    is_export: NotRequired[bool]
    provenance: str
    messages: Annotated[dict[str, str], "forced_decoding"]
    language: str


class SaliencyData(TypedDict):
    """A saliency map beside alpha, over words and ends.

    `method`: its name; `definition`: how it is computed; `values` (target, source) in nats, positive where the source
    word supports the target word; `alpha` (target, source), None without attention; `ranks`: rank correlation with
    alpha by target word, and `overall`; `completeness`: how exact integrated gradients are, in words.
    """

    name: str
    method: str
    definition: str
    languages: tuple[str, str]
    source: list[str]
    target: list[str]
    values: list[list[float]]
    alpha: list[list[float]] | None
    ranks: list[float | None]
    overall: float | None
    completeness: str
    provenance: str
    messages: Annotated[dict[str, str], "saliency"]
    language: str


class VectorPrefix(TypedDict):
    """The translation of the first `word_count` words.

    `last`: the last of them; `text`: its words, each with the text before it; `is_present`: for each word of the full
    translation whether this one has it.
    """

    word_count: int
    last: str
    text: list[tuple[str, str]]
    is_present: list[bool]


class VectorPoint(TypedDict):
    """A word in the plane, by its sentence and its index there."""

    sentence: int
    word: int
    x: float
    y: float


class VectorSentence(TypedDict):
    """A sentence: its words, each with the text before it.

    `marked_index`: the index of its ambiguous word (-1 for none); `marked_word`: that word as listed; `sense`: its
    meaning here.
    """

    text: list[tuple[str, str]]
    marked_index: int
    marked_word: str
    sense: str


class VectorSeparation(TypedDict):
    """How many of a word's `count` occurrences have a nearest neighbour of the same meaning (`same_meaning`).

    `chance`: how many would by chance; `first`: the index of the word's first point.
    """

    word: str
    same_meaning: int
    count: int
    chance: float
    first: int


class VectorPlane(TypedDict):
    """Words in a plane: those of the shipped sentences, then those of the reader's.

    `neighbours`: for each point its nearest shipped points and their cosines; `shares` of the variance along x and y;
    `selected`: the selected point.
    """

    sentences: list[VectorSentence]
    points: list[VectorPoint]
    neighbours: list[list[tuple[int, float]]]
    separations: list[VectorSeparation]
    shares: tuple[float, float]
    selected: int


class VectorData(TypedDict):
    """The contents of the encoder's vectors.

    `target`: words of the full translation; `stable_from`: after how many source words each of them stays; `plane`:
    None for a network without vectors of words; `description`: what the vectors are, in words.
    """

    languages: tuple[str, str]
    target: list[str]
    stable_from: list[int]
    prefixes: list[VectorPrefix]
    plane: VectorPlane | None
    description: str
    provenance: str
    messages: Annotated[dict[str, str], "vector"]
    language: str


class SampleGroup(TypedDict):
    """A sampled translation: how often it was drawn, and its words.

    Each word has the text before it and whether it differs from the reference translation.
    """

    count: int
    text: list[tuple[str, str, bool]]


class SampleChoice(TypedDict):
    """A word sampled at some place, "" for none, and how often."""

    word: str
    count: int


class SamplingData(TypedDict):
    """Samples beside the translation that search found (`search_name` names the search).

    `count`: the number of samples; `groups`: the different ones, most frequent first; `places`: for each word of the
    search's translation what was sampled there; `alpha` (target, source): mean weights over words and ends, None
    without attention.
    """

    name: str
    search_name: str
    languages: tuple[str, str]
    source: list[str]
    target: list[str]
    count: int
    groups: list[SampleGroup]
    places: list[list[SampleChoice]]
    alpha: list[list[float]] | None
    description: str
    provenance: str
    messages: Annotated[dict[str, str], "sampling"]
    language: str
