"""The data of the story's six scenes, for one browser component (assets/player/story).

All of it is shipped: phrase counts and Traces (assets/story, opening, figures), evaluations, and model cards. No model
is loaded. A scene whose files are missing or damaged has no picture.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import TypeVar

import streamlit as st

from model.analysis.errors.differences import compare_translations, is_comparable
from model.analysis.errors.meaning import gloss_words
from model.analysis.metrics.length_curve import LengthBin
from model.analysis.paper import figures
from model.analysis.paper.published import TABLE_2
from model.analysis.probing.prefixes import find_longest_common_subsequence
from model.checkpoints.checkpoint import Card
from model.gallery.story import growing_sentence, phrase_table
from model.gallery.story.phrase_table import PhraseEntry
from model.serialization.codec import CodecError
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import normalise
from model.text.words import is_content_word
from model.trace import ANNOTATIONS, ENERGIES, Trace
from pages.ui.backend import cards, evaluations, shipped_traces
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import EvaluationSearch
from pages.ui.charts.payload_parts import (
    build_curve_points,
    build_line_style,
    round_probability,
    round_rows,
    round_values,
    scale_to_unit_range,
)
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages, load_messages
from pages.ui.i18n.typography import format_piece, typeset
from pages.ui.results import alignment_error, long_sentences
from pages.ui.story.payload_types import (
    StoryBar,
    StoryCurve,
    StoryData,
    StoryEvidence,
    StoryGrowth,
    StoryHistory,
    StoryLong,
    StoryLongTranslation,
    StoryLookup,
    StoryMap,
    StoryPart,
    StoryPrefix,
    StoryScene,
    StoryTables,
)
from pages.ui.widgets.provenance import describe_provenance

KEY = "story"
SCENES = {"words": 4, "vector": 4, "looking": 3, "row": 5, "proof": 4, "after": 4}
"""The scenes in their order, and the number of sentences in each."""
DIGITS = 4
NUM_GUESSES = 2  # words whose attention the reader guesses

Content = TypeVar("Content")

_log = logging.getLogger(__name__)
_mount = Component("story", StoryData)


def render_story(data: StoryData, on_scene_change: Callable[[], None]) -> None:
    """Draw the story; the callback runs when the reader stays at another scene."""
    _mount(key=KEY, data=data, on_scene_change=on_scene_change)


def build_story_payload(scene: int, t: Messages) -> StoryData:
    """Build the whole story, opened at `scene` (from 1)."""
    return {**_build_story(t.language), "scene": scene}


@st.cache_resource(show_spinner=False)
def _build_story(language: str) -> StoryData:
    t = load_messages(language)
    trace = _find_trace()
    attention_trace = (_find_korean_trace() if language == "ko" else None) or trace
    growth_traces = _read_or_none(growing_sentence.read_traces, growing_sentence.FILE.name) or ()
    traces = [*filter(None, (attention_trace, *growth_traces[-1:]))]
    scenes = [_build_scene(name, lines, t) for name, lines in SCENES.items()]
    if attention_trace is not trace:
        scenes[list(SCENES).index("looking")]["lines"][-1] = t.format_for_component("scene.looking_korean")
    return {
        "scene": 1,
        "scenes": scenes,
        "languages": DEFAULT_PAIR,
        "map_languages": (attention_trace.source_language, attention_trace.target_language)
        if attention_trace
        else DEFAULT_PAIR,
        "tables": _build_tables(trace),
        "growth": _build_growth(growth_traces),
        "map": None if attention_trace is None else _build_map(attention_trace),
        "lookup": None if attention_trace is None else _build_lookup(attention_trace),
        "evidence": _build_evidence(t),
        "history": _build_history(list(dict.fromkeys(trace.provenance.model for trace in reversed(growth_traces)))),
        "provenance": describe_provenance(traces, t),
        "messages": t.get_table("story"),
        "language": t.language,
    }


def _build_scene(name: str, lines: int, t: Messages) -> StoryScene:
    sentences = [t.format_for_component(f"scene.{name}_{line}") for line in range(1, lines + 1)]
    return {"title": t(f"scene.{name}_title"), "lines": sentences}


def _read_or_none(load: Callable[[], Content], name: str) -> Content | None:
    """Read a shipped file; log a warning and return None if it is missing or damaged."""
    try:
        return load()
    except (OSError, CodecError) as error:
        _log.warning("%s is left out of the story: %s", name, error)
        return None


def _find_trace() -> Trace | None:
    """Return the shipped translation of the story's sentence that has attention and detail."""
    sentence = normalise(phrase_table.SENTENCE)
    traces = (
        trace
        for example in shipped_traces.load_examples()
        if example.sentence == sentence
        for trace in example.traces.values()
    )
    return next((trace for trace in traces if trace.has_attention and trace.detail and trace.source_detail), None)


