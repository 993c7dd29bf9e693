"""The style of a Korean sentence, found in what ends it, and the tag for it at the front of an English source.

A network into Korean learns the tag with the style of its training sentences (Sennrich, Haddow and Birch 2016), and
so lets the reader choose: "<polite> I am a student." gives "저는 학생이에요."
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from model.text.cleaning import Pair
from model.text.hangul import list_syllables_with_tail
from model.text.normalise import NormalisedText

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

STYLES = ("plain", "casual", "polite", "formal")
"""-다, -아/어, -아요/어요, -습니다.

Readers choose among CHOSEN_STYLES; casual sentences are tagged too, so that they don't mix with those.
"""
CHOSEN_STYLES = ("plain", "polite", "formal")
TAGS = {style: f"<{style}>" for style in STYLES}

_WITH_BIEUP = f"[{list_syllables_with_tail('ㅂ')}]"  # a syllable with ㅂ: 입, 갑
_ENDINGS = (
    ("formal", re.compile(rf"(?:{_WITH_BIEUP}니[다까]|십시오|십시요|시오)$")),
    ("polite", re.compile(r"(?:요|죠|구요)$")),
    ("plain", re.compile(r"(?:[가-힣]다|[는은던]가|느냐|으냐|하라|자구나)$")),
    ("casual", re.compile("[가거걸게겨군까꺼나냐네니데돼든떠라래려마봐써셔아야어여와워음자져줘지쳐커켜해]$|구나$")),
)  # fmt: skip
_YES = re.compile("(?:^|[^가-힣])네$")  # of the polite and the formal style
_HORTATIVE = re.compile(f"{_WITH_BIEUP}시다$")  # 갑시다: let's go
_SENTENCE = re.compile(r"[^.!?…]+")
_TRAILING = re.compile(r"[^가-힣]+$")
_TAGGED_SHARE = 0.85


def find_style(korean: str) -> str | None:
    """Return the style of a text, None if its sentences differ or none shows one.

    "네" (yes) is polite, unless another sentence shows the style.
    """
    endings = [_TRAILING.sub("", sentence) for sentence in _SENTENCE.findall(korean)]
    styles = {style for ending in endings if not _YES.search(ending) and (style := _find_ending_style(ending))}
    if not styles and any(map(_YES.search, endings)):
        return "polite"
    return styles.pop() if len(styles) == 1 else None


def _find_ending_style(ending: str) -> str | None:
    if _HORTATIVE.search(ending):
        return "formal"
    return next((style for style, pattern in _ENDINGS if pattern.search(ending)), None)


def add_tag(source: NormalisedText, style: str) -> NormalisedText:
    """Return an English source with the tag of a style at the front."""
    return NormalisedText(f"{TAGS[style]} {source}")


def add_missing_tag(source: NormalisedText, style: str) -> NormalisedText:
    """Return a source with the tag of a style at the front, unless it is empty, has a tag, or `style` is ""."""
    return add_tag(source, style) if source and style and not split_tag(source)[0] else source


def has_style_tags(vocabulary: Vocabulary) -> bool:
    """Return whether every tag is one token of a vocabulary."""
    return all(len(vocabulary.encode(NormalisedText(tag))) == 2 for tag in TAGS.values())  # and EOS


def split_tag(source: str) -> tuple[str, str]:
    """Return the style that the tag of a source names, "" without one, and the source without it."""
    for style, tag in TAGS.items():
        if source.startswith(f"{tag} "):
            return style, source[len(tag) + 1 :]
    return "", source


def tag_pair(pair: Pair) -> Pair:
    """Tag the source of a pair into Korean with the style of its target, if it has one.

    Some pairs, chosen by their text, stay without a tag, so that a source without one can be translated.
    """
    style = find_style(pair[1])
    digest = hashlib.sha256("\t".join(pair).encode()).digest()[0]
    return pair if style is None or digest >= 256 * _TAGGED_SHARE else (add_tag(pair[0], style), pair[1])
