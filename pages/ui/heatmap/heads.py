"""All attention maps of a translation side by side, layers down and heads across; a click enlarges one.

The browser component is assets/player/translate/heads.js.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from model.trace import COVERAGE_MAP, Trace, WeightMap, select_displayable_maps
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE
from pages.ui.components.component import Component, get_event
from pages.ui.heatmap.payload_types import HeadGroup, HeadMap, HeadsData
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.url_state import params, state
from pages.ui.widgets import map_names

MAX_LABELS = 60  # rows and columns; the large heatmap and the files have more

_mount = Component("heads", HeadsData)
_KEY = "heads-picture"


def render_heads(
    trace: Trace,
    t: Messages,
    on_choose: Callable[[str], None],
    on_prune: Callable[[str], None] | None = None,
    is_linked: bool = False,
) -> None:
    """Draw all maps of `trace`.

    Args:
        on_choose: called with the key of the map to show in the large heatmap.
        on_prune: called with the key of the head whose weights to make uniform; without it this is not offered.
        is_linked: whether the page's link holds the enlarged map.
    """
    param, keys = params.ENLARGED_MAP, [weight_map.key for weight_map in trace.maps]

    def call_if_allowed(event: str, is_allowed: Callable[[WeightMap], bool], callback: Callable[[str], None]) -> None:
        key: Any = get_event(_KEY, event)
        if isinstance(key, str) and any(weight_map.key == key and is_allowed(weight_map) for weight_map in trace.maps):
            callback(key)

    def store_enlarged() -> None:
        key: Any = get_event(_KEY, "enlarged")
        st.session_state[param.name] = key if key in keys else param.get_default()

    if is_linked and state.get_param(param) not in ("", *keys):
        state.reset_params(param)
    _mount(
        key=_KEY,
        data=build_heads_payload(trace, t, on_prune is not None, st.session_state[param.name] if is_linked else None),
        on_chosen_change=partial(
            call_if_allowed, "chosen", lambda weight_map: weight_map.description.is_target_by_source, on_choose
        ),
        on_prune_change=partial(call_if_allowed, "prune", _is_prunable, on_prune or (lambda _: None)),
        on_enlarged_change=store_enlarged if is_linked else lambda: None,
    )  # fmt: skip


def _is_prunable(weight_map: WeightMap) -> bool:
    """Return whether this is a single decoder head; only these can be overridden."""
    return weight_map.head is not None and weight_map.rows == "target"


def build_heads_payload(
    trace: Trace, t: Messages, can_prune: bool = False, enlarged_map: str | None = None
) -> HeadsData:
    """Return the payload. `can_prune`: whether heads can be replaced by uniform weights."""
    groups: dict[tuple[str, str, str], list[WeightMap]] = {}
    for weight_map in trace.maps:
        groups.setdefault((weight_map.name, weight_map.rows, weight_map.columns), []).append(weight_map)
    descriptions = select_displayable_maps(weight_map.description for weight_map in trace.maps)
    displayable = {description.key for description in descriptions}
    return {
        "groups": [
            _build_group(trace, maps, t, displayable, can_prune, is_first=not index)
            for index, maps in enumerate(groups.values())
        ],
        "selected": trace.displayed_map_key or "",
        "enlarged": enlarged_map,
        "weight_scale": FIXED_POINT_ONE,
        "messages": t.get_table("heads"),
        "language": t.language,
    }


def _build_group(
    trace: Trace, maps: list[WeightMap], t: Messages, displayable: set[str], can_prune: bool, *, is_first: bool
) -> HeadGroup:
    """Return the maps of one name over the same axes. Those in `displayable` can be shown in the large heatmap."""
    rows, columns, name = maps[0].rows, maps[0].columns, maps[0].name
    is_coverage = name == COVERAGE_MAP
    if rows == columns:
        description = t("heads.source_source") if rows == "source" else t("heads.target_target")
    else:
        description = t("heads.account") if is_coverage else t("heads.target_source")
    is_decoder_input = rows == columns == "target"
    payloads = [
        _build_map(trace, weight_map, weight_map.key in displayable, can_prune and _is_prunable(weight_map))
        for weight_map in maps
    ]
    return {
        "name": map_names.translate_map_name(name, t),
        "description": f"{description} {t('heads.open')}" if is_first else description,
        "source": _build_labels(trace, columns, t, is_decoder_input=is_decoder_input),
        "target": _build_labels(trace, rows, t),
        "sides": (columns, rows),
        "languages": (_get_language(trace, columns), _get_language(trace, rows)),
        "is_coverage": is_coverage,
        "max_weight": max(1.0, max(max(map(max, payload["values"])) for payload in payloads) / FIXED_POINT_ONE),
        "maps": payloads,
    }


def _build_map(trace: Trace, weight_map: WeightMap, is_displayable: bool, is_prunable: bool) -> HeadMap:
    values = trace.compute_word_map_in_order(weight_map.key)
    return {
        "key": weight_map.key,
        "layer": weight_map.layer,
        "head": weight_map.head,
        "values": alignment_grid.to_fixed_point(values[:MAX_LABELS, :MAX_LABELS]).tolist(),
        "is_selectable": is_displayable,
        "is_prunable": is_prunable,
    }


def _build_labels(trace: Trace, side_name: str, t: Messages, *, is_decoder_input: bool = False) -> list[str]:
    """Return the words of a side as typeset, and its special tokens.

    The decoder input is the target shifted by one: it starts with the start token and lacks the end.
    """
    side = trace.source if side_name == "source" else trace.target
    words = [word.strip() for _, word in typeset(side, _get_language(trace, side_name))]
    axis = alignment_grid.build_axis(side, "words")
    labels = [t("heads.end") if axis.is_end(position) else label if word == -1 else words[word]
              for position, (label, word) in enumerate(zip(axis.labels, axis.word_of, strict=True))]  # fmt: skip
    if is_decoder_input:
        labels = [t("heads.start"), *(labels[:-1] if axis.word_of[-1] == -1 else labels)]
    return labels[:MAX_LABELS]


def _get_language(trace: Trace, side_name: str) -> str:
    return trace.source_language if side_name == "source" else trace.target_language
