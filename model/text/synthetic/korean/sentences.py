"""English-Korean template sentences; sentences.toml explains the notation.

The Korean is plain (-다), polite (-아요/어요) or formal (-습니다); some fillings come in all three.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from model.text.cleaning import Pair
from model.text.normalise import NormalisedText, normalise
from model.text.synthetic import english
from model.text.synthetic.korean import numbers
from model.text.synthetic.korean.conjugation import CONJUGATED_STYLES, KoreanVerb, Style, attach, conjugate_copula

FOLDER = Path(__file__).parent

_ALL_STYLES_SHARE = 0.3  # of the fillings, in all three styles
_DROPPED_SUBJECTS = 0.3  # of "I", which Korean leaves out where it is clear
_CONTRACTED_SHARE = 0.4
_KOREAN = re.compile(r"\{(?P<slot>[^{}]+)\}|~(?P<particle>은|이랑|이|을|과|으로)"
                     r"|<(?P<word>[^:<>]+)(?::(?P<mode>\w+))?>(?=(?P<question>[^.]*\?)?)")  # fmt: skip
_ENGLISH = re.compile(r"\{(?P<slot>[^{}]+)\}|<(?P<word>[^:<>]+)(?::(?P<mode>\w+))?>")
_COUNTERS = re.compile(r"(\d) (개|권|마리|명|대|장|자루|병|잔|송이|살|원|시간)")
_CONTRACTIONS = {"will not": "won't", "I am": "I'm", "do not": "don't", "does not": "doesn't",
                 "did not": "didn't", "is not": "isn't", "It is": "It's", "What is": "What's", "cannot": "can't",
                 "I will": "I'll", "That is": "That's",
                 "are not": "aren't", "he is": "he's", "She is": "She's", "He is": "He's", "They are": "They're",
                 "We are": "We're", "Where is": "Where's"}  # fmt: skip
_POSSESSIVES = {"1": "my", "2": "your", "w": "our", "m": "his", "f": "her", "p": "their"}
_PERSONS = {r".*(told|asked) me\b": "1", r".*\b[Ll]et's\b": "w", r"(The|Who|I met|Everyone|Nobody|Somebody)\b": "p",
            r".*\{(who|elder)\}": "", r".*\bI\b": "1", r".*": "2"}  # fmt: skip
"""Whose things "my~" are in a template, "" for the subject's: the first pattern that matches counts."""
_ADJECTIVES = ("있다", "없다", "아니다", "아프다", "좋다", "괜찮다", "어렵다", "쉽다", "힘들다", "위험하다", "재미있다",
               "가깝다", "멀다", "많다", "같다", "가득하다", "기쁘다", "행복하다", "미안하다", "고맙다",
               "싶다")  # fmt: skip
"""Adjectives among the dictionary forms that are written in templates."""
_PLURALS = {"child": "children", "mouse": "mice", "sheep": "sheep", "wolf": "wolves", "man": "men", "woman": "women",
            "person": "people", "tomato": "tomatoes", "potato": "potatoes"}  # fmt: skip
_ENDINGS = re.compile("[고지기는ㄴㄹ아았]|면서?|러|려고|니까|라고|다고")


@dataclass(frozen=True)
class Word:
    """A word in both languages.

    `person` of a subject (1, w, m, f, p), `counter` of a counted noun; `forms` of a degree (comparative and
    superlative) and of a reason (past).
    """

    english: str
    korean: str
    person: str = ""
    counter: str = ""
    verb: KoreanVerb | None = None
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class EnglishVerb:
    """The English forms of a verb, and its Korean counterpart if it is known."""

    base: str
    third: str
    past: str
    present_participle: str
    past_participle: str
    korean: KoreanVerb | None = None


@dataclass(frozen=True)
class KoreanLexicon:
    """The words of words.toml by kind."""

    words: Mapping[str, tuple[Word, ...]]
    verbs: Mapping[str, EnglishVerb]
    inflections: Mapping[str, EnglishVerb]
    """The same by the base form, and the irregular verbs of the actions."""
    phrase_kinds: frozenset[str]
    """The kinds of words that are inflected in both languages: actions, reasons and degrees."""


