"""The attention heatmap of Translate with the running texts, ribbons and the n best, as one browser component.

All data is sent once; interaction runs in the browser (assets/player/translate). There map.js sets a cell's `--shade`
and heatmap.css makes it a colour; in files `choose_cell_colour` of charts/print_maps.py does. The chosen hypothesis
comes back as an event, for the files and the link.
"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.analysis.errors.differences import compare_translations, is_comparable
from model.analysis.errors.meaning import gloss_words, has_lexicon
from model.networks import registry
from model.text import languages
from model.text.languages import get_language
from model.text.politeness import split_tag
from model.trace import END_PIECE, Trace
from pages.ui.backend.cards import find_card, get_title
from pages.ui.backend.service import Traces
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import Axis, ColourScale, Unit
from pages.ui.charts.payload_parts import make_short_id, round_probability
from pages.ui.components.component import Component, get_event
from pages.ui.heatmap.payload_types import Difference, HeatmapData, HeatmapTranslation, OtherTranslation
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import NARROW_SPACE, format_decimal, format_piece, get_trailing_text, typeset
from pages.ui.results import alignment_error, long_sentences
from pages.ui.url_state import params, state
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.unknown_words import describe_unknown_words

MAX_LABELS = 120  # rows and columns; only the files have more

_mount = Component("heatmap", HeatmapData)
_KEY = "picture"


@dataclass(frozen=True)
class HeatmapView:
    """Display options. `is_alone`: there is no other translation. `is_same`: the reader chose the same model twice."""

    unit: Unit = "words"
    scale: ColourScale = "violet"
    has_gloss: bool = False
    is_alone: bool = False
    is_same: bool = False


def drop_equal_texts(best: Traces) -> Traces:
    """Keep the first of hypotheses with the same words, which differ only in how words are split into subwords."""
    first_by_text: dict[str, Trace] = {}
    for trace in best:
        first_by_text.setdefault(trace.target.text, trace)
    return tuple(first_by_text.values())


def render_heatmap(
    best: Traces, other_trace: Trace | None, view: HeatmapView, rank: int, t: Messages, focus: str, key: str = _KEY
) -> None:
    """Draw the n best translations `best` with the heatmap of the one at `rank` (from 0), and another model's.

    Args:
        other_trace: the translation by the other model, None if there is none.
        focus: the key of the widget that gets the keyboard focus first.
        key: of this component, for pages with several.
    """
    data = build_heatmap_payload(best, other_trace, view, rank, t, focus)
    _mount(key=key, data=data, on_chosen_change=store_chosen_rank)


def store_chosen_rank() -> None:
    """Store the rank that the reader chose in the heatmap, with the identifier of its translations; the callback."""
    event: Any = get_event(_KEY, "chosen")
    if isinstance(event, dict) and isinstance(event.get("id"), str) and type(event.get("rank")) is int:
        st.session_state[params.HYPOTHESIS_RANK.name] = event["id"], event["rank"]


def get_chosen_rank(best: Traces) -> int:
    """Return the rank (from 0) that the reader chose in the heatmap or by the link, and write it to the link; 0 for a
    new sentence."""
    identifier = _identify(best)
    param = params.HYPOTHESIS_RANK.with_maximum(len(best))
    if param.name not in st.session_state:
        st.session_state[param.name] = (identifier, (state.read_link_param(param) or 1) - 1)
    stored_identifier, rank = st.session_state[param.name]
    rank = rank if stored_identifier == identifier and rank in range(len(best)) else 0
    state.write_link_param(param, rank + 1)
    return rank


def _identify(best: Traces) -> str:
    """Return an identifier of these translations, so that a choice is not applied to others."""
    facts = [(trace.provenance.fingerprint, trace.source.text, trace.target.text) for trace in best]
    return make_short_id(facts)


def build_heatmap_payload(
    best: Traces, other_trace: Trace | None, view: HeatmapView, rank: int, t: Messages, focus: str = ""
) -> HeatmapData:
    """Return the payload."""
    first = best[0]
    source_axis = _build_axis(first, "source", view.unit)
    words = typeset(first.source, first.source_language)
    return {
        "id": _identify(best),
        "rank": rank,
        "source": {
            "labels": _build_labels(source_axis, words, view.unit, t),
            "word_of": list(source_axis.word_of),
            "words": words,
            "unknown_words": sorted(first.source.unknown_words),
        },
        "languages": (first.source_language, first.target_language),
        "name": get_title(first.provenance.model),
        "n_best": [
            _build_translation(trace, source_axis, view, t, _build_differences(trace, other_trace)) for trace in best
        ],
        "other_translation": None
        if other_trace is None
        else _build_other_translation(other_trace, source_axis, view, t),
        "is_alone": view.is_alone,
        "cell_limit": MAX_LABELS if max(_count_labels(trace, view.unit) for trace in best) > MAX_LABELS else 0,
        "scale": view.scale,
        "unit": view.unit,
        "has_gloss": view.has_gloss,
        "has_lexicon": has_lexicon(first),
        "has_copied_symbols": bool(first.source.symbols),
        "weight_scale": alignment_grid.FIXED_POINT_ONE,
        "provenance": describe_provenance([first, other_trace] if other_trace else [first], t),
        "focus": focus,
        "unknown_notes": describe_unknown_words([*best, other_trace] if other_trace else best, t),
        "messages": _choose_messages(first, t),
        "language": t.language,
    }


def _choose_messages(trace: Trace, t: Messages) -> dict[str, str]:
    """Return the component's messages: for these languages, for rows that sum to 1 or not, with or without the end."""
    messages = t.get_table("heatmap")
    if (trace.source_language, trace.target_language) != languages.DEFAULT_PAIR:
        messages |= t.get_table("heatmap_any")
    if trace.has_attention and not trace.get_map().rows_sum_to_one:
        messages |= t.get_table("heatmap_loose")
    if END_PIECE not in (*trace.source.pieces, *trace.target.pieces):
        messages["legend_end"] = ""
    if not long_sentences.has_reference(trace):
        messages["legend_reference"] = ""
    return messages


