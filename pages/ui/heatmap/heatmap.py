"""The picture of one sentence's translations, as one browser component: the running texts, the n best, ribbons and the
heatmap of α.

All data is sent once; pointing, keys, lighting and choosing among the n best run in the browser
(assets/player/translate). What was chosen comes back afterwards, for the files and the link.
"""

import hashlib
import math
from dataclasses import dataclass

import streamlit as st

from model.analysis.errors.differences import compare_translations, is_comparable
from model.analysis.errors.meaning import gloss_words, has_lexicon
from model.text import languages
from model.trace import END_PIECE, WORD_START, Trace
from pages.ui.backend.cards import get_title
from pages.ui.backend.service import Traces
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import Axis, ColourScale, Unit
from pages.ui.components.component import Component, get_event
from pages.ui.heatmap.payload_types import Beside, Difference, HeatmapData, Reading
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import NARROW_SPACE, format_decimal, get_trailing_text, typeset
from pages.ui.results import alignment_error
from pages.ui.url_state import params, state
from pages.ui.widgets.provenance import describe_provenance

MAX_LABELS = 120  # rows and columns of the heatmap; more are in the files only

_mount = Component("heatmap", HeatmapData)
_KEY = "picture"


@dataclass(frozen=True)
class HeatmapView:
    """How the translations are looked at: over words or pieces, on which scale, with a gloss or without; `alone` where
    no other model's stands beside them."""

    unit: Unit = "words"
    scale: ColourScale = "violet"
    has_gloss: bool = False
    is_alone: bool = False


def render_heatmap(
    best: Traces, beside: Trace | None, view: HeatmapView, rank: int, t: Messages, focus: str, key: str = _KEY
) -> None:
    """Draw the n best translations of one model, the one at `rank` (from 0) with its α, and what another model made of
    the sentence (None where it made nothing).

    `focus` is the key of the widget that is given the keyboard when the picture is first drawn; `key`: of the picture,
    where a page has several.
    """
    _mount(key=key, data=build_heatmap_payload(best, beside, view, rank, t, focus), on_chosen_change=lambda: None)


def get_chosen_rank(best: Traces) -> int:
    """The place (from 0) of the translation among the n best that the reader chose: in the picture, or by the link,
    which carries it; 0 for every new sentence."""
    of = _identity(best)
    row = params.HYPOTHESIS_RANK.up_to(len(best))
    if row.name not in st.session_state:
        st.session_state[row.name] = (of, (state.read_link_param(row) or 1) - 1)
    picked = get_event(_KEY, "chosen")
    if isinstance(picked, dict) and picked.get("of") == of and picked.get("rank") in range(len(best)):
        st.session_state[row.name] = (of, int(picked["rank"]))
    kept, rank = st.session_state[row.name]
    rank = rank if kept == of else 0
    state.write_link_param(row, rank + 1)
    return rank


def _identity(best: Traces) -> str:
    """A short name for these translations, by which a choice among them is known not to be one among others."""
    told = [(trace.made_by.fingerprint, trace.source.text, trace.target.text) for trace in best]
    return hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def build_heatmap_payload(
    best: Traces, beside: Trace | None, view: HeatmapView, rank: int, t: Messages, focus: str = ""
) -> HeatmapData:
    """What the component draws: plain lists and texts only."""
    first = best[0]
    axis = _axis(first, "source", view.unit)
    words = typeset(first.source, first.source_language)
    return {
        "of": _identity(best),
        "chosen": rank,
        "source": {"labels": _labels(axis, words, view.unit, t), "word_of": list(axis.word_of), "words": words},
        "languages": (first.source_language, first.target_language),
        "name": get_title(first.made_by.model),
        "best": [_reading(trace, axis, view, t, _differences(trace, beside)) for trace in best],
        "beside": None if beside is None else _beside(beside, first, axis, view, t),
        "alone": view.is_alone,
        "cut": MAX_LABELS if max(_longest(trace, view.unit) for trace in best) > MAX_LABELS else 0,
        "scale": view.scale,
        "unit": view.unit,
        "gloss": view.has_gloss,
        "told": has_lexicon(first),
        "copied": bool(first.source.symbols),
        "parts": alignment_grid.FIXED_POINT_ONE,
        "made": describe_provenance([first, beside] if beside else [first], t),
        "focus": focus,
        "words": _texts(first, t),
        "language": t.language,
    }