@lru_cache(1)
def load_korean_lexicon() -> KoreanLexicon:
    """Read words.toml, and add names, dates and times."""
    content = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))
    words: dict[str, tuple[Word, ...]] = {}
    for kind, text in (*content["nouns"].items(), *content["names"].items(), *content["who"].items()):
        words[kind] = tuple(_parse_word(row, kind) for row in text.split(", "))
    for kind, text in content["adjectives"].items():
        rows = (row.split("|") for row in text.split(", "))
        words[kind] = tuple(Word(source, target, verb=parse_verb(target, True)) for source, target in rows)
    phrases = {**content["actions"], **content["reasons"], **content["degrees"]}
    for kind, text in phrases.items():
        separator = {"reason": "/", "action": "|"}.get(kind, " ")  # an action has no other forms, so nothing is split
        words[kind] = tuple(_parse_phrase(row, separator) for row in text.split(", "))
    words["name"] = words["men"] + words["women"]
    words["date"] = tuple(Word(*pair) for pair in numbers.list_dates())
    words["time"] = tuple(Word(*pair) for pair in numbers.list_times())
    participles = dict(row.split(" ") for row in content["forms"]["participles"].split(", "))
    verbs = {name: _parse_english_verb(row, participles) for name, row in content["verbs"].items()}
    bases = {verb.base: verb for verb in verbs.values()}
    for row in content["forms"]["verbs"].split(", "):
        base, past, past_participle, *present_participles = row.split(" ")
        verb = replace(inflect(base), past=past, past_participle=past_participle)
        bases[base] = replace(verb, present_participle=present_participles[0]) if present_participles else verb
    return KoreanLexicon(words, verbs, bases, frozenset(phrases))


def _parse_english_verb(row: str, participles: Mapping[str, str]) -> EnglishVerb:
    source, target, *adjective = row.split("|")
    base, third, past, participle = (form.replace("_", " ") for form in source.split())
    verb = parse_verb(target, bool(adjective))
    return EnglishVerb(base, third, past, participle, participles.get(base, past), verb)


def inflect(base: str) -> EnglishVerb:
    """Return the forms of a regular English verb, without its Korean."""
    third = english.pluralise(base) if not base.endswith("o") else base + "es"
    stem = base.removesuffix("e")
    past = base[:-1] + "ied" if third.endswith("ies") else stem + "ed"
    return EnglishVerb(base, third, past, (base if base.endswith("ee") else stem) + "ing", past)


def _parse_phrase(row: str, separator: str) -> Word:
    """Parse an action, a reason (present/past) or a degree (positive comparative superlative), with its Korean verb."""
    source, target, *adjective = row.split("|")
    first, *forms = source.split(separator)
    is_adjective = bool(adjective) or separator == " "
    verb = parse_verb(target, is_adjective)
    return Word(first, target, verb=verb, forms=tuple(form.replace("_", " ") for form in forms))


def parse_verb(text: str, is_adjective: bool = False) -> KoreanVerb:
    """Parse "돕다/ㅂ" or "키가_크다"; "않다|a" is an adjective."""
    text, _, adjective = text.partition("|")
    is_adjective = is_adjective or bool(adjective)
    form, _, irregular = text.replace("_", " ").partition("/")
    return KoreanVerb(form, is_adjective or form in _ADJECTIVES, irregular)


def _parse_word(row: str, kind: str) -> Word:
    source, target, *extra_cells = row.split("|")
    if kind in ("who", "elder"):
        return Word(source, target, person=extra_cells[0])
    return Word(source, target, counter=extra_cells[0] if extra_cells else "")


@lru_cache(1)
def read_templates() -> dict[str, list[list[str]]]:
    """Read the templates and greetings by kind: the English, then Korean variants."""
    content: dict[str, list[list[str]]] = tomllib.loads((FOLDER / "sentences.toml").read_text(encoding="utf-8"))
    return content


