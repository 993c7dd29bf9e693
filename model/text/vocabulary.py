"""The vocabulary both languages share: SentencePiece pieces, and the exact map from pieces to words."""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from model.serialization.files import replace_file
from model.text.languages import ANY_LANGUAGE
from model.text.normalise import Normalised, find_joined_emoji, is_invisible
from model.text.words import split_words
from model.trace import Side

PAD, EOS, UNK = 0, 1, 2
"""Ids of the special pieces. There is no begin-of-sentence: "no previous word" is PAD, whose embedding is zero."""

VocabularyKind = Literal["unigram", "word"]

SPACE = "\u2581"
UNK_TEXT = " UNK"  # what the piece UNK shows: a word of letters, so that the comma after it stays a word of its own
_NO_SPACE_MARK = "\uffed"  # in a word vocabulary: this word follows the one before without a space


def import_sentencepiece() -> Any:
    """The library, imported when a vocabulary is first read or trained: a page that is only drawn needs none."""
    return importlib.import_module("sentencepiece")


class VocabularyError(ValueError):
    """A vocabulary that cannot be trained or read, or an id that is not in it."""


class Vocabulary:
    """Pieces and their ids. PAD, EOS and UNK are 0, 1 and 2; a piece that begins a word begins with "▁"."""

    def __init__(self, model: bytes) -> None:
        """Read a SentencePiece model from its bytes; raises VocabularyError where they are not one of ours."""
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
            self._pieces: list[str] = [piece.removeprefix(SPACE + _NO_SPACE_MARK) for piece in pieces]
            self._piece_bytes: list[bytes] = [self._get_piece_bytes(index) for index in range(len(self._pieces))]
        except ValueError as error:  # the library takes what is no UTF-8
            raise VocabularyError("this SentencePiece model is damaged: a piece of it is no text; train or download it "
                                  "again") from error
        # A vocabulary with bytes can spell anything; one without has whole words, and UNK for the rest.
        self.kind: VocabularyKind = (
            "unigram" if any(processor.IsByte(index) for index in range(len(self._pieces))) else "word"
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Read a vocabulary file; raises VocabularyError where it is missing or not a vocabulary."""
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
        threads: int = 1,
    ) -> Vocabulary:
        """Train a vocabulary of `size` pieces on normalised lines of both languages and write it to `path`.

        kind "unigram" makes subword pieces, with bytes for whatever no piece spells; "word" makes the `size` most
        frequent words, the others being UNK. The characters of `alphabet` become pieces however rare they are.
        Raises VocabularyError where the lines cannot give a vocabulary of that size.
        """
        if kind not in ("unigram", "word"):
            raise VocabularyError(f"a vocabulary of kind {kind!r} is not known; choose 'unigram' or 'word'")
        if size < 4:
            raise VocabularyError(f"a vocabulary of {size} pieces is too small; three are taken by PAD, EOS and UNK")
        if kind == "unigram":
            # A tab is a border no piece crosses: the apostrophe of l'"Alliance" must not join the quotation mark.
            prepared = (line.replace("'", "\t'\t") for line in lines)
            options: dict[str, Any] = {
                "pretokenization_delimiter": "\t", "byte_fallback": True, "split_digits": True,
                "character_coverage": 0.9999, "required_chars": alphabet,
            }  # fmt: skip
        else:
            prepared = (_mark_word_boundaries(line) for line in lines)
            options = {"character_coverage": 1.0}
        model = io.BytesIO()
        try:
            import_sentencepiece().SentencePieceTrainer.Train(
                sentence_iterator=prepared, model_writer=model, model_type=kind, vocab_size=size,
                normalization_rule_name="identity", pad_id=PAD, eos_id=EOS, unk_id=UNK, bos_id=-1,
                num_threads=threads, minloglevel=2, **options,
            )  # fmt: skip
        except (RuntimeError, OSError) as error:
            reason = str(error).rsplit("] ", 1)[-1].strip() or "too little text"
            if needed := re.search(r"smaller than required_chars\. \d+ vs (\d+)", reason):
                reason = f"their bytes, digits and letters alone take {needed[1]}; ask for more"
            raise VocabularyError(f"no vocabulary of {size} pieces can be made of these lines: {reason}") from error
        vocabulary = cls(model.getvalue())
        vocabulary.save(path)
        return vocabulary

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the vocabulary so that a reader finds either the whole file or none."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, self.model_bytes)

    def __len__(self) -> int:
        """The number of pieces, the specials included."""
        return len(self._pieces)

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        """The characters of all pieces but the specials and the bytes; each is a piece by itself."""
        processor = self._processor
        return frozenset(character for index, piece in enumerate(self._pieces) for character in piece
                         if not (index in (PAD, EOS, UNK) or processor.IsByte(index)))

    def covers(self, text: str) -> bool:
        """Whether the pieces spell every character of a text, spaces aside; what they do not is spelled in bytes, or
        UNK."""
        return all(character == " " or character in self._alphabet for character in text)

    def encode(self, text: Normalised) -> list[int]:
        """Return the ids of a text's pieces and EOS."""
        return self.encode_lines([text])[0]

    def encode_lines(self, lines: Sequence[Normalised], threads: int = 1) -> list[list[int]]:
        """Return the ids of every line's pieces and EOS, quickly."""
        given = [_mark_word_boundaries(line) for line in lines] if self.kind == "word" else list(lines)
        encoded: list[list[int]] = self._processor.Encode(given, out_type=int, num_threads=threads)
        for ids in encoded:
            ids.append(EOS)
        return encoded

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text the pieces spell, specials dropped (UNK is written "UNK"); one line, no stray spaces.

        decode(encode(text)) == text for every normalised text. Bytes that are no UTF-8, which only a network can
        produce, become U+FFFD. Raises VocabularyError for an id outside the vocabulary.
        """
        return self._decode_with_spans(ids)[0]

    def id_to_piece(self, index: int) -> str:
        """Return the piece as SentencePiece writes it: "▁grey", "s", "<0xF0>"; EOS is "</s>"."""
        self._check_id(index)
        return self._pieces[index]

    def build_side(self, ids: Iterable[int], language: str) -> Side:
        """Return the text, words and pieces the ids spell, and the word of every piece (-1 for specials).

        Where one piece reaches over the end of a word, the words it touches are shown as one.
        """
        ids = [index for index in ids if index != PAD]
        text, owned = self._decode_with_spans(ids)
        spans = _merge_spans(split_words(text, language), [span for span in owned if span])
        word_at = [-1] * (len(text) + 1)
        for number, (start, end) in enumerate(spans):
            word_at[start:end] = [number] * (end - start)
        word_of: list[int] = []
        last = -1
        for index, span in zip(ids, owned, strict=True):
            if index == EOS:
                word_of.append(-1)
                continue
            if span:
                last = word_at[span[0]]
            word_of.append(last)
        # A piece that shows nothing ("▁" before a byte piece) belongs to the word it opens, else to the one before.
        following = -1
        for position in range(len(word_of) - 1, -1, -1):
            if owned[position]:
                following = word_of[position]
            elif ids[position] != EOS and following >= 0:
                word_of[position] = following
        return Side(
            text, tuple(text[start:end] for start, end in spans), tuple(map(self.id_to_piece, ids)), tuple(word_of)
        )

    def find_spans(self, ids: Iterable[int]) -> list[tuple[int, int] | None]:
        """Return for every id the characters of decode(ids) it spells, as (start, end); None where it shows nothing.

        Byte pieces that make up one character all have the span of that character. Raises VocabularyError for an id
        outside the vocabulary.
        """
        return self._decode_with_spans(ids)[1]

    def _check_id(self, index: int) -> None:
        if not 0 <= index < len(self._pieces):
            raise VocabularyError(f"piece {index} is not in this vocabulary of {len(self._pieces)} pieces")

    def _get_piece_bytes(self, index: int) -> bytes:
        """The UTF-8 bytes a piece adds to the text, its leading space included."""
        if index == UNK:
            return UNK_TEXT.encode("utf-8")
        if self._processor.IsControl(index):
            return b""
        piece = self._pieces[index]
        if self._processor.IsByte(index):
            return bytes([int(piece[3:5], 16)])
        return piece.replace(SPACE, " ").encode("utf-8")

    def _decode_with_spans(self, ids: Iterable[int]) -> tuple[str, list[tuple[int, int] | None]]:
        """The text of the ids, and of each id the span of the characters it adds (None where it shows nothing)."""
        spelt = bytearray()
        owners: list[int] = []  # of every byte, the position of its piece
        owned: list[tuple[int, int] | None] = []
        for position, index in enumerate(ids):
            self._check_id(index)
            surface = self._piece_bytes[index]
            spelt += surface
            owners += [position] * len(surface)
            owned.append(None)
        text: list[str] = []
        space = False
        offset = 0
        characters = list(_decode_utf8(bytes(spelt)))
        kept = {place for span in find_joined_emoji("".join(character for character, _ in characters))
                for place in range(*span)}
        for place, (character, length) in enumerate(characters):
            if character.isspace():
                space = bool(text)
            elif place in kept or not is_invisible(character):
                if space:
                    text.append(" ")
                    space = False
                for position in owners[offset : offset + length]:
                    span = owned[position]
                    owned[position] = (span[0] if span else len(text), len(text) + 1)
                text.append(character)
            offset += length
        return "".join(text), owned


def _decode_utf8(spelt: bytes) -> Iterator[tuple[str, int]]:
    """The characters of UTF-8 bytes and how many bytes each takes; U+FFFD for every byte that fits nowhere."""
    position = 0
    while position < len(spelt):
        first = spelt[position]
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        try:
            yield spelt[position : position + length].decode("utf-8"), length
        except UnicodeDecodeError:
            length = 1
            yield "\ufffd", length
        position += length


def _merge_spans(words: Sequence[tuple[int, int]], pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of the words, those that share a piece (or a character's bytes) made one; both given in order."""
    whole: list[tuple[int, int]] = []
    upcoming = iter(pieces)
    piece = next(upcoming, None)
    reach = 0
    for start, end in words:
        if whole and start < whole[-1][1]:
            start = whole.pop()[0]
            end = max(end, reach)
        while piece is not None and piece[0] < end:
            end = max(end, piece[1])
            piece = next(upcoming, None)
        reach = end
        whole.append((start, end))
    return whole


def _mark_word_boundaries(line: str) -> str:
    """A line for a word vocabulary: its words apart, those that follow another without a space marked so."""
    line = line.replace(_NO_SPACE_MARK, "\ufffd")
    words: list[str] = []
    previous = 0
    for start, end in split_words(line, ANY_LANGUAGE):  # the vocabulary does not know which language a line is in
        words.append((_NO_SPACE_MARK if words and start == previous else "") + line[start:end])
        previous = end
    return " ".join(words)
