"""The attention console as one browser component: both translations, the map that can be changed, and what changed.

While a cell is dragged the picture changes in the browser alone (assets/player/laboratory); on letting go one change
comes here, and the page decodes with it.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.analysis.ablation.effect import Effect
from model.analysis.ablation.word_changes import (
    WordPair,
    align_traces,
    attention_difference,
    count_unchanged,
    sum_by_word,
)
from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride
from model.decoding.override_rules import MAX_STEPS, format_number
from model.trace import END_PIECE, WORD_START, Side, Trace
from pages.ui.backend.cards import title_of
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import decimal, typeset
from pages.ui.laboratory import experiment_state, labels
from pages.ui.laboratory.payload_types import ConsoleChange, ConsoleColumn, ConsoleData, ConsolePiece, ConsoleSide
from pages.ui.url_state import links
from pages.ui.widgets.provenance import provenance

KEY = "console"
MAX_DESCRIBED = 2  # changes that are told above the result
_REFUSAL_KEY = "console-refused"

_mount = Component("console", ConsoleData)


def render_console(data: ConsoleData) -> None:
    """Draw the console of a payload."""
    _mount(key=KEY, data=data, on_edit_change=_on_edit, on_back_change=_on_back)


def pop_refusal() -> str:
    """Why the change that was asked for last cannot be made; "" where it was, or where that was said already."""
    return str(st.session_state.pop(_REFUSAL_KEY, ""))


def _on_edit() -> None:
    """The reader has let go: what is asked for is made part of the question."""
    found = experiment_state.read_change(KEY, "edit", "attention")
    now = st.session_state.get(links.EDITS.name)
    try:
        st.session_state[links.EDITS.name] = apply_change(now if isinstance(now, Overrides) else Overrides(), found)
    except OverrideError as error:
        st.session_state[_REFUSAL_KEY] = str(error)


def _on_back() -> None:
    """The reader goes back to the table of rules."""
    if experiment_state.read_event(KEY, "back", "attention"):
        experiment_state.open_experiment("need")


def apply_change(edits: Overrides, asked: object) -> Overrides:
    """The edits after what the browser asks for: {"more": changes as they are written}, {"less": changes}, or
    {"none": true} for the model's own doing. Raises EditsError for changes that cannot be read; what asks for nothing
    that is known here changes nothing."""
    if not isinstance(asked, dict):
        return edits
    more, less = asked.get("more"), asked.get("less")
    if isinstance(more, str):
        made = edits.merge(Overrides.from_text(more))
        Overrides.from_text(made.to_text())  # what is written too long cannot be read again
        return made
    if isinstance(less, str):
        return edits.remove(Overrides.from_text(less))
    return Overrides() if asked.get("none") is True else edits


def build_console_payload(before: Trace, after: Trace, effect: Effect | None, t: Messages, back: bool = False) -> ConsoleData:
    """What the component draws of a translation and of that with changes, which is the same where there are none.
    `effect`: what the changes make of each step of the one before; `back`: whether the table of rules led here."""
    edits = Overrides.from_text(after.made_by.edits)
    pairs = align_traces(before, after)
    words = [pair for pair in pairs if pair.before not in (None, -1)]
    return {
        "of": experiment_state.make_question_id(before.source.text, before.made_by.model),
        "name": title_of(before.made_by.model),
        "map": before.shown or "",
        "languages": (before.source_language, before.target_language),
        "source": _build_pieces(before.source, t),
        "before": _build_side(before, t),
        "after": _build_side(after, t) if edits else None,
        "columns": _build_columns(before, after, pairs, effect if edits else None),
        "changes": [_build_change(one, before, after, t) for one in _split_overrides(edits)],
        "told": summarize_overrides(edits, before, after, t),
        "sum": decimal(sum(effect.log_prob_changes), 1, plus=True) if effect else "",
        "back": back,
        "kept": t("console.kept", kept=count_unchanged(pairs), words=len(words)),
        "parts": FIXED_POINT_ONE,
        "made": provenance([before, after], t),
        "words": t.table("console"),
        "language": t.language,
    }


def _build_side(trace: Trace, t: Messages) -> ConsoleSide:
    return {
        "pieces": _build_pieces(trace.target, t),
        "words": typeset(trace.target, trace.target_language),
        "alpha": np.rint(trace.get_map().values.astype(np.float64) * FIXED_POINT_ONE).astype(np.int64).tolist(),
        "log_probability": decimal(trace.log_probability, 1),
    }


def _build_pieces(side: Side, t: Messages) -> list[ConsolePiece]:
    return [
        {"text": t("console.end") if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣", "word": word,
         "joined": word >= 0 and word in side.word_of[:place]}
        for place, (piece, word) in enumerate(zip(side.pieces, side.word_of, strict=True))
    ]  # fmt: skip


def _build_columns(before: Trace, after: Trace, pairs: tuple[WordPair, ...], effect: Effect | None) -> list[ConsoleColumn]:
    gained = sum_by_word(before, effect.log_prob_changes) if effect else {}
    moved = sum_by_word(before, effect.kl_divergence) if effect else {}
    logs = sum_by_word(after, tuple(step.log_probability for step in after.steps)) if effect else {}
    rows = attention_difference(before, after, pairs)
    return [
        {
            "before": pair.before,
            "after": pair.after,
            "flipped": pair.is_changed,
            "gained": _value_at(gained, pair.before),
            "moved": _value_at(moved, pair.before),
            "log": _value_at(logs, pair.after),
            "difference": None if row is None else np.rint(row * FIXED_POINT_ONE).astype(np.int64).tolist(),
        }
        for pair, row in zip(pairs, rows, strict=True)
    ]


def _value_at(values: dict[int, float], word: int | None) -> float | None:
    return None if word is None or word not in values else round(values[word], 6)


def _split_overrides(edits: Overrides) -> list[Overrides]:
    """The changes one by one."""
    alone = [Overrides(rules=(one,)) for one in edits.rules] + [Overrides((one,)) for one in edits.rows]
    return [*([Overrides(prefix=edits.prefix)] if edits.prefix else []), *alone]


def _build_change(one: Overrides, before: Trace, after: Trace, t: Messages) -> ConsoleChange:
    """A single change in words."""
    if one.prefix:
        return {"written": one.to_text(), "said": t("console.said_begun", count=len(one.prefix))}
    of: OverrideRule | RowOverride = one.rules[0] if one.rules else one.rows[0]
    if isinstance(of, RowOverride):
        what, where = t("console.said_row"), _describe_step(of.step, after, t)
    else:
        what = labels.describe_rule(of.kind, of.parameter, _join_rule_pieces(of, before, t), t)
        where = t("console.said_all") if (of.first_step, of.last_step) == (1, MAX_STEPS) else _describe_step(of.first_step, after, t) \
            if of.first_step == of.last_step else t("console.said_from", first=of.first_step) if of.last_step == MAX_STEPS \
            else t("console.said_range", first=of.first_step, last=of.last_step)  # fmt: skip
    said = t("console.said", what=what, where=where)
    return {"written": one.to_text(), "said": f"{of.map_key}: {said}" if len(_get_source_map_keys(before)) > 1 else said}


def summarize_overrides(edits: Overrides, before: Trace, after: Trace, t: Messages) -> str:
    """What is changed, in a line: the first sentences, and how many more there are. What is made of every map alike is
    told once, without their names."""
    maps: dict[str, set[str]] = {}
    for one in _split_overrides(edits):
        of = None if one.prefix else one.rules[0] if one.rules else one.rows[0]
        sentence = t("console.told_begun", count=len(one.prefix)) if of is None else _describe_override(of, before, after, t)
        maps.setdefault(sentence, set()).update(() if of is None else (of.map_key,))
    every = set(_get_source_map_keys(before))
    told = [text if not of or of >= every else f"{', '.join(sorted(of))}: {text}" for text, of in maps.items()]
    more = [t("console.told_more", count=len(told) - MAX_DESCRIBED)] if len(told) > MAX_DESCRIBED else []
    return t("console.told_next").join(told[:MAX_DESCRIBED] + more)


def _describe_override(of: OverrideRule | RowOverride, before: Trace, after: Trace, t: Messages) -> str:
    """Who looks where, after a change."""
    first, last = (of.step, of.step) if isinstance(of, RowOverride) else (of.first_step, of.last_step)
    if first == last:
        who = _get_piece_text(first, after, t)
        who = t("console.who_word", word=who) if who else t("console.said_step", step=first)
    elif last == MAX_STEPS:
        who = t("console.who_all") if first == 1 else t("console.who_from", first=first)
    else:
        who = t("console.who_range", first=first, last=last)
    if isinstance(of, RowOverride):
        return t("console.told_row", who=who)
    return t(f"console.told_{labels.get_way_name(of.kind, of.parameter)}", who=who, of=_join_rule_pieces(of, before, t),
               number=format_number(of.parameter))  # fmt: skip


def _get_source_map_keys(trace: Trace) -> list[str]:
    """The keys of the maps that look at the source."""
    return [one.key for one in trace.maps if one.description.is_source_attention]


def _join_rule_pieces(rule: OverrideRule, before: Trace, t: Messages) -> str:
    """The source pieces that a rule names, as they are read; "" for a rule that names none."""
    pieces = [before.source.pieces[place - 1] for place in rule.positions if place <= len(before.source.pieces)]
    words = "".join(t("console.end") if piece == END_PIECE else piece for piece in pieces)
    return words.replace(WORD_START, " ").strip()


def _describe_step(step: int, after: Trace, t: Messages) -> str:
    written = _get_piece_text(step, after, t)
    return t("console.said_word", step=step, word=written) if written else t("console.said_step", step=step)


def _get_piece_text(step: int, after: Trace, t: Messages) -> str:
    """The piece that is written at a step; "" where the translation is shorter."""
    if step > len(after.steps):
        return ""
    piece = after.steps[step - 1].piece
    return t("console.end") if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣"