def generate_pairs(kind: str, count: int, seed: int) -> Iterator[Pair]:
    """Yield `count` English-Korean pairs from a list of templates in sentences.toml; some may be equal."""
    rng = random.Random(f"{seed} korean {kind}")
    templates = read_templates()[kind]
    pair_count = 0
    while pair_count < count:
        source, *targets = rng.choice(templates)
        filling = choose_words(source, rng)
        has_all_styles = rng.random() < _ALL_STYLES_SHARE
        styles: Sequence[Style] = CONJUGATED_STYLES if has_all_styles else rng.choices(CONJUGATED_STYLES, (4, 4, 3))
        target = rng.choice(targets)
        for style in styles[: count - pair_count]:
            pair_count += 1
            yield (render_english(source, filling, is_contracted=rng.random() < _CONTRACTED_SHARE),
                   render_korean(target, filling, style, drop_subject=rng.random() < _DROPPED_SUBJECTS))  # fmt: skip


def build_greetings() -> list[Pair]:
    """Return greetings with all their Korean variants: as written, without final "." and "!", and so in lower case."""
    pairs: dict[Pair, None] = {}
    for source, *targets in read_templates()["greetings"]:
        for target in targets:
            pairs[normalise(source), normalise(target)] = None
            pairs[normalise(source.rstrip(".!")), normalise(target.rstrip(".!"))] = None
            pairs[normalise(english.to_lower_case(source.rstrip(".!"))), normalise(target.rstrip(".!"))] = None
    return list(pairs)


def choose_words(source: str, rng: random.Random) -> dict[str, Word]:
    """Choose a word for every slot of an English template."""
    filling: dict[str, Word] = {}
    lexicon = load_korean_lexicon()
    for match in _ENGLISH.finditer(source):
        slot = (match["slot"] or match["word"]).removeprefix("a ").rstrip("+~")
        kind = slot.rstrip("0123456789")
        if slot in filling or slot == "my" or (match["word"] and kind not in lexicon.phrase_kinds):
            continue
        if kind in _NUMBER_KINDS:
            filling[slot] = _choose_number(kind, rng)
            continue
        used_words = {word.korean for word in filling.values()}
        choices = [word for word in lexicon.words[kind] if word.korean not in used_words]
        word = rng.choice(choices)
        if kind == "who" and word.english in ("man", "woman"):
            name = rng.choice(lexicon.words["men" if word.english == "man" else "women"])
            word = Word(name.english, name.korean, person=word.person)
        filling[slot] = word
    return filling


_NUMBER_KINDS = ("number", "age", "small", "years", "price", "money", "digits", "pages", "floor", "sino", "year")


def _choose_number(kind: str, rng: random.Random) -> Word:
    """Choose a number, in words or digits."""
    is_spelt = rng.random() < 0.5
    if kind in ("number", "age", "small"):
        value = rng.choice([*range(2, 13), 15, 20]) if kind == "number" else rng.randint(2, 60 if kind == "age" else 12)
        native = numbers.spell_native(value, before_counter=True)
        spelt = english.spell_number(value) if rng.random() < 0.6 else str(value)
        return Word(spelt, native if is_spelt else str(value))
    if kind == "price":
        value = 500 * rng.randint(1, 200)
        return Word(f"{value:,}", numbers.spell_sino(value) if rng.random() < 0.3 else f"{value:,}")
    if kind == "sino":
        value = rng.randint(1, 999)
        return Word(english.spell_number(value) if is_spelt else str(value),
                    numbers.spell_sino(value) if is_spelt else str(value))  # fmt: skip
    if kind == "floor":
        value = rng.randint(2, 20)
        return Word(english.spell_ordinal(value), str(value))
    if kind == "years":
        value = rng.randint(2, 12)
        return Word(english.spell_number(value) if is_spelt else str(value), str(value))
    lowest, highest = {"money": (2, 900), "digits": (12, 5000), "pages": (10, 400), "year": (1940, 2024)}[kind]
    value = rng.randint(lowest, highest)
    text = f"{value:,}" if kind != "year" else str(value)
    return Word(text, text)


