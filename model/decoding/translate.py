"""From text to Traces: one sentence, or as many as come, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Literal, Protocol

from model.decoding import NO_OVERRIDES, Hypothesis, Overrides, Settings, StopCallback, search
from model.decoding.detail import summarize_detail, summarize_source
from model.decoding.length_batches import map_by_length
from model.text.normalise import Normalised
from model.text.symbols import restore_symbols, split_symbols
from model.text.vocabulary import Vocabulary
from model.trace import Candidate, Provenance, Side, Step, Trace, WeightMap
from model.trace.tree import FATES, Tree

if TYPE_CHECKING:
    from model.networks.base import Translator

MAX_SOURCE_PIECES = 512  # source pieces, "</s>" not counted
MAX_CHARACTERS = 20_000  # looked at before anything else is done with a text, which may be a whole book

Prefix = Normalised | Sequence[int]
"""How a translation is to begin: a text, or the ids of its pieces; empty for a free one."""

SentenceProblem = Literal["empty", "pieces", "characters", "prefix"]
_PROBLEMS: dict[SentenceProblem, str] = {
    "empty": "is empty: give at least one word.",
    "pieces": "has {got:,} pieces, and at most {limit:,} can be translated at once: cut it into shorter sentences.",
    "characters": "has {got:,} characters, and at most {limit:,} can be read at once: give one sentence at a time.",
    "prefix": "has a given beginning of its translation of {got:,} pieces, and at most {limit:,} can be given: shorten "
              "it.",
}


class SentenceError(ValueError):
    """A sentence that cannot be translated; the message is one sentence for the reader.

    `kind` says what is wrong, `got` and `limit` the sizes (0 for an empty one), for pages that say it in their own
    words; `number` which one it was of many, counted from 1 (None for a single sentence).
    """

    def __init__(self, kind: SentenceProblem, got: int = 0, limit: int = 0, number: int | None = None) -> None:
        which = "The sentence" if number is None else f"Sentence {number}"
        super().__init__(f"{which} {_PROBLEMS[kind].format(got=got, limit=limit)}")
        self.kind, self.size, self.limit, self.number = kind, got, limit, number


class TranslationModel(Protocol):
    """What translating needs of a loaded model (`model.checkpoints.checkpoint.Model`)."""

    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def network(self) -> Translator: ...
    @property
    def languages(self) -> tuple[str, str]: ...


@dataclass(frozen=True)
class EncodedSentence:
    """A source sentence that can be decoded: its piece ids, EOS last, its side of the Trace, given target ids, and what
    else a reader changed. Symbols that are to be copied stand in the text of the side and have no ids."""

    ids: list[int]
    side: Side
    prefix: tuple[int, ...] = ()
    overrides: Overrides = NO_OVERRIDES


def prepare_source(model: TranslationModel, text: Normalised) -> EncodedSentence:
    """A source text as `encode` reads it; SentenceError if it is empty or too long."""
    if len(text) > MAX_CHARACTERS:
        raise SentenceError("characters", len(text), MAX_CHARACTERS)
    if not text:
        raise SentenceError("empty")
    sentence = encode_text(model, text, model.languages[0])
    if len(sentence.ids) - 1 > MAX_SOURCE_PIECES:
        raise SentenceError("pieces", len(sentence.ids) - 1, MAX_SOURCE_PIECES)
    return sentence


def encode_text(model: TranslationModel, text: Normalised, language: str) -> EncodedSentence:
    """A text of either language cut into pieces, symbols that are to be copied set aside."""
    bare, symbols = split_symbols(text, model.vocabulary)
    ids = model.vocabulary.encode(bare)
    side = model.vocabulary.build_side(ids, language)
    return EncodedSentence(ids, replace(side, text=text, symbols=symbols) if symbols else side)


def prepare_search(model: TranslationModel, text: Normalised, prefix: Prefix, settings: Settings, edits: Overrides = NO_OVERRIDES) -> EncodedSentence:
    """As `prepare`, with the given beginning of the translation (`edits.prefix` where `prefix` is empty) and the
    changed rows; SentenceError if nothing is left to search for, EditsError where `edits.prefix` holds something else
    than the vocabulary's pieces. Whether the rows fit is asked when they are used."""
    sentence = prepare_source(model, text)
    edits.validate_prefix(len(model.vocabulary))
    if isinstance(prefix, str):
        if len(prefix) > MAX_CHARACTERS:
            raise SentenceError("characters", len(prefix), MAX_CHARACTERS)
        prefix = model.vocabulary.encode(prefix)[:-1]
    prefix = prefix or edits.prefix
    longest = settings.max_target_length(len(sentence.ids))
    if len(prefix) >= longest:
        raise SentenceError("prefix", len(prefix), longest - 1)
    return replace(sentence, prefix=tuple(prefix), edits=edits)


def translate_sentence(model: TranslationModel, text: Normalised, settings: Settings | None = None, prefix: Prefix = ()) -> Trace:
    """The best translation of one sentence; otherwise as `translate_best`."""
    return translate_n_best(model, text, settings, prefix)[0]


def translate_n_best(
    model: TranslationModel, text: Normalised, settings: Settings | None = None, prefix: Prefix = (),
    stopped: StopCallback | None = None, edits: Overrides = NO_OVERRIDES,
) -> list[Trace]:
    """The `settings.n_best` best translations of one sentence, best first; SentenceError if it is empty or too long.

    With a `prefix` they begin with that text, or with the pieces of those ids, and `made_by.settings` has their number
    as "prefix"; SentenceError if the prefix leaves nothing to search for. `edits` are what a reader changed besides,
    and stand in `made_by.edits`; EditsError where they do not fit the model or the sentence. `stopped` is asked before
    every step; once it says True the search ends in SearchStopped.
    """
    settings = settings or Settings()
    sentence = prepare_search(model, text, prefix, settings, edits)
    found = search(model.network, [sentence.ids], settings, [sentence.prefix], stopped, [edits])[0]
    return [build_trace(model, sentence, hypothesis, settings) for hypothesis in found]


