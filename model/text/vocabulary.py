"""The shared vocabulary of both languages: SentencePiece pieces, and the map from pieces to words."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from model.serialization.files import replace_file
from model.text.languages import ANY_LANGUAGE
from model.text.normalise import NormalisedText, find_joined_emoji, is_invisible
from model.text.space_pieces import attach_spaces
from model.text.words import split_words
from model.trace import UNK_WORD, WORD_START, Side

PAD, EOS, UNK = 0, 1, 2
"""Ids of the special pieces. There is no begin-of-sentence: PAD, whose embedding is zero, precedes the first token."""

VocabularyKind = Literal["unigram", "word"]
MAX_VOCABULARY = 60_000  # tokens are stored in 16 bits, and the unknown words of a sentence get the ids above

MAX_SEGMENTATIONS = 32  # of a sentence, to sample from
_SPACING_MARK = "\uffed"  # in a word vocabulary: a word with a space before it, or none, unlike `_is_joined` says
_CLOSING, _OPENING, _QUOTES = ",.;:!?)]}%", "([{", "\"'"
_POSSESSIVE = re.compile("'s", re.IGNORECASE)


def import_sentencepiece() -> Any:
    """Import SentencePiece on first use, so that a page's first draw is fast."""
    import sentencepiece

    return sentencepiece


class VocabularyError(ValueError):
    """A vocabulary that cannot be trained or read, or an id that is not in it."""


