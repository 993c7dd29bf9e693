"""The rules of each language in one table, with plain defaults for languages that are not in it.

A language is identified by its BCP 47 code: "en", "fr", "ko", "pt-BR". Normalisation (model/text/normalise.py) is the
same for all languages, because two languages may share a vocabulary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from model.text.hangul import list_syllables_with_tail

LanguagePair = tuple[str, str]
"""The codes of the source and the target language."""

DEFAULT_PAIR = ("en", "fr")
"""The languages of models and Traces that do not state theirs: older ones are all English-French."""

ANY_LANGUAGE = "mul"
"""Text of unknown or several languages (BCP 47: multiple); every language's elisions are recognised."""

_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_MAX_CODE_LENGTH = 35
_NO_MATCH = re.compile(r"(?!)")
_ORDINAL = re.compile(r"\W*\d{1,2}\.")

_ASCII = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "`")  # which is normalised to "'"
_RARE_LETTERS = "ĈĉĔĕĜĝĤĥĨĩĬĭĲĳĴĵĸĿŀŉŊŋŎŏŜŝŦŧŨũŬŭŴŵŶŷſ"  # Esperanto, Welsh, Sami and letters out of use
_LATIN = "".join(letter for letter in map(chr, range(0xC0, 0x180)) if letter.isalpha() and letter not in _RARE_LETTERS)
_SIGNS = "ȘșȚț€£°§·•ºª²³½"
EUROPEAN_ALPHABET = _ASCII + _LATIN + _SIGNS
"""Always in the vocabulary, so that European names are not spelt in bytes."""

