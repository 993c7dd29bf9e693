"""Translate text: from sentences to Traces, one sentence or a stream of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from model.decoding import NO_OVERRIDES, Hypothesis, OverrideError, Overrides, Settings, StopCallback, search
from model.decoding.detail import summarise_detail, summarise_source
from model.decoding.length_batches import map_by_length
from model.networks.unknown_words import find_copied_words
from model.text.dictionary import load_dictionary, translate_or_copy
from model.text.normalise import NormalisedText
from model.text.symbols import restore_symbols, split_symbols
from model.text.vocabulary import UNK, Vocabulary
from model.text.words import is_word
from model.trace import UNK_PIECE, Array, Candidate, Provenance, Side, Step, Trace, WeightMap, find_main_map
from model.trace.tree import FATES, Tree

if TYPE_CHECKING:
    from model.networks.base import Translator

MAX_SOURCE_TOKENS = 512  # without "</s>"
MAX_CHARACTERS = 20_000  # checked first, since a text may be a whole book
MAX_SAMPLES = 200  # translations drawn at once

Item = TypeVar("Item")
PreparedItem = TypeVar("PreparedItem")
Result = TypeVar("Result")

Prefix = NormalisedText | Sequence[int]
"""The beginning of a translation: a text, or token ids; empty for none."""

SentenceProblem = Literal["empty", "pieces", "characters", "prefix"]
_PROBLEMS: dict[SentenceProblem, str] = {
    "empty": "is empty: give at least one word.",
    "pieces": "has {size:,} tokens, and at most {limit:,} can be read at once: cut it into shorter sentences.",
    "characters": "has {size:,} characters, and at most {limit:,} can be read at once: give one sentence at a time.",
    "prefix": "is to be translated with a beginning of {size:,} tokens, and at most {limit:,} are possible: shorten "
              "the beginning.",
}


class SentenceError(ValueError):
    """A sentence that cannot be translated. The message is one sentence for users.

    `kind`: the problem; `size` and `limit`: 0 for an empty sentence; `number`: the position in a stream, counted from
    1, or None; `is_target`: whether the given translation has the problem, not its source.
    """

    def __init__(self, kind: SentenceProblem, size: int = 0, limit: int = 0, number: int | None = None, *,
                 is_target: bool = False) -> None:
        if is_target:
            subject = "The given translation" if number is None else f"The translation of sentence {number}"
        else:
            subject = "The sentence" if number is None else f"Sentence {number}"
        super().__init__(f"{subject} {_PROBLEMS[kind].format(size=size, limit=limit)}")
        self.kind, self.size, self.limit, self.number, self.is_target = kind, size, limit, number, is_target

    def add_number(self, number: int) -> SentenceError:
        """Return this error with the position of the sentence in a stream, counted from 1."""
        return SentenceError(self.kind, self.size, self.limit, number, is_target=self.is_target)


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
    """A sentence as token ids with EOS, the prefix that its translation must begin with, and overrides of attention.

    `side`: the sentence as a Trace holds it. Its text includes symbols, which are copied and have no ids.
    `unknown_words`: those that the network can copy; they have the ids from the size of the vocabulary up.
    `prefix_text`: the prefix as it was typed; None for one of token ids.
    """

    ids: list[int]
    side: Side
    unknown_words: tuple[str, ...] = ()
    prefix: tuple[int, ...] = ()
    overrides: Overrides = NO_OVERRIDES
    prefix_text: NormalisedText | None = None


def prepare_source(model: TranslationModel, text: NormalisedText) -> EncodedSentence:
    """Encode a source sentence. Raises SentenceError if it is empty or too long."""
    if len(text) > MAX_CHARACTERS:
        raise SentenceError("characters", len(text), MAX_CHARACTERS)
    if not text:
        raise SentenceError("empty")
    unknown_words = find_copied_words(model.network, model.vocabulary, text)
    sentence = encode_text(model, text, model.languages[0], unknown_words)
    if len(sentence.ids) - 1 > MAX_SOURCE_TOKENS:
        raise SentenceError("pieces", len(sentence.ids) - 1, MAX_SOURCE_TOKENS)
    pieces = [UNK_PIECE if index >= len(model.vocabulary) else piece  # as the network reads them
              for index, piece in zip(sentence.ids, sentence.side.pieces, strict=True)]  # fmt: skip
    return replace(sentence, side=replace(sentence.side, pieces=tuple(pieces)))


def encode_text(
    model: TranslationModel, text: NormalisedText, language: str, unknown_words: tuple[str, ...] = ()
) -> EncodedSentence:
    """Encode text of either language, without the symbols that are to be copied."""
    bare_text, symbols = split_symbols(text, model.vocabulary)
    ids, side = model.vocabulary.encode_side(bare_text, language, unknown_words)
    return EncodedSentence(ids, replace(side, text=text, symbols=symbols) if symbols else side, unknown_words)


def prepare_search(
    model: TranslationModel,
    text: NormalisedText,
    prefix: Prefix,
    settings: Settings,
    overrides: Overrides = NO_OVERRIDES,
) -> EncodedSentence:
    """Encode a source sentence with a prefix (by default `overrides.prefix`) and overrides.

    Raises SentenceError as `prepare_source` and for a prefix that leaves nothing to search for. Raises OverrideError if
    `overrides.prefix` is not in the vocabulary or is given besides `prefix`; search validates the other overrides.
    """
    sentence = prepare_source(model, text)
    overrides.validate_prefix(len(model.vocabulary) + len(sentence.unknown_words))
    if prefix and overrides.prefix:
        raise OverrideError("A translation has one beginning: give it as the prefix or among the changes, not as both.")
    if isinstance(prefix, str):
        sentence = replace(sentence, prefix_text=prefix)
        prefix = model.vocabulary.encode(prefix, sentence.unknown_words)[:-1]
    prefix = prefix or overrides.prefix
    max_length = settings.compute_max_target_length(len(sentence.ids))
    if len(prefix) >= max_length:
        raise SentenceError("prefix", len(prefix), max_length - 1)
    return replace(sentence, prefix=tuple(prefix), overrides=overrides)


def translate_sentence(
    model: TranslationModel, text: NormalisedText, settings: Settings | None = None, prefix: Prefix = ()
) -> Trace:
    """Return the best translation of one sentence. Raises as `translate_n_best`."""
    return translate_n_best(model, text, settings, prefix)[0]


def translate_n_best(
    model: TranslationModel, text: NormalisedText, settings: Settings | None = None, prefix: Prefix = (),
    should_stop: StopCallback | None = None, overrides: Overrides = NO_OVERRIDES,
) -> list[Trace]:
    """Return the `settings.n_best` best translations of one sentence, best first.

    With a prefix, `provenance.settings` holds its number of tokens as "prefix"; a typed one keeps its words, also those
    that are UNK to the model. Overrides are kept in `provenance.overrides`.

    Raises SentenceError for a sentence that is empty or too long, or a prefix that leaves nothing to search for;
    OverrideError for overrides that do not fit the model or the sentence; SearchStopped if `should_stop` returns True.
    """
    settings = settings or Settings()
    sentence = prepare_search(model, text, prefix, settings, overrides)
    hypotheses = search(model.network, [sentence.ids], settings, [sentence.prefix], should_stop, [overrides])[0]
    return [build_trace(model, sentence, hypothesis, settings) for hypothesis in hypotheses]


def sample_translations(
    model: TranslationModel, text: NormalisedText, settings: Settings, count: int,
    should_stop: StopCallback | None = None, overrides: Overrides = NO_OVERRIDES,
) -> list[Trace]:
    """Draw `count` independent translations of one sentence in one batch, by settings with `sample`.

    The first is the one that search draws with the same seed. Raises as `translate_n_best`; ValueError for a count
    that is not from 1 to MAX_SAMPLES, or settings of another search.
    """
    if not 1 <= count <= MAX_SAMPLES:
        raise ValueError(f"From 1 to {MAX_SAMPLES} translations are drawn at once: got {count}.")
    if not settings.sample:
        raise ValueError(f"Translations are drawn by sampling: got {settings.method}.")
    sentence = prepare_search(model, text, (), settings, overrides)
    samples = search(model.network, [sentence.ids] * count, settings, [sentence.prefix] * count, should_stop,
                     [overrides] * count, range(count))
    return [build_trace(model, sentence, hypothesis, settings) for (hypothesis,) in samples]


def translate(
    model: TranslationModel,
    texts: Iterable[NormalisedText],
    settings: Settings | None = None,
    batch_size: int = 32,
    prefixes: Iterable[Prefix] | None = None,
    should_stop: StopCallback | None = None,
) -> Iterator[list[Trace]]:
    """Yield the n best Traces of each text, in order, reading texts as they are needed.

    batch_size: sentences decoded together; 1 translates each text before the next is read. Texts are read four batches
    at a time (the first time one) and batched by length.
    prefixes: one for each text.

    Raises SentenceError with the number of the sentence, after the Traces of all texts before it; ValueError for a size
    below 1 and for more or fewer prefixes than texts; SearchStopped if `should_stop` returns True.
    """
    settings = settings or Settings()
    if batch_size < 1:
        raise ValueError(f"batch_size must be 1 or more: got {batch_size}.")

    def prepare(pair: tuple[NormalisedText, Prefix]) -> EncodedSentence:
        return prepare_search(model, *pair, settings)

    def search_batch(batch: list[EncodedSentence]) -> list[list[Hypothesis]]:
        return search(model.network, [sentence.ids for sentence in batch], settings,
                      [sentence.prefix for sentence in batch], should_stop)

    def translate_chunk(sentences: Sequence[EncodedSentence]) -> Iterator[list[Trace]]:
        results = map_by_length(sentences, lambda sentence: len(sentence.ids), batch_size, search_batch)
        for sentence, hypotheses in zip(sentences, results, strict=True):
            yield [build_trace(model, sentence, hypothesis, settings) for hypothesis in hypotheses]

    pairs = zip(texts, repeat(())) if prefixes is None else zip(texts, prefixes, strict=True)
    return stream_chunks(pairs, batch_size, prepare, translate_chunk)


def stream_chunks(
    items: Iterator[Item], batch_size: int, prepare: Callable[[Item], PreparedItem],
    process_chunk: Callable[[Sequence[PreparedItem]], Iterator[Result]],
) -> Iterator[Result]:
    """Read items in chunks, first of one batch and then of four, and yield the results of each chunk.

    With a batch size of 1 all chunks are single items.
    When `prepare` raises SentenceError, the results of the items before it are yielded first. The error then gets the
    number of the item.
    """
    number = 0
    for chunk_size in chain([batch_size], repeat(1 if batch_size == 1 else 4 * batch_size)):
        prepared_items: list[PreparedItem] = []
        problem: SentenceError | None = None
        for item in islice(items, chunk_size):
            number += 1
            try:
                prepared_items.append(prepare(item))
            except SentenceError as error:
                problem = error
                break
        yield from process_chunk(prepared_items)
        if problem is not None:
            raise problem.add_number(number)
        if len(prepared_items) < chunk_size:
            return


def build_trace(
    model: TranslationModel, sentence: EncodedSentence, hypothesis: Hypothesis, settings: Settings
) -> Trace:
    """Build the Trace of a hypothesis; symbols of the source are copied into the target."""

    def to_piece(token: int) -> str:
        return model.vocabulary.id_to_piece(token, sentence.unknown_words)

    candidates = [tuple(Candidate(token, to_piece(token), log_prob) for token, log_prob in step_candidates)
                  for step_candidates in hypothesis.candidates]
    steps = tuple(Step(token, to_piece(token), log_prob, step_candidates) for token, log_prob, step_candidates
                  in zip(hypothesis.tokens, hypothesis.log_probs, candidates, strict=True))
    search_settings = settings.trace_settings | ({"prefix": len(sentence.prefix)} if sentence.prefix else {})
    trace = Trace(
        source=sentence.side,
        target=build_target_side(model, sentence, hypothesis, settings),
        steps=steps,
        maps=tuple(WeightMap.from_description(description, hypothesis.weights[description.key])
                   for description in model.network.maps),
        log_probability=hypothesis.total_log_prob,
        score=hypothesis.score,
        is_finished=hypothesis.is_finished,
        provenance=Provenance(model.name, model.fingerprint, settings.method, search_settings,
                              settings.seed if settings.sample else None, sentence.overrides.to_text()),
        detail=None if hypothesis.detail is None else summarise_detail(hypothesis.detail),
        tree=_build_tree(hypothesis, to_piece),
        source_detail=summarise_source(model.network, sentence.ids) if settings.detail else None,
        languages=model.languages,
    )
    if not sentence.side.symbols:
        return trace
    weights = trace.compute_word_map() if trace.has_attention else None
    return replace(trace, target=restore_symbols(trace.source, trace.target, weights))


def build_target_side(
    model: TranslationModel, sentence: EncodedSentence, hypothesis: Hypothesis, settings: Settings
) -> Side:
    """Return the text, words and pieces of a hypothesis, without symbols.

    The words of a typed prefix stay. With `settings.unk` "replace" the words of all other UNK are replaced. The pieces
    remain as they were written.
    """
    vocabulary, language = model.vocabulary, model.languages[1]
    side = vocabulary.build_side(hypothesis.tokens, language, sentence.unknown_words)
    if UNK not in hypothesis.tokens:
        return side
    tokens, words = list(hypothesis.tokens), list(sentence.unknown_words)
    if sentence.prefix_text:
        words += vocabulary.find_unknown_words(sentence.prefix_text)
        tokens[: len(sentence.prefix)] = vocabulary.encode(sentence.prefix_text, words)[:-1]
    main_map = find_main_map(model.network.maps)
    if settings.unk == "replace" and main_map is not None:
        _replace_unk(model, sentence.side, hypothesis.weights[main_map.key], tokens, words)
    return replace(vocabulary.build_side(tokens, language, words), pieces=side.pieces)


def _replace_unk(model: TranslationModel, source: Side, weights: Array, tokens: list[int], words: list[str]) -> None:
    """Replace each UNK among the tokens by an id of the extended vocabulary, and add its word to `words`."""
    dictionary = load_dictionary(*model.languages)
    owners = source.word_of[:-1]  # without "</s>"
    positions = [position for position, word in enumerate(owners) if is_word(source.words[word])] or range(len(owners))
    for step, token in enumerate(tokens):
        if token == UNK:
            position = positions[int(weights[step, positions].argmax())]
            is_first = owners[position] == owners[positions[0]]
            words.append(translate_or_copy(source.words[owners[position]], dictionary, is_first=is_first))
            tokens[step] = len(model.vocabulary) + len(words) - 1


def _build_tree(hypothesis: Hypothesis, to_piece: Callable[[int], str]) -> Tree | None:
    if hypothesis.tree is None:
        return None
    letters = {fate: letter for letter, fate in FATES.items()}
    return Tree(
        parents=tuple(node.parent for node in hypothesis.tree),
        ids=tuple(node.token for node in hypothesis.tree),
        pieces=tuple(to_piece(node.token) for node in hypothesis.tree),
        log_probabilities=tuple(node.log_prob for node in hypothesis.tree),
        scores=tuple(node.score for node in hypothesis.tree),
        fates="".join(letters[node.fate] for node in hypothesis.tree),
    )
