"""The story as one browser component (assets/player/story): everything that its six scenes draw, sent once.

All of it is shipped: what was counted in translated text (assets/story), Traces (assets/story, opening, figures),
evaluations, and the models' cards. No model is loaded. What is damaged or missing leaves its scene without a picture.
"""

import logging
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import TypeVar

import streamlit as st

from model.analysis.errors.differences import compare_translations, is_comparable
from model.analysis.errors.meaning import gloss_words
from model.analysis.metrics.length_curve import LengthBin
from model.analysis.paper import figures
from model.analysis.paper.published import TABLE_2
from model.checkpoints.checkpoint import Card
from model.gallery.story import growing_sentence, phrase_table
from model.gallery.story.phrase_table import PhraseEntry
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.text.words import is_content_word
from model.trace import ANNOTATIONS, END_PIECE, ENERGIES, WORD_START, Trace
from pages.ui.backend import cards, evaluations, shipped_traces
from pages.ui.backend.cards import get_title
from pages.ui.backend.evaluations import Search
from pages.ui.charts.curves import get_line_style
from pages.ui.charts.payload_parts import build_curve_points, scale_to_unit_range
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages, load_messages
from pages.ui.i18n.typography import typeset
from pages.ui.results import alignment_error, long_sentences
from pages.ui.story.payload_types import (
    StoryAfter,
    StoryBar,
    StoryCurve,
    StoryData,
    StoryFollowed,
    StoryGrowth,
    StoryLong,
    StoryLookup,
    StoryMap,
    StoryPart,
    StoryProof,
    StoryScene,
    StoryStage,
    StoryTables,
)
from pages.ui.widgets.provenance import describe_provenance

KEY = "story"
SCENES = {"words": 4, "vector": 4, "looking": 3, "row": 5, "proof": 4, "after": 4}
"""The scenes in their order, and how many sentences each is told in."""
DIGITS = 4
NUM_GUESSES = 2  # words whose look the reader guesses
SHOWN = 20  # words: a longer first sentence of the opening would not fit the map

Made = TypeVar("Made")

_log = logging.getLogger(__name__)
_mount = Component("story", StoryData)


def render_story(data: StoryData, moved: Callable[[], None]) -> None:
    """Draw the story of a payload. `moved` is called when the reader has come to another scene and stays there."""
    _mount(key=KEY, data=data, on_scene_change=moved)


def build_story_payload(scene: int, t: Messages) -> StoryData:
    """The whole story, opened at `scene` (from 1)."""
    return {**_build_story(t.language), "scene": scene}


@st.cache_resource(show_spinner=False)
def _build_story(language: str) -> StoryData:
    """The whole story in a language of the interface: what is shipped does not change while the app runs."""
    t = load_messages(language)
    trace = _find_trace()
    grown = _read_or_none(growing_sentence.read_traces, growing_sentence.FILE.name) or ()
    traces = [one for one in (trace, *grown[-1:]) if one is not None]
    return {
        "scene": 1,
        "scenes": [_build_scene(name, lines, t) for name, lines in SCENES.items()],
        "languages": ("en", "fr"),
        "tables": _build_tables(trace),
        "growth": _build_growth(grown),
        "map": None if trace is None else _build_map(trace),
        "lookup": None if trace is None else _build_lookup(trace),
        "proof": _build_proof(t),
        "after": _build_after(list(dict.fromkeys(one.made_by.model for one in reversed(grown)))),
        "made": describe_provenance(traces, t),
        "words": t.table("story"),
        "language": t.language,
    }


def _build_scene(name: str, lines: int, t: Messages) -> StoryScene:
    told = [t.sent(f"scene.{name}_{line}") for line in range(1, lines + 1)]
    return {"title": t(f"scene.{name}_title"), "lines": told}


def _read_or_none(read: Callable[[], Made], name: str) -> Made | None:
    """What a shipped file holds; None, and a line in the log, where it is missing or damaged."""
    try:
        return read()
    except (OSError, CodecError) as error:
        _log.warning("%s is left out of the story: %s", name, error)
        return None


def _find_trace() -> Trace | None:
    """The shipped translation of the story's sentence by a model that attends, in its detail."""
    wanted = normalise(phrase_table.SENTENCE)
    found = (
        trace
        for example in shipped_traces.load_examples()
        if example.sentence == wanted
        for trace in example.traces.values()
    )
    return next((trace for trace in found if trace.has_attention and trace.detail and trace.source_detail), None)


# ---- word by word, and phrases -------------------------------------------------------------------------------------


