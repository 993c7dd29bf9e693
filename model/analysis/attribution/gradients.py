"""Measure gradients by distance and gate values on a translation that a model made."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from model.analysis.attribution.gradient_record import Array, Gates, Gradients, GradientsError
from model.analysis.attribution.saliency import get_piece_ids
from model.decoding.stop_callback import StopCallback
from model.decoding.translate import TranslationModel
from model.progress import FractionCallback
from model.trace import Trace

if TYPE_CHECKING:
    from torch import Tensor

    from model.analysis.attribution.gradient_hooks import GradientNorms

MAX_PIECES = 100  # tokens on either side: some seconds


def measure_gradients(
    model: TranslationModel,
    trace: Trace,
    on_progress: FractionCallback | None = None,
    should_stop: StopCallback | None = None,
) -> Gradients:
    """Measure the gradients of a Trace's translation, which `model` must have made.

    Raises:
        GradientsError: the network does not list its recurrent cells, or there are more than MAX_PIECES tokens.
        SaliencyError: the Trace is of another model or was made with overridden attention.
        SearchStopped: `should_stop` returned true.
    """
    # Pages import this module, so torch is imported late.
    from model.analysis.attribution.gradient_hooks import compute_sentence_norms, require_recurrent_network

    network = require_recurrent_network(model)
    source, target = get_piece_ids(model, trace)
    longest = max(len(source), len(target))
    if longest > MAX_PIECES:
        raise GradientsError("long", f"Gradients are computed for at most {MAX_PIECES} tokens on either side: got "
                             f"{len(source)} and {len(target)}; use a shorter sentence.", longest, MAX_PIECES)
    norms = compute_sentence_norms(network, source, target, on_progress, should_stop)
    layers = [recurrence.layer for recurrence, _ in norms.gates if recurrence.side == "encoder"]
    return Gradients(
        model.name, trace.source, trace.target,
        log_probabilities=_to_array(norms.log_probabilities[0]),
        total=_to_array(norms.total[0]),
        direct=None if norms.direct is None else _to_array(norms.direct[0]),
        remaining_steps=tuple(norms.remaining_steps[0].tolist()),
        is_recurrent=bool(layers),
        encoder_layers=max(layers, default=0),
        gates=tuple(_build_gates(norms)),
    )  # fmt: skip


def _build_gates(norms: GradientNorms) -> list[Gates]:
    gates = []
    for (side, layer), recurrences in groupby(norms.gates, key=lambda entry: (entry[0].side, entry[0].layer)):
        gates += [Gates(side, layer, direction, recurrence.cell.gates, _to_array(values[0]))
                  for direction, (recurrence, values) in enumerate(recurrences, 1)]
    return gates


def _to_array(values: Tensor) -> Array:
    array: Array = values.cpu().numpy()
    return array
