"""All maps of a translation side by side, a row a layer, a column a head; a click enlarges one
(assets/player/translate/heads.js)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.trace import COVERAGE_MAP, Trace, WeightMap, select_displayable_maps
from pages.ui.backend.cards import get_title
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE
from pages.ui.components.component import Component, get_event
from pages.ui.heatmap.heads_types import HeadGroup, HeadMap, HeadsData
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.url_state import params, state
from pages.ui.widgets import map_names as maps_called

MAX_LABELS = 60  # rows and columns; longer ones are in the large picture and the files

_mount = Component("heads", HeadsData)
_KEY = "heads-picture"


def render_heads(
    trace: Trace,
    t: Messages,
    chosen: Callable[[str], None],
    pruned: Callable[[str], None] | None = None,
    linked: bool = False,
) -> None:
    """Draw all maps of `trace`; `chosen` is called with the key of the one that the reader wants in the large picture,
    `pruned` with that of the head that is to be set to its mean, which is not offered without it. `linked`: whether the
    page's link carries which one is enlarged."""
    row, keys = params.ENLARGED_MAP, [one.key for one in trace.maps]

    def heard(event: str, able: Callable[[WeightMap], bool], told: Callable[[str], None]) -> None:
        found: Any = get_event(_KEY, event)
        if isinstance(found, str) and any(one.key == found and able(one) for one in trace.maps):
            told(found)

    def enlarged() -> None:
        found: Any = get_event(_KEY, "enlarged")
        st.session_state[row.name] = found if found in keys else row.kind.default()

    if linked and state.get_param(row) not in ("", *keys):
        state.reset_params(row)
    _mount(
        key=_KEY,
        data=build_heads_payload(trace, t, pruned is not None, st.session_state[row.name] if linked else None),
        on_chosen_change=partial(heard, "chosen", lambda one: one.description.is_source_attention, chosen),
        on_prune_change=partial(heard, "prune", _prunable, pruned or (lambda _: None)),
        on_enlarged_change=enlarged if linked else lambda: None,
    )  # fmt: skip


def _prunable(one: WeightMap) -> bool:
    """Whether it is a single head whose rows the decoder makes: these alone can be changed."""
    return one.head is not None and one.rows == "target"


def build_heads_payload(trace: Trace, t: Messages, pruning: bool = False, enlarged: str | None = None) -> HeadsData:
    """What the component draws: plain lists and texts only. `pruning`: whether heads can be set to their means."""
    groups: dict[tuple[str, str, str], list[WeightMap]] = {}
    for one in trace.maps:
        groups.setdefault((one.name, one.rows, one.columns), []).append(one)
    looks = {one.key for one in select_displayable_maps(one.description for one in trace.maps)}
    return {
        "model": get_title(trace.made_by.model),
        "groups": [
            _group(trace, maps, t, looks, pruning, first=not place) for place, maps in enumerate(groups.values())
        ],
        "shown": trace.shown or "",
        "enlarged": enlarged,
        "parts": FIXED_POINT_ONE,
        "words": t.table("heads"),
        "language": t.language,
    }


def _group(
    trace: Trace, maps: list[WeightMap], t: Messages, looks: set[str], pruning: bool, *, first: bool
) -> HeadGroup:
    """The maps of one name and the same axes; of those in `looks` the large picture can be made; the `first` group says
    what a click does."""
    one = maps[0]
    account = one.name == COVERAGE_MAP
    said = (t("heads.source_source") if one.rows == "source" else t("heads.target_target")) \
        if one.rows == one.columns else t("heads.account") if account else t("heads.target_source")  # fmt: skip
    given = one.rows == one.columns == "target"
    drawn = [_map(trace, each, each.key in looks, pruning and _prunable(each)) for each in maps]
    return {
        "name": maps_called.translate_map_name(one.name, t),
        "says": f"{said} {t('heads.open')}" if first else said,
        "source": _labels(trace, one.columns, t, given=given),
        "target": _labels(trace, one.rows, t),
        "sides": (one.columns, one.rows),
        "languages": (_language(trace, one.columns), _language(trace, one.rows)),
        "account": account,
        "most": max(1.0, max(max(map(max, each["values"])) for each in drawn) / FIXED_POINT_ONE),
        "maps": drawn,
    }


def _map(trace: Trace, one: WeightMap, looks: bool, prunable: bool) -> HeadMap:
    values = trace.compute_word_map_in_order(one.key)
    parts = np.rint(values[:MAX_LABELS, :MAX_LABELS].astype(np.float64) * FIXED_POINT_ONE).astype(int)
    return {"key": one.key, "layer": one.layer, "head": one.head, "values": parts.tolist(), "looks": looks,
            "prunable": prunable}  # fmt: skip


def _labels(trace: Trace, side: str, t: Messages, *, given: bool = False) -> list[str]:
    """The words of a side as they are printed, and its special tokens; what the decoder is `given` begins with nothing
    and lacks what it wrote last, if that is no word."""
    of = trace.source if side == "source" else trace.target
    words = [word.strip() for _, word in typeset(of, _language(trace, side))]
    axis = alignment_grid.build_axis(of, "words")
    labels = [t("heads.end") if axis.is_end(place) else label if word == -1 else words[word]
              for place, (label, word) in enumerate(zip(axis.labels, axis.word_of, strict=True))]  # fmt: skip
    if given:
        labels = [t("heads.start"), *(labels[:-1] if axis.word_of[-1] == -1 else labels)]
    return labels[:MAX_LABELS]


def _language(trace: Trace, side: str) -> str:
    return trace.source_language if side == "source" else trace.target_language