def _build_tables(good: Trace | None) -> StoryTables | None:
    table = _read_or_none(
        lambda: phrase_table.PhraseTable.from_json(phrase_table.FILE.read_bytes()), phrase_table.FILE.name
    )
    if table is None or good is None:
        return None
    wanted = phrase_table.split_lower_words(good.target.text, good.target_language)
    return {
        "source": list(phrase_table.split_lower_words(table.sentence, good.source_language)),
        "words": _build_parts(table.words, wanted, good.target_language),
        "phrases": _build_parts(table.segment(), wanted, good.target_language),
        "pairs": table.pairs,
        "good": "".join(gap + word for gap, word in typeset(good.target, good.target_language)).strip(),
    }


def _build_parts(entries: Sequence[PhraseEntry], wanted: Sequence[str], language: str) -> list[StoryPart]:
    """The entries, what they say first put together and held against a good translation."""
    said = [phrase_table.split_lower_words(entry.translations[0].text, language) for entry in entries]
    flat = [word for words in said for word in words]
    held = mark_misplaced(flat, wanted)
    parts: list[StoryPart] = []
    for entry, words in zip(entries, said, strict=True):
        parts.append({
            "first": entry.first,
            "last": entry.last,
            "translations": [{"text": one.text, "p": one.probability, "count": one.count}
                             for one in entry.translations],
            "wrong": held[: len(words)],
        })  # fmt: skip
        held = held[len(words) :]
    return parts


def mark_misplaced(said: Sequence[str], wanted: Sequence[str]) -> list[bool]:
    """For each word whether it is not among those that stand in both lists in the same order."""
    kept: set[int] = set()
    for block in SequenceMatcher(None, said, wanted, autojunk=False).get_matching_blocks():
        kept.update(range(block.a, block.a + block.size))
    return [place not in kept for place in range(len(said))]


# ---- one vector ----------------------------------------------------------------------------------------------------


def _build_growth(traces: Sequence[Trace]) -> StoryGrowth | None:
    """The plain model's translations, shortest first, each beside the attending model's, by which is told what it
    lost."""
    plain = [trace for trace in traces if not trace.has_attention and trace.source_detail]
    attending = {trace.source.text: trace for trace in traces if trace.has_attention}
    if not plain or any(trace.source.text not in attending for trace in plain):
        return None
    last = plain[-1]
    scale = (last.source_detail or {})[ANNOTATIONS]
    stages: list[StoryStage] = []
    for trace in plain:
        beside = attending[trace.source.text]
        if not is_comparable(beside, trace):
            return None
        read = compare_translations(beside, trace).second
        source, told = trace.source.words, gloss_words(trace)
        stages.append({
            "fed": get_common_prefix_length(source, last.source.words),
            "cells": scale_to_unit_range((trace.source_detail or {})[ANNOTATIONS][-1], scale),
            "target": typeset(trace.target, trace.target_language),
            "glosses": None if told is None else list(told),
            "content": [place for place, word in enumerate(source) if is_content_word(word, trace.source_language)],
            "lost": list(read.omissions),
        })  # fmt: skip
    card = cards.find_card(last.made_by.model)
    return {
        "model": get_title(last.made_by.model),
        "numbers": int(card.network.get("hidden", 0)) if card else 0,
        "source": typeset(last.source, last.source_language),
        "stages": stages,
    }


