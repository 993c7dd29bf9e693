"""Translations by two models side by side, of a sentence or of each of its prefixes, as one browser component.

All data is sent once; interaction runs in the browser (assets/player/compare).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from model.analysis.errors.differences import (
    Columns,
    TranslationErrors,
    compare_translations,
    find_errors,
    is_comparable,
)
from model.analysis.errors.meaning import has_lexicon
from model.analysis.errors.word_alignment import align_words
from model.decoding import Settings
from model.serialization.codec import CodecError
from model.text import languages
from model.text.clauses import split_clauses
from model.text.politeness import split_tag
from model.text.words import count_without_punctuation
from model.trace import Side, Trace
from pages.ui.backend import cards, evaluations
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import (
    EvaluationIndex,
    EvaluationSearch,
    describe_search,
    describe_test_set,
    load_evaluation,
)
from pages.ui.charts import learning_curves
from pages.ui.charts.payload_parts import (
    LengthPoint,
    build_curve_points,
    build_line_style,
    count_tag_words,
    find_attended_words,
    mark_errors,
)
from pages.ui.compare import growing_sentence
from pages.ui.compare.growing_sentence import TracePair
from pages.ui.compare.payload_types import (
    CompareData,
    ComparedModel,
    ComparedPrefix,
    ComparedSide,
    CurveData,
    CurveSet,
)
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_millions, get_trailing_text, split_gaps, typeset
from pages.ui.results import long_sentences
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.unknown_words import describe_unknown_words, find_unknown_source_words

KEY = "comparison"

_mount = Component("compare", CompareData)


def render_comparison(data: CompareData) -> None:
    """Draw the comparison of a payload."""
    _mount(
        key=KEY,
        data=data,
        on_grow_change=growing_sentence.make_grow_callback(KEY),
        on_clause_change=growing_sentence.make_clause_callback(KEY, data["languages"][0]),
    )


def build_compare_payload(pairs: Sequence[TracePair], clause: int, settings: Settings, t: Messages) -> CompareData:
    """Return the payload for the translations of a sentence's prefixes, the whole sentence last (or alone).

    `clause`: how many clauses to show first, 0 for the whole sentence.
    """
    pairs = [(trace, other if other is not None and is_comparable(trace, other) else None) for trace, other in pairs]
    full_pair = pairs[-1]
    traces = [trace for trace in full_pair if trace is not None]
    first, text = full_pair[0], full_pair[0].source.text
    is_grown = len(pairs) > 1
    counts = [0, *(count_prefix_words(first.source, first.source_language) if is_grown else [len(first.source.words)])]
    prefixes = [
        _build_prefix(pair, pairs[number - 1] if number else None, first, (counts[number], counts[number + 1]))
        for number, pair in enumerate(pairs)
    ]
    return {
        "text": text,
        "source": typeset(first.source, first.source_language),
        "unknown_words": find_unknown_source_words(traces),
        "tail": get_trailing_text(first.source),
        "languages": (first.source_language, first.target_language),
        "models": [_build_model(trace.provenance.model) for trace in traces],
        "is_same_model": len({trace.provenance.model for trace in traces}) < len(traces),
        "prefixes": prefixes,
        "clause_count": len(split_clauses(text, first.source_language)),
        "has_prefixes": is_grown,
        "is_growing": bool(clause) and not is_grown,
        "shown_clause_count": clause if is_grown else 0,
        "growth_count": growing_sentence.get_growth_count(),
        "curve": build_curve_payload(traces, settings, t),
        "has_lexicon": has_lexicon(first),
        "ignores_overrides": is_grown and any(trace.provenance.overrides for trace in traces),
        "training_notes": list(filter(None, (_describe_hours_and_tokens(trace, t) for trace in traces))),
        "equal_training": _compare_equal_training(traces, t),
        "provenance": describe_provenance(traces, t),
        "unknown_notes": describe_unknown_words([trace for pair in pairs for trace in pair if trace is not None], t),
        "messages": t.get_table("compare"),
        "language": t.language,
    }


def _describe_hours_and_tokens(trace: Trace, t: Messages) -> str:
    """Say how long the model of a Trace was trained; "" if its card does not tell."""
    card = cards.find_trained_card(trace.provenance.model, trace.provenance.fingerprint)
    if card is None:
        return ""
    pieces = format_millions(card.target_tokens, t)
    return t.format_for_component(
        "compare.trained", model=card.title, pieces=pieces, hours=format_decimal(card.hours, 1)
    )


def _compare_equal_training(traces: Sequence[Trace], t: Messages) -> str:
    """Compare BLEU on a development text after equal training, in hours or tokens; "" if that is unknown."""
    names = [trace.provenance.model for trace in traces]
    if len(set(names)) < 2 or not all(
        cards.find_trained_card(trace.provenance.model, trace.provenance.fingerprint) for trace in traces
    ):
        return ""
    learning = learning_curves.load_learning_curves()
    text = learning.choose_text(names)
    unit = learning_curves.choose_training_unit(names)
    curves = learning.select(names, text, unit)
    if len(curves) < len(names):
        return ""
    return t.format_for_component(
        "compare.equal", set=text, **learning_curves.compare_at_common_amount(curves, unit, t)
    )


def _build_model(name: str) -> ComparedModel:
    return {"name": get_title(name), **build_line_style(name)}


def build_curve_payload(traces: Sequence[Trace], settings: Settings, t: Messages) -> CurveData:
    """Return the length curves of the models of `traces` on every test set with an evaluation of the same weights.

    They are of the same search if there is such an evaluation. Else they are greedy, and the set's name says so.
    """
    index = evaluations.load_index()
    sets: list[CurveSet] = []
    for test_set in index.test_sets:
        lines = [_find_line(index, test_set, trace, settings.beam) for trace in traces]
        searches = dict.fromkeys(line[1] for line in lines if line is not None)
        if searches:
            name = describe_test_set(test_set, t, index.test_sets)
            if any(search.beam != settings.beam for search in searches):
                name = ", ".join((name, *(describe_search(search, t) for search in searches)))
            points = [None if line is None else line[0] for line in lines]
            sets.append({"key": test_set, "name": name, "lines": points})
    return {"sets": sets, "messages": t.get_table("compare_curve")}


def _find_line(
    index: EvaluationIndex, test_set: str, trace: Trace, beam: int
) -> tuple[list[LengthPoint], EvaluationSearch] | None:
    provenance = trace.provenance
    for search in dict.fromkeys((EvaluationSearch(beam), EvaluationSearch(1))):
        entry = index.find_entry(test_set, provenance.model, search)
        if entry is None or entry.fingerprint != provenance.fingerprint:
            continue
        try:
            return build_curve_points(load_evaluation(entry.path).by_length), search
        except CodecError:  # reported by Length and BLEU
            continue
    return None


def count_prefix_words(source: Side, language: str) -> list[int]:
    """Return how many words of a sentence each of its prefixes has, with the punctuation at its end."""
    word_ends: list[int] = []
    end = 0
    for gap, word in split_gaps(source):
        end += len(gap) + len(word)
        word_ends.append(end)
    parts = split_clauses(source.text, language)
    lengths = [len(" ".join(parts[: count + 1])) for count in range(len(parts))]
    return [sum(end <= length for end in word_ends) for length in lengths]


def _build_prefix(
    pair: TracePair, previous: TracePair | None, full_trace: Trace, counts: tuple[int, int]
) -> ComparedPrefix:
    """Return both translations of one prefix. `counts`: how many words the previous prefix and this one have."""
    first, second = pair
    positions = map_positions(first.source.words, full_trace.source.words)
    columns: Columns = tuple((word, None) for word in range(len(first.target.words)))
    errors = [find_errors(first)]
    if second is not None:
        comparison = compare_translations(first, second)
        columns, errors = comparison.columns, [comparison.first, comparison.second]
    unmatched_words = [set(translation.unmatched) for translation in errors]
    substitutions = [
        words
        for words in columns
        if all(word in side_unmatched for word, side_unmatched in zip(words, unmatched_words, strict=False))
    ]
    sides = [
        _build_side(
            trace,
            own_errors,
            {words[number] for words in substitutions},
            positions,
            None if previous is None else previous[number],
        )
        for number, (trace, own_errors) in enumerate(zip(filter(None, pair), errors, strict=True))
    ]
    return {
        "word_count": languages.get_language(first.source_language).count_words(split_tag(first.source.text)[1]),
        "columns": list(columns),
        "sides": sides,
        "previous_end": counts[0],
        "end": counts[1],
    }


def map_positions(words: Sequence[str], sentence_words: Sequence[str]) -> list[int]:
    """Return the position of each word of a prefix in the whole sentence; an added full stop is the last word."""
    last = len(sentence_words) - 1
    return [index if index <= last and sentence_words[index] == word else last for index, word in enumerate(words)]


def _build_side(
    trace: Trace,
    errors: TranslationErrors,
    substitutions: AbstractSet[int | None],
    positions: Sequence[int],
    previous: Trace | None,
) -> ComparedSide:
    """Return one translation with marked words, attention and the changes since the `previous` prefix.

    Args:
        substitutions: words that are aligned with a different word of the other translation.
        positions: of the prefix's words in the whole sentence.
    """
    unchanged_words, removed_words = _find_changes(previous, trace)
    return {
        "words": typeset(trace.target, trace.target_language),
        "tail": get_trailing_text(trace.target),
        "marks": mark_errors(errors, substitutions),
        "unknown_words": sorted(trace.target.unknown_words),
        "copied_words": sorted(trace.copied_words),
        "attended": find_attended_words(trace, positions),
        "omissions": [positions[word] for word in errors.omissions],
        "last_followed": long_sentences.find_last_followed(trace, errors),
        "is_new": [] if previous is None else [word not in unchanged_words for word in range(len(errors.words))],
        "removed_words": removed_words,
        "log_probability": format_decimal(trace.log_probability, 1),
        "is_finished": trace.is_finished,
        "attended_word_count": errors.covered_words,
        "source_word_count": count_without_punctuation(trace.source.words[count_tag_words(trace.source) :]),
        "word_count": count_without_punctuation(trace.target.words),
    }


def _find_changes(previous: Trace | None, trace: Trace) -> tuple[set[int], list[str]]:
    """Return the positions of words that the previous translation has too, and its words that this one lacks."""
    if previous is None:
        return set(), []
    unchanged_words: set[int] = set()
    removed_words: list[str] = []
    current_words = {word.casefold() for word in trace.target.words}
    displayed_words = [word for _, word in typeset(previous.target, previous.target_language)]
    for old_index, new_index in align_words(previous.target.words, trace.target.words, trace.target_language):
        if old_index is None:
            continue
        word = previous.target.words[old_index].casefold()
        if new_index is not None and word == trace.target.words[new_index].casefold():
            unchanged_words.add(new_index)
        elif word not in current_words:  # it may only have moved
            removed_words.append(displayed_words[old_index])
    return unchanged_words, removed_words
