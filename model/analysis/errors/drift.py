"""Find where a translation drifts away from its sentence, judged by the words of a reference translation.

Every content word of the reference, in order, is *found* if the translation has the same word or a form of it
(`model.analysis.errors.word_alignment.is_same_or_form`); a word of the translation matches at most one of them. The
sequence of found and missed words is cut in two: the cut maximises (found - missed) before it minus (found - missed)
after it, the last such cut if there are several. The translation *follows* the reference up to the cut, and has drifted
after it. Synonyms count as missed, for every model alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.analysis.errors.word_alignment import is_same_or_form
from model.text.words import is_content_word


@dataclass(frozen=True)
class Drift:
    """How far a translation follows a reference.

    Attributes:
        content_words: indices of the reference's content words.
        matches: for each of them the index of the matching word of the translation, or None.
        followed_count: how many of them are before the cut.
    """

    content_words: tuple[int, ...]
    matches: tuple[int | None, ...]
    followed_count: int

    @property
    def is_complete(self) -> bool:
        """Whether the translation follows the reference to its end."""
        return self.followed_count == len(self.content_words)

    @property
    def last_followed(self) -> int | None:
        """Index of the translation's last word that follows the reference; -1 if none does, None if it follows to the
        end.
        """
        if self.is_complete:
            return None
        return max((match for match in self.matches[: self.followed_count] if match is not None), default=-1)

    @property
    def found_share(self) -> float:
        """The share of content words found; 1 if there are none."""
        return sum(match is not None for match in self.matches) / len(self.matches) if self.matches else 1.0


def measure_drift(reference: Sequence[str], output: Sequence[str], language: str) -> Drift:
    """Measure how far the words of a translation follow a reference in the same language."""
    content = tuple(index for index, word in enumerate(reference) if is_content_word(word, language))
    matches: list[int | None] = []
    free = [index for index, word in enumerate(output) if is_content_word(word, language)]
    for content_word in content:
        index = next(
            (index for index in free if is_same_or_form(reference[content_word], output[index], language)), None
        )
        if index is not None:
            free.remove(index)
        matches.append(index)
    return Drift(content, tuple(matches), find_cut([index is not None for index in matches]))


def find_cut(is_matched: Sequence[bool]) -> int:
    """Return how many words are before the cut that maximises (matched - unmatched) before minus after it, the last
    such cut.
    """
    gains = [1 if flag else -1 for flag in is_matched]
    totals = [sum(gains[:cut]) - sum(gains[cut:]) for cut in range(len(gains) + 1)]
    return max(range(len(totals)), key=lambda cut: (totals[cut], cut))