def translate(
    model: TranslationModel,
    texts: Iterable[Normalised],
    settings: Settings | None = None,
    batch_size: int = 32,
    chunk: int | None = None,
    prefixes: Iterable[Prefix] | None = None,
    stopped: StopCallback | None = None,
) -> Iterator[list[Trace]]:
    """The n best Traces of each text, in order and as they come; with `prefixes`, one for each text, that begin so.

    `chunk` texts are read at a time (four batches unless said otherwise, at first only one), put together by length in
    batches of `batch_size`, and given back in their own order. A batch size of 1 reads, translates and gives back one
    text after the other. A text that cannot be translated raises SentenceError with its number once all before it have
    been given back; ValueError for sizes below 1, and for more or fewer prefixes than texts. SearchStopped, between two
    steps, once `stopped` says True.
    """
    chunk = chunk if chunk is not None else 1 if batch_size == 1 else 4 * batch_size
    for name, size in (("batch_size", batch_size), ("chunk", chunk)):
        if size < 1:
            raise ValueError(f"{name} must be 1 or more: got {size}.")
    pairs = zip(texts, repeat(())) if prefixes is None else zip(texts, prefixes, strict=True)
    return _stream(model, pairs, settings or Settings(), batch_size, chunk, stopped)


def _stream(
    model: TranslationModel,
    coming: Iterator[tuple[Normalised, Prefix]],
    settings: Settings,
    batch_size: int,
    chunk: int,
    stopped: StopCallback | None,
) -> Iterator[list[Trace]]:
    number = 0
    for size in chain([min(batch_size, chunk)], repeat(chunk)):
        sentences: list[EncodedSentence] = []
        problem: SentenceError | None = None
        for text, prefix in islice(coming, size):
            number += 1
            try:
                sentences.append(prepare_search(model, text, prefix, settings))
            except SentenceError as error:
                problem = error
                break
        yield from _together(model, sentences, settings, batch_size, stopped)
        if problem is not None:
            raise SentenceError(problem.kind, problem.size, problem.limit, number)
        if len(sentences) < size:
            return


def _together(
    model: TranslationModel, sentences: Sequence[EncodedSentence], settings: Settings, batch_size: int, stopped: StopCallback | None
) -> Iterator[list[Trace]]:
    """Decode sentences of like length together, and give them back in their order."""
    def decoded(batch: list[EncodedSentence]) -> list[list[Hypothesis]]:
        sources, prefixes = [sentence.ids for sentence in batch], [sentence.prefix for sentence in batch]
        return search(model.network, sources, settings, prefixes, stopped)

    found = map_by_length(sentences, lambda sentence: len(sentence.ids), batch_size, decoded)
    for sentence, hypotheses in zip(sentences, found, strict=True):
        yield [build_trace(model, sentence, hypothesis, settings) for hypothesis in hypotheses]


def build_trace(model: TranslationModel, sentence: EncodedSentence, hypothesis: Hypothesis, settings: Settings) -> Trace:
    """The Trace of a hypothesis for a sentence, the symbols of the source copied into the target."""
    piece = model.vocabulary.id_to_piece
    listed = [tuple(Candidate(other, piece(other), log_probability) for other, log_probability in candidates)
              for candidates in hypothesis.candidates]
    chosen = zip(hypothesis.tokens, hypothesis.log_probs, listed, strict=True)
    steps = tuple(Step(index, piece(index), log_probability, others) for index, log_probability, others in chosen)
    made = Trace(
        source=sentence.side,
        target=model.vocabulary.build_side(hypothesis.tokens, model.languages[1]),
        steps=steps,
        maps=tuple(WeightMap.from_description(one, hypothesis.weights[one.key]) for one in model.network.maps),
        log_probability=hypothesis.total_log_prob,
        score=hypothesis.score,
        finished=hypothesis.is_finished,
        made_by=Provenance(model.name, model.fingerprint, settings.method, _decided_by(sentence, settings),
                           settings.seed if settings.sample else None, sentence.overrides.to_text()),
        detail=None if hypothesis.detail is None else summarize_detail(hypothesis.detail),
        tree=_tree(hypothesis, piece),
        source_detail=summarize_source(model.network, sentence.ids) if settings.detail else None,
        languages=model.languages,
    )
    if not sentence.side.symbols:
        return made
    weights = made.compute_word_map() if made.has_attention else None
    return replace(made, target=restore_symbols(made.source, made.target, weights))


def _decided_by(sentence: EncodedSentence, settings: Settings) -> dict[str, int | float | str | bool]:
    given = len(sentence.prefix)
    return settings.provenance | ({"prefix": given} if given else {})


def _tree(hypothesis: Hypothesis, piece: Callable[[int], str]) -> Tree | None:
    if hypothesis.tree is None:
        return None
    letters = {fate: letter for letter, fate in FATES.items()}
    return Tree(
        parents=tuple(node.parent for node in hypothesis.tree),
        ids=tuple(node.token for node in hypothesis.tree),
        pieces=tuple(piece(node.token) for node in hypothesis.tree),
        log_probabilities=tuple(node.log_prob for node in hypothesis.tree),
        scores=tuple(node.score for node in hypothesis.tree),
        fates="".join(letters[node.fate] for node in hypothesis.tree),
    )