def _texts(trace: Trace, t: Messages) -> dict[str, str]:
    """The component's texts: they speak of the languages that most models have, or of none; and of rows that sum to 1,
    and of the sentence's end, only where they do and where there is one."""
    texts = t.table("heatmap")
    if (trace.source_language, trace.target_language) != languages.DEFAULT_PAIR:
        texts |= t.table("heatmap_any")
    if trace.has_attention and not trace.get_map().rows_sum_to_one:
        texts |= t.table("heatmap_loose")
    if END_PIECE not in (*trace.source.pieces, *trace.target.pieces):
        texts["legend_end"] = ""
    return texts


def _beside(trace: Trace, one: Trace, source: Axis, view: HeatmapView, t: Messages) -> Beside:
    """The other model's translation; where it is the same model, that is said first."""
    reading = _reading(trace, source, view, t, [])
    if trace.made_by.model == one.made_by.model:
        reading["notes"].insert(0, t("result.same"))
    return {**reading, "name": get_title(trace.made_by.model)}


def _reading(trace: Trace, source: Axis, view: HeatmapView, t: Messages, found: list[Difference]) -> Reading:
    """One translation: its words with their probabilities and the source words they looked at most, and over the labels
    that are drawn `alpha`, None for a model without attention, and `log`, the natural logarithms of probabilities."""
    words = typeset(trace.target, trace.target_language)
    attended = trace.has_attention
    likely = None if attended or not view.has_gloss else gloss_words(trace)
    # Weights over other source pieces than the ones drawn could not be drawn or compared: another vocabulary's.
    drawn = attended and _axis(trace, "source", view.unit) == source
    of = alignment_grid.build_grid(trace, view.unit).crop(MAX_LABELS) if drawn else None
    axis = of.target if of else _axis(trace, "target", view.unit)
    return {
        "labels": _labels(axis, words, view.unit, t),
        "word_of": list(axis.word_of),
        "words": words,
        "tail": get_trailing_text(trace.target),
        "language": trace.target_language,
        "chance": [
            round(math.exp(min(value, 0.0)), 6) for value in trace.compute_word_log_probs() if trace.has_probabilities
        ],
        "gloss": list(alignment_grid.find_most_attended_words(trace)) if attended and view.has_gloss else None,
        "likely": None if likely is None else list(likely),
        "alpha": of.to_fixed_point().tolist() if of else None,
        "log": [round(value, 6) for value in of.log_probs] if of else [],
        "attended": attended,
        "log_probability": format_decimal(trace.log_probability, 1),
        "score": format_decimal(trace.score, 2),
        "notes": build_notes(trace, view, t),
        "differences": found,
    }


def _differences(one: Trace, other: Trace | None) -> list[Difference]:
    """What each of two translations lost of the source, repeated and invented, and where it lost the thread."""
    if other is None or not is_comparable(one, other):
        return []
    found = compare_translations(one, other)
    return [
        {
            "lost": list(read.omissions),
            "repeated": list(read.repetitions),
            "invented": list(read.additions),
            "followed": read.last_followed,
        }
        for read in (found.first, found.second)
    ]


def _axis(trace: Trace, side: str, unit: Unit) -> Axis:
    """One side's labels, of a model with attention or without, as far as they are drawn."""
    axis = alignment_grid.build_axis(trace.source if side == "source" else trace.target, unit)
    return Axis(axis.labels[:MAX_LABELS], axis.word_of[:MAX_LABELS])


def _longest(trace: Trace, unit: Unit) -> int:
    return max(len(alignment_grid.build_axis(side, unit).labels) for side in (trace.source, trace.target))


def _labels(axis: Axis, words: list[tuple[str, str]], unit: Unit, t: Messages) -> list[str]:
    """The labels of one side as they are shown."""
    labels: list[str] = []
    for position, (label, word) in enumerate(zip(axis.labels, axis.word_of, strict=True)):
        if axis.is_end(position):
            labels.append(t("heatmap.end"))
        elif word == -1:
            labels.append(label)
        elif unit == "words":
            labels.append(words[word][1].strip(NARROW_SPACE))
        else:
            labels.append(label.removeprefix(WORD_START) or "␣")
    return labels


def build_notes(trace: Trace, view: HeatmapView, t: Messages) -> list[str]:
    """What is said beside a model's name: what it is, or that it looks beside what it writes, the logarithm of the
    translation's probability, a stop."""
    what = alignment_error.describe_attention_offset(trace, t) if trace.has_attention else t.sent("result.without")
    said = [what] if what else []
    if not trace.has_probabilities:
        return said
    said.append(t.sent("result.score", value=format_decimal(trace.log_probability, 1)))
    if not trace.finished:
        said.append(t("result.unfinished"))
    if view.has_gloss and not trace.has_attention:
        said.append(t.sent("result.likely_gloss") if has_lexicon(trace) else t.sent("result.no_gloss"))
    return said