def render_english(template: str, filling: Mapping[str, Word], *, is_contracted: bool = False) -> NormalisedText:
    """Return the English sentence, normalised."""
    subject = filling.get("who") or filling.get("elder")
    person = subject.person if subject else "1"
    owner = next(owner for pattern, owner in _PERSONS.items() if re.match(pattern, template)) or person

    def render(match: re.Match[str]) -> str:
        slot, word, mode = match["slot"], match["word"], match["mode"] or ""
        if slot:
            if slot in ("my", "my~"):
                return _POSSESSIVES[owner] if slot == "my~" else "my"
            text = filling[slot.removeprefix("a ").rstrip("+~")].english
            return "a " + text if slot.startswith("a ") else _pluralise(text) if slot.endswith("+") else text
        if word.rstrip("0123456789") not in load_korean_lexicon().phrase_kinds:
            return _conjugate_english(word, mode, person)
        return _inflect_phrase(filling[word], mode, person).replace("my~", _POSSESSIVES[owner])

    text = english.fix_articles(_ENGLISH.sub(render, template))
    text = text[:1].upper() + text[1:]
    if is_contracted:
        for full_form, contraction in _CONTRACTIONS.items():
            text = re.sub(rf"\b{full_form}\b", contraction, text)
    return normalise(text)


def _pluralise(noun: str) -> str:
    head, preposition, complement = noun.partition(" of ")
    return (_PLURALS.get(head) or english.pluralise(head)) + preposition + complement


def _inflect_phrase(word: Word, mode: str, person: str) -> str:
    """Return an action in a mode, a degree compared, or a reason in the present or past."""
    if word.forms:
        return word.forms[1 if mode == "est" else 0] if mode else word.english
    base, space, complement = word.english.partition(" ")
    verb = load_korean_lexicon().inflections.get(base) or inflect(base)
    return _conjugate_english_verb(verb, mode, person) + space + complement


def _conjugate_english(word: str, mode: str, person: str) -> str:
    if word == "be":
        be = _get_be(person)
        return {"": be, "past": "were" if be == "are" else "was", "not": f"{be} not"}[mode]
    return _conjugate_english_verb(load_korean_lexicon().verbs[word], mode, person)


def _get_be(person: str) -> str:
    return {"1": "am", "m": "is", "f": "is"}.get(person, "are")


def _conjugate_english_verb(verb: EnglishVerb, mode: str, person: str) -> str:
    is_third = person in ("m", "f")
    do = "does" if is_third else "do"
    return {
        "": verb.third if is_third else verb.base,
        "base": verb.base,
        "ing": verb.present_participle,
        "done": verb.past_participle,
        "past": verb.past,
        "will": f"will {verb.base}",
        "notwill": f"will not {verb.base}",
        "now": f"{_get_be(person)} {verb.present_participle}",
        "not": f"{do} not {verb.base}",
        "notpast": f"did not {verb.base}",
        "want": f"want{'s' * is_third} to {verb.base}",
        "wantpast": f"wanted to {verb.base}",
        "wantnot": f"{do} not want to {verb.base}",
        "can": f"can {verb.base}",
        "cannot": f"cannot {verb.base}",
        "must": f"{'has' if is_third else 'have'} to {verb.base}",
    }[mode]


def render_korean(
    template: str, filling: Mapping[str, Word], style: Style, *, drop_subject: bool = False
) -> NormalisedText:
    """Return the Korean sentence in a style, normalised."""
    subject = filling.get("who")
    if drop_subject and subject and subject.person == "1" and template.startswith("{who}~은 "):
        template = template.removeprefix("{who}~은 ")
    text, end = "", 0
    for match in _KOREAN.finditer(template):
        text += template[end : match.start()]
        end = match.end()
        if slot := match["slot"]:
            text += _find_korean(slot, filling, style)
        elif particle := match["particle"]:
            text = attach(text, particle)
        elif match["word"] == "cop":
            text = conjugate_copula(text, style, is_past=match["mode"] == "past", is_question=bool(match["question"]))
        else:
            is_other = subject is not None and subject.person not in ("1", "w")
            text += _conjugate(_find_verb(match["word"], filling), match["mode"] or "", style,
                               is_question=bool(match["question"]), is_other=is_other)  # fmt: skip
    text = _COUNTERS.sub(r"\1\2", text + template[end:])
    return normalise(re.sub(r"(?<!\S)(나|저)가 ", lambda match: "내가 " if match[1] == "나" else "제가 ", text))


