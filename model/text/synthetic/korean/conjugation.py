"""Korean morphology for the templates: particles that agree with a final consonant, and verbs in three styles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.text.hangul import compose_syllable, is_syllable, split_syllable

Style = Literal["plain", "polite", "formal"]
"""-다, -아요/어요 and -습니다."""
CONJUGATED_STYLES: tuple[Style, ...] = ("plain", "polite", "formal")

_CONTRACTED = dict(zip("ㅏㅓㅐㅔㅕㅗㅜㅣㅚ", "ㅏㅓㅐㅔㅕㅘㅝㅕㅙ", strict=True))  # a vowel and -아/어
# The form after a consonant, and after a vowel.
_PARTICLES = {"은": "는", "이": "가", "을": "를", "과": "와", "으로": "로", "이랑": "랑"}
_AFTER_VOWEL = ("면", "면서", "러", "려고", "니까", "라고", "시", "세요", "십시오")  # after a consonant with 으
_HONORIFICS = {"먹다": "드시다", "마시다": "드시다", "자다": "주무시다", "있다": "계시다", "말하다": "말씀하시다",
               "아프다": "편찮으시다"}  # fmt: skip
_SPOKEN_TAILS = dict(zip("013678LMNRlmnr", "ㅇㄹㅁㄱㄹㄹㄹㅁㄴㄹㄹㅁㄴㄹ", strict=True))  # digits and letters


def find_tail(text: str) -> str:
    """Return the final consonant of a text as it is read, "" for a vowel."""
    last = text[-1:]
    if is_syllable(last):
        return split_syllable(last)[2]
    return _SPOKEN_TAILS.get(last, "")


def attach(word: str, particle: str) -> str:
    """Attach a particle, given in its form after a consonant: 학생은, 나는, 서울로."""
    tail = find_tail(word)
    after_vowel = _PARTICLES.get(particle, particle)
    if particle == "으로" and tail == "ㄹ":
        return word + after_vowel
    return word + (particle if tail else after_vowel)


@dataclass(frozen=True)
class KoreanVerb:
    """A verb or adjective by its dictionary form; `irregular` is the consonant or syllable that changes (ㅂ, 르)."""

    dictionary_form: str
    is_adjective: bool = False
    irregular: str = ""

    @property
    def stem(self) -> str:
        """The dictionary form without 다."""
        return self.dictionary_form.removesuffix("다")

    @property
    def infinitive(self) -> str:
        """The form with -아/어, contracted: 가, 마셔, 먹어, 도와, 들어, 몰라."""
        stem, last = self.stem, self.stem[-1]
        vowel, tail = _find_vowel(last), find_tail(last)
        if last == "하":
            return stem[:-1] + "해"
        if self.irregular == "ㅂ":
            return _replace_tail(stem, "") + ("와" if last == "돕" else "워")
        if self.irregular == "르":
            syllable = stem[-2]
            return stem[:-2] + _replace_tail(syllable, "ㄹ") + ("라" if _find_vowel(syllable) in "ㅏㅗ" else "러")
        if self.irregular in ("ㄷ", "ㅅ"):
            stem = _replace_tail(stem, "ㄹ" if self.irregular == "ㄷ" else "")
        elif not tail and vowel == "ㅡ":
            is_bright = is_syllable(stem[-2:-1]) and _find_vowel(stem[-2]) in "ㅏㅗ"
            return stem[:-1] + _replace_vowel(last, "ㅏ" if is_bright else "ㅓ")
        elif not tail and vowel in _CONTRACTED and stem != "아니":
            return stem[:-1] + _replace_vowel(last, _CONTRACTED[vowel])
        return stem + ("아" if vowel in "ㅏㅗ" else "어")

    @property
    def past_stem(self) -> str:
        """The stem of the past: 갔, 먹었, 했."""
        return _replace_tail(self.infinitive, "ㅆ")

    def add_tail(self, tail: str) -> str:
        """Return the stem with -(으)ㄴ or -(으)ㄹ: 갈, 먹을, 살, 들을, 도울."""
        stem = self.stem
        if self.irregular == "ㅂ":
            return _replace_tail(stem, "") + _replace_tail("우", tail)
        if self.irregular in ("ㄷ", "ㅅ"):
            stem = _replace_tail(stem, "ㄹ" if self.irregular == "ㄷ" else "")
            return stem + _replace_tail("으", tail)
        if find_tail(stem) in ("", "ㄹ"):
            return _replace_tail(stem, tail)
        return stem + _replace_tail("으", tail)

    def join(self, ending: str) -> str:
        """Return the stem with an ending: 먹으면, 도우러, 사니까, 먹는. 아, 았, 다고 name forms: 가, 갔, 간다고."""
        if ending == "아":
            return self.infinitive
        if ending == "았":
            return self.past_stem
        if ending == "다고":
            return self.conjugate("plain") + "고"
        has_existence = self.dictionary_form.endswith(("있다", "없다"))  # 재미있는, although an adjective
        if ending in ("ㄴ", "는") and self.is_adjective:
            return self.stem + "는" if has_existence else self.add_tail("ㄴ")
        if ending in ("ㄴ", "ㄹ"):
            return self.add_tail(ending)
        drops_l = ending[0] in "는니시세십"
        stem = _replace_tail(self.stem, "") if drops_l and find_tail(self.stem) == "ㄹ" else self.stem
        if ending not in _AFTER_VOWEL:
            return stem + ending
        if self.irregular in ("ㅂ", "ㄷ", "ㅅ"):
            return self.add_tail("") + ending
        return stem + ("" if find_tail(stem) in ("", "ㄹ") else "으") + ending

    def negate(self, adverb: str) -> KoreanVerb:
        """Return the verb with 안 or 못 before its last word, before 하다 of a noun: 저녁을 안 먹다, 운동 안 하다."""
        first_words, space, last_word = self.dictionary_form.rpartition(" ")
        noun, verb = "", last_word
        for suffix in ("하다", "시키다"):
            if last_word.endswith(suffix) and last_word not in (suffix, "잘하다") and not self.is_adjective:
                noun, verb = last_word.removesuffix(suffix) + " ", suffix
        return KoreanVerb(f"{first_words}{space}{noun}{adverb} {verb}", self.is_adjective, self.irregular)

    def make_honorific(self) -> KoreanVerb:
        """Return the verb that honours its subject: 읽으시다, 드시다."""
        first_words, space, last_word = self.dictionary_form.rpartition(" ")
        if last_word in _HONORIFICS:
            return KoreanVerb(first_words + space + _HONORIFICS[last_word], self.is_adjective)
        return KoreanVerb(self.join("시") + "다", self.is_adjective)

    def conjugate(self, style: Style, *, is_past: bool = False, is_question: bool = False) -> str:
        """Return the form that ends a sentence."""
        if is_past:
            return self.past_stem + {"plain": "니" if is_question else "다", "polite": "어요",
                                     "formal": "습니까" if is_question else "습니다"}[style]  # fmt: skip
        stem = self.stem
        without_l = _replace_tail(stem, "") if find_tail(stem) == "ㄹ" else stem
        if style == "polite":
            return "아니에요" if self.dictionary_form == "아니다" else self.infinitive + "요"
        if style == "formal":
            formal = _replace_tail(without_l, "ㅂ") if not find_tail(without_l) else stem + "습"
            return formal + ("니까" if is_question else "니다")
        if is_question:
            return without_l + "니"
        if self.is_adjective:
            return stem + "다"
        return stem + "는다" if find_tail(without_l) else _replace_tail(without_l, "ㄴ") + "다"


def conjugate_copula(noun: str, style: Style, *, is_past: bool = False, is_question: bool = False) -> str:
    """Return a noun with 이다: 학생이다, 학생이에요, 친구예요, 학생입니다."""
    has_tail = bool(find_tail(noun))
    if is_past:
        endings = {"plain": "니" if is_question else "다", "polite": "어요",
                   "formal": "습니까" if is_question else "습니다"}  # fmt: skip
        return noun + ("이었" if has_tail else "였") + endings[style]
    if style == "polite":
        return noun + ("이에요" if has_tail else "예요")
    if style == "formal":
        return noun + ("입니까" if is_question else "입니다")
    return noun + (("이니" if has_tail else "니") if is_question else "이다")


def _find_vowel(syllable: str) -> str:
    return split_syllable(syllable)[1]


def _replace_vowel(syllable: str, vowel: str) -> str:
    lead, _, tail = split_syllable(syllable)
    return compose_syllable(lead, vowel, tail)


def _replace_tail(text: str, tail: str) -> str:
    """Replace the final consonant of the last syllable."""
    lead, vowel, _ = split_syllable(text[-1])
    return text[:-1] + compose_syllable(lead, vowel, tail)
