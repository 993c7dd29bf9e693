"""Emoji and arrows that a vocabulary can only spell in bytes: copied into the translation past the model.

Spelled in bytes, signs that training text hardly had make a model invent words. Emoji and arrows need no translation:
`split_symbols` sets them aside before decoding, and `restore_symbols` puts them into the translation where the words
beside them went. Other signs of that kind stay in the text, and `find_unspelled_signs` names them.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import regex
from numpy.typing import NDArray

from model.text.normalise import Normalised, normalise
from model.trace import Array, Side, Symbol

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

_ARROWS = "←-⇿⟰-⟿⤀-⥿⬀-⬑⮀-⮸➔➘-➯➱-➾"
_CLUSTER = (rf"(?=[\p{{Extended_Pictographic}}\p{{Regional_Indicator}}{_ARROWS}]"
            r"|[0-9#*]\uFE0F?\u20E3)\X")  # fmt: skip
_SEVERAL = rf"(?:{_CLUSTER})(?: ?{_CLUSTER})*"
_ITEM = rf"(?:\({_SEVERAL}\)|\[{_SEVERAL}\]|{_CLUSTER})"  # brackets around nothing would be left
_SYMBOLS = regex.compile(rf"{_ITEM}(?: ?{_ITEM})*")
_CLUSTERS = regex.compile(r"\X")
_BRACKETS = "()[] "
_HEARTS = regex.compile("[♡♥❣❤💓-💟🖤🤍🤎🧡🩵-🩷]")  # between two words they may stand for "love"
_OPENING, _CLOSING = "([{", ".,;:!?)]}"
_QUOTES = "\"'"

Span = tuple[int, int]


def split_symbols(text: Normalised, vocabulary: Vocabulary) -> tuple[Normalised, tuple[Symbol, ...]]:
    """Return the text that a model is to read, and the symbols set aside, with their positions in the given text.

    Set aside are emoji and arrows that the vocabulary spells in bytes, whole grapheme clusters, neighbours as one
    symbol; not a heart between two words, nor anything in a text that has no words besides. The text is left as it is
    where it would be another one without them, and for a vocabulary of whole words, which has no bytes.
    """
    if text.isascii() or vocabulary.kind == "word":
        return text, ()
    found = [match.span() for match in _SYMBOLS.finditer(text) if _is_copied(text, match.span(), vocabulary)]
    bare = remove_spans(text, found)
    if not found or not any(map(str.isalnum, bare)) or normalise(bare) != bare:
        return text, ()
    return Normalised(bare), tuple(Symbol(text[start:end], start) for start, end in found)


def find_unspelled_signs(text: Normalised, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the signs of a text that a model reads in bytes only, each once, in order: other scripts, rare symbols.

    Those that are set aside are none of them, and a vocabulary of whole words has none.
    """
    if vocabulary.kind == "word":
        return ()
    bare, _ = split_symbols(text, vocabulary)
    return tuple(dict.fromkeys(sign.strip() for sign in _CLUSTERS.findall(bare) if not vocabulary.covers(sign)))


