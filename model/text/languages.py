"""The rules of the languages, in one table, with a plain default for those that nobody has described.

A language is known by its code, as HTML and BCP 47 have it: "en", "fr", "ko", "pt-BR". The canonical form of a text
(model/text/normalise.py) is the same for all of them, so that a vocabulary that two languages share sees one form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LanguagePair = tuple[str, str]
"""The codes of the source and the target language."""

DEFAULT_PAIR = ("en", "fr")
"""Source and target of models and Traces that do not say theirs: they were made before there were others."""

ANY_LANGUAGE = "mul"
"""Text of any language: elided words are told apart wherever a language of the table does so."""

_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LONGEST = 35  # characters of a code
_LONGEST_PAIR = 2 * _LONGEST + 1
_NEVER = re.compile(r"(?!)")
_ORDINAL = re.compile(r"\W*\d{1,2}\.")

_ASCII = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "`")  # which is normalised to "'"
_RARE = "ĈĉĔĕĜĝĤĥĨĩĬĭĲĳĴĵĸĿŀŉŊŋŎŏŜŝŦŧŨũŬŭŴŵŶŷſ"  # Esperanto, Welsh, Sami and letters out of use
_LATIN = "".join(letter for letter in map(chr, range(0xC0, 0x180)) if letter.isalpha() and letter not in _RARE)
_SIGNS = "ȘșȚț€£°§·•ºª²³½"
EUROPEAN_ALPHABET = _ASCII + _LATIN + _SIGNS
"""European names are spelt with these, not byte by byte."""

_ELIDED = re.compile(r"(?:[ldjmtscnç]|qu|jusqu|lorsqu|puisqu|quoiqu)'", re.IGNORECASE)
# Words that begin with a vowel or h, but not those that are treated as if they did not: aspirated h by its stems.
_ELIDES = re.compile(
    r"(?:(?=halei|halo|halt[eé]r|hame[cç]|harmo|hallu|halifax)"
    r"|(?!onz|oui$|ouistiti|ha[iîlmrsuv]|hach|hagard|hand|hang|hara|hé$|hér(os$|iss|on|aut)|heurt|hibou|hid|hiér|hoc"
    r"|holl|homard|hong|hont|hors|hou|hub|huch|hué|huit|hur|hutt"
    r"|hâ|hanch|hann|hant|henn|hern|hers|hêt|hindi|hiss|hob|hoq|hord|hott|hugu|hupp|huss))"
    r"(?:[aàâäæeéèêëiîïoôöœuùûüh]|y(?:$|eux|v))", re.IGNORECASE)  # fmt: skip

_ENGLISH_FUNCTION_WORDS = """
a an the this that these those
i you he she it we they me him her us them my your his its our their who whom whose which what there
am is are was were be been being have has had having do does did will would shall
of to in on at by for with from into as than and or but if so
"""
_FRENCH_FUNCTION_WORDS = """
le la les l' un une des du de d' au aux ce cet cette ces c' ceux celle celles celui cela ça
je j' tu il elle on nous vous ils elles me m' te t' t se s' lui leur leurs y en soi eux moi toi
mon ma mes ton ta tes son sa ses notre nos votre vos qui que qu' dont où quel quelle quels quelles
suis es est sommes êtes sont étais était étions étiez étaient serai sera serons seront serait soit soient
être été étant ai as a avons avez ont avais avait avions avaient aurai aura aurons auront aurait ait aient
avoir eu ayant ne n' à dans sur par pour avec et ou mais si comme
"""
_KOREAN_FUNCTION_WORDS = """
이 그 저 이것 그것 저것 이런 그런 저런 것 것이 것은 것을 수
및 또는 그리고 그러나 하지만 있다 있는 있습니다
"""
_GERMAN_ABBREVIATIONS = """
bzw. ca. d.h. z.b. usw. u.a. nr. str. hr. hrn. fr. dr. prof. st. vgl. ggf. evtl. inkl. bd. abs. art. tel. jh. mio. mrd.
"""
_ENGLISH_PREPOSITIONS = "of in on at by for with from to about than all like"
_ENGLISH_OPENERS = """
and but or nor yet that which who whom whose because although though while whereas when where if unless until since
before after whether
"""


def validate_code(code: object) -> str:
    """The code of a language, as it is given; ValueError where it is none."""
    if not isinstance(code, str) or len(code) > _LONGEST or not _CODE.fullmatch(code):
        raise ValueError(f"the language {str(code)[:40]!r} is no language code; give one such as en, fr, ko or pt-BR")
    return code


@dataclass(frozen=True)
class Language:
    """What is to be known of a language. All that has a default may be left out: the default is the plain rule."""

    code: str
    has_spaces: bool = True
    """Whether spaces stand between its words; where not, every letter is a word of its own."""
    bleu_tokenizer: str = "13a"
    """The tokeniser of sacreBLEU for text of it: 13a parts words at spaces, of which there are none in some."""
    alphabet: str = ""
    """Characters that are pieces of a vocabulary however rare they are in its text."""
    full_stop: str = "."
    function_words: frozenset[str] = frozenset()
    """Words, in lower case, that carry no content; without a list every word carries some."""
    optional_words: re.Pattern[str] = _NEVER
    """In words in lower case with a space between them: a word, as a group, that other languages often leave unsaid."""
    comparatives: re.Pattern[str] = _NEVER
    """A whole word in lower case that is compared by its ending ("poorest"), or that compares ("most");"""
    comparative_words: frozenset[str] = frozenset()
    """words that do so where other languages have an ending."""
    comparative_exceptions: frozenset[str] = frozenset()
    """Words that only end as if they compared ("mother"), though what is left of them is a word too."""
    no_longer: re.Pattern[str] = _NEVER
    """In words with a space between them: that something is over, where other languages say "plus"."""
    repeatable_words: frozenset[str] = frozenset()
    """Words that may stand twice in a row without being a repetition."""
    elision: re.Pattern[str] = _NEVER
    """A word that ends with its apostrophe, at the beginning of what no space divides."""
    elision_exceptions: re.Pattern[str] = _NEVER
    """Words that look as if they began with such a one, and don't."""
    elision_triggers: re.Pattern[str] = _NEVER
    """The beginnings of words before which a vowel is elided."""
    apostrophe: str = "'"
    """As it is printed."""
    quotes: tuple[str, str] = ('"', '"')
    """As they are printed, what belongs inside of them included."""
    narrow_space_before: str = ""
    """The signs before which a narrow space is printed."""
    clause_openers: frozenset[str] = frozenset()
    """Words that begin a clause: conjunctions and relatives;"""
    that_blockers: frozenset[str] = frozenset()
    """words after which `that` is none of them;"""
    abbreviations: frozenset[str] = frozenset()
    """words whose full stop ends nothing."""
    has_ordinal_stops: bool = False
    """Whether a full stop makes a number an ordinal one, and so ends nothing ("am 3. Oktober")."""
    has_capitalised_nouns: bool = False
    """Whether nouns begin with a capital, which text in capitals or small letters has lost for good."""

    def __post_init__(self) -> None:
        validate_code(self.code)

    def is_abbreviation(self, word: str) -> bool:
        """Whether the full stop of a word in lower case ends nothing: it is an abbreviation, or an ordinal number."""
        return word in self.abbreviations or (self.has_ordinal_stops and bool(_ORDINAL.fullmatch(word)))

    def count_words(self, text: str) -> int:
        """How many words a text has, for limits and ratios: what stands between spaces; without spaces, half as many
        as letters and signs."""
        return len(text.split()) if self.has_spaces else (sum(not sign.isspace() for sign in text) + 1) // 2


