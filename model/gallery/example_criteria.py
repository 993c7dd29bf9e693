"""What an example shows, asked of its Traces: so that examples are chosen by what the shipped models make of them, and
one that no longer shows it is noticed when the models have changed.

They are what Bahdanau et al. 2015 show in Figure 3 and tell in section 5.2: an order turned round, an article that
waits for its noun, a phrase that is longer in one language; and a sentence that outgrows one vector.
"""

from __future__ import annotations

from collections.abc import Callable

from model.analysis.errors.meaning import MeaningErrors, find_meaning_errors
from model.text.words import is_content_word
from model.trace import Trace

MIN_NOUN_WEIGHT = 0.25  # of an article's attention, given to the noun to come
MIN_FAITHFUL_WORDS = 5  # words of a translation that follow, before it loses the thread

Criterion = Callable[[Trace, Trace], bool]
"""Whether two Traces of a sentence show it: of a model with attention and of one without."""


def is_faithful(one: Trace, other: Trace) -> bool:
    """The model with attention lost and invented nothing and kept the thread."""
    return find_meaning_errors(one) == MeaningErrors((), (), None)


def has_one_token_per_word(one: Trace, other: Trace) -> bool:
    """Every word of the translation is one piece, so that each step of it writes a word."""
    return len(one.target.words) == sum(word >= 0 for word in one.target.word_of)


def reverses_word_order(one: Trace, other: Trace) -> bool:
    """Three neighbouring words of the source come out in the opposite order."""
    looked = _looked(one)
    source = [place for place, word in enumerate(one.source.words) if is_content_word(word, one.source_language)]
    return is_faithful(one, other) and any(
        place + 1 in source and place + 2 in source and all(at in looked for at in range(place, place + 3))
        and looked.index(place) > looked.index(place + 1) > looked.index(place + 2) for place in source)


def has_articles_attending_to_nouns(one: Trace, other: Trace) -> bool:
    """Two articles that looked at the noun to come, not only at the article of the source."""
    weights, looked = one.compute_word_map(), _looked(one)
    small = [not is_content_word(word, one.target_language) for word in one.target.words]
    found = [place for place in range(len(looked) - 1) if small[place] and not small[place + 1]
             and is_content_word(one.source.words[looked[place + 1]], one.source_language)
             and weights[place, looked[place + 1]] >= MIN_NOUN_WEIGHT]
    return is_faithful(one, other) and len(found) >= 2


def expands_one_word(one: Trace, other: Trace) -> bool:
    """A content word of the source that three different words of the translation looked at most."""
    looked = _looked(one)
    return is_faithful(one, other) and any(
        len({word for word, at in zip(one.target.words, looked, strict=True) if at == place}) >= 3
        for place, word in enumerate(one.source.words) if is_content_word(word, one.source_language))


def exceeds_one_vector(one: Trace, other: Trace) -> bool:
    """The model with attention is right, and the one without follows the sentence for a while and loses the thread."""
    found = find_meaning_errors(other)
    return is_faithful(one, other) and found is not None and found.last_followed is not None and found.last_followed >= MIN_FAITHFUL_WORDS


def _looked(trace: Trace) -> list[int]:
    """For each word of the translation the word of the source it looked at most."""
    return [int(place) for place in trace.compute_word_map().argmax(axis=1)]
