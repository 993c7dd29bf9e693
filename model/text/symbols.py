"""Copying of emoji and arrows into the translation, if the vocabulary can spell them in bytes only.

Rare characters spelled in bytes make a model hallucinate. Emoji and arrows need no translation: `split_symbols` removes
them before decoding, and `restore_symbols` inserts them beside the translation of their neighbours. Other characters
that are spelled in bytes stay in the text; `find_unspelled_signs` lists them.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import regex
from numpy.typing import NDArray

from model.text.normalise import NormalisedText, normalise
from model.text.words import is_word
from model.trace import Array, Side, Symbol

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

_ARROWS = "←-⇿⟰-⟿⤀-⥿⬀-⬑⮀-⮸➔➘-➯➱-➾"
_CLUSTER = (rf"(?=[\p{{Extended_Pictographic}}\p{{Regional_Indicator}}{_ARROWS}]"
            r"|[0-9#*]\uFE0F?\u20E3)\X")  # fmt: skip
_CLUSTERS_IN_BRACKETS = rf"(?:{_CLUSTER})(?: ?{_CLUSTER})*"
_CLUSTER_END = r"(?![\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}])"  # the bracket is a grapheme cluster
_ITEM = (rf"(?:\({_CLUSTERS_IN_BRACKETS}\){_CLUSTER_END}|\[{_CLUSTERS_IN_BRACKETS}\]{_CLUSTER_END}"
         rf"|{_CLUSTER})")  # no empty brackets  # fmt: skip
_SYMBOLS = regex.compile(rf"{_ITEM}(?: ?{_ITEM})*")
_CLUSTERS = regex.compile(r"\X")
_BRACKETS = "()[] "
_HEARTS = regex.compile("[♡♥❣❤💓-💟🖤🤍🤎🧡🩵-🩷]")  # may mean "love" between two words
_OPENING, _CLOSING = "([{", ".,;:!?)]}"
_QUOTES = "\"'"

Span = tuple[int, int]


def split_symbols(text: NormalisedText, vocabulary: Vocabulary) -> tuple[NormalisedText, tuple[Symbol, ...]]:
    """Return the text without copied symbols, and the symbols with their positions in the given text.

    Symbols are emoji and arrows that the vocabulary spells in bytes, as whole grapheme clusters; neighbours are one
    symbol. A heart between two words stays. Everything stays in a text without words, in one that would not be
    normalised without its symbols, and for a word vocabulary, which has no bytes.
    """
    if text.isascii() or vocabulary.kind == "word":
        return text, ()
    spans = [match.span() for match in _SYMBOLS.finditer(text) if _is_copied(text, match.span(), vocabulary)]
    remaining = remove_spans(text, spans)
    if not spans or not is_word(remaining) or normalise(remaining) != remaining:
        return text, ()
    return NormalisedText(remaining), tuple(Symbol(text[start:end], start) for start, end in spans)


def find_unspelled_signs(text: NormalisedText, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the distinct characters that the vocabulary spells in bytes only, in order of occurrence.

    Copied symbols are left out. A word vocabulary has none.
    """
    if vocabulary.kind == "word":
        return ()
    remaining, _ = split_symbols(text, vocabulary)
    return tuple(dict.fromkeys(sign.strip() for sign in _CLUSTERS.findall(remaining) if not vocabulary.covers(sign)))


