"""The attention console: change any row of α by hand or by rule, and see what the model writes with it.

While a cell is dragged only the browser redraws (assets/player/laboratory). On release it sends one change, and the
page decodes with it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

import streamlit as st

from model.analysis.ablation.effect import Effect, measure_effects
from model.analysis.ablation.word_changes import (
    END,
    WordPair,
    align_traces,
    compute_attention_differences,
    count_unchanged,
    sum_by_word,
)
from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride
from model.decoding.override_rules import MAX_STEPS, format_number
from model.text.normalise import NormalisedText
from model.trace import END_PIECE, Trace
from model.trace.maps import select_head_maps
from pages.ui.backend.cards import get_title
from pages.ui.charts import alignment_grid, print_maps
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE, to_fixed_point
from pages.ui.charts.payload_parts import build_pieces
from pages.ui.charts.printing import Drawing
from pages.ui.components.component import Component
from pages.ui.frame.rerun import rerun_page
from pages.ui.heatmap.exports import render_link_buttons
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_piece, join_tokens, typeset
from pages.ui.laboratory import experiment_state, exports, labels
from pages.ui.laboratory.context import ExperimentContext
from pages.ui.laboratory.payload_types import ConsoleColumn, ConsoleData, ConsoleOverride, ConsoleSide
from pages.ui.widgets import downloads, map_names, print_figures
from pages.ui.widgets.fetch import Request, set_displayed_map
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.translations import describe_error, get_translations, take_placeholder
from pages.ui.widgets.unknown_words import describe_unknown_words

KEY = "console"
MAX_DESCRIBED = 2  # changes named above the result
_REFUSAL_KEY = "console-refused"

_mount = Component("console", ConsoleData)


def render_console(context: ExperimentContext) -> None:
    """Draw the console for the sentence in the box, with the overrides of the reader or of the link."""
    t = context.t
    requests = (Request(context.model_name, context.settings, context.overrides),
                Request(context.model_name, context.settings))  # fmt: skip
    placeholder = take_placeholder(context.sentence, requests)
    answers = placeholder or get_translations(context.sentence, requests, t, context.status)
    refusal = st.session_state.pop(_REFUSAL_KEY, None)
    problem = describe_error(refusal, context.model_name, t) if refusal else exports.pop_problem(t)
    if problem:
        context.status.show_problem(problem)
    if answers is not None and all(answers):
        overridden, original = (traces[0] for traces in set_displayed_map(answers, context.map_key))
        effect = measure_effect(context, original, Overrides.from_text(overridden.provenance.overrides))
        data = build_console_payload(original, overridden, effect, t, experiment_state.get_referrer() == "ablation")
        _mount(key=KEY, data=data, on_edit_change=_on_edit, on_back_change=_on_back)
        with context.export_container:
            _render_exports(original, overridden, data, t)
    if placeholder:
        rerun_page()


def measure_effect(context: ExperimentContext, original: Trace, overrides: Overrides) -> Effect | None:
    """Measure what the overrides change at each step of the original translation; None without overrides."""
    if not overrides:
        return None
    text, pieces = NormalisedText(original.source.text), tuple(step.id for step in original.steps)
    return context.with_model_of(original).measure(
        ("effect", text, pieces, overrides),
        lambda model, should_stop: measure_effects(model, text, pieces, [overrides], should_stop)[0],
    )


def _render_exports(original: Trace, overridden: Trace, data: ConsoleData, t: Messages) -> None:
    trace = overridden if overridden.provenance.overrides else original
    print_figures.draw_file_buttons(draw_comparison(original, overridden, t), t, key="laboratory")
    exports.render_save_button(trace, t)
    exports.render_html_button("attention", KEY, data, trace, t)
    render_link_buttons(t)
    exports.render_open_button(t)


def draw_comparison(original: Trace, overridden: Trace, t: Messages) -> Drawing:
    """Draw the word maps before and after the overrides, with changed words marked."""
    pairs = [pair for pair in align_traces(original, overridden) if pair.is_changed]
    lost_words = frozenset(pair.word_before for pair in pairs if pair.word_before is not None)
    new_words = frozenset(pair.word_after for pair in pairs if pair.word_after is not None)
    sides = [(original, t("console.before"), lost_words)]
    sides += [(overridden, t("console.after"), new_words)] if overridden.provenance.overrides else []
    grids = [print_maps.LabelledGrid(alignment_grid.build_grid(trace, "words"), name, marked_words)
             for trace, name, marked_words in sides]  # fmt: skip
    title = t("laboratory.picture", model=map_names.build_title(original, t), before=original.target.text,
              after=overridden.target.text, source=original.source.text)  # fmt: skip
    name = downloads.build_file_name(overridden if overridden.provenance.overrides else original, "attention")
    return print_maps.build_comparison_drawing(name, grids, title, t("console.end"))


def _on_edit() -> None:
    change = experiment_state.read_change(KEY, "edit", "attention")
    try:
        experiment_state.set_overrides(apply_change(experiment_state.get_overrides(), change))
    except OverrideError as error:
        st.session_state[_REFUSAL_KEY] = error


def _on_back() -> None:
    """Go back to the ablation table that led here."""
    if experiment_state.read_event(KEY, "back", "attention"):
        experiment_state.open_experiment("ablation")


def apply_change(overrides: Overrides, change: object) -> Overrides:
    """Return the overrides after a change from the browser.

    The change is {"add": overrides as text}, {"remove": overrides as text} or {"clear": true}; anything else has no
    effect. Raises OverrideError if the text cannot be read.
    """
    if not isinstance(change, dict):
        return overrides
    added_text, removed_text = change.get("add"), change.get("remove")
    if isinstance(added_text, str):
        extended_overrides = overrides.merge(Overrides.from_text(added_text))
        Overrides.from_text(extended_overrides.to_text())  # raises for a text too long to be read again
        return extended_overrides
    if isinstance(removed_text, str):
        return overrides.remove(Overrides.from_text(removed_text))
    return Overrides() if change.get("clear") is True else overrides


def build_console_payload(original: Trace, overridden: Trace, effect: Effect | None, t: Messages,
                          has_back: bool = False) -> ConsoleData:
    """Build the component's data from the translation without and with overrides (the same Trace if there are none).

    `effect` is measured on the original translation. `has_back`: the ablation table led here.
    """
    overrides = Overrides.from_text(overridden.provenance.overrides)
    pairs = align_traces(original, overridden)
    num_words = sum(pair.word_before not in (None, END) for pair in pairs)
    return {
        "id": experiment_state.make_input_id(original.source.text, original.provenance.model),
        "name": get_title(original.provenance.model),
        "map_key": original.displayed_map_key or "",
        "languages": (original.source_language, original.target_language),
        "source": build_pieces(original.source, t("console.end")),
        "original": _build_side(original, t),
        "overridden": _build_side(overridden, t) if overrides else None,
        "columns": _build_columns(original, overridden, pairs, effect),
        "overrides": [_build_override(override, original, overridden, t) for override in _split_overrides(overrides)],
        "summary": summarise_overrides(overrides, original, overridden, t),
        "total_gain": format_decimal(sum(effect.log_prob_changes), 1, has_plus=True) if effect else "",
        "has_back_link": has_back,
        "unchanged_note": t("console.kept", kept=count_unchanged(pairs), words=num_words),
        "weight_scale": FIXED_POINT_ONE,
        "provenance": describe_provenance([original, overridden], t),
        "unknown_notes": describe_unknown_words([original, overridden], t, marks_copies=False),
        "messages": t.get_table("console"),
        "language": t.language,
    }


def _build_side(trace: Trace, t: Messages) -> ConsoleSide:
    return {
        "pieces": build_pieces(trace.target, t("console.end")),
        "words": typeset(trace.target, trace.target_language),
        "alpha": to_fixed_point(trace.get_map().values).tolist(),
        "log_probability": format_decimal(trace.log_probability, 1),
    }


def _build_columns(original: Trace, overridden: Trace, pairs: tuple[WordPair, ...],
                   effect: Effect | None) -> list[ConsoleColumn]:  # fmt: skip
    gains = sum_by_word(original, effect.log_prob_changes) if effect else {}
    kl_divergence = sum_by_word(original, effect.kl_divergence) if effect else {}
    log_probs = sum_by_word(overridden, tuple(step.log_probability for step in overridden.steps)) if effect else {}
    rows = compute_attention_differences(original, overridden, pairs)

    def value_at(values: dict[int, float], word: int | None) -> float | None:
        return None if word is None or word not in values else round(values[word], labels.DIGITS)

    return [
        {
            "word_before": pair.word_before,
            "word_after": pair.word_after,
            "is_changed": pair.is_changed,
            "log_probability_gain": value_at(gains, pair.word_before),
            "kl_divergence": value_at(kl_divergence, pair.word_before),
            "log_probability": value_at(log_probs, pair.word_after),
            "difference": None if row is None else to_fixed_point(row).tolist(),
        }
        for pair, row in zip(pairs, rows, strict=True)
    ]


def _split_overrides(overrides: Overrides) -> list[Overrides]:
    """Split overrides into single ones: the forced prefix, each rule, each row."""
    prefix = [Overrides(prefix=overrides.prefix)] if overrides.prefix else []
    rules = [Overrides(rules=(rule,)) for rule in overrides.rules]
    return [*prefix, *rules, *(Overrides((row,)) for row in overrides.rows)]


def _get_attention_override(override: Overrides) -> OverrideRule | RowOverride | None:
    """Return the rule or row of a single override; None for a forced prefix."""
    return None if override.prefix else override.rules[0] if override.rules else override.rows[0]


def _build_override(override: Overrides, original: Trace, overridden: Trace, t: Messages) -> ConsoleOverride:
    """Describe a single override for the list of changes."""
    text, attention = override.to_text(), _get_attention_override(override)
    if attention is None:
        return {"override": text, "description": t("console.override_begun", count=len(override.prefix))}
    if isinstance(attention, RowOverride):
        rule, steps = t("console.override_row"), _describe_step(attention.step, overridden, t)
    else:
        first, last = attention.first_step, attention.last_step
        rule = labels.describe_rule(attention.kind, attention.parameter, _join_rule_pieces(attention, original, t), t)
        if first == last:
            steps = _describe_step(first, overridden, t)
        elif last == MAX_STEPS:
            steps = t("console.override_all") if first == 1 else t("console.override_from", first=first)
        else:
            steps = t("console.override_range", first=first, last=last)
    description = t("console.override", what=rule, where=steps)
    return {"override": text, "description": _name_maps({attention.map_key}, original, t) + description}


def summarise_overrides(overrides: Overrides, original: Trace, overridden: Trace, t: Messages) -> str:
    """Describe the overrides in one line: the first sentences, and how many more there are."""
    maps_by_sentence: dict[str, set[str]] = {}
    for override in _split_overrides(overrides):
        attention = _get_attention_override(override)
        if attention is None:
            maps_by_sentence[t("console.summary_begun", count=len(override.prefix))] = set()
        else:
            sentence = _describe_override(attention, original, overridden, t)
            maps_by_sentence.setdefault(sentence, set()).add(attention.map_key)
    sentences = [_name_maps(keys, original, t) + sentence if keys else sentence
                 for sentence, keys in maps_by_sentence.items()]  # fmt: skip
    num_more = len(sentences) - MAX_DESCRIBED
    remainder = [t("console.summary_more", count=num_more)] if num_more > 0 else []
    return t("console.summary_next").join(sentences[:MAX_DESCRIBED] + remainder)


def _describe_override(override: OverrideRule | RowOverride, original: Trace, overridden: Trace, t: Messages) -> str:
    """Describe in a sentence which steps look where."""
    if isinstance(override, RowOverride):
        first = last = override.step
    else:
        first, last = override.first_step, override.last_step
    if first == last:
        piece = _get_step_piece(first, overridden, t)
        steps = t("console.who_word", word=piece) if piece else t("console.override_step", step=first)
    elif last == MAX_STEPS:
        steps = t("console.who_all") if first == 1 else t("console.who_from", first=first)
    else:
        steps = t("console.who_range", first=first, last=last)
    if isinstance(override, RowOverride):
        return t("console.summary_row", who=steps)
    return t(f"console.summary_{labels.get_rule_key(override.kind, override.parameter)}", who=steps,
             of=_join_rule_pieces(override, original, t), number=format_number(override.parameter))  # fmt: skip


def _name_maps(keys: AbstractSet[str], trace: Trace, t: Messages) -> str:
    """Name the overridden maps, before a sentence about them; "" if all attention to the source is overridden.

    An override of a layer's mean overrides each of its heads.
    """
    maps = [weight_map.description for weight_map in trace.maps]
    if all(keys & {head.key, replace(head, head=None).key} for head in select_head_maps(maps)):
        return ""
    names = [map_names.name_map(one, maps, t, is_short=False) for one in maps if one.key in keys]
    return f"{', '.join(names)}: "


def _join_rule_pieces(rule: OverrideRule, original: Trace, t: Messages) -> str:
    """Return the source pieces that a rule names, as text."""
    source = original.source
    pieces = [source.get_written_piece(place - 1) for place in rule.positions if place <= len(source.pieces)]
    end = t("console.end") if END_PIECE in pieces else ""
    return f"{join_tokens(pieces)} {end}".strip()


def _describe_step(step: int, overridden: Trace, t: Messages) -> str:
    piece = _get_step_piece(step, overridden, t)
    return t("console.override_word", step=step, word=piece) if piece else t("console.override_step", step=step)


def _get_step_piece(step: int, trace: Trace, t: Messages) -> str:
    """Return the piece of a step, counted from 1; "" if the translation is shorter."""
    return format_piece(trace.steps[step - 1].piece, t("console.end")) if step <= len(trace.steps) else ""
