"""Criteria that opening examples must meet, checked on their Traces.

They choose the examples by how the shipped models translate them, and tests fail when new models no longer meet them.
`reverses_word_order`, `has_articles_attending_to_nouns` and `expands_one_word` are observations of Bahdanau et al.
2015, Figure 3 and section 5.2. `exceeds_one_vector` is a sentence too long for a single vector.
"""

from __future__ import annotations

from collections.abc import Callable

from model.analysis.errors.meaning import MeaningErrors, find_meaning_errors
from model.text.words import is_content_word
from model.trace import Trace

MIN_NOUN_WEIGHT = 0.25  # attention of an article to the following noun
MIN_FAITHFUL_WORDS = 5  # translated before the drift

Criterion = Callable[[Trace, Trace], bool]
"""A test of two Traces of one sentence: by a model with attention and by one without."""


def is_faithful(attention_trace: Trace, _: Trace) -> bool:
    """Return whether the model with attention has no omissions, no additions and no drift."""
    return find_meaning_errors(attention_trace) == MeaningErrors((), (), None)


def has_one_token_per_word(attention_trace: Trace, _: Trace) -> bool:
    """Return whether every word of the translation is one token, so that each step writes a word."""
    target = attention_trace.target
    return len(target.words) == sum(word >= 0 for word in target.word_of)


def reverses_word_order(attention_trace: Trace, other_trace: Trace) -> bool:
    """Return whether three neighbouring content words of the source are translated in reverse order."""
    attended = _find_attended_words(attention_trace)
    content = {index for index, word in enumerate(attention_trace.source.words)
               if is_content_word(word, attention_trace.source_language)}
    triples = [(index, index + 1, index + 2) for index in sorted(content)]
    return is_faithful(attention_trace, other_trace) and any(
        content.issuperset(triple) and set(triple).issubset(attended)
        and attended.index(triple[0]) > attended.index(triple[1]) > attended.index(triple[2]) for triple in triples)


def has_articles_attending_to_nouns(attention_trace: Trace, other_trace: Trace) -> bool:
    """Return whether two articles attend to their following noun, not only to the article of the source."""
    trace = attention_trace
    weights, attended = trace.compute_word_map(), _find_attended_words(trace)
    is_function_word = [not is_content_word(word, trace.target_language) for word in trace.target.words]
    articles = [index for index in range(len(attended) - 1) if is_function_word[index]
                and not is_function_word[index + 1]
                and is_content_word(trace.source.words[attended[index + 1]], trace.source_language)
                and weights[index, attended[index + 1]] >= MIN_NOUN_WEIGHT]
    return is_faithful(trace, other_trace) and len(articles) >= 2


def expands_one_word(attention_trace: Trace, other_trace: Trace) -> bool:
    """Return whether three different words of the translation attend most to one content word of the source."""
    trace, attended = attention_trace, _find_attended_words(attention_trace)
    return is_faithful(trace, other_trace) and any(
        len({target for target, index in zip(trace.target.words, attended, strict=True) if index == position}) >= 3
        for position, word in enumerate(trace.source.words) if is_content_word(word, trace.source_language))


def exceeds_one_vector(attention_trace: Trace, other_trace: Trace) -> bool:
    """Return whether only the model without attention loses the meaning, after some faithful words."""
    errors = find_meaning_errors(other_trace)
    return (is_faithful(attention_trace, other_trace) and errors is not None and errors.last_followed is not None
            and errors.last_followed >= MIN_FAITHFUL_WORDS)


def _find_attended_words(trace: Trace) -> list[int]:
    """Return for each word of the translation the source word with the greatest weight."""
    return [int(position) for position in trace.compute_word_map().argmax(axis=1)]