def _build_other_translation(trace: Trace, source: Axis, view: HeatmapView, t: Messages) -> OtherTranslation:
    """Return the translation by the other model."""
    return {**_build_translation(trace, source, view, t, []), "name": get_title(trace.provenance.model)}


def _build_translation(
    trace: Trace, source: Axis, view: HeatmapView, t: Messages, differences: list[Difference]
) -> HeatmapTranslation:
    """Return one translation with its probabilities, glosses and attention weights."""
    words = typeset(trace.target, trace.target_language)
    has_attention = trace.has_attention
    glosses = None if has_attention or not view.has_gloss else gloss_words(trace)
    # Another vocabulary has other source pieces: its weights do not fit the columns.
    has_same_axis = has_attention and _build_axis(trace, "source", view.unit) == source
    grid = alignment_grid.build_grid(trace, view.unit).crop(MAX_LABELS, MAX_LABELS) if has_same_axis else None
    axis = grid.target if grid else _build_axis(trace, "target", view.unit)
    return {
        "labels": _build_labels(axis, words, view.unit, t),
        "word_of": list(axis.word_of),
        "words": words,
        "unknown_words": sorted(trace.target.unknown_words),
        "copied_words": sorted(trace.copied_words),
        "tail": get_trailing_text(trace.target),
        "language": trace.target_language,
        "probabilities": [
            round_probability(value, 6) for value in trace.compute_word_log_probs() if trace.has_probabilities
        ],
        "most_attended": list(alignment_grid.find_most_attended_words(trace))
        if has_attention and view.has_gloss
        else None,
        "lexicon_gloss": None if glosses is None else list(glosses),
        "alpha": grid.to_fixed_point().tolist() if grid else None,
        "label_log_probabilities": [round(value, 6) for value in grid.log_probs] if grid else [],
        "has_attention": has_attention,
        "log_probability": format_decimal(trace.log_probability, 1),
        "score": format_decimal(trace.score, 2),
        "notes": build_notes(trace, view, t),
        "differences": differences,
    }


def _build_differences(first: Trace, other_trace: Trace | None) -> list[Difference]:
    """Return omissions, repetitions and additions of both translations."""
    if other_trace is None or not is_comparable(first, other_trace):
        return []
    comparison = compare_translations(first, other_trace)
    return [
        {
            "omissions": list(errors.omissions),
            "repetitions": list(errors.repetitions),
            "additions": list(errors.additions),
            "last_followed": long_sentences.find_last_followed(trace, errors),
        }
        for trace, errors in ((first, comparison.first), (other_trace, comparison.second))
    ]


def _build_axis(trace: Trace, side: str, unit: Unit) -> Axis:
    """Return the labels of one side, at most MAX_LABELS."""
    return alignment_grid.build_axis(trace.source if side == "source" else trace.target, unit).crop(MAX_LABELS)


def _count_labels(trace: Trace, unit: Unit) -> int:
    return max(len(alignment_grid.build_axis(side, unit).labels) for side in (trace.source, trace.target))


def _build_labels(axis: Axis, words: list[tuple[str, str]], unit: Unit, t: Messages) -> list[str]:
    """Return the labels of one side for the screen."""
    labels: list[str] = []
    for position, (label, word) in enumerate(zip(axis.labels, axis.word_of, strict=True)):
        if axis.is_end(position):
            labels.append(t("heatmap.end"))
        elif word == -1:
            labels.append(label)
        elif unit == "words":
            labels.append(words[word][1].strip(NARROW_SPACE))
        else:
            labels.append(format_piece(label, ""))
    return labels


def _find_exceeded_length(trace: Trace) -> int | None:
    """Return the longest training sentence in words if this source is longer and the network reads positions.

    Positions beyond those of training are new to such a network, which a recurrent one does not have.
    """
    card = find_card(trace.provenance.model)
    kind = None if card is None else registry.KINDS.get(card.kind)
    if card is None or kind is None or kind.is_recurrent:
        return None
    num_words = get_language(trace.source_language).count_words(split_tag(trace.source.text)[1])
    return card.longest_words if 0 < card.longest_words < num_words else None


def build_notes(trace: Trace, view: HeatmapView, t: Messages) -> list[str]:
    """Return the notes on a translation: attention to neighbours or none, the style tag of the source, log-probability,
    an unfinished end, a source longer than in training, the same model chosen twice, the gloss. Imported translations
    get the first two only.
    """
    offset = (
        alignment_error.describe_attention_offset(trace, t)
        if trace.has_attention
        else t.format_for_component("result.without")
    )
    notes = [offset] if offset else []
    if split_tag(trace.source.text)[0]:
        notes.append(t.format_for_component("result.style", tag=trace.source.words[0]))
    if not trace.has_probabilities:
        return notes
    notes.append(t.format_for_component("result.score", value=format_decimal(trace.log_probability, 1)))
    if not trace.is_finished:
        notes.append(t("result.unfinished"))
    if (longest := _find_exceeded_length(trace)) is not None:
        notes.append(t.format_for_component("result.beyond_training", words=longest))
    if view.is_same:
        notes.append(t("result.same"))
    if view.has_gloss and not trace.has_attention:
        notes.append(
            t.format_for_component("result.likely_gloss")
            if gloss_words(trace) is not None
            else t.format_for_component("result.no_gloss")
        )
    return notes
