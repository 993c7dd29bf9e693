"""Where a translation loses the thread of its sentence, told by the words of a reference that it still finds.

The reference's content words are walked through in order; each is found if the translation has it, or another form of
it (`model.measure.word_alignment.same_or_form`), each of the translation's words standing for one of them. The thread
ends where the reference falls best into a part most of whose words are found and a part most of whose words are not:
after as many words as make (found - missed before) - (found - missed after) the greatest, the longest part of equals.
Other words for the same thing count as missed, for every model alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.measure.contrast.word_alignment import same_or_form
from model.text.function_words import is_content


@dataclass(frozen=True)
class Drift:
    """`asked`: the indices of the reference's content words; `found`: for each the index of the translation's word that
    says it, or None; `kept`: how many of them the thread lasts."""

    asked: tuple[int, ...]
    found: tuple[int | None, ...]
    kept: int

    @property
    def whole(self) -> bool:
        """Whether it lasts to the end."""
        return self.kept == len(self.asked)

    @property
    def lost_after(self) -> int | None:
        """The index of the translation's last word that belongs to the thread, -1 where there is none at all; None
        where the thread is whole."""
        if self.whole:
            return None
        return max((place for place in self.found[: self.kept] if place is not None), default=-1)

    @property
    def share(self) -> float:
        """What share of the content words is found; 1 where there is none."""
        return sum(place is not None for place in self.found) / len(self.found) if self.found else 1.0


def drift(reference: Sequence[str], output: Sequence[str], language: str) -> Drift:
    """How far the words of a translation follow those of a reference of the same language, by the rule above."""
    asked = tuple(place for place, word in enumerate(reference) if is_content(word, language))
    found: list[int | None] = []
    free = [place for place, word in enumerate(output) if is_content(word, language)]
    for wanted in asked:
        place = next((place for place in free if same_or_form(reference[wanted], output[place], language)), None)
        if place is not None:
            free.remove(place)
        found.append(place)
    gains = [1 if place is not None else -1 for place in found]
    cuts = [sum(gains[:cut]) - sum(gains[cut:]) for cut in range(len(gains) + 1)]
    best = max(range(len(cuts)), key=lambda cut: (cuts[cut], cut))
    return Drift(asked, tuple(found), best)