def get_common_prefix_length(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two lists have in common from their beginning on."""
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
                min(len(one), len(other)))  # fmt: skip


# ---- looking back, and what a row is -------------------------------------------------------------------------------


def _build_map(trace: Trace) -> StoryMap:
    weights = trace.compute_word_map_with_end()[: len(trace.target.words)]
    return {
        "model": get_title(trace.made_by.model),
        "source": typeset(trace.source, trace.source_language),
        "target": typeset(trace.target, trace.target_language),
        "rows": [[round(float(value), DIGITS) for value in row] for row in weights],
    }


def find_reordered_row(rows: Sequence[Sequence[float]]) -> int:
    """The first row that looks back: most of it lies before most of the row above. 0 where none does."""
    most = [max(range(len(row)), key=lambda place: row[place]) for row in rows]
    return next((row for row in range(1, len(rows)) if most[row] < most[row - 1]), 0)


def _build_lookup(trace: Trace) -> StoryLookup:
    """The step at which the translation first looks back."""
    rows = _build_map(trace)["rows"]
    word = find_reordered_row(rows)
    step = trace.target.word_of.index(word)
    detail, source = trace.detail or {}, trace.source_detail or {}
    annotations, one = source[ANNOTATIONS], trace.steps[step]
    return {
        "word": word,
        "text": _get_piece_text(one.piece),
        "p": round(_probability(one.log_probability), DIGITS),
        "query": scale_to_unit_range(detail["state"][step], detail["state"]),
        "pieces": [_get_piece_text(piece) for piece in trace.source.pieces],
        "keys": scale_to_unit_range(annotations, annotations),
        "energies": [round(float(value), DIGITS) for value in detail[ENERGIES][step]],
        "weights": [round(float(value), DIGITS) for value in trace.get_map().values[step]],
        "context": scale_to_unit_range(detail["context"][step], annotations),
        "guesses": _choose_guesses(trace, word),
    }


def _choose_guesses(trace: Trace, after: int) -> list[int]:
    """The content words of the translation after one, as many as are guessed, evenly among them."""
    found = [place for place, word in enumerate(trace.target.words)
             if place > after and is_content_word(word, trace.target_language)]  # fmt: skip
    return found[:: max(1, (len(found) + NUM_GUESSES - 1) // NUM_GUESSES)][:NUM_GUESSES]


def _get_piece_text(piece: str) -> str:
    return "" if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣"


def _probability(log_probability: float) -> float:
    return min(1.0, 2.718281828459045**log_probability)


# ---- the evidence --------------------------------------------------------------------------------------------------


def _build_proof(t: Messages) -> StoryProof | None:
    """The curves of the two kinds that the story is about on the test set with the most long sentences, greedily."""
    stand = evaluations.load_index()
    if not stand.sets:
        return None
    data = stand.sets[0]
    entries = filter(None, (stand.find(data, model, Search(1)) for model in cards.select_default_kinds(stand.models)))
    heads = (_read_or_none(partial(evaluations.read_head, entry.path), entry.path.name) for entry in entries)
    found = [one for one in heads if one is not None]
    if not found:
        return None
    return {
        "set": evaluations.describe_test_set(data, t, stand.sets, sent=True),
        "sentences": found[0].data.sentences,
        "curves": [_build_curve(one.model, one.by_length) for one in found],
        "long": _build_long_sentences(),
    }


def _build_curve(model: str, bins: Sequence[LengthBin]) -> StoryCurve:
    card, style = cards.find_card(model), get_line_style(model)
    return {
        "name": get_title(model),
        "attends": card is not None and card.has_attention,
        "dashed": not style.is_ink,
        "hollow": style.is_hollow,
        "marker": style.marker,
        "points": build_curve_points(bins),
    }


def _build_long_sentences() -> list[StoryLong]:
    """The long sentences with their shipped translations, the model without attention first."""
    traces = _read_or_none(lambda: figures.read_traces(figures.LONG_SENTENCES), figures.LONG_SENTENCES) or ()
    told: list[StoryLong] = []
    for long in figures.LONG:
        text = normalise(long.sentence)
        of = sorted((trace for trace in traces if trace.source.text == text), key=lambda trace: trace.has_attention)
        if of:
            told.append({"source": text, "sides": [_build_followed(long, trace) for trace in of]})
    return told


def _build_followed(long: figures.LongSentence, trace: Trace) -> StoryFollowed:
    drifted = long_sentences.follow_reference(long, trace)
    return {
        "name": get_title(trace.made_by.model),
        "attends": trace.has_attention,
        "words": typeset(trace.target, trace.target_language),
        "found": sorted(place for place in drifted.matches if place is not None),
        "lost": drifted.last_followed,
        "kept": sum(place is not None for place in drifted.matches),
        "asked": len(drifted.content_words),
    }


# ---- what came after -----------------------------------------------------------------------------------------------


def _build_after(models: Sequence[str]) -> StoryAfter:
    """What there is to say of the story's `models`."""
    records = [one for one in alignment_error.read_records() if one.model in models]
    return {
        "agree": round(records[0].rates["surface"].precision, DIGITS) if records else None,
        "pairs": records[0].sentences if records else 0,
        "bars": _build_bars(models),
    }


def _build_bars(models: Sequence[str]) -> list[StoryBar]:
    """The updates of each of these models beside those of its namesake in the paper."""
    bars: list[StoryBar] = []
    for name in models:
        card: Card | None = cards.find_card(name)
        if card is None:
            continue
        bars.append({"name": card.title, "updates": card.updates / 1000, "published": False})
        bars += [{"name": row.system, "updates": round(row.updates * 100, 3), "published": True}
                 for row in TABLE_2 if row.system == card.title]  # fmt: skip
    return bars
