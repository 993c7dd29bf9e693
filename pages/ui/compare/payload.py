"""Two models' translations of one sentence side by side, whole or growing clause by clause, as one browser component.

All data is sent once; growing, pointing and keys run in the browser (assets/player/compare).
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
from model.text import languages
from model.text.clauses import split_clauses
from model.trace import Side, Trace
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.charts import learning_curves
from pages.ui.charts.curves import get_line_style
from pages.ui.charts.payload_parts import find_attended_words
from pages.ui.compare import growing_sentence as grown_by
from pages.ui.compare import small_curve
from pages.ui.compare.growing_sentence import TracePair
from pages.ui.compare.payload_types import CompareData, ComparedModel, ComparedSide, ComparedStage, Mark
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.numbers import format_millions
from pages.ui.i18n.typography import format_decimal, get_trailing_text, split_gaps, typeset
from pages.ui.widgets.provenance import describe_provenance

KEY = "comparison"

_mount = Component("compare", CompareData)


def render_comparison(data: CompareData) -> None:
    """Draw the comparison of a payload."""
    moved = grown_by.make_clause_callback(KEY, data["languages"][0])
    _mount(key=KEY, data=data, on_grow_change=grown_by.make_grow_callback(KEY), on_clause_change=moved)


def build_compare_payload(pairs: Sequence[TracePair], clause: int, settings: Settings, t: Messages) -> CompareData:
    """What the component draws: the translations of a sentence's beginnings, the whole one last (or alone), opened at
    `clause`, 0 for the whole."""
    pairs = [(one, other if other is not None and is_comparable(one, other) else None) for one, other in pairs]
    whole = pairs[-1]
    traces = [trace for trace in whole if trace is not None]
    text = whole[0].source.text
    grown = len(pairs) > 1
    fed = (
        [0, *count_prefix_words(whole[0].source, whole[0].source_language)]
        if grown
        else [0, len(whole[0].source.words)]
    )
    stages = [
        _stage(pair, pairs[number - 1] if number else None, whole[0], (fed[number], fed[number + 1]))
        for number, pair in enumerate(pairs)
    ]
    return {
        "text": text,
        "source": typeset(whole[0].source, whole[0].source_language),
        "tail": get_trailing_text(whole[0].source),
        "languages": (whole[0].source_language, whole[0].target_language),
        "models": [_model(trace, t) for trace in traces],
        "same": len({trace.made_by.model for trace in traces}) < len(traces),
        "stages": stages,
        "clauses": len(split_clauses(text, whole[0].source_language)),
        "grown": grown,
        "growing": bool(clause) and not grown,
        "clause": clause if grown else 0,
        "runs": grown_by.count_runs(),
        "curve": small_curve.build_curve_payload(traces, settings, t),
        "told": has_lexicon(whole[0]),
        "bare": grown and any(trace.made_by.edits for trace in traces),
        "trained": [told for told in (_trained(trace, t) for trace in traces) if told],
        "equal": _equally_trained(traces, t),
        "made": describe_provenance(traces, t),
        "words": t.table("compare"),
        "language": t.language,
    }


def _trained(trace: Trace, t: Messages) -> str:
    """How far a Trace's model was trained, by its card; "" where there is none or where it does not say."""
    card = cards.find_trained_card(trace.made_by.model, trace.made_by.fingerprint)
    if card is None:
        return ""
    pieces = format_millions(card.target_tokens, t)
    return t.sent("compare.trained", model=card.title, pieces=pieces, hours=format_decimal(card.hours, 1))


def _equally_trained(traces: Sequence[Trace], t: Messages) -> str:
    """How they translated a development text when all had had as many hours; "" where that is not known of them."""
    names = [trace.made_by.model for trace in traces]
    if len(set(names)) < 2 or not all(
        cards.find_trained_card(one.made_by.model, one.made_by.fingerprint) for one in traces
    ):
        return ""
    found = learning_curves.load_learning_curves()
    text = found.choose_text(names)
    of = found.select(names, text, "hours")
    if len(of) < len(names):
        return ""
    return t.sent("compare.equal", set=text, **learning_curves.compare_at_common_amount(of, "hours", t))


