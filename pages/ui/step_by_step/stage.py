"""The stage of the player as the browser gets it, and the numbers of a Trace that only some stages draw: the looks
back at what is written, what is covered, where a window stands."""

import numpy as np
from numpy.typing import NDArray

from model.networks.equations.stage import Box, Frame, Stage
from model.trace import MapDescription, Trace
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step.payload_types import SentBox, SentFrame, SentStage, Window

DIGITS = 6  # decimals that numbers travel with: two are shown, and rounding twice would show another second one


def build_stage_payload(stage: Stage | None, trace: Trace, t: Messages) -> SentStage | None:
    """A stage for the browser, to draw that translation on; None for a plain one."""
    if stage is None:
        return None
    shown = trace.get_map().description if trace.has_attention else None
    return {
        "readout": stage.readout,
        "takes": stage.update_token,
        "boxes": [_box(one, t) for one in stage.boxes],
        "arrows": [
            {"start": one.start, "end": one.end, "phase": one.phase, "part": one.part, "leaves": one.start_side,
             "enters": one.end_side, "steps": one.steps}
            for one in stage.arrows
        ],
        "height": stage.height,
        "asks": stage.attending_box,
        "order": list(stage.phase_order),
        "reading": None if stage.encoder is None else {
            "layers": stage.encoder.layers, "backwards": stage.encoder.backwards, "pipe": stage.encoder.final_box,
        },
        "written": None if stage.target_row is None else {"y": stage.target_row.y, "by": stage.target_row.attending_box},
        "frame": None if stage.frame is None else _frame(stage.frame, shown, t),
        "covers": bool(stage.coverage_key),
        "explains": {part: t(f"step_by_step.part_{key}") for part, key in stage.part_keys},
        "terms": t.format_for_component(f"step_by_step.terms_{stage.terms_key}"),
        "fixed": t.format_for_component(f"step_by_step.fixed_{stage.fixed_context_key}", last=len(trace.source.pieces)),
    }  # fmt: skip


def _box(box: Box, t: Messages) -> SentBox:
    return {
        "name": box.name, "part": box.part, "shape": box.shape, "x": box.x, "y": box.y, "narrow": box.x_narrow,
        "text": t(f"step_by_step.stage_{box.text_key}") if box.text_key else box.text,
        "index": box.index, "holds": box.content, "phase": box.phase,
    }  # fmt: skip


def _frame(frame: Frame, shown: MapDescription | None, t: Messages) -> SentFrame:
    layer = frame.layers if shown is None or shown.layer is None else shown.layer
    head = None if shown is None else shown.head
    told = t("step_by_step.stage_layer", layer=layer, layers=frame.layers)
    heads = t("step_by_step.stage_mean", heads=frame.heads) if head is None \
        else t("step_by_step.stage_head", head=head, heads=frame.heads)  # fmt: skip
    return {"behind": frame.layers - 1, "said": f"{told} · {heads}", "left": frame.left, "right": frame.right,
            "top": frame.top, "bottom": frame.bottom}  # fmt: skip


def get_self_attention(trace: Trace) -> NDArray[np.float64] | None:
    """What each step gives to those before it, (T, T), in the layer and the head of the map that is seen first, or in
    the mean of the layer's heads; None without such a map."""
    if trace.shown is None:
        return None
    seen = trace.get_map()
    looks = [one for one in trace.maps if (one.rows, one.columns, one.layer) == ("target", "target", seen.layer)
             and (seen.head is None or one.head == seen.head)]  # fmt: skip
    return np.mean([one.values for one in looks], axis=0, dtype=np.float64) if looks else None


def get_coverage(trace: Trace, stage: Stage | None) -> NDArray[np.float32] | None:
    """How much of each source piece was looked at before each step, (T, S), where the stage draws it."""
    if stage is None or not stage.coverage_key:
        return None
    return next((one.values for one in trace.maps if one.key == stage.coverage_key), None)


def get_copy_probabilities(trace: Trace, step: int) -> dict[str, float]:
    """What copying adds to the probability of the source's pieces in a step from 0, (1 - p_gen) of what is looked at of
    each; none for a network that does not copy."""
    written = (trace.detail or {}).get("p_gen mean")
    found: dict[str, float] = {}
    if written is None or not trace.has_attention:
        return found
    for piece, weight in zip(trace.source.pieces, trace.get_map().values[step].tolist(), strict=True):
        found[piece] = found.get(piece, 0.0) + (1 - float(written[step])) * weight
    return found


def get_window(trace: Trace, stage: Stage | None, step: int) -> Window | None:
    """Where the window of a step from 0 stands; None where all is looked at."""
    middle = (trace.detail or {}).get("middle mean")
    if stage is None or stage.window_distance is None or middle is None:
        return None
    return {"middle": round(float(middle[step]), DIGITS), "reach": stage.window_distance}