class Vocabulary:
    """Pieces and their ids. PAD, EOS and UNK are 0, 1 and 2; a piece that begins a word begins with "▁"."""

    def __init__(self, model: bytes) -> None:
        """Read a SentencePiece model from its bytes.

        Raises VocabularyError for anything but a model made by `train`.
        """
        self._processor = import_sentencepiece().SentencePieceProcessor()
        try:
            self._processor.LoadFromSerializedProto(model)
        except RuntimeError as error:
            raise VocabularyError("these bytes are not a SentencePiece model; train or download it again") from error
        processor = self._processor
        specials = (processor.pad_id(), processor.eos_id(), processor.unk_id(), processor.bos_id())
        if specials != (PAD, EOS, UNK, -1):
            raise VocabularyError(
                f"this SentencePiece model has pad, eos, unk, bos = {specials}, but {(PAD, EOS, UNK, -1)} is needed; "
                "train it with Vocabulary.train"
            )
        self.model_bytes = model
        try:
            pieces = [processor.IdToPiece(index) for index in range(processor.GetPieceSize())]
            self._pieces: list[str] = pieces
            self._piece_bytes: list[bytes] = [self._get_piece_bytes(index) for index in range(len(self._pieces))]
        except ValueError as error:  # SentencePiece accepts invalid UTF-8
            raise VocabularyError("this SentencePiece model is damaged: a piece is not valid UTF-8; train or download "
                                  "it again") from error
        self._scores = np.array([processor.GetScore(index) for index in range(len(self._pieces))])  # log-probabilities
        # Vocabularies with bytes spell any text; those without have whole words and UNK.
        self.kind: VocabularyKind = (
            "unigram" if any(processor.IsByte(index) for index in range(len(self._pieces))) else "word"
        )
        self._words: list[str] = []  # of a word vocabulary, by id, with their spacing marks
        if self.kind == "word":
            self._words = [piece.removeprefix(WORD_START) for piece in pieces]
            self._words[PAD] = self._words[EOS] = ""
            self._words[UNK] = UNK_WORD
            self._pieces[UNK + 1 :] = map(_format_word, self._words[UNK + 1 :])
        self._word_ids = {word: index for index, word in enumerate(self._words) if index > UNK}

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Read a vocabulary file. Raises VocabularyError if it is missing or no vocabulary."""
        try:
            model = Path(path).read_bytes()
        except OSError as error:
            raise VocabularyError(f"the vocabulary {os.fspath(path)} cannot be read ({error.strerror})") from error
        return cls(model)

    @classmethod
    def train(
        cls,
        lines: Iterable[str],
        size: int,
        path: str | os.PathLike[str],
        kind: VocabularyKind = "unigram",
        *,
        alphabet: str = "",
        symbols: Sequence[str] = (),
        joined_spaces: int = 0,
        threads: int = 1,
    ) -> Vocabulary:
        """Train a vocabulary of `size` pieces on normalised lines of both languages and write it to `path`.

        `kind`: "unigram" for subwords with byte fallback, "word" for the `size` most frequent words and UNK.
        No piece crosses a tab in a line. `alphabet`: characters that become pieces, however rare. `symbols`: words
        that are one piece each, such as tags. `joined_spaces`: so many pieces get a leading space after training
        (`model.text.space_pieces`). These three are for "unigram" only. Raises VocabularyError if the lines are too
        few.
        """
        if kind not in ("unigram", "word"):
            raise VocabularyError(f"the vocabulary kind {kind!r} is not known; choose 'unigram' or 'word'")
        if size < 4:
            raise VocabularyError(f"a vocabulary of {size} pieces is too small; three are taken by PAD, EOS and UNK")
        joined_spaces = joined_spaces if kind == "unigram" else 0  # whole words have their spaces already
        lines = list(lines) if joined_spaces else lines
        if kind == "unigram":
            # No piece crosses a tab: the apostrophe of l'"Alliance" must not be joined to the quotation mark.
            training_lines = (line.replace("'", "\t'\t") for line in lines)
            options: dict[str, Any] = {
                "pretokenization_delimiter": "\t", "byte_fallback": True, "split_digits": True,
                "character_coverage": 0.9999, "required_chars": alphabet,
                "user_defined_symbols": [WORD_START + symbol for symbol in symbols],
            }  # fmt: skip
        else:
            training_lines = (" ".join(word for word, _ in _split_marked_words(line)) for line in lines)
            options = {"character_coverage": 1.0}
        model = io.BytesIO()
        try:
            import_sentencepiece().SentencePieceTrainer.Train(
                sentence_iterator=training_lines, model_writer=model, model_type=kind, vocab_size=size - joined_spaces,
                normalization_rule_name="identity", pad_id=PAD, eos_id=EOS, unk_id=UNK, bos_id=-1,
                num_threads=threads, minloglevel=2, **options,
            )  # fmt: skip
        except (RuntimeError, OSError) as error:
            reason = str(error).rsplit("] ", 1)[-1].strip() or "too little text"
            if match := re.search(r"smaller than required_chars\. \d+ vs (\d+)", reason):
                reason = f"their bytes, digits and letters alone take {match[1]}; ask for more"
            raise VocabularyError(f"no vocabulary of {size} pieces can be trained on these lines: {reason}") from error
        data = model.getvalue()
        if joined_spaces:
            data = attach_spaces(data, (line.replace("\t", "") for line in lines), joined_spaces)
        vocabulary = cls(data)
        vocabulary.save(path)
        return vocabulary

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the vocabulary atomically."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        replace_file(Path(path), self.model_bytes)

    def __len__(self) -> int:
        """Return the number of pieces, special ones included."""
        return len(self._pieces)

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        """The characters of all pieces but special and byte pieces; each is also a piece."""
        processor = self._processor
        return frozenset(character for index, piece in enumerate(self._pieces) for character in piece
                         if not (index in (PAD, EOS, UNK) or processor.IsByte(index)))

    def covers(self, text: str) -> bool:
        """Return whether pieces spell every character of a text; others are spelled in bytes, or become UNK."""
        return all(character == " " or character in self._alphabet for character in text)

    def find_unknown_words(self, text: NormalisedText) -> tuple[str, ...]:
        """Return the distinct words of a text that become UNK, in order; none for a vocabulary of subwords."""
        if self.kind != "word":
            return ()
        words = (word.removeprefix(_SPACING_MARK) for word, _ in _split_marked_words(text)
                 if self._get_word_id(word) == UNK)  # fmt: skip
        return tuple(dict.fromkeys(words))

    def encode(self, text: NormalisedText, unknown_words: Sequence[str] = ()) -> list[int]:
        """Return the token ids of a text, EOS last.

        Unknown words that are among `unknown_words` get the ids from len(self) up, in this order, instead of UNK: the
        extended vocabulary of one sentence (See et al. 2017). The other methods accept such ids with the same words.
        """
        if self.kind != "word":
            return self.encode_lines([text])[0]
        return [*(self._get_word_id(word, unknown_words) for word, _ in _split_marked_words(text)), EOS]

    def encode_lines(self, lines: Sequence[NormalisedText], threads: int = 1) -> list[list[int]]:
        """Return the token ids of every line, EOS last."""
        if self.kind == "word":
            return [self.encode(line) for line in lines]
        encoded: list[list[int]] = self._processor.Encode(list(lines), out_type=int, num_threads=threads)
        for ids in encoded:
            ids.append(EOS)
        return encoded

    def sample_segmentations(
        self, sentences: Sequence[Sequence[int]], random: np.random.Generator, alpha: float
    ) -> list[list[int]]:
        """Return the same sentences in sampled pieces: subword regularisation (Kudo 2018), for a unigram vocabulary.

        Each of the MAX_SEGMENTATIONS best segmentations x has a probability proportional to P(x) ** `alpha`.
        """
        lines = self._processor.Decode([list(map(int, ids[:-1])) for ids in sentences])
        sampled = []
        for line in lines:
            segmentations: list[list[int]] = self._processor.NBestEncode(
                line, out_type=int, nbest_size=MAX_SEGMENTATIONS
            )
            scores = alpha * np.array([self._scores[ids].sum() for ids in segmentations])
            probabilities = np.exp(scores - scores.max())
            index = random.choice(len(segmentations), p=probabilities / probabilities.sum())
            sampled.append([*segmentations[index], EOS])
        return sampled

    def _get_word_id(self, word: str, unknown_words: Sequence[str] = ()) -> int:
        """Return the id of a word with its spacing mark, else without, else among `unknown_words`, else UNK."""
        bare = word.removeprefix(_SPACING_MARK)
        index = self._word_ids.get(word) or self._word_ids.get(bare)
        return index or (len(self) + unknown_words.index(bare) if bare in unknown_words else UNK)

    def decode(self, ids: Iterable[int], unknown_words: Sequence[str] = ()) -> str:
        """Return the text of token ids, without special tokens except "UNK".

        With subwords decode(encode(text)) == text for every normalised text; whole words may lose unknown words and
        spacing. Invalid UTF-8, which only a network can produce, becomes U+FFFD. Raises VocabularyError for an id
        outside the vocabulary.
        """
        return self._decode_with_spans(ids, unknown_words)[0]

    def id_to_piece(self, index: int, unknown_words: Sequence[str] = ()) -> str:
        """Return a piece as SentencePiece writes it: "▁grey", "s", "<0xF0>"; EOS is "</s>", UNK "<unk>"."""
        self._check_id(index, unknown_words)
        return self._pieces[index] if index < len(self) else _format_word(unknown_words[index - len(self)])

    def build_side(self, ids: Iterable[int], language: str, unknown_words: Sequence[str] = ()) -> Side:
        """Return the text, words and pieces of token ids, and the word of every token (-1 for special tokens).

        Words that share a token are merged.
        """
        ids = [index for index in ids if index != PAD]
        text, token_spans = self._decode_with_spans(ids, unknown_words)
        pieces = tuple(self.id_to_piece(index, unknown_words) for index in ids)
        return self._group_into_words(text, ids, token_spans, pieces, language)

    def encode_side(
        self, text: NormalisedText, language: str, unknown_words: Sequence[str] = ()
    ) -> tuple[list[int], Side]:
        """Return the token ids of a text, EOS last, and its side, whose words are as they are in the text.

        The pieces of unknown words are UNK, or the words of `unknown_words`.
        """
        ids = self.encode(text, unknown_words)
        if self.kind != "word":
            return ids, self.build_side(ids, language)
        pieces = tuple(self.id_to_piece(index, unknown_words) for index in ids)
        return ids, self._group_into_words(text, ids, self.find_text_spans(text), pieces, language)

    def _group_into_words(self, text: str, ids: Sequence[int], token_spans: Sequence[tuple[int, int] | None],
                          pieces: tuple[str, ...], language: str) -> Side:
        word_spans = _merge_spans(split_words(text, language), [span for span in token_spans if span])
        word_at = [-1] * (len(text) + 1)
        for number, (start, end) in enumerate(word_spans):
            word_at[start:end] = [number] * (end - start)
        word_of: list[int] = []
        previous_word = -1
        for index, span in zip(ids, token_spans, strict=True):
            if index == EOS:
                word_of.append(-1)
                continue
            if span:
                previous_word = word_at[span[0]]
            word_of.append(previous_word)
        # A token without text ("▁" before a byte) belongs to the next word, else to the previous one.
        next_word = -1
        for position in range(len(word_of) - 1, -1, -1):
            if token_spans[position]:
                next_word = word_of[position]
            elif ids[position] != EOS and next_word >= 0:
                word_of[position] = next_word
        words = tuple(text[start:end] for start, end in word_spans)
        return Side(text, words, pieces, tuple(word_of))

    def find_spans(self, ids: Iterable[int]) -> list[tuple[int, int] | None]:
        """Return the span (start, end) of every token in decode(ids); None for a token without text.

        Bytes of one character all have its span. Raises VocabularyError for an id outside the vocabulary.
        """
        return self._decode_with_spans(ids, ())[1]

    def find_text_spans(self, text: NormalisedText) -> list[tuple[int, int] | None]:
        """Return the span of every token of encode(text) in the text; None for a token without text."""
        if self.kind != "word":
            return self.find_spans(self.encode(text))
        return [*(span for _, span in _split_marked_words(text)), None]

    def _check_id(self, index: int, unknown_words: Sequence[str] = ()) -> None:
        if not 0 <= index < len(self._pieces) + len(unknown_words):
            raise VocabularyError(f"piece {index} is not in this vocabulary of {len(self._pieces)} pieces")

    def _get_piece_bytes(self, index: int) -> bytes:
        """Return the UTF-8 bytes of a piece in a text, leading space included."""
        if index == UNK:
            return f" {UNK_WORD}".encode()
        if self._processor.IsControl(index):
            return b""
        piece = self._pieces[index]
        if self._processor.IsByte(index):
            return bytes([int(piece[3:5], 16)])
        return piece.replace(WORD_START, " ").encode("utf-8")

    def _spell(self, ids: Iterable[int], unknown_words: Sequence[str]) -> Iterator[bytes]:
        """Yield the UTF-8 bytes of each token, with the space before it."""
        previous, is_previous_joined = "", True
        for index in ids:
            self._check_id(index, unknown_words)
            if self.kind != "word":
                yield self._piece_bytes[index]
                continue
            word = self._words[index] if index < len(self) else unknown_words[index - len(self)]
            if not word:  # PAD or EOS
                yield b""
                continue
            bare = word.removeprefix(_SPACING_MARK) if index < len(self) else word
            is_joined = _is_joined(previous, is_previous_joined, bare) != (bare != word)
            yield (bare if is_joined else f" {bare}").encode()
            previous, is_previous_joined = bare, is_joined and previous != ""

    def _decode_with_spans(
        self, ids: Iterable[int], unknown_words: Sequence[str]
    ) -> tuple[str, list[tuple[int, int] | None]]:
        """Return the text of token ids and the span of each token (None for a token without text)."""
        data = bytearray()
        byte_tokens: list[int] = []  # the token position of every byte
        spans: list[tuple[int, int] | None] = []
        for position, piece_bytes in enumerate(self._spell(ids, unknown_words)):
            data += piece_bytes
            byte_tokens += [position] * len(piece_bytes)
            spans.append(None)
        text: list[str] = []
        is_space_pending = False
        offset = 0
        characters = list(_decode_utf8(bytes(data)))
        in_emoji = {index for span in find_joined_emoji("".join(character for character, _ in characters))
                    for index in range(*span)}  # fmt: skip
        for index, (character, length) in enumerate(characters):
            if character.isspace():
                is_space_pending = bool(text)
            elif index in in_emoji or not is_invisible(character):
                if is_space_pending:
                    text.append(" ")
                    is_space_pending = False
                for position in byte_tokens[offset : offset + length]:
                    span = spans[position]
                    spans[position] = (span[0] if span else len(text), len(text) + 1)
                text.append(character)
            offset += length
        return "".join(text), spans


def _decode_utf8(data: bytes) -> Iterator[tuple[str, int]]:
    """Yield the characters of UTF-8 bytes and their lengths in bytes; U+FFFD for every invalid byte."""
    position = 0
    while position < len(data):
        first = data[position]
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        try:
            yield data[position : position + length].decode("utf-8"), length
        except UnicodeDecodeError:
            length = 1
            yield "\ufffd", length
        position += length


def _merge_spans(words: Sequence[tuple[int, int]], tokens: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge the spans of words that share a token; both are in order."""
    merged: list[tuple[int, int]] = []
    remaining_tokens = iter(tokens)
    token = next(remaining_tokens, None)
    previous_end = 0
    for start, end in words:
        if merged and start < merged[-1][1]:
            start = merged.pop()[0]
            end = max(end, previous_end)
        while token is not None and token[0] < end:
            end = max(end, token[1])
            token = next(remaining_tokens, None)
        previous_end = end
        merged.append((start, end))
    return merged