_ENGLISH_UNSAID = (
    r"\b(how) to\b"  # "I know how to drive", "je sais conduire"
    r"|\b(good) (?:morning|evening|night|day|afternoon)\b"  # "bonjour"
    r"|\b(?:half|quarter|ten|twenty|five) (past)\b"  # "trois heures et demie"
    r"|\b(very) much\b"  # "merci beaucoup"
    r"|\b(see) you (?:tomorrow|later|soon|tonight|on|next)\b"  # "à demain"
    r"|\byears? (old)\b"  # "douze ans"
    r"|\bno (?:\w+ ){1,3}(left)\b"  # "il n'y a plus de pain"
)
_FRENCH_UNSAID = (
    r"\b(petits?) déjeuner"  # "breakfast"
    r"|\b(?:\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|\w+-\w+|vingt"
    r"|trente|quarante|cinquante|soixante|cent) (heures?|ans?)\b"
    r"|\bil (fait) (?:(?:très|trop|plus|si|assez) )?(?:chaud|froid|frais|beau|bon|mauvais|doux|jour|nuit|noir|sombre)\b"
    r"|\ben (train) d[e']"  # "is eating"
    r"|\bpommes? de (terre)\b|\bbrosses? à (dents)\b"
    r"|\b(pris|prend(?:re|s)?|pren(?:ons|ez|nent)) (?:du|de la|de l'|des|une?|le|mon|son|notre|leur) (?:petit[- ])?"
    r"(?:café|thé|lait|eau|jus|verre|tasse|déjeuner|dîner|repas|bain|douche)\b"  # "had coffee"
)

