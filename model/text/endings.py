"""Where a particle or an ending begins in a word, learnt from text: "학생|이다", "학교|에서|는".

Vocabularies are trained with these boundaries, so that endings are tokens of their own. A stem is a beginning of words
that several endings follow: "고양이" keeps its last syllable because "고양" is followed by little else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set

from model.text.languages import Language

_MIN_FIRST_SYLLABLES = 3  # different beginnings of the endings after a stem
BOUNDARY = "\t"


def is_ending_sequence(text: str, endings: Set[str]) -> bool:
    """Return whether a text is nothing but endings, or empty."""
    starts = [0]  # the positions up to which the text is endings
    for end in range(1, len(text) + 1):
        if any(text[start:end] in endings for start in starts):
            starts.append(end)
    return starts[-1] == len(text)


class EndingFinder:
    """The boundaries before the endings of a language's words."""

    def __init__(self, language: Language, lines: Iterable[str]) -> None:
        """Learn the stems from normalised lines."""
        self._endings = language.endings
        self._undivided_words = language.undivided_words
        self._word = re.compile(language.words_with_endings or r"(?!)")
        self._longest = max(map(len, self._endings), default=0)
        first_syllables: defaultdict[str, set[str]] = defaultdict(set)
        for word in {word for line in lines for word in self._word.findall(line)}:
            for ending in self._list_endings(word):
                first_syllables[word[: -len(ending)]].add(ending[0])
        self._stems: Set[str] = {
            stem for stem, syllables in first_syllables.items() if len(syllables) >= _MIN_FIRST_SYLLABLES
        }
        self._sure_endings = language.sure_endings

    def mark(self, line: str) -> str:
        """Return the line with BOUNDARY before every ending."""
        return self._word.sub(lambda match: BOUNDARY.join(self.divide(match[0])), line)

    def divide(self, word: str) -> list[str]:
        """Return the stem and the endings of a word."""
        parts: list[str] = []
        while word not in self._undivided_words:
            for ending in self._list_endings(word):
                stem = word[: -len(ending)]
                if stem in self._stems or self._sure_endings.search(f"{stem} {ending}"):
                    parts.insert(0, ending)
                    word = stem
                    break
            else:
                break
        return [word, *parts]

    def _list_endings(self, word: str) -> list[str]:
        """Return the endings of a word that leave a stem, longest first."""
        lengths = range(min(self._longest, len(word) - 1), 0, -1)
        return [word[-length:] for length in lengths if word[-length:] in self._endings]
