"""Two translations of one sentence side by side: which of their words answer each other, and what was lost, repeated
or invented.

Without a reference no machine knows what a translation lost. What is marked here is what can be counted in two Traces,
by the following rules; nothing else is claimed. Only *content words* (`model.text.function_words`) are ever marked.

- *Counterpart*: two content words, one of either translation, are counterparts if they are the same word (in upper or
  lower case), or forms of one word: their first letters agree, accents aside, for at least four letters and at least
  two thirds of the longer word. A word has at most one counterpart: where one translation has a word three times and
  the other one twice, the first two of the three have one. Synonyms are no counterparts.
- *Repeated*: the source may itself repeat a content word; let n be how often its most frequent one occurs. From its
  n+1st occurrence on a content word of the translation is repeated, with the function words around it that are the
  same as before. So is a run of function words that follows on itself ("de la de la"), but for doubles that are
  grammatical in their language, such as the French "nous nous".
- *Replacement*: a content word without a counterpart, no repetition, that the alignment puts in the place of one
  without a counterpart: it is wrong, or the same in other words. A counter can't tell.
- *Lost*, by a model with attention: a content word of the source whose *coverage*, the attention that all words of
  the translation gave it together (Tu et al. 2016), stays below LOST_BELOW: one that was properly translated has
  about 1. By a model without attention, where the other one has it: a content word of the source for which the content
  word of the other translation that looked at it most, by at least LOOKED_FROM, has neither a counterpart nor a
  replacement here; with a replacement it is *replaced*.
- *Invented*: a content word, no repetition, that the other translation has nowhere and the source does not account
  for. A model with attention gave no word of the source LOOKED_FROM while writing it; of a model without, where the
  other one has attention, it has to be no replacement. Two models without attention can't tell what is lost or
  invented.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.measure.contrast.word_alignment import Columns, align_words, counterparts, same_or_form
from model.text import languages
from model.text.function_words import is_content, is_word
from model.trace import Array, Trace

LOST_BELOW = 0.25  # of one target word's whole attention
LOOKED_FROM = 0.3  # a share of one target word's attention
Words = tuple[int, ...]
"""Words by their indices, rising."""


@dataclass(frozen=True)
class Reading:
    """One translation, read beside another one of the same sentence.

    `words`: the target's words; `repeated`, `invented`, `unmatched` (content words without a counterpart): indices into
    them, rising. `lost`, `replaced`: indices of words of the source, rising; `lost_words`: the words of `lost`
    themselves. `coverage`: for each word of the source the attention it got from all words of the target together, in
    words; None without attention. `log_probability` in nats.
    """

    words: tuple[str, ...]
    repeated: Words
    invented: Words
    unmatched: Words
    lost: Words
    replaced: Words
    lost_words: tuple[str, ...]
    coverage: tuple[float, ...] | None
    log_probability: float

    @property
    def covered(self) -> int | None:
        """How many words of the source, punctuation too, got LOST_BELOW of attention or more; None without any."""
        return None if self.coverage is None else sum(value >= LOST_BELOW for value in self.coverage)


@dataclass(frozen=True)
class Differences:
    """Two translations of one sentence: `columns` aligns their words (`align_words`), `one` and `other` read them."""

    one: Reading
    other: Reading
    columns: Columns


def comparable(one: Trace, other: Trace) -> bool:
    """Whether two Traces are of the same sentence, its words divided alike, in the same languages."""
    return one.source.words == other.source.words and one.languages == other.languages


def differences(one: Trace, other: Trace) -> Differences:
    """What tells two translations of the same sentence apart, by the rules above, in either order.

    Raises ValueError where the two Traces are not `comparable`.
    """
    if not comparable(one, other):
        raise ValueError("Only translations of the same sentence into the same language can be compared: got "
                         f"{one.source.text[:60]!r} and "
                         f"{other.source.text[:60]!r}.")
    language = one.target_language
    columns = align_words(one.target.words, other.target.words, language)
    pairs = counterparts(one.target.words, other.target.words, columns, language)
    turned = tuple((right, left) for left, right in columns)
    return Differences(_read(one, other, columns, pairs),
                       _read(other, one, turned, {right: left for left, right in pairs.items()}), columns)


def reading(trace: Trace) -> Reading:
    """One translation with no other beside it: of what it alone can tell, what it repeats and what it hardly looked at.
    Nothing is unmatched or invented."""
    weights = _weights(trace)
    lost = () if weights is None else _uncovered(trace, weights)
    return _reading(trace, weights, repeated(trace), (), (), lost, ())


def _read(mine: Trace, other: Trace, columns: Columns, pairs: dict[int, int]) -> Reading:
    """`mine` beside `other`; `columns` and `pairs` (my word to the other's) as seen from `mine`."""
    words, language = mine.target.words, mine.target_language
    weights, others = _weights(mine), _weights(other)
    content = [word for word, text in enumerate(words) if is_content(text, language)]
    unmatched = _last(words, content, pairs)
    twice = repeated(mine)
    candidates = [word for word in unmatched if word not in twice]
    unheard = [word for word in candidates
               if not any(same_or_form(words[word], one, language) for one in other.target.words)]
    lost: Words = ()
    replaced: Words = ()
    invented: Words = ()
    if weights is not None:
        lost = _uncovered(mine, weights)
        invented = tuple(word for word in unheard if weights[word].max(initial=0.0) < LOOKED_FROM)
    elif others is not None:
        answered = set(pairs.values())
        instead = {right: left for left, right in columns
                   if left in candidates and right is not None and right not in answered
                   and is_content(other.target.words[right], language)}
        missing = _unanswered(other, others, answered)
        lost = tuple(word for word, said in missing if said not in instead)
        replaced = tuple(word for word, said in missing if said in instead)
        invented = tuple(word for word in unheard if word not in instead.values())
    return _reading(mine, weights, twice, invented, unmatched, lost, replaced)


def _last(words: Sequence[str], content: Sequence[int], pairs: Mapping[int, int]) -> Words:
    """The content words without a counterpart: where a word stands several times and not all of these have one, the
    last ones."""
    places: dict[str, list[int]] = {}
    for word in content:
        places.setdefault(words[word].casefold(), []).append(word)
    return tuple(sorted(word for same in places.values() for word in same[sum(place in pairs for place in same) :]))


def _reading(
    trace: Trace, weights: Array | None, repeated: Words, invented: Words, unmatched: Words, lost: Words,
    replaced: Words,
) -> Reading:
    coverage = None if weights is None else tuple(float(value) for value in weights.sum(axis=0))
    return Reading(trace.target.words, repeated, invented, unmatched, lost, replaced,
                   tuple(trace.source.words[word] for word in lost), coverage, trace.log_probability)


def _weights(trace: Trace) -> Array | None:
    """α over words without the sentences' ends, (target words, source words); None for a model without attention."""
    return trace.word_map() if trace.attends else None


def _uncovered(trace: Trace, weights: Array) -> Words:
    """The content words of the source that all words of the target together hardly looked at."""
    coverage = weights.sum(axis=0)
    return tuple(word for word, text in enumerate(trace.source.words)
                 if is_content(text, trace.source_language) and coverage[word] < LOST_BELOW)


def _unanswered(other: Trace, weights: Array, answered: set[int]) -> list[tuple[int, int]]:
    """The content words of the source that the `other` translation said, by its own `weights`, in a content word that
    is not among the `answered`: each with that word."""
    content = [word for word, text in enumerate(other.target.words) if is_content(text, other.target_language)]
    found = []
    for word, text in enumerate(other.source.words):
        if not content or not is_content(text, other.source_language):
            continue
        said = content[int(np.argmax(weights[content, word]))]
        if weights[said, word] >= LOOKED_FROM and said not in answered:
            found.append((word, said))
    return found


def repeated(trace: Trace) -> Words:
    """The indices, rising, of the words of a translation that repeat more than its source does."""
    return repetitions(trace.target.words, trace.source.words, trace.target_language, trace.source_language)


def repetitions(words: Sequence[str], source: Sequence[str], language: str, source_language: str) -> Words:
    """The indices, rising, of the words of a translation that repeat more than the `source` does."""
    folded = [word.casefold() for word in words]
    content = [is_content(word, language) for word in words]
    doubled = languages.of(language).doubled
    own = Counter(word.casefold() for word in source if is_content(word, source_language))
    allowed = max(own.values(), default=1)
    marked: set[int] = set()
    seen: dict[str, list[int]] = {}
    for place, word in enumerate(folded):
        if not content[place]:
            continue
        before = seen.setdefault(word, [])
        if len(before) >= allowed:
            marked.add(place)
            for step in (-1, 1):  # the function words around it that stood around it before
                here, there = place + step, before[-1] + step
                while (there >= 0 and here < len(folded) and folded[here] == folded[there]
                       and is_word(folded[here]) and not content[here]):
                    marked.add(here)
                    here, there = here + step, there + step
        before.append(place)
    for length in range(1, 5):
        for place in range(length, len(folded) - length + 1):
            run = folded[place : place + length]
            if (run == folded[place - length : place] and all(map(is_word, run))
                    and not any(content[place : place + length])
                    and not (length == 1 and run[0] in doubled)):
                marked.update(range(place, place + length))
    return tuple(sorted(marked))