_TABLE = {
    language.code: language
    for language in (
        Language(
            "en",
            alphabet=EUROPEAN_ALPHABET,
            function_words=frozenset(_ENGLISH_FUNCTION_WORDS.split()),
            comparatives=re.compile(r"\w{3,}(?:er|est)|more|most|less|least"),
            comparative_exceptions=frozenset(
                ["mother", "number", "corner", "brother", "flower", "tower", "shower", "river", "dinner"]
            ),
            no_longer=re.compile(r"\bno (?:\w+ ){1,3}left\b|\bno longer\b"),  # "il n'y a plus de pain"
            optional_words=re.compile(_ENGLISH_UNSAID),
            clause_openers=frozenset(_ENGLISH_OPENERS.split()),
            that_blockers=frozenset(_ENGLISH_PREPOSITIONS.split()),
            abbreviations=frozenset(["mr.", "mrs.", "ms.", "dr.", "st.", "no.", "e.g.", "i.e."]),
        ),
        Language(
            "fr",
            alphabet=EUROPEAN_ALPHABET,
            function_words=frozenset(_FRENCH_FUNCTION_WORDS.split()),
            optional_words=re.compile(_FRENCH_UNSAID),
            comparative_words=frozenset({"plus", "moins"}),  # "les plus pauvres", "the poorest"
            repeatable_words=frozenset({"nous", "vous"}),
            elision=_ELIDED,
            elision_exceptions=re.compile(r"c'est-à-dire\b", re.IGNORECASE),
            elision_triggers=_ELIDES,
            apostrophe="’",
            quotes=("«\u202f", "\u202f»"),
            narrow_space_before="?!:;",
        ),
        Language(
            "de",
            abbreviations=frozenset(_GERMAN_ABBREVIATIONS.split()),
            has_ordinal_stops=True,
            has_capitalised_nouns=True,
        ),
        # Eleven thousand syllables can't all be pieces: the rare ones are spelt in bytes.
        Language("ko", alphabet=_ASCII, function_words=frozenset(_KOREAN_FUNCTION_WORDS.split())),
        Language("ja", has_spaces=False, bleu_tokenizer="char", full_stop="。"),
        Language("zh", has_spaces=False, bleu_tokenizer="zh", full_stop="。"),
        Language("th", has_spaces=False, bleu_tokenizer="char", full_stop=""),
        Language(ANY_LANGUAGE, elision=_ELIDED, elision_exceptions=re.compile(r"c'est-à-dire\b", re.IGNORECASE)),
    )
}


def get_language(code: str) -> Language:
    """The rules of a language: those of the table for its code or for the code before the first hyphen, else the plain
    ones. Raises ValueError for what is no code."""
    return _TABLE.get(code) or _resolve_code(code)


@lru_cache(256)
def _resolve_code(code: str) -> Language:
    return _TABLE.get(validate_code(code).partition("-")[0]) or Language(code)


def parse_language_pair(text: str) -> tuple[str, str]:
    """Source and target out of "en-ko" or "pt-BR-en", parted at the first hyphen that has a code on either side;
    ValueError where that is not what is given."""
    parts = text[:_LONGEST_PAIR].split("-")
    pairs = (("-".join(parts[:place]), "-".join(parts[place:])) for place in range(1, len(parts)))
    found = next((pair for pair in pairs if all(map(_CODE.fullmatch, pair))), None)
    if found is None or len(text) > _LONGEST_PAIR:
        raise ValueError(f"the languages {text[:40]!r} are no pair; give source and target, such as en-ko")
    return validate_code(found[0]), validate_code(found[1])
