"""The payload of the player's stage, and numbers that only some stages show: self-attention, coverage, windows."""

import numpy as np
from numpy.typing import NDArray

from model.networks.equations.stage import Box, Frame, Stage
from model.trace import ENERGIES, MapDescription, Trace
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step.payload_types import BoxData, StageData, StageFrameData, Window

DIGITS = 6  # decimals sent; two are shown, and more are sent so that a number is rounded only once


def build_stage_payload(stage: Stage | None, trace: Trace, t: Messages) -> StageData | None:
    """Return the stage of a network for this Trace; None without a stage."""
    if stage is None:
        return None
    description = trace.get_map().description if trace.has_attention else None
    return {
        "readout": stage.readout,
        "update_token": stage.update_token,
        "boxes": [_build_box(box, t) for box in stage.boxes],
        "arrows": [
            {"start": arrow.start, "end": arrow.end, "phase": arrow.phase, "part": arrow.part,
             "start_side": arrow.start_side, "end_side": arrow.end_side, "steps": arrow.steps}
            for arrow in stage.arrows
        ],
        "height": stage.height,
        "attending_box": stage.attending_box,
        "phase_order": list(stage.phase_order),
        "encoder": None if stage.encoder is None else {
            "layers": stage.encoder.layers, "is_reversed": stage.encoder.is_reversed,
            "final_box": stage.encoder.final_box,
        },
        "prefix_row": None if stage.prefix_row is None else {
            "y": stage.prefix_row.y, "attending_box": stage.prefix_row.attending_box,
        },
        "frame": None if stage.frame is None else _build_frame(stage.frame, description, t),
        "has_coverage": bool(stage.coverage_key),
        "part_texts": {part: t(f"step_by_step.part_{key}") for part, key in stage.part_keys},
        "terms_text": t.format_for_component(f"step_by_step.terms_{stage.terms_key}"),
        "fixed_context_text": t.format_for_component(f"step_by_step.fixed_{stage.fixed_context_key}",
                                                last=len(trace.source.pieces)),
    }  # fmt: skip


def _build_box(box: Box, t: Messages) -> BoxData:
    return {
        "name": box.name, "part": box.part, "shape": box.shape, "x": box.x, "y": box.y, "x_narrow": box.x_narrow,
        "text": t(f"step_by_step.stage_{box.text_key}") if box.text_key else box.text,
        "index": box.index, "content": box.content, "phase": box.phase,
    }  # fmt: skip


def _build_frame(frame: Frame, description: MapDescription | None, t: Messages) -> StageFrameData:
    layer = frame.layers if description is None or description.layer is None else description.layer
    head = None if description is None else description.head
    layer_text = t("step_by_step.stage_layer", layer=layer, layers=frame.layers)
    head_text = t("step_by_step.stage_mean", heads=frame.heads) if head is None \
        else t("step_by_step.stage_head", head=head, heads=frame.heads)  # fmt: skip
    return {"layers_behind": frame.layers - 1, "label": f"{layer_text} · {head_text}",
            "left": frame.left, "right": frame.right, "top": frame.top, "bottom": frame.bottom}  # fmt: skip


def get_self_attention(trace: Trace) -> NDArray[np.float64] | None:
    """Return the decoder's self-attention, (T, T), in the layer and head of the map shown; None without one.

    If the map shown is a mean of heads, so is this.
    """
    if not trace.has_attention:
        return None
    displayed_map = trace.get_map()
    maps = [
        weight_map.values
        for weight_map in trace.maps
        if (weight_map.rows, weight_map.columns, weight_map.layer) == ("target", "target", displayed_map.layer)
        and (displayed_map.head is None or weight_map.head == displayed_map.head)
    ]
    return np.mean(maps, axis=0, dtype=np.float64) if maps else None


def get_energies(trace: Trace, step: int) -> NDArray[np.floating] | None:
    """Return the energies of a step; None if they are unknown.

    A Transformer's are not recorded. Those of one head follow from its softmax, up to a constant: log α, with mean 0.
    Weights that a reader has set say nothing about them.
    """
    energies = (trace.detail or {}).get(ENERGIES)
    if energies is not None:
        return np.asarray(energies[step])
    displayed_map = trace.get_map() if trace.has_attention else None
    if displayed_map is None or displayed_map.description.head is None or not displayed_map.rows_sum_to_one:
        return None
    if trace.provenance.overrides:
        return None
    logs = np.log(np.maximum(displayed_map.values[step].astype(np.float64), np.finfo(np.float32).tiny))
    return np.asarray(logs - logs.mean())


def get_coverage(trace: Trace, stage: Stage | None) -> NDArray[np.float32] | None:
    """Return the coverage of each source piece before each step, (T, S); None if the stage does not show it."""
    if stage is None or not stage.coverage_key:
        return None
    return next((weight_map.values for weight_map in trace.maps if weight_map.key == stage.coverage_key), None)


def get_copy_probabilities(trace: Trace, step: int) -> dict[str, float]:
    """Return the probability of copying each source piece at a step, (1 - p_gen) α; empty without copying."""
    p_gen = (trace.detail or {}).get("p_gen mean")
    probabilities: dict[str, float] = {}
    if p_gen is None or not trace.has_attention:
        return probabilities
    for position, weight in enumerate(trace.get_map().values[step].tolist()):
        piece = trace.source.get_written_piece(position)
        probabilities[piece] = probabilities.get(piece, 0.0) + (1 - float(p_gen[step])) * weight
    return probabilities


def get_window(trace: Trace, stage: Stage | None, step: int) -> Window | None:
    """Return the window of local attention at a step; None for global attention."""
    center = (trace.detail or {}).get("window_center mean")
    if stage is None or stage.window_distance is None or center is None:
        return None
    return {"center": round(float(center[step]), DIGITS), "half_width": stage.window_distance}
