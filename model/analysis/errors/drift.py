"""Where a translation departs from its sentence, judged by the words of a reference translation.

Every content word of the reference, in order, is *found* if the translation has the same word or another form of it
(`model.analysis.errors.word_alignment.same_or_form`); one word of the translation answers at most one of them. The
list of found and missed words is then cut in two, so that the part before the cut is found as far as possible and the
part after it missed: the cut maximises (found - missed) before it minus (found - missed) after it, the last such cut if
there are several. The translation *follows* the reference up to the cut, and has drifted off after it. A synonym counts
as missed, for every model alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.analysis.errors.word_alignment import is_same_or_form
from model.text.words import is_content_word


@dataclass(frozen=True)
class Drift:
    """`content`: the indices of the reference's content words; `found`: for each the index of the translation's word
    that answers it, or None; `followed`: how many of them stand before the cut."""

    content_words: tuple[int, ...]
    matches: tuple[int | None, ...]
    followed_count: int

    @property
    def is_complete(self) -> bool:
        """Whether the translation follows the reference to its end."""
        return self.followed_count == len(self.content_words)

    @property
    def last_followed(self) -> int | None:
        """The index of the translation's last word that follows the reference, -1 where there is none at all; None
        where it follows to the end."""
        if self.is_complete:
            return None
        return max((place for place in self.matches[: self.followed_count] if place is not None), default=-1)

    @property
    def found_share(self) -> float:
        """What share of the content words is found; 1 where there is none."""
        return sum(place is not None for place in self.matches) / len(self.matches) if self.matches else 1.0


def measure_drift(reference: Sequence[str], output: Sequence[str], language: str) -> Drift:
    """How far the words of a translation follow those of a reference of the same language, by the rule above."""
    content = tuple(place for place, word in enumerate(reference) if is_content_word(word, language))
    found: list[int | None] = []
    free = [place for place, word in enumerate(output) if is_content_word(word, language)]
    for wanted in content:
        place = next((place for place in free if is_same_or_form(reference[wanted], output[place], language)), None)
        if place is not None:
            free.remove(place)
        found.append(place)
    return Drift(content, tuple(found), find_cut([place is not None for place in found]))


def find_cut(found: Sequence[bool]) -> int:
    """After how many of these words the thread is lost: where (found - missed) before the cut minus (found - missed)
    after it is greatest, the last such place."""
    gains = [1 if one else -1 for one in found]
    totals = [sum(gains[:place]) - sum(gains[place:]) for place in range(len(gains) + 1)]
    return max(range(len(totals)), key=lambda place: (totals[place], place))