def _find_korean_trace() -> Trace | None:
    """Return the first shipped translation from Korean that has attention and detail, and a row that attends backwards;
    None if there is none."""
    examples = (example for example in shipped_traces.load_examples() if example.pair == "ko-en")
    traces = (trace for example in examples for trace in example.traces.values())
    return next((trace for trace in traces if trace.has_attention and trace.detail and trace.source_detail
                 and find_reordered_row(_build_map(trace)["rows"])), None)  # fmt: skip


def _build_tables(reference: Trace | None) -> StoryTables | None:
    """Build the translations word by word and in phrases, compared with a good translation."""
    table = _read_or_none(
        lambda: phrase_table.PhraseTable.from_json(phrase_table.FILE.read_bytes()), phrase_table.FILE.name
    )
    if table is None or reference is None:
        return None
    language = reference.target_language
    good_words = phrase_table.split_lower_words(reference.target.text, language)
    return {
        "source": list(phrase_table.split_lower_words(table.sentence, reference.source_language)),
        "words": _build_parts(table.words, good_words, language),
        "phrases": _build_parts(table.segment(), good_words, language),
        "pair_count": table.pairs,
        "good": "".join(gap + word for gap, word in typeset(reference.target, language)).strip(),
    }


def _build_parts(entries: Sequence[PhraseEntry], good_words: Sequence[str], language: str) -> list[StoryPart]:
    """Build a part for each entry, and mark the words of the most frequent translations that are misplaced compared
    with `good_words`."""
    translations = [phrase_table.split_lower_words(entry.translations[0].text, language) for entry in entries]
    misplaced_flags = iter(mark_misplaced([word for words in translations for word in words], good_words))
    parts: list[StoryPart] = []
    for entry, words in zip(entries, translations, strict=True):
        parts.append({
            "first": entry.first,
            "last": entry.last,
            "translations": [{"text": translation.text, "p": translation.probability, "count": translation.count}
                             for translation in entry.translations],
            "is_wrong": [next(misplaced_flags) for _ in words],
        })  # fmt: skip
    return parts


def mark_misplaced(words: Sequence[str], good_words: Sequence[str]) -> list[bool]:
    """Return for each word whether it is outside the longest common subsequence of both lists."""
    common_indices = find_longest_common_subsequence(words, good_words)
    return [index not in common_indices for index in range(len(words))]


def _build_growth(traces: Sequence[Trace]) -> StoryGrowth | None:
    """Build the growing sentence through one vector, shortest first; omissions are found by the attention model."""
    plain_traces = [trace for trace in traces if not trace.has_attention and trace.source_detail]
    with_attention = {trace.source.text: trace for trace in traces if trace.has_attention}
    if not plain_traces or any(trace.source.text not in with_attention for trace in plain_traces):
        return None
    last = plain_traces[-1]
    scale = (last.source_detail or {})[ANNOTATIONS]
    prefixes: list[StoryPrefix] = []
    for trace in plain_traces:
        attention_trace = with_attention[trace.source.text]
        if not is_comparable(attention_trace, trace):
            return None
        words, glosses = trace.source.words, gloss_words(trace)
        shared_words = takewhile(lambda pair: pair[0] == pair[1], zip(words, last.source.words, strict=False))
        prefixes.append({
            "word_count": len(list(shared_words)),
            "cells": scale_to_unit_range((trace.source_detail or {})[ANNOTATIONS][-1], scale),
            "target": typeset(trace.target, trace.target_language),
            "glosses": None if glosses is None else list(glosses),
            "content": [index for index, word in enumerate(words) if is_content_word(word, trace.source_language)],
            "omissions": list(compare_translations(attention_trace, trace).second.omissions),
        })  # fmt: skip
    card = cards.find_card(last.provenance.model)
    return {
        "model": get_title(last.provenance.model),
        "unit_count": int(card.network.get("hidden", 0)) if card else 0,
        "source": typeset(last.source, last.source_language),
        "prefixes": prefixes,
    }


def _build_map(trace: Trace) -> StoryMap:
    weights = trace.compute_word_map_with_end()[: len(trace.target.words)]
    return {
        "model": get_title(trace.provenance.model),
        "source": typeset(trace.source, trace.source_language),
        "target": typeset(trace.target, trace.target_language),
        "rows": round_rows(weights, DIGITS),
    }


def find_reordered_row(rows: Sequence[Sequence[float]]) -> int:
    """Return the first row whose maximum lies before that of the row above, 0 if there is none."""
    maxima = [max(range(len(row)), key=row.__getitem__) for row in rows]
    return next((index for index in range(1, len(rows)) if maxima[index] < maxima[index - 1]), 0)