def _model(trace: Trace, t: Messages) -> ComparedModel:
    style = get_line_style(trace.made_by.model)
    return {
        "name": get_title(trace.made_by.model),
        "attends": trace.has_attention,
        "dashed": not style.is_ink,
        "hollow": style.is_hollow,
        "marker": style.marker,
    }


def count_prefix_words(source: Side, language: str) -> list[int]:
    """How many words of a sentence each of its beginnings has, the punctuation at its end counted."""
    ends: list[int] = []
    end = 0
    for gap, word in split_gaps(source):
        end += len(gap) + len(word)
        ends.append(end)
    parts = split_clauses(source.text, language)
    lengths = [len(" ".join(parts[: count + 1])) for count in range(len(parts))]
    return [sum(end <= length for end in ends) for length in lengths]


def _stage(pair: TracePair, before: TracePair | None, whole: Trace, fed: tuple[int, int]) -> ComparedStage:
    """One beginning of the sentence: how many words it has at its spaces, and both translations. `fed`: how many words
    the one before has of the whole, and this one."""
    one, other = pair
    places = map_positions(one.source.words, whole.source.words)
    columns: Columns = tuple((word, None) for word in range(len(one.target.words)))
    readings = [find_errors(one)]
    if other is not None:
        found = compare_translations(one, other)
        columns, readings = found.columns, [found.first, found.second]
    unmatched = [set(read.unmatched) for read in readings]
    instead = [words for words in columns if all(word in of for word, of in zip(words, unmatched, strict=False))]
    sides = [
        _side(trace, read, {words[number] for words in instead}, places, None if before is None else before[number])
        for number, (trace, read) in enumerate(zip(filter(None, pair), readings, strict=True))
    ]
    return {
        "count": languages.get_language(one.source_language).count_words(one.source.text),
        "columns": list(columns),
        "sides": sides,
        "old": fed[0],
        "fed": fed[1],
    }


def map_positions(words: Sequence[str], whole: Sequence[str]) -> list[int]:
    """Where each word of a beginning stands in the whole sentence; the full stop that was put there is its last."""
    return [
        place if place < len(whole) and whole[place] == word else len(whole) - 1 for place, word in enumerate(words)
    ]


def _side(
    trace: Trace, read: TranslationErrors, instead: AbstractSet[int | None], places: Sequence[int], before: Trace | None
) -> ComparedSide:
    """One translation: its words, how each is marked (`instead`: those that stand over another word, neither with a
    counterpart), and what it looked at, by the whole sentence's words (-1: the end); and what has changed since the
    stage before."""
    marks: list[Mark] = ["other" if word in instead else "" for word in range(len(read.words))]
    for word in read.additions:
        marks[word] = "invented"
    for word in read.repetitions:
        marks[word] = "repeated"
    kept, gone = _changes(before, trace)
    return {
        "words": typeset(trace.target, trace.target_language),
        "tail": get_trailing_text(trace.target),
        "marks": marks,
        "looks": find_attended_words(trace, places),
        "lost": [places[word] for word in read.omissions],
        "followed": read.last_followed,
        "new": [] if before is None else [word not in kept for word in range(len(read.words))],
        "gone": gone,
        "log": format_decimal(trace.log_probability, 1),
        "finished": trace.finished,
        "covered": read.covered_words,
        "of": len(trace.source.words),
    }


def _changes(before: Trace | None, trace: Trace) -> tuple[set[int], list[str]]:
    """Which words of a translation the one before had too, and which of its words stand nowhere in this one."""
    if before is None:
        return set(), []
    kept: set[int] = set()
    gone: list[str] = []
    there = {word.casefold() for word in trace.target.words}
    shown = [word for _, word in typeset(before.target, before.target_language)]
    for old, new in align_words(before.target.words, trace.target.words, trace.target_language):
        if old is None:
            continue
        word = before.target.words[old].casefold()
        if new is not None and word == trace.target.words[new].casefold():
            kept.add(new)
        elif word not in there:  # it may only have moved
            gone.append(shown[old])
    return kept, gone