def _find_korean(slot: str, filling: Mapping[str, Word], style: Style) -> str:
    if slot in ("I", "my"):
        return {"I": ("나", "저"), "my": ("내", "제")}[slot][style != "plain"]
    if slot == "counter":
        return filling["counted"].counter
    word = filling[slot].korean
    if style != "plain":
        word = "저" if word == "나" and slot == "who" else re.sub(r"^내 ", "제 ", word)
    return word


def _find_verb(word: str, filling: Mapping[str, Word]) -> KoreanVerb:
    if word in filling and (adjective := filling[word].verb):
        return adjective
    verbs = load_korean_lexicon().verbs
    return (verbs[word].korean if word in verbs else None) or parse_verb(word)


def _conjugate(verb: KoreanVerb, mode: str, style: Style, *, is_question: bool, is_other: bool) -> str:
    """Return a verb in a mode; most modes are a fixed form and an auxiliary verb."""
    if mode[:1] in ("안", "못"):
        return _conjugate(verb.negate(mode[0]), mode[1:], style, is_question=is_question, is_other=is_other)
    if _ENDINGS.fullmatch(mode):
        return verb.join(mode)
    if mode in ("hon", "honpast", "honnow"):
        honorific = KoreanVerb(verb.join("고") + " 계시다") if mode == "honnow" else verb.make_honorific()
        if style == "polite" and mode != "honpast":
            return honorific.stem[:-1] + "세요"
        return honorific.conjugate(style, is_past=mode == "honpast", is_question=is_question)
    stem, infinitive = verb.stem, verb.infinitive
    if mode in ("", "past"):
        return verb.conjugate(style, is_past=mode == "past", is_question=is_question)
    if mode == "will":
        future = verb.add_tail("ㄹ")
        return future + " " + {"plain": "거니" if is_question else "것이다", "polite": "거예요",
                               "formal": "것입니까" if is_question else "것입니다"}[style]  # fmt: skip
    if mode == "would":
        return stem + "겠" + {"plain": "니" if is_question else "다", "polite": "어요",
                             "formal": "습니까" if is_question else "습니다"}[style]  # fmt: skip
    if mode == "do":
        return {"plain": infinitive, "polite": verb.join("세요"), "formal": verb.join("십시오")}[style]
    if mode == "please" and verb.dictionary_form == "말다":
        return {"plain": "마", "polite": "마세요", "formal": "마십시오"}[style]
    if mode in ("please", "could", "thanks"):
        forms = {"please": ("줘", "주세요", "주십시오"), "could": ("주겠니", "주시겠어요", "주시겠습니까"),
                 "thanks": ("줘서", "줘서", "줘서")}[mode]  # fmt: skip
        giving = forms[CONJUGATED_STYLES.index(style)]
        return stem[:-1] + giving if stem[-1] == "주" else f"{infinitive} {giving}"
    if mode == "let":
        return {"plain": stem + "자", "polite": infinitive + "요", "formal": verb.add_tail("ㅂ") + "시다"}[style]
    prefix, auxiliary, is_adjective = {
        "now": (stem + "고 ", "있다", True),
        "not": (stem + "지 ", "않다", verb.is_adjective),
        "notpast": (stem + "지 ", "않다", verb.is_adjective),
        "notwill": (stem + "지 ", "않다", verb.is_adjective),
        "want": (stem + "고 ", "싶다", True),
        "wantpast": (stem + "고 ", "싶다", True),
        "wantnot": (stem + "고 싶지 ", "않다", True),
        "can": (verb.add_tail("ㄹ") + " 수 ", "있다", True),
        "cannot": (verb.add_tail("ㄹ") + " 수 ", "없다", True),
        "must": (infinitive + "야 ", "하다", False),
    }[mode]
    if mode.startswith("want") and is_other and not is_question:
        prefix, is_adjective = stem + "고 싶어 " + "하지 " * (mode == "wantnot"), False
        auxiliary = "않다" if mode == "wantnot" else "하다"
    helper = KoreanVerb(auxiliary, is_adjective)
    if mode == "notwill":
        return prefix + _conjugate(helper, "will", style, is_question=is_question, is_other=is_other)
    return prefix + helper.conjugate(style, is_past=mode in ("notpast", "wantpast"), is_question=is_question)