_FRENCH_ELISION = re.compile(r"(?:[ldjmtscnç]|qu|jusqu|lorsqu|puisqu|quoiqu)'", re.IGNORECASE)
# Words that begin with a vowel or a mute h, without those with an aspirated h, listed by stem.
_FRENCH_ELISION_TRIGGERS = re.compile(
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
<plain> <casual> <polite> <formal>
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
이 그 저 이것 그것 저것 이것은 그것은 저것은 이런 그런 저런 것 것이 것은 것을 거 게 수 수가 나 나는 저는 내가 제가
나를 저를 나의 저의 내 제 너 너는 네가 네 당신은 그는 그가 그를 그의 그녀 그녀는 그녀가 그녀를 그녀의 우리 우리는
우리가 우리의 그들 그들은 그들이 그들의 및 또는 그리고 그러나 하지만 그래서 더 좀 있다 있는 있어 있어요 있습니다
있었다 있었어요 있었습니다 한다 해요 합니다 것이다 것입니다 거예요 거야 않다 않는다 않아요 않습니다
"""
# Particles, the copula and verb endings, as far as they are whole syllables.
_KOREAN_ENDINGS = """
은 는 이 가 을 를 의 에 에서 에게 에게서 께 께서 한테 한테서 도 만 로 으로 와 과 랑 이랑 하고 부터 까지 보다 처럼 마다
밖에 조차 마저 에는 에도 이나 이라고 라고 이라는 라는 들 이다 이었 였 입니다 입니까 이에요 예요 이야 이니 이고 이며 인
이지만 이라서 인데 이네요 이죠 이지 다 는다 니다 니까 습니다 습니까 요 어요 아요 세요 으세요 네요 지요 죠 군요 고 며
면 으면 면서 으면서 지 지만 게 기 거나 든지 는데 은데 던 서 어서 아서 려고 으려고 러 으러 도록 자마자 니 자 자고 다고
는다고 냐고 나요 까요 을까요 어야 아야 었 았 겠 시 으시 어 아 해요 했 하다 하는 한 할 하게 하지 하지만 하면 해서 해야
하기 합니다 합니까 해 되다 된 되는 됩니다 됐
"""
_KOREAN_UNDIVIDED = """
바다 하나 거의 다만 서로 바로 따로 우리 나이 사이 아이 거리 머리 자리 다리 소리 나라 바지 아버지 어머니 할머니
할아버지 언니 이제 어제 그제 의사 가게 무게 이미 다시 모두 매우 아주 가장 더 이것 그것 저것 여기 거기 저기 어디 언제
누구 무엇 어떻게 이렇게 그렇게 하지만 그리고 그러나 그래서 그런데 그러면 그래도 필요 중요 주요 수요 월요일 화요일
수요일 목요일 금요일 토요일 일요일 고기 비행기 이야기 감기 전기 여자 남자 과자 의자 모자 글자 학자 기자 피자 도시 혹시
역시 잠시 접시 택시 즉시 거울 가을 마을 노을 오늘 내일 하늘 바늘 회의 강의 주의 정의 종이 고양이 어린이 많이 같이 높이
깊이 특히 열심히 조용히 천천히 정도 지도 온도 속도 태도 제도 아마도 아무도 만나 가다 오다 사다 자다 하다 되다 먹고
아니 아니다 아니요 함께 편지 좋아 오래 노래 아래 모래 미래 이래 원래 그래 소개 무지개 번개 베개 날개 개인 노인 주인
부인 본인 확인 결혼식 물고기 목소리 오리 요리 유리 처리 정리 관리 권리 항상 주로 새로 별로 함부로 스스로 제대로 그대로
"""
# A stem and an ending, with a space between them, where the stem need not be known: its last consonant says it all.
_KOREAN_SURE_ENDINGS = re.compile(
    rf"[{list_syllables_with_tail('ㅂ')}] 니[다까]$"
    rf"|[{list_syllables_with_tail('ㅆ')}] (?:다|어요|습니다|습니까|어|던|지만|는데|고|니|네요)$"
    r"|[A-Za-z0-9] \S+$|. 습니[다까]$|. 이?라고$|[해와워려봐줘져셔돼] 요$"
)
_KOREAN_CLAUSE_OPENERS = "그런데 그러나 하지만 그리고 그래서 그래도 그러므로 그러면 따라서 왜냐하면"
# Connective endings that no particle and few nouns look like. "고" ends a clause for certain only after the past tense.
_KOREAN_CLAUSE_ENDINGS = re.compile(
    rf"(?:.지만|니까|(?:[는은인한던]데)도?|면서|[으하되다려오보프쁘리르지우주치히키]면|자마자|려고|도록|더니|느라고?"
    rf"|거나|므로|때문에|.아서|.어서|[가해여와워라려져돼]서|[{list_syllables_with_tail('ㅆ')}]고)$"
)
_GERMAN_ABBREVIATIONS = """
bzw. ca. d.h. z.b. usw. u.a. nr. str. hr. hrn. fr. dr. prof. st. vgl. ggf. evtl. inkl. bd. abs. art. tel. jh. mio. mrd.
"""
_COMMON_ABBREVIATIONS = frozenset([
    "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "no.", "vs.", "e.g.", "i.e.", "etc.",
    "fig.", "jan.", "feb.", "aug.", "sept.", "oct.", "nov.", "dec.",
])  # fmt: skip
_NUMBER_ABBREVIATIONS = frozenset(["no."])  # words of their own unless a number follows
_ENGLISH_PREPOSITIONS = "of in on at by for with from to about than all like"
_ENGLISH_CLAUSE_OPENERS = """
and but or nor yet that which who whom whose because although though while whereas when where if unless until since
before after whether
"""


def validate_code(code: object) -> str:
    """Return a language code unchanged. Raises ValueError if it is invalid."""
    if not isinstance(code, str) or len(code) > _MAX_CODE_LENGTH or not _CODE.fullmatch(code):
        raise ValueError(f"the language {str(code)[:40]!r} is no language code; give one such as en, fr, ko or pt-BR")
    return code


@dataclass(frozen=True)
class Language:
    """The rules of a language. Defaults are plain rules. Words and patterns are in lower case."""

    code: str
    has_spaces: bool = True
    """Whether words are separated by spaces; otherwise every letter is a word."""
    is_verb_final: bool = False
    """Whether the verb comes last, so that translations into most languages cross."""
    bleu_tokenizer: str = "13a"
    """sacreBLEU's tokenizer for this language."""
    alphabet: str = ""
    """Characters that are always in a vocabulary, however rare."""
    full_stop: str = "."
    function_words: frozenset[str] = frozenset()
    """Words without content; an empty list makes all words content words."""
    optional_words: re.Pattern[str] = _NO_MATCH
    """Matches phrases with a word, as a group, that other languages often leave out."""
    comparatives: re.Pattern[str] = _NO_MATCH
    """Matches a comparative or superlative by its ending ("poorest"), or a word that forms one ("most")."""
    comparative_words: frozenset[str] = frozenset()
    """Words that form a comparative where other languages have an ending."""
    comparative_exceptions: frozenset[str] = frozenset()
    """Words that look like comparatives ("mother")."""
    no_longer: re.Pattern[str] = _NO_MATCH
    """Matches phrases that French renders with "plus": something has ended."""
    repeatable_words: frozenset[str] = frozenset()
    """Words that may occur twice in a row without being a repetition."""
    elision: re.Pattern[str] = _NO_MATCH
    """Matches an elided word, which ends with its apostrophe, at the beginning of a string without spaces."""
    elision_exceptions: re.Pattern[str] = _NO_MATCH
    """Matches words that only look elided."""
    elision_triggers: re.Pattern[str] = _NO_MATCH
    """Matches the beginnings of words before which a vowel is elided."""
    apostrophe: str = "'"
    """The typographic form, for display; so are `quotes`, with the space inside them."""
    quotes: tuple[str, str] = ('"', '"')
    narrow_space_before: str = ""
    """Signs that are displayed with a narrow space before them."""
    clause_openers: frozenset[str] = frozenset()
    """Conjunctions and relatives that begin a clause."""
    clause_endings: re.Pattern[str] = _NO_MATCH
    """Matches the last word of a clause by its ending."""
    min_clause_words: int = 4
    """The fewest words of a clause."""
    that_blockers: frozenset[str] = frozenset()
    """Words after which "that" begins no clause."""
    endings: frozenset[str] = frozenset()
    """Particles and endings of words, which are tokens of their own (model/text/endings.py)."""
    words_with_endings: str = ""
    """A regular expression for the words that `endings` are split from."""
    sure_endings: re.Pattern[str] = _NO_MATCH
    """Matches "stem ending" where the ending is split from an unknown stem too."""
    undivided_words: frozenset[str] = frozenset()
    """Words that only look like a stem and an ending, and are not split."""
    abbreviations: frozenset[str] = frozenset()
    """Words whose full stop does not end a sentence, besides those common in many languages; capitals in them count."""
    has_ordinal_stops: bool = False
    """Whether a full stop after a number makes it ordinal ("am 3. Oktober")."""
    has_capitalised_nouns: bool = False
    """Whether nouns are capitalised, so that text in one case cannot be restored."""

    def __post_init__(self) -> None:
        validate_code(self.code)

    def is_abbreviation(self, word: str, is_before_number: bool = True) -> bool:
        """Return whether a word with a full stop, as written, is an abbreviation or an ordinal number."""
        if word.casefold() in _NUMBER_ABBREVIATIONS and not is_before_number:
            return False
        is_listed = word.casefold() in _COMMON_ABBREVIATIONS or bool({word, word.casefold()} & self.abbreviations)
        return is_listed or (self.has_ordinal_stops and bool(_ORDINAL.fullmatch(word)))

    def count_words(self, text: str) -> int:
        """Count words for limits and ratios, by spaces; without spaces two characters count as a word."""
        if self.has_spaces:
            return len(text.split())
        return (sum(not character.isspace() for character in text) + 1) // 2


_ENGLISH_OPTIONAL_WORDS = (
    r"\b(how) to\b"  # "I know how to drive", "je sais conduire"
    r"|\b(good) (?:morning|evening|night|day|afternoon)\b"  # "bonjour"
    r"|\b(?:half|quarter|ten|twenty|five) (past)\b"  # "trois heures et demie"
    r"|\b(very) much\b"  # "merci beaucoup"
    r"|\b(see) you (?:tomorrow|later|soon|tonight|on|next)\b"  # "à demain"
    r"|\byears? (old)\b"  # "douze ans"
    r"|\bno (?:\w+ ){1,3}(left)\b"  # "il n'y a plus de pain"
)
_FRENCH_OPTIONAL_WORDS = (
    r"\b(petits?) déjeuner"  # "breakfast"
    r"|\b(?:\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|\w+-\w+|vingt"
    r"|trente|quarante|cinquante|soixante|cent) (heures?|ans?)\b"
    r"|\bil (fait) (?:(?:très|trop|plus|si|assez) )?(?:chaud|froid|frais|beau|bon|mauvais|doux|jour|nuit|noir|sombre)\b"
    r"|\ben (train) d[e']"  # "is eating"
    r"|\bpommes? de (terre)\b|\bbrosses? à (dents)\b"
    r"|\b(pris|prend(?:re|s)?|pren(?:ons|ez|nent)) (?:du|de la|de l'|des|une?|le|mon|son|notre|leur) (?:petit[- ])?"
    r"(?:café|thé|lait|eau|jus|verre|tasse|déjeuner|dîner|repas|bain|douche)\b"  # "had coffee"
)

_LANGUAGES = {
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
            optional_words=re.compile(_ENGLISH_OPTIONAL_WORDS),
            clause_openers=frozenset(_ENGLISH_CLAUSE_OPENERS.split()),
            that_blockers=frozenset(_ENGLISH_PREPOSITIONS.split()),
        ),
        Language(
            "fr",
            alphabet=EUROPEAN_ALPHABET,
            function_words=frozenset(_FRENCH_FUNCTION_WORDS.split()),
            optional_words=re.compile(_FRENCH_OPTIONAL_WORDS),
            comparative_words=frozenset({"plus", "moins"}),  # "les plus pauvres", "the poorest"
            repeatable_words=frozenset({"nous", "vous"}),
            elision=_FRENCH_ELISION,
            elision_exceptions=re.compile(r"c'est-à-dire\b", re.IGNORECASE),
            elision_triggers=_FRENCH_ELISION_TRIGGERS,
            apostrophe="’",
            quotes=("«\u202f", "\u202f»"),
            narrow_space_before="?!:;",
            abbreviations=frozenset(["m.", "MM.", "mme.", "mlle."]),
        ),
        Language(
            "de",
            abbreviations=frozenset(_GERMAN_ABBREVIATIONS.split()),
            has_ordinal_stops=True,
            has_capitalised_nouns=True,
        ),
        # No alphabet of eleven thousand syllables: rare ones are spelt in bytes.
        Language(
            "ko",
            is_verb_final=True,
            bleu_tokenizer="char",  # ko-mecab needs a dictionary of its own; words by spaces are too long
            alphabet=_ASCII,
            function_words=frozenset(_KOREAN_FUNCTION_WORDS.split()),
            endings=frozenset(_KOREAN_ENDINGS.split()),
            words_with_endings="[가-힣]+",
            sure_endings=_KOREAN_SURE_ENDINGS,
            undivided_words=frozenset(_KOREAN_UNDIVIDED.split()),
            clause_openers=frozenset(_KOREAN_CLAUSE_OPENERS.split()),
            clause_endings=_KOREAN_CLAUSE_ENDINGS,
            min_clause_words=2,  # a word has its particles and endings
        ),
        Language("ja", has_spaces=False, is_verb_final=True, bleu_tokenizer="char", full_stop="。"),
        Language("zh", has_spaces=False, bleu_tokenizer="zh", full_stop="。"),
        Language("th", has_spaces=False, bleu_tokenizer="char", full_stop=""),
        Language(
            ANY_LANGUAGE, elision=_FRENCH_ELISION, elision_exceptions=re.compile(r"c'est-à-dire\b", re.IGNORECASE)
        ),
    )
}


def get_language(code: str) -> Language:
    """Return the rules of a language, by its code or the part before the first hyphen, else the defaults.

    Raises ValueError for an invalid code.
    """
    return _LANGUAGES.get(code) or _resolve_code(code)


@lru_cache(256)
def _resolve_code(code: str) -> Language:
    return _LANGUAGES.get(validate_code(code).partition("-")[0]) or Language(code)


def parse_language_pair(text: str) -> tuple[str, str]:
    """Parse source and target, "en-ko" or "pt-BR-en". Raises ValueError.

    The first hyphen with a valid code on both sides separates them.
    """
    max_length = 2 * _MAX_CODE_LENGTH + 1
    parts = text[:max_length].split("-")
    pairs = (("-".join(parts[:split]), "-".join(parts[split:])) for split in range(1, len(parts)))
    pair = next((pair for pair in pairs if all(map(_CODE.fullmatch, pair))), None)
    if pair is None or len(text) > max_length:
        raise ValueError(f"the languages {text[:40]!r} are no pair; give source and target, such as en-ko")
    return validate_code(pair[0]), validate_code(pair[1])
