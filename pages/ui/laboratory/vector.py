"""What is in the vector: what can still be got out of a sentence's beginnings, and which words lie near a word."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.analysis.probing.annotations import (
    NearestWords,
    WordBank,
    build_word_bank,
    find_marked_word,
    find_nearest,
    locate_words,
)
from model.analysis.probing.prefixes import PrefixTranslations, translate_prefixes
from model.analysis.probing.senses import LANGUAGE
from model.decoding import Settings, StopCallback
from model.text.normalise import Normalised
from model.text.words import is_content_word, is_word
from pages.ui.backend.cards import title_of
from pages.ui.components.component import Component
from pages.ui.csv_table import build_csv
from pages.ui.frame.rerun import rerun_page
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset, typeset_with_tail
from pages.ui.laboratory import experiment_state, exports
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.labels import DIGITS, build_word_labels
from pages.ui.laboratory.vector_types import (
    VectorCut,
    VectorData,
    VectorPlane,
    VectorPoint,
    VectorSentence,
    VectorSeparated,
)
from pages.ui.url_state import links, state
from pages.ui.widgets import saving
from pages.ui.widgets.provenance import provenance
from pages.ui.widgets.requests import Request, answer, before

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

KEY = "vector"
_SENTENCE_KEY = f"{KEY}-of"  # where the session keeps the sentence whose words were looked at

_mount = Component("vector", VectorData)


def render_vector(bench: ExperimentContext) -> None:
    """Draw what is in the vectors of the sentence in the box; a model that does not show them has its cuts alone."""
    point = state.get_param(links.SENSE_WORD)
    requests = (Request(bench.model_name, bench.settings),)
    waiting = before(bench.sentence, requests)
    shown = waiting or answer(bench.sentence, requests, bench.t, bench.status)
    if shown is not None and not waiting:
        text = Normalised(shown[0][0].source.text)
        if state.has_changed(_SENTENCE_KEY, text):
            state.reset_params(links.SENSE_WORD)
            point = links.SENSE_WORD.kind.default()
        settings = replace(bench.settings, candidates=0)
        found = bench.measure(("cuts", text, settings), partial(_cuts, text, settings))
        if found is not None:
            among = bench.measure(("bank",), build_word_bank)
            of = None if among is None else bench.measure(("near", text), partial(_near, among, text))
            plane = None if among is None or of is None else build_plane(among, of, bench.t, point)
            data = build_vector_payload(found, plane, bench.t)
            _mount(key=KEY, data=data, on_point_change=_on_point)
            with bench.export_container:
                exports.render_html_button("vector", KEY, data, found.full_trace, bench.t)
                render_exports(found, plane, bench.t)
    if waiting:
        rerun_page()


def _cuts(text: Normalised, settings: Settings, model: Model, stopped: StopCallback) -> PrefixTranslations:
    return translate_prefixes(model, text, settings, stopped)


def _near(among: WordBank, text: Normalised, model: Model, stopped: StopCallback) -> NearestWords:
    return locate_words(model, among, text, stopped)


def _on_point() -> None:
    """The reader has come to a word and rests there."""
    found: Any = experiment_state.read_event(KEY, "point", "vector")
    if type(found) is int and 0 <= found < 99_999:
        st.session_state[links.SENSE_WORD.name] = found + 1


def build_vector_payload(found: PrefixTranslations, plane: VectorPlane | None, t: Messages) -> VectorData:
    """What the component draws."""
    whole = found.full_trace
    return {
        "name": title_of(whole.made_by.model),
        "languages": (whole.source_language, whole.target_language),
        "target": build_word_labels(whole.target, whole.target_language, len(whole.target.words), ""),
        "since": list(found.stable_from),
        "cuts": _build_prefixes(found),
        "plane": plane,
        "means": t.sent(f"vector.means_{'attends' if whole.has_attention else 'plain'}"),
        "made": provenance([whole], t),
        "words": t.table("vector"),
        "language": t.language,
    }


def _build_prefixes(found: PrefixTranslations) -> list[VectorCut]:
    return [
        {"after": after, "last": found.words[after - 1], "text": typeset_with_tail(trace.target, trace.target_language),
         "kept": list(kept)}
        for after, trace, kept in zip(found.prefix_lengths, found.traces, found.words_present, strict=True)
    ]  # fmt: skip


def build_plane(among: WordBank, of: NearestWords, t: Messages, point: int = 0) -> VectorPlane:
    """The words of the bank, then those of the sentence, in the plane; `point`: the one that the link says is looked
    at, from 1, 0 for none."""
    own = [word for word, text in enumerate(of.side.words) if is_word(text)]
    points: list[VectorPoint] = [
        {"sentence": place.sentence, "word": place.word, "x": round(float(x), DIGITS), "y": round(float(y), DIGITS)}
        for place, (x, y) in zip(among.positions, among.plane.project(among.vectors), strict=True)
    ]
    points += [{"sentence": len(among.sides), "word": word, "x": round(float(of.points[word, 0]), DIGITS),
                "y": round(float(of.points[word, 1]), DIGITS)} for word in own]  # fmt: skip
    listed = (*find_nearest(among, among.vectors, exclude_self=True), *(of.neighbours[word] for word in own))
    content = (number for number, word in enumerate(own) if is_content_word(of.side.words[word], LANGUAGE))
    first = len(among.positions) + next(content, 0) if own else 0
    mine: VectorSentence = {"text": typeset(of.side, LANGUAGE), "place": -1, "word": "", "sense": ""}
    return {
        "sentences": [*_build_sentences(among, t), mine],
        "points": points,
        "nearest": [[(number, round(cosine, DIGITS)) for number, cosine in some] for some in listed],
        "separated": _build_separations(among),
        "shares": among.plane.variance_shares,
        "at": _get_selected_point(point, len(points), first),
    }


def _build_sentences(among: WordBank, t: Messages) -> list[VectorSentence]:
    made: list[VectorSentence] = []
    for example, side in zip(among.examples, among.sides, strict=True):
        place = find_marked_word(example, side)
        made.append({"text": typeset(side, LANGUAGE), "place": -1 if place is None else place, "word": example.word,
                     "sense": t(f"vector.sense_{example.sense}")})  # fmt: skip
    return made


def _build_separations(among: WordBank) -> list[VectorSeparated]:
    firsts = {example.word: number for number, example in reversed([*enumerate(among.examples)])}
    made: list[VectorSeparated] = []
    for one in among.separations:
        sentence = firsts[one.word]
        word = find_marked_word(among.examples[sentence], among.sides[sentence])
        first = next((number for number, place in enumerate(among.positions)
                      if (place.sentence, place.word) == (sentence, word)), 0)  # fmt: skip
        made.append({"word": one.word, "same": one.same_sense, "count": one.count,
                     "chance": round(one.expected_by_chance, DIGITS),
                     "first": first})  # fmt: skip
    return made


def _get_selected_point(point: int, count: int, first: int) -> int:
    """The point that the link says, `first` where it says none, or one that is not there."""
    if point > count:
        state.reset_params(links.SENSE_WORD)
    return point - 1 if 1 <= point <= count else first


def render_exports(found: PrefixTranslations, plane: VectorPlane | None, t: Messages) -> None:
    """The buttons that save: what is written of each beginning, and each word's place with its nearest ones."""
    name = saving.named(found.full_trace, "cuts")
    saving.button("cuts-csv", t("vector.cuts_csv"), f"{name}.csv", "text/csv", partial(prefixes_to_csv, found),
                  t("vector.cuts_csv_help"))  # fmt: skip
    if plane is not None:
        name = saving.named(found.full_trace, "vectors")
        saving.button("plane-csv", t("vector.plane_csv"), f"{name}.csv", "text/csv",
                      partial(plane_to_csv, plane), t("vector.plane_csv_help"))  # fmt: skip


def prefixes_to_csv(found: PrefixTranslations) -> str:
    """A line a beginning: how many words, the last of them, how many words of the whole are there, what is written."""
    return build_csv(("words read", "last word", "words kept", "translation"),
                     ((after, found.words[after - 1], sum(kept), trace.target.text)
                      for after, trace, kept
                      in zip(found.prefix_lengths, found.traces, found.words_present, strict=True)))


def plane_to_csv(plane: VectorPlane) -> str:
    """A line a word: its sentence, where it lies, and its nearest ones with their cosines."""
    def word(number: int) -> str:
        point = plane["points"][number]
        return plane["sentences"][point["sentence"]]["text"][point["word"]][1]

    rows = []
    for number, point in enumerate(plane["points"]):
        sentence = plane["sentences"][point["sentence"]]
        sense = sentence["sense"] if sentence["place"] == point["word"] else ""
        listed = "; ".join(f"{word(other)} {cosine:.4f}" for other, cosine in plane["nearest"][number])
        rows.append((word(number), sense, "".join(gap + text for gap, text in sentence["text"]), point["x"],
                     point["y"], listed))  # fmt: skip
    return build_csv(("word", "meaning", "sentence", "x", "y", "nearest"), rows)
