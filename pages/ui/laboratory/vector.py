"""The bottleneck vector: what can be translated from prefixes of the sentence, and the nearest words of a word."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.probing.nearest_words import (
    NearestWords,
    WordBank,
    build_word_bank,
    find_ambiguous_word,
    find_nearest,
    locate_words,
)
from model.analysis.probing.prefixes import PrefixTranslations, translate_prefixes
from model.analysis.probing.senses import LANGUAGE
from model.text.normalise import NormalisedText
from model.text.words import is_content_word, is_word
from pages.ui.backend.cards import find_languages
from pages.ui.charts.payload_parts import build_word_labels, count_tag_words
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS
from pages.ui.laboratory.payload_types import (
    VectorData,
    VectorPlane,
    VectorPoint,
    VectorPrefix,
    VectorSentence,
    VectorSeparation,
)
from pages.ui.url_state import params, state
from pages.ui.widgets import downloads
from pages.ui.widgets.fetch import Request
from pages.ui.widgets.provenance import describe_provenance

KEY = "vector"
_SENTENCE_KEY = "vector-of"  # the sentence of the selected word

_mount = Component("vector", VectorData)


def render_vector(context: ExperimentContext) -> None:
    """Draw translations of prefixes and the plane of words; some models have only the former."""
    point = state.get_param(params.SENSE_WORD)
    answers = context.translate(Request(context.model_name, context.settings))
    if answers is None:
        return
    context = context.with_model_of(answers[0][0])
    text = NormalisedText(answers[0][0].source.text)
    if state.store_and_compare(_SENTENCE_KEY, text):
        state.reset_params(params.SENSE_WORD)
        point = params.SENSE_WORD.get_default()
    settings = replace(context.settings, candidates=0)
    prefixes = context.measure(
        ("prefixes", text, settings), lambda model, should_stop: translate_prefixes(model, text, settings, should_stop)
    )
    if prefixes is None:
        return
    has_plane = find_languages([context.model_name])[0] == LANGUAGE
    plane = measure_plane(context, text, point) if has_plane else None
    data = build_vector_payload(prefixes, plane, context.t)
    _mount(key=KEY, data=data, on_point_change=_on_point)
    if not has_plane:
        st.html(f"<p role='note'>{escape_html(context.t('vector.english_only'))}</p>")
    with context.export_container:
        exports.render_html_button("vector", KEY, data, prefixes.full_trace, context.t)
        _render_csv_buttons(prefixes, plane, context.t)


def measure_plane(context: ExperimentContext, text: NormalisedText, point: int) -> VectorPlane | None:
    """Locate the words of the sentence among those of the shipped sentences; None if the model has no word vectors."""
    bank = context.measure(("bank",), build_word_bank)
    if bank is None:
        return None
    nearest_words = context.measure(
        ("near", text), lambda model, should_stop: locate_words(model, bank, text, should_stop)
    )
    return None if nearest_words is None else build_plane(bank, nearest_words, context.t, point)


def _on_point() -> None:
    point: Any = experiment_state.read_event(KEY, "point", "vector")
    if type(point) is int and 0 <= point < 99_999:
        st.session_state[params.SENSE_WORD.name] = point + 1


def build_vector_payload(prefixes: PrefixTranslations, plane: VectorPlane | None, t: Messages) -> VectorData:
    trace = prefixes.full_trace
    return {
        "languages": (trace.source_language, trace.target_language),
        "target": build_word_labels(trace.target, trace.target_language),
        "stable_from": [length - count_tag_words(trace.source) for length in prefixes.stable_from],
        "prefixes": _build_prefixes(prefixes),
        "plane": plane,
        "description": t.format_for_component(f"vector.means_{'attends' if trace.has_attention else 'plain'}"),
        "provenance": describe_provenance([trace], t),
        "messages": t.get_table("vector"),
        "language": t.language,
    }


def _build_prefixes(prefixes: PrefixTranslations) -> list[VectorPrefix]:
    num_tags = count_tag_words(prefixes.full_trace.source)
    return [
        {"word_count": length - num_tags, "last": prefixes.words[length - 1],
         "text": typeset_with_tail(trace.target, trace.target_language), "is_present": list(flags)}
        for length, trace, flags in zip(prefixes.prefix_lengths, prefixes.traces, prefixes.words_present, strict=True)
    ]  # fmt: skip


def build_plane(bank: WordBank, nearest_words: NearestWords, t: Messages, point: int = 0) -> VectorPlane:
    """Build the plane: the words of the bank, then those of the sentence.

    `point` is the selected word, from 1; by default the first content word of the sentence is selected.
    """
    side = nearest_words.side
    own_words = [index for index, word in enumerate(side.words) if is_word(word) and index >= count_tag_words(side)]
    bank_points = zip(bank.positions, bank.plane.project(bank.vectors), strict=True)
    points = [_build_point(position.sentence, position.word, *xy) for position, xy in bank_points]
    points += [_build_point(len(bank.sides), word, *nearest_words.points[word]) for word in own_words]
    neighbours = (*find_nearest(bank, bank.vectors, exclude_self=True),
                  *(nearest_words.neighbours[word] for word in own_words))  # fmt: skip
    content = (index for index, word in enumerate(own_words) if is_content_word(side.words[word], LANGUAGE))
    default = len(bank.positions) + next(content, 0) if own_words else 0
    own_sentence: VectorSentence = {"text": typeset(side, LANGUAGE), "marked_index": -1, "marked_word": "",
                                    "sense": ""}  # fmt: skip
    return {
        "sentences": [*_build_sentences(bank, t), own_sentence],
        "points": points,
        "neighbours": [[(index, round(cosine, DIGITS)) for index, cosine in row] for row in neighbours],
        "separations": _build_separations(bank),
        "shares": bank.plane.variance_shares,
        "selected": _get_selected_point(point, len(points), default),
    }


def _build_point(sentence: int, word: int, x: float, y: float) -> VectorPoint:
    return {"sentence": sentence, "word": word, "x": round(float(x), DIGITS), "y": round(float(y), DIGITS)}


def _build_sentences(bank: WordBank, t: Messages) -> list[VectorSentence]:
    sentences: list[VectorSentence] = []
    for example, side in zip(bank.examples, bank.sides, strict=True):
        index = find_ambiguous_word(example, side)
        sentences.append({"text": typeset(side, LANGUAGE), "marked_index": -1 if index is None else index,
                          "marked_word": example.word, "sense": t(f"vector.sense_{example.sense}")})  # fmt: skip
    return sentences


def _build_separations(bank: WordBank) -> list[VectorSeparation]:
    first_sentences = {example.word: index for index, example in reversed([*enumerate(bank.examples)])}
    separations: list[VectorSeparation] = []
    for separation in bank.separations:
        sentence = first_sentences[separation.word]
        word = find_ambiguous_word(bank.examples[sentence], bank.sides[sentence])
        first = next((index for index, position in enumerate(bank.positions)
                      if (position.sentence, position.word) == (sentence, word)), 0)  # fmt: skip
        separations.append({"word": separation.word, "same_meaning": separation.same_sense, "count": separation.count,
                            "chance": round(separation.expected_by_chance, DIGITS), "first": first})  # fmt: skip
    return separations


def _get_selected_point(point: int, count: int, default: int) -> int:
    """Return the index of the point in the link, `default` if there is no such point."""
    if point > count:
        state.reset_params(params.SENSE_WORD)
    return point - 1 if 1 <= point <= count else default


def _render_csv_buttons(prefixes: PrefixTranslations, plane: VectorPlane | None, t: Messages) -> None:
    name = downloads.build_file_name(prefixes.full_trace, "prefixes")
    exports.render_csv_button("prefixes-csv", t("vector.prefixes_csv"), name, partial(build_prefixes_csv, prefixes),
                              t("vector.prefixes_csv_help"))  # fmt: skip
    if plane is not None:
        name = downloads.build_file_name(prefixes.full_trace, "vectors")
        exports.render_csv_button("plane-csv", t("vector.plane_csv"), name, partial(build_plane_csv, plane),
                                  t("vector.plane_csv_help"))  # fmt: skip


def build_prefixes_csv(prefixes: PrefixTranslations) -> str:
    """Return a row per prefix: its length, its last word, the words of the full translation in it, its translation."""
    num_tags = count_tag_words(prefixes.full_trace.source)
    rows = zip(prefixes.prefix_lengths, prefixes.traces, prefixes.words_present, strict=True)
    return build_csv(("words read", "last word", "words kept", "translation"),
                     ((length - num_tags, prefixes.words[length - 1], sum(is_present), trace.target.text)
                      for length, trace, is_present in rows))


def build_plane_csv(plane: VectorPlane) -> str:
    """Return a row per word: its meaning, its sentence, its place in the plane, its nearest words and their cosines."""

    def get_word(index: int) -> str:
        point = plane["points"][index]
        return plane["sentences"][point["sentence"]]["text"][point["word"]][1]

    rows = []
    for index, point in enumerate(plane["points"]):
        sentence = plane["sentences"][point["sentence"]]
        sense = sentence["sense"] if sentence["marked_index"] == point["word"] else ""
        text = "".join(gap + word for gap, word in sentence["text"])
        neighbours = [f"{get_word(neighbour)} {cosine:.4f}" for neighbour, cosine in plane["neighbours"][index]]
        rows.append((get_word(index), sense, text, point["x"], point["y"], "; ".join(neighbours)))
    return build_csv(("word", "meaning", "sentence", "x", "y", "nearest"), rows)
