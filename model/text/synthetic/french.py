"""French morphology for the templates: inflection, articles that agree and elide, numbers in words."""

from __future__ import annotations

import re

from model.text.languages import get_language

WordForm = tuple[str, bool]
"""Gender ("m" or "f"), and whether the form is a plural."""

FORMS: tuple[WordForm, ...] = (("m", False), ("f", False), ("m", True), ("f", True))

_DETERMINER_FORMS: dict[str, tuple[str, str, str, str]] = {
    "le": ("le", "la", "les", "les"),
    "un": ("un", "une", "des", "des"),
    "du": ("de le", "de la", "des", "des"),  # the partitive article; `elide_and_contract` finishes it
    "ce": ("ce", "cette", "ces", "ces"),
    "quel": ("quel", "quelle", "quels", "quelles"),
    "mon": ("mon", "ma", "mes", "mes"),
    "ton": ("ton", "ta", "tes", "tes"),
    "son": ("son", "sa", "ses", "ses"),
    "notre": ("notre", "notre", "nos", "nos"),
    "votre": ("votre", "votre", "vos", "vos"),
    "leur": ("leur", "leur", "leurs", "leurs"),
    "aucun": ("aucun", "aucune", "aucun", "aucune"),
    "il": ("il", "elle", "ils", "elles"),
    "celui": ("celui", "celle", "ceux", "celles"),
    "tout": ("tout", "toute", "tous", "toutes"),
}
DETERMINERS = frozenset(_DETERMINER_FORMS)
POSSESSIVES = ("mon", "ton", "son", "notre", "votre", "leur")
"""Indexed by grammatical person."""

_BEFORE_VOWEL = {"ce": "cet", "ma": "mon", "ta": "ton", "sa": "son"}
_ELIDED = re.compile(r"\b(je|ne|de|le|la|que|me|te|se) (?=(\w+))", re.IGNORECASE)
_SI_IL = re.compile(r"\b([Ss])i (?=ils?\b)")
_CONTRACTED = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}
_CONTRACTING = re.compile(r"\b(de|à) (les?)\b(?= )", re.IGNORECASE)

_SMALL = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)  # fmt: skip
_TENS = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante"}


def begins_with_vowel(word: str) -> bool:
    """Return whether the word before this one is elided: true of "eau" and "homme", not of "haricot" or "onze"."""
    if re.match(r"[YH]", word):  # a name: "d'Yves" and "d'Hélène", but "de Yuki" and "de Hana"
        return bool(re.match(r"Y[^aeiou]|Hél|Hels|Henri\b|Hugo\b", word))
    first_word = re.match(r"\w+", word)
    return bool(first_word and get_language("fr").elision_triggers.match(first_word[0]))


def inflect_determiner(lemma: str, gender: str, is_plural: bool, next_word: str = "") -> str:
    """Return the form of a determiner ("le", "un", "mon", ...) for a noun: "ma", but "mon" before "amie"."""
    form = _DETERMINER_FORMS[lemma][FORMS.index((gender, is_plural))]
    return _BEFORE_VOWEL.get(form, form) if begins_with_vowel(next_word) else form


def elide_and_contract(text: str) -> str:
    """Apply elision and contraction: "je aime le hôtel de le roi" becomes "j'aime l'hôtel du roi".

    "le" and "les" after "de" or "à" must be articles: "de le voir" would become "du voir".
    """
    text = _SI_IL.sub(r"\1'", text)
    text = _ELIDED.sub(lambda match: match[1][:-1] + "'" if begins_with_vowel(match[2]) else match[0], text)
    return _CONTRACTING.sub(_contract, text)


def _contract(match: re.Match[str]) -> str:
    contraction = _CONTRACTED[match[0].lower()]
    return contraction if match[0][0].islower() else contraction.capitalize()


def make_feminine(word: str) -> str:
    """Return the feminine singular of a regular adjective or participle."""
    endings = (("e", "e"), ("er", "ère"), ("eux", "euse"), ("if", "ive"), ("en", "enne"), ("on", "onne"),
               ("el", "elle"), ("et", "ette"))  # fmt: skip
    for masculine_ending, feminine_ending in endings:
        if word.endswith(masculine_ending):
            return word.removesuffix(masculine_ending) + feminine_ending
    return word + "e"


def pluralise(word: str) -> str:
    """Return the plural of a regular noun or adjective."""
    if word[-1] in "sxz":
        return word
    if word == "bleu":
        return "bleus"
    if word.endswith("al"):
        return word.removesuffix("al") + "aux"
    return word + ("x" if word.endswith(("eau", "eu")) else "s")


def build_forms(
    masculine: str, feminine_form: str = "", masculines: str = "", feminines: str = ""
) -> dict[WordForm, str]:
    """Return the four forms of an adjective; the rules make those that are not given."""
    feminine_form = feminine_form or make_feminine(masculine)
    words = masculine, feminine_form, masculines or pluralise(masculine), feminines or pluralise(feminine_form)
    return dict(zip(FORMS, words, strict=True))


def spell_number(value: int, gender: str = "m") -> str:
    """Return a number from 0 to 10,000 in words, as in France, with hyphens below one hundred.

    A final "un" agrees with `gender`. Raises ValueError for any other number.
    """
    if not 0 <= value <= 10_000:
        raise ValueError(f"the number {value} is not written in words; it must be from 0 to 10,000")
    if value >= 1000:
        thousands = "mille" if value < 2000 else f"{spell_number(value // 1000)} mille"
        return thousands + (f" {spell_number(value % 1000, gender)}" if value % 1000 else "")
    if value >= 100:
        hundreds, remainder = divmod(value, 100)
        words = "cent" if hundreds == 1 else f"{_SMALL[hundreds]} cent"
        return f"{words} {spell_number(remainder, gender)}" if remainder else words + ("s" if hundreds > 1 else "")
    words = _spell_below_hundred(value)
    return words + "e" if gender == "f" and re.search(r"\bun$", words) else words


def _spell_below_hundred(value: int) -> str:
    if value < 20:
        return _SMALL[value]
    if value >= 80:
        return f"quatre-vingt-{_SMALL[value - 80]}" if value > 80 else "quatre-vingts"
    tens, unit = divmod(value, 10) if value < 70 else (6, value - 60)
    if not unit:
        return _TENS[tens]
    return f"{_TENS[tens]} et {_SMALL[unit]}" if unit in (1, 11) else f"{_TENS[tens]}-{_SMALL[unit]}"