def _build_lookup(trace: Trace) -> StoryLookup:
    """Build the first step that attends backwards."""
    word = find_reordered_row(_build_map(trace)["rows"])
    index = trace.target.word_of.index(word)
    step = trace.steps[index]
    detail, annotations = trace.detail or {}, (trace.source_detail or {})[ANNOTATIONS]
    return {
        "target_index": word,
        "text": format_piece(step.piece, ""),
        "p": round_probability(step.log_probability, DIGITS),
        "query": scale_to_unit_range(detail["state"][index], detail["state"]),
        "pieces": [format_piece(piece, "") for piece in trace.source.pieces],
        "keys": scale_to_unit_range(annotations, annotations),
        "energies": round_values(detail[ENERGIES][index], DIGITS),
        "weights": round_values(trace.get_map().values[index], DIGITS),
        "context": scale_to_unit_range(detail["context"][index], annotations),
        "words_to_guess": _choose_guesses(trace, word),
    }


def _choose_guesses(trace: Trace, word_index: int) -> list[int]:
    """Return NUM_GUESSES content words of the translation after a word, evenly spaced."""
    words = [index for index, word in enumerate(trace.target.words)
             if index > word_index and is_content_word(word, trace.target_language)]  # fmt: skip
    return words[:: max(1, (len(words) + NUM_GUESSES - 1) // NUM_GUESSES)][:NUM_GUESSES]


def _build_evidence(t: Messages) -> StoryEvidence | None:
    """Build the curves of the two default kinds by greedy search, on the test set with the most long sentences."""
    index = evaluations.load_index()
    if not index.test_sets:
        return None
    test_set = index.test_sets[0]
    model_names = cards.select_models_of_default_kinds(index.models)
    entries = filter(None, (index.find_entry(test_set, name, EvaluationSearch(1)) for name in model_names))
    heads = [*filter(None, (_read_or_none(partial(evaluations.read_header, entry.path), entry.path.name)
                            for entry in entries))]
    if not heads:
        return None
    return {
        "test_set": evaluations.describe_test_set(test_set, t, index.test_sets, is_for_component=True),
        "sentence_count": heads[0].data.sentences,
        "curves": [_build_curve(head.model, head.by_length) for head in heads],
        "long": _build_long_sentences(),
    }


def _build_curve(model: str, bins: Sequence[LengthBin]) -> StoryCurve:
    card = cards.find_card(model)
    return {
        "name": get_title(model),
        "has_attention": card is not None and card.has_attention,
        **build_line_style(model),
        "points": build_curve_points(bins),
    }


def _build_long_sentences() -> list[StoryLong]:
    """Build the long sentences with their shipped translations, the model without attention first."""
    traces = _read_or_none(lambda: figures.read_traces(figures.LONG_SENTENCES_FILE), figures.LONG_SENTENCES_FILE) or ()
    sentences: list[StoryLong] = []
    for long in figures.LONG_SENTENCES:
        text = normalise(long.sentence)
        sides = sorted((trace for trace in traces if trace.source.text == text), key=lambda trace: trace.has_attention)
        if sides:
            sentences.append({"source": text, "sides": [_build_long_translation(long, trace) for trace in sides]})
    return sentences


def _build_long_translation(long: figures.LongSentence, trace: Trace) -> StoryLongTranslation:
    drift = long_sentences.measure_reference_drift(long, trace)
    return {
        "name": get_title(trace.provenance.model),
        "words": typeset(trace.target, trace.target_language),
        "matches": sorted(index for index in drift.matches if index is not None),
        "last_followed": drift.last_followed,
        "content_count": len(drift.content_words),
    }



def _build_history(models: Sequence[str]) -> StoryHistory:
    """Build the alignment precision and the numbers of updates of the story's models."""
    records = [record for record in alignment_error.read_records() if record.model in models]
    return {
        "alignment_precision": round(records[0].rates["surface"].precision, DIGITS) if records else None,
        "annotated_pair_count": records[0].sentences if records else 0,
        "bars": _build_bars(models),
    }


def _build_bars(models: Sequence[str]) -> list[StoryBar]:
    """Build the number of updates of each model and of the paper's model of the same title."""
    bars: list[StoryBar] = []
    for name in models:
        card: Card | None = cards.find_card(name)
        if card is None:
            continue
        bars.append({"name": card.title, "thousand_updates": card.updates / 1000, "is_published": False})
        bars += [{"name": row.system, "thousand_updates": round(row.updates * 100, 3), "is_published": True}
                 for row in TABLE_2 if row.system == card.title]  # fmt: skip
    return bars
