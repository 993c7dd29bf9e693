"""Table headers: whether the first line names the columns, and what a column holds.

A first pair ("text", "texte") or a word of a list ("English") must not be taken for a header. So one known name is not
enough: the other columns must have names too, or the rows below must look different from the first line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from model.text.normalise import normalise

ColumnRole = Literal["source", "reference", "language", "text", "detail"]
"""What a column's name says: a side, another language, text of an unknown side, or a detail (number, licence, ...)."""

ColumnType = Literal["empty", "number", "language", "licence", "date", "text"]
"""What a column's cells are."""

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
_LANGUAGE_CODES = {name: code for code, names in _LANGUAGE_NAMES.items() for name in (code, *names.split())}
_CODES = frozenset(name for name in _LANGUAGE_CODES if re.fullmatch("[a-z]{2,3}", name))
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
_MAX_NAME_LENGTH = 60  # characters
_REGION = re.compile(r"\b([a-z]{2,3})[-_][a-z0-9]{2,4}\b")  # "en-us", "fra_latn"
_NUMBER = re.compile(r"\d+")
_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_CODE = re.compile(r"[a-z]{2,3}|\\N")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\\N")
_SENTENCE_END = tuple(".!?…。！？\"»”")


def get_column_role(name: str, languages: tuple[str, str]) -> ColumnRole | None:
    """Return what a column's name says, None for an unknown name.

    A name may be a word, a code with a region ("en-US") or several words ("Source sentence", "text_en"); a language
    takes precedence over "source" and "target".
    """
    source, reference = map(_list_language_names, languages)
    words = _split_column_name(name, source | reference)
    language_words = {word for word in words if word in _LANGUAGE_CODES or word in source | reference}
    side_words = words & (_SOURCE_NAMES | _REFERENCE_NAMES)
    detail_words = words & _DETAIL_NAMES
    if not words or words - language_words - side_words - detail_words - _TEXT_NAMES:
        return None
    if detail_words:
        return "detail"
    if language_words:
        if len({_LANGUAGE_CODES.get(word, word) for word in language_words}) > 1:
            return None
        return "source" if language_words & source else "reference" if language_words & reference else "language"
    if not side_words:
        return "text"
    if side_words <= _SOURCE_NAMES:
        return "source"
    return "reference" if side_words <= _REFERENCE_NAMES else None


def _split_column_name(name: str, codes: set[str]) -> set[str]:
    """Return the words of a column's name in lower case, known codes and those in `codes` without region."""
    if len(name) > _MAX_NAME_LENGTH:
        return set()
    name = normalise(name).casefold()
    if name in codes:
        return {name}
    known_codes = _CODES | codes
    name = _REGION.sub(lambda match: match[1] if match[1] in known_codes else match[0], name)
    return set(re.findall(r"[^\W_]+", name))


def is_header_row(
    first: Sequence[str], body: Sequence[Sequence[str]], languages: tuple[str, str], is_table: bool
) -> bool:
    """Return whether the first row names the columns; `body` are some rows below it.

    `is_table`: the file name says that it is a table. In plain text "English" is a line and "English text" a header.
    """
    cells = [cell for cell in first if cell]
    if not cells or any(map(_NUMBER.fullmatch, cells)):
        return False
    roles = [get_column_role(cell, languages) for cell in cells]
    known_roles = [role for role in roles if role]
    if len(cells) == 1:
        is_unmistakable = known_roles == ["source"] and len(_split_column_name(cells[0], set())) > 1
        has_name = bool(known_roles) and "detail" not in known_roles and (is_table or is_unmistakable)
        return has_name and _are_sentences([row[0] for row in body if row])
    if len({normalise(cell).casefold() for cell, role in zip(cells, roles, strict=True) if role}) < len(known_roles):
        return False
    if len(cells) == 2:
        if known_roles == ["language", "language"]:
            first_codes, second_codes = (
                {_LANGUAGE_CODES[word] for word in _split_column_name(cell, set()) if word in _LANGUAGE_CODES}
                for cell in cells
            )
            return first_codes != second_codes
        return len(set(known_roles)) == 2
    return len(known_roles) >= 2 and set(known_roles) != {"detail"}


def detect_column_type(cells: Sequence[str]) -> ColumnType:
    """Return what a column's cells are, header excluded."""
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
    """Return whether the first of two columns numbers the sentences of the second: increasing whole numbers."""
    if len(numbers) < 2 or not all(map(_PLAIN_NUMBER.fullmatch, numbers)):
        return False
    is_increasing = all(number < next_number for number, next_number in pairwise(map(int, numbers)))
    return is_increasing and sum(len(text.split()) for text in texts) >= 3 * len(texts)


def matches_language(code: str, language: str) -> bool:
    """Return whether a code such as "eng" means a language such as "en" or "en-GB"."""
    return code.casefold() in _list_language_names(language)


def _list_language_names(language: str) -> set[str]:
    """Return the names of a language as columns may have them, in lower case."""
    code = language.casefold()
    code_without_region = code.partition("-")[0]
    return {code, code_without_region, *_LANGUAGE_NAMES.get(code_without_region, "").split()}


def _are_sentences(lines: Sequence[str]) -> bool:
    """Return whether most lines are sentences, not words of a list."""
    count = sum(len(line.split()) >= 3 or line.endswith(_SENTENCE_END) for line in lines)
    return 2 * count > len(lines)