def remove_signs(text: str, signs: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return a text as it was typed without the signs that `find_unspelled_signs` found; "" where no word is left.

    Each line that has one comes in canonical form. A letter that the vocabulary spells but for its accent, circle or
    width becomes the plain one ("ǐ": "i").
    """
    lines: list[str] = []
    for line in text.split("\n"):
        spans: list[Span] = []
        plain = ""
        for cluster in _CLUSTERS.findall(normalise(line)):
            unspelled = cluster.strip() in signs
            letters = _find_letters(cluster, vocabulary) if unspelled else ""
            if unspelled and not letters:
                spans.append((len(plain), len(plain) + len(cluster)))
            plain += letters or cluster
        lines.append(line if plain == normalise(line) and not spans else remove_spans(plain, spans))
    bare = "\n".join(lines)
    return bare if any(map(str.isalnum, _SYMBOLS.sub("", bare))) else ""


def remove_spans(text: str, spans: Iterable[Span]) -> str:
    """Remove parts of a text, given in order, and set together what stood around them: "my dog 🐶." is "my dog."."""
    parts: list[str] = []
    before = space = ""  # the last two characters so far, and what is to follow them
    end = 0
    for start, following in spans:
        part = text[end:start]
        kept = part.rstrip(" ")
        touches_left = part == kept and not (space and not kept)
        if kept:
            parts += [space, kept]
            before = (before + kept)[-2:]
        end = _skip_spaces(text, following)
        space = _space_between(before, text[end : end + 1], touches_left, end == following)
    return "".join([*parts, space, text[end:]])


def restore_symbols(source: Side, target: Side, weights: Array | None) -> Side:
    """Return the target side with the symbols of the source side in its text, between words.

    A symbol at the beginning or the end of the source stands there in the target; any other follows the target words
    that looked most at the source word before it. `weights` (target words, source words) says which ones; None,
    for a model without attention, means the same share of the sentence. One that the target has already, because a
    reader forced it, is not added.
    """
    missing = Counter({text: source.text.count(text) - target.text.count(text)
                       for text in {symbol.text for symbol in source.symbols}})  # fmt: skip
    copied: list[Symbol] = []
    for symbol in source.symbols:
        copied += [symbol] if missing[symbol.text] > 0 else []
        missing[symbol.text] -= 1
    starts = [span[0] for span in source.word_spans if span]
    places = sorted(((_find_boundary(source, target, weights, bisect(starts, symbol.start), _find_contacts(source, symbol)),
                      symbol) for symbol in copied), key=lambda place: place[0])  # fmt: skip
    text, placed = "", list[Symbol]()
    end = 0
    for boundary, group in groupby(places, key=lambda place: place[0]):
        symbols = [symbol for _, symbol in group]
        at = _end_offset(target, boundary)
        text += target.text[end:at]
        end, rest = at, target.text[at:]
        if text and text[-1] not in _OPENING and not _find_contacts(source, symbols[0])[0]:
            text += " "
        for number, symbol in enumerate(symbols):
            text += " " if number else ""
            placed.append(Symbol(symbol.text, len(text)))
            text += symbol.text
        touches = _find_contacts(source, symbols[-1])[1]
        if touches and rest.startswith(" "):
            end += 1
        elif rest and not touches and rest[0] not in " " + _CLOSING + (_QUOTES if boundary else ""):
            text += " "
    return replace(target, text=text + target.text[end:], symbols=tuple(placed)) if placed else target


def _is_copied(text: str, span: Span, vocabulary: Vocabulary) -> bool:
    """Whether all clusters of a run of symbols are spelled in bytes, and it is no heart in the place of a word."""
    clusters = [cluster for cluster in _CLUSTERS.findall(text[slice(*span)]) if cluster not in _BRACKETS]
    left, right = text[max(0, span[0] - 2) : span[0]].rstrip()[-1:], text[span[1] : span[1] + 2].lstrip()[:1]
    is_verb = all(map(_HEARTS.match, clusters)) and left.isalnum() and right.isalnum()
    return not is_verb and not any(map(vocabulary.covers, clusters))


def _skip_spaces(text: str, start: int) -> int:
    while text[start : start + 1] == " ":
        start += 1
    return start


def _space_between(left: str, right: str, touches_left: bool, touches_right: bool) -> str:
    """Return what stands between two texts once a sign that touched them, or was set apart from them, is gone: of the
    left one the last two characters count, of the right one the first."""
    if not left or not right:
        return ""
    quote = left[-1] in _QUOTES and left[-2:-1] in ("", " ", *_OPENING)
    if touches_right and right[0] in _CLOSING + _QUOTES:
        return "" if not touches_left or left[-1] not in _QUOTES else " "
    return "" if touches_left and (quote or left[-1] in _OPENING) else " "


def _find_letters(sign: str, vocabulary: Vocabulary) -> str:
    """Return the letters or digits that the vocabulary spells and a sign is a form of; "" where there are none."""
    return "".join(part for part in unicodedata.normalize("NFKD", sign) if part.isalnum() and vocabulary.covers(part))


def _find_boundary(source: Side, target: Side, weights: Array | None, before: int, touches: tuple[bool, bool]) -> int:
    """Return after how many words of the target a symbol of the source stands, which stands after `before` words there
    and `touches` what is left and right of it."""
    are_words, lettered = _mask_words(source.words), _mask_words(target.words)
    words: list[int] = np.flatnonzero(lettered).tolist()
    if not are_words[:before].any():  # it begins the sentence, but for opening signs
        return words[0] if words and before else 0
    if not are_words[before:].any():  # it ends the sentence, but for closing signs
        return words[-1] + 1 if words and before < len(source.words) else len(target.words)
    if not words:
        return len(target.words)
    precedes = touches == (False, True)
    anchor = before if precedes else before - 1
    if weights is None:
        boundary = min(max(1, round(before / len(source.words) * len(target.words))), words[-1] + 1)
    else:
        alike: list[int] = np.flatnonzero(lettered == are_words[anchor]).tolist()
        places = alike or words
        place = places[int(weights[places, anchor].argmax())]
        step = -1 if precedes else 1
        while place + step in places and weights[place + step].argmax() == anchor:  # "de la pizza", of "pizza"
            place += step
        boundary = place + (not precedes)
    while not _is_gap(target, boundary):
        boundary += -1 if precedes else 1
    return boundary


def _is_gap(side: Side, boundary: int) -> bool:
    """Whether something can stand between two words of a side, or at an end of it, without being in a word."""
    if boundary in (0, len(side.words)):
        return True
    rest = side.text[_end_offset(side, boundary) :]
    return rest[:1] == " " or rest[:1] in _CLOSING or side.words[boundary - 1][-1] in _OPENING


def _end_offset(side: Side, words: int) -> int:
    """Return the position in the text of a side where so many of its words have ended."""
    span = side.word_spans[words - 1] if words else None
    return len(side.text) if words == len(side.words) else span[1] if span else 0


def _find_contacts(side: Side, symbol: Symbol) -> tuple[bool, bool]:
    """Whether a symbol touches the letters, digits or signs before it, and a letter or digit after it."""
    left, right = side.text[: symbol.start][-1:], side.text[symbol.end :][:1]
    return left not in ("", " "), right.isalnum()


@lru_cache(maxsize=64)
def _mask_words(words: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return for each word of a side whether it has a letter or digit; others are runs of signs."""
    return np.array([any(map(str.isalnum, word)) for word in words], dtype=np.bool_)
