"""The first line of a table: whether it names the columns, and which column is what.

A header must be recognised without eating a first pair ("text", "texte") or a word of a list ("English"). So one known
name is never enough by itself: the other columns must be named too, or the rows below must look unlike the first line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from model.text.normalise import normalise

ColumnRole = Literal["source", "reference", "language", "text", "detail"]
"""What a column is called after: one side, another language than the model's, text of no side, or a detail (its number,
its licence, ...)."""

ColumnType = Literal["empty", "number", "language", "licence", "date", "text"]
"""What a column holds."""

_LANGUAGE_NAMES = {
    "en": "english eng anglais englisch inglés inglese 영어",
    "fr": "french français francais französisch fra fre 프랑스어 불어",
    "de": "german deutsch deu ger", "es": "spanish español spa", "it": "italian italiano ita",
    "pt": "portuguese português por", "nl": "dutch nederlands nld dut", "sv": "swedish svenska swe",
    "pl": "polish polski pol", "tr": "turkish türkçe tur", "ko": "korean 한국어 kor", "ja": "japanese 日本語 jpn",
    "zh": "chinese 中文 zho chi cmn", "ru": "russian русский rus", "uk": "ukrainian українська ukr",
    "el": "greek ελληνικά ell gre", "ar": "arabic العربية ara", "he": "hebrew עברית heb", "th": "thai ไทย tha",
    "hi": "hindi हिन्दी hin",
}  # fmt: skip
_LANGUAGE_OF = {name: code for code, names in _LANGUAGE_NAMES.items() for name in (code, *names.split())}
_CODES = frozenset(name for name in _LANGUAGE_OF if re.fullmatch("[a-z]{2,3}", name))
_SOURCE_NAMES = frozenset(["source", "sources", "src", "input", "original", "원문"])
_REFERENCE_NAMES = frozenset([
    "reference", "references", "ref", "refs", "target", "targets", "tgt", "trg", "translation", "translations",
    "traduction", "übersetzung", "번역", "번역문",
])  # fmt: skip
_TEXT_NAMES = frozenset([
    "sentence", "sentences", "text", "texts", "word", "words", "phrase", "phrases", "line", "lines", "segment",
    "segments", "string", "strings", "side", "column", "문장",
])  # fmt: skip
_DETAIL_NAMES = frozenset([
    "id", "ids", "no", "nr", "number", "index", "key", "lang", "language", "score", "license", "licence", "attribution",
    "author", "user", "username", "date", "tag", "tags", "comment", "comments", "notes",
])  # fmt: skip
_LONGEST_NAME = 60  # characters
_REGION = re.compile(r"\b([a-z]{2,3})[-_][a-z0-9]{2,4}\b")  # "en-us", "fra_latn"
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"[a-z]{2,3}|\\N")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\\N")
_SENTENCE_END = tuple(".!?…。！？\"»”")


def get_column_role(name: str, languages: tuple[str, str]) -> ColumnRole | None:
    """Return what a column of that name holds, None for a name that is not known.

    A name may be a word, a code with a region ("en-US"), or several words ("Source sentence", "text_en"), of which a
    language decides before "source" and "target" do.
    """
    source, reference = map(_list_language_names, languages)
    words = _split_column_name(name, source | reference)
    spoken = {word for word in words if word in _LANGUAGE_OF or word in source | reference}
    sides = words & (_SOURCE_NAMES | _REFERENCE_NAMES)
    details = words & _DETAIL_NAMES
    if not words or words - spoken - sides - details - _TEXT_NAMES:
        return None
    if details:
        return "detail"
    if spoken:
        if len({_LANGUAGE_OF.get(word, word) for word in spoken}) > 1:
            return None
        return "source" if spoken & source else "reference" if spoken & reference else "language"
    if not sides:
        return "text"
    if sides <= _SOURCE_NAMES:
        return "source"
    return "reference" if sides <= _REFERENCE_NAMES else None


def _split_column_name(name: str, codes: set[str]) -> set[str]:
    """Return the words of a column's name in lower case, a code that is known or among `codes` without its region."""
    if len(name) > _LONGEST_NAME:
        return set()
    spelt = normalise(name).casefold()
    if spelt in codes:
        return {spelt}
    known = _CODES | codes
    spelt = _REGION.sub(lambda found: found[1] if found[1] in known else found[0], spelt)
    return set(re.findall(r"[^\W_]+", spelt))


def is_header(
    first: Sequence[str], body: Sequence[Sequence[str]], languages: tuple[str, str], is_table: bool
) -> bool:
    """Return whether the first row names its columns; `body` are some of the rows below it, and `is_table` says that
    the file is called a table: in plain text a first line such as "English" is a line, only "English text" is not."""
    cells = [cell for cell in first if cell]
    if not cells or any(map(_NUMBER.fullmatch, cells)):
        return False
    roles = [get_column_role(cell, languages) for cell in cells]
    known = [role for role in roles if role]
    if len(cells) == 1:
        unmistakable = known == ["source"] and len(_split_column_name(cells[0], set())) > 1
        named = bool(known) and "detail" not in known and (is_table or unmistakable)
        return named and _are_sentences([row[0] for row in body if row])
    if len({normalise(cell).casefold() for cell, role in zip(cells, roles, strict=True) if role}) < len(known):
        return False
    if len(cells) == 2:
        if known == ["language", "language"]:
            one, other = ({_LANGUAGE_OF[word] for word in _split_column_name(cell, set()) if word in _LANGUAGE_OF}
                          for cell in cells)
            return one != other
        return len(set(known)) == 2
    return len(known) >= 2 and set(known) != {"detail"}


def detect_column_type(cells: Sequence[str]) -> ColumnType:
    """Return what a column's cells are, but for a header."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return "empty"
    if all(map(_NUMBER.fullmatch, filled)):
        return "number"
    if all(map(_CODE.fullmatch, filled)) and max(set(filled), key=filled.count) in _CODES:
        return "language"
    if all(cell.startswith(("CC-BY", "CC BY", "CC0")) for cell in filled):
        return "licence"
    return "date" if all(map(_DATE.fullmatch, filled)) else "text"


def is_numbering(numbers: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether the first of two columns counts the sentences of the second: whole numbers that rise."""
    if len(numbers) < 2 or any(not number.isascii() or number != str(int(number)) for number in numbers):
        return False
    values = [int(number) for number in numbers]
    rises = all(one < other for one, other in pairwise(values))
    return rises and sum(len(text.split()) for text in texts) >= 3 * len(texts)


def matches_language(code: str, language: str) -> bool:
    """Return whether a code such as "eng" is that of a language such as "en" or "en-GB"."""
    return code.casefold() in _list_language_names(language)


def _list_language_names(language: str) -> set[str]:
    """Return what a column in a language may be called after it, in lower case."""
    code = language.casefold()
    bare = code.partition("-")[0]
    return {code, bare, *_LANGUAGE_NAMES.get(bare, "").split()}


def _are_sentences(lines: Sequence[str]) -> bool:
    """Return whether most lines are whole sentences, not words of a list."""
    long = sum(len(line.split()) >= 3 or line.endswith(_SENTENCE_END) for line in lines)
    return 2 * long > len(lines)