def _split_marked_words(line: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of a line for a word vocabulary, with spacing marks, and their spans.

    The words are those of both languages, which share the vocabulary, without the possessive "'s".
    """
    line = line.replace(_SPACING_MARK, "\ufffd")
    words: list[tuple[str, tuple[int, int]]] = []
    previous, previous_end, is_previous_joined = "", 0, True
    for start, end in split_words(line, ANY_LANGUAGE):
        middle = end - 2 if end - 2 > start and _POSSESSIVE.fullmatch(line, end - 2, end) else end
        for span in ((start, middle), (middle, end)):
            word = line[slice(*span)]
            if word:
                is_joined = span[0] == previous_end
                is_expected = is_joined == _is_joined(previous, is_previous_joined, word)
                words.append((word if is_expected else _SPACING_MARK + word, span))
                previous, previous_end, is_previous_joined = word, span[1], is_joined and previous != ""
    return words


def _is_joined(previous: str, is_previous_joined: bool, word: str) -> bool:
    """Return whether a word usually follows the previous one without a space, or begins the text.

    A quotation mark that has a space before it opens a quotation.
    """
    ends_quotation = word[0] in _QUOTES and len(word) > 1 and word[1] in _CLOSING  # '",'
    if not previous or word[0] in _CLOSING or ends_quotation or _POSSESSIVE.fullmatch(word):
        return True
    if previous in _QUOTES:
        return not is_previous_joined
    return previous[-1] in _OPENING or (previous[-1] == "'" and previous[0].isalpha())


def _format_word(word: str) -> str:
    """Return a word of a word vocabulary as a piece: with "▁" unless it usually follows another without a space."""
    bare = word.removeprefix(_SPACING_MARK)
    return bare if bare != word or _is_joined("x", True, bare) else WORD_START + bare