def remove_signs(text: str, signs: Sequence[str], vocabulary: Vocabulary) -> str:
    """Remove the characters of `find_unspelled_signs` from a typed text; return "" if no word is left.

    Changed lines are normalised. A letter that the vocabulary lacks only because of its accent, circle or width becomes
    the plain letter ("ǐ": "i"). What is unspelled only after that, such as a heart that now stands between two words,
    is removed too.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        spans: list[Span] = []
        plain = ""
        for cluster in _CLUSTERS.findall(normalise(line)):
            sign = cluster.strip()
            # A mark or skin tone beside a copied symbol stands on another character in the text without symbols.
            is_loose_mark = sign != "" and len(_CLUSTERS.findall("a" + sign[0])) == 1
            is_unspelled = sign in signs or (is_loose_mark and any(other.endswith(sign) for other in signs))
            letters = _find_plain_letters(cluster, vocabulary) if is_unspelled else ""
            if is_unspelled and not letters:
                spans.append((len(plain), len(plain) + len(cluster)))
            plain += letters or cluster
        lines.append(line if plain == normalise(line) and not spans else remove_spans(plain, spans))
    remaining = "\n".join(lines)
    if not is_word(_SYMBOLS.sub("", remaining)):
        return ""
    new_signs = find_unspelled_signs(normalise(remaining), vocabulary) if remaining != text else ()
    return remove_signs(remaining, new_signs, vocabulary) if new_signs else remaining


def remove_spans(text: str, spans: Iterable[Span]) -> str:
    """Remove ordered spans of a text with the spaces around them: "my dog 🐶." becomes "my dog."."""
    parts: list[str] = []
    last_two = space = ""  # the last two characters so far, and the space after them
    end = 0
    for start, span_end in spans:
        part = text[end:start]
        stripped = part.rstrip(" ")
        touches_left = part == stripped and not (space and not stripped)
        if stripped:
            parts += [space, stripped]
            last_two = (last_two + stripped)[-2:]
        end = _skip_spaces(text, span_end)
        space = _choose_space(last_two, text[end : end + 1], touches_left, end == span_end)
    return "".join([*parts, space, text[end:]])


def restore_symbols(source: Side, target: Side, weights: Array | None) -> Side:
    """Return the target side with the symbols of the source side inserted between words.

    A symbol at the beginning or the end of the source goes there in the target. Any other follows the target word with
    the most attention on the source word before it. `weights`: (target words, source words); None, for a model
    without attention, places it at the same fraction of the sentence. Symbols that the target already has, from a given
    beginning, are not added.
    """
    present = Counter(_SYMBOLS.findall(target.text))
    starts = {symbol.start for symbol in source.symbols}
    # A heart that stays in the text, as a verb, is the model's to translate: it does not stand for a copied one.
    present -= Counter(run[0] for run in _SYMBOLS.finditer(source.text) if run.start() not in starts)
    copied: list[Symbol] = []
    for symbol in source.symbols:
        present[symbol.text] -= 1
        if present[symbol.text] < 0:
            copied.append(symbol)
    word_starts = [span[0] for span in source.word_spans if span]
    masks = _mask_words(source.words), _mask_words(target.words)
    placements = [(_find_boundary(source, target, masks, weights, bisect(word_starts, symbol.start),
                                  _find_contacts(source, symbol)), symbol) for symbol in copied]  # fmt: skip
    placements.sort(key=lambda placement: placement[0])
    text, restored = "", list[Symbol]()
    end = 0
    for boundary, group in groupby(placements, key=lambda placement: placement[0]):
        symbols = [symbol for _, symbol in group]
        offset = _find_word_end(target, boundary)
        text += target.text[end:offset]
        end, next_text = offset, target.text[offset:]
        if text and text[-1] not in _OPENING and not _find_contacts(source, symbols[0])[0]:
            text += " "
        for number, symbol in enumerate(symbols):
            text += " " if number else ""
            restored.append(Symbol(symbol.text, len(text)))
            text += symbol.text
        touches_right = _find_contacts(source, symbols[-1])[1]
        if touches_right and next_text.startswith(" "):
            end += 1
        elif next_text and not touches_right and next_text[0] not in " " + _CLOSING + (_QUOTES if boundary else ""):
            text += " "
    return replace(target, text=text + target.text[end:], symbols=tuple(restored)) if restored else target


def _is_copied(text: str, span: Span, vocabulary: Vocabulary) -> bool:
    """Return whether all clusters of a run of symbols are spelled in bytes, and it is no heart used as a verb."""
    clusters = [cluster for cluster in _CLUSTERS.findall(text[slice(*span)]) if cluster not in _BRACKETS]
    left, right = text[max(0, span[0] - 2) : span[0]].rstrip()[-1:], text[span[1] : span[1] + 2].lstrip()[:1]
    is_verb = all(map(_HEARTS.match, clusters)) and left.isalnum() and right.isalnum()
    return not is_verb and not any(map(vocabulary.covers, clusters))


def _skip_spaces(text: str, start: int) -> int:
    while text[start : start + 1] == " ":
        start += 1
    return start


def _choose_space(left: str, right: str, touches_left: bool, touches_right: bool) -> str:
    """Return the space, or none, between the texts on both sides of a removed span.

    Of the left text the last two characters count, of the right text the first one.
    """
    if not left or not right:
        return ""
    is_opening_quote = left[-1] in _QUOTES and left[-2:-1] in ("", " ", *_OPENING)
    if touches_right and right[0] in _CLOSING + _QUOTES:
        return "" if not touches_left or left[-1] not in _QUOTES else " "
    return "" if touches_left and (is_opening_quote or left[-1] in _OPENING) else " "


def _find_plain_letters(sign: str, vocabulary: Vocabulary) -> str:
    """Return the letters or digits of which a character is a variant, if the vocabulary spells them, else ""."""
    return "".join(part for part in unicodedata.normalize("NFKD", sign) if part.isalnum() and vocabulary.covers(part))


def _find_boundary(
    source: Side,
    target: Side,
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    weights: Array | None,
    words_before: int,
    contacts: tuple[bool, bool],
) -> int:
    """Return after how many target words a symbol goes that follows `words_before` words of the source.

    `masks`: the source and target words that have a letter or digit.
    """
    source_mask, target_mask = masks
    target_words: list[int] = np.flatnonzero(target_mask).tolist()
    if not source_mask[:words_before].any():  # at the beginning, after opening punctuation at most
        return target_words[0] if target_words and words_before else 0
    if not source_mask[words_before:].any():  # at the end, before closing punctuation at most
        return target_words[-1] + 1 if target_words and words_before < len(source.words) else len(target.words)
    if not target_words:
        return len(target.words)
    precedes_word = contacts == (False, True)
    anchor = words_before if precedes_word else words_before - 1  # the source word that the symbol goes with
    if weights is None:
        boundary = round(words_before / len(source.words) * len(target.words))
        boundary = min(max(1, boundary), target_words[-1] + 1)
    else:
        candidates: list[int] = np.flatnonzero(target_mask == source_mask[anchor]).tolist() or target_words
        index = candidates[int(weights[candidates, anchor].argmax())]
        step = -1 if precedes_word else 1
        while index + step in candidates and weights[index + step].argmax() == anchor:  # "de la pizza", of "pizza"
            index += step
        boundary = index + (not precedes_word)
    while not _is_gap(target, boundary):
        boundary += -1 if precedes_word else 1
    return boundary


def _is_gap(side: Side, boundary: int) -> bool:
    """Return whether a symbol can stand at a boundary between words without splitting a word."""
    if boundary in (0, len(side.words)):
        return True
    next_text = side.text[_find_word_end(side, boundary) :]
    return next_text[:1] == " " or next_text[:1] in _CLOSING or side.words[boundary - 1][-1] in _OPENING


def _find_word_end(side: Side, word_count: int) -> int:
    """Return the end of the first `word_count` words in the text of a side."""
    span = side.word_spans[word_count - 1] if word_count else None
    return len(side.text) if word_count == len(side.words) else span[1] if span else 0


def _find_contacts(side: Side, symbol: Symbol) -> tuple[bool, bool]:
    """Return whether a symbol touches the character before it, and a letter or digit after it."""
    left, right = side.text[: symbol.start][-1:], side.text[symbol.end :][:1]
    return left not in ("", " "), right.isalnum()


def _mask_words(words: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return a mask of the words of a side that have a letter or digit."""
    return np.array([is_word(word) for word in words], dtype=np.bool_)
