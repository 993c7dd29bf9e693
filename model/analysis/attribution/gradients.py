"""Gradients by distance and gates, asked of a model about a translation that it made."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from model.analysis.attribution.gradient_record import Array, Gates, Gradients, GradientsError
from model.analysis.attribution.saliency import get_piece_ids
from model.decoding.stop_callback import Stopped
from model.trace import Trace

if TYPE_CHECKING:
    from torch import Tensor

    from model.analysis.attribution.gradient_hooks import GradientNorms, ProgressCallback
    from model.decoding.translate import Model

MAX_PIECES = 100  # pieces of either side: some seconds


def measure_gradients(
    model: Model, trace: Trace, on_progress: ProgressCallback | None = None, stopped: Stopped | None = None
) -> Gradients:
    """What of each source piece's state reaches each piece of the Trace's translation, which `model` made.

    GradientsError for a network that does not say what of it is recurrent and for more than LONGEST pieces;
    SaliencyError for a Trace of another model or made with changed attention; SearchStopped once `stopped` says so.
    """
    import torch

    from model.analysis.attribution.gradient_hooks import compute_gradient_norms
    from model.decoding.batch_decoder import device_of
    from model.networks.recurrence import RecurrentTranslator

    if not isinstance(model.network, RecurrentTranslator):
        raise GradientsError("unknown", f"{model.name} does not say what of it goes from step to step, so that no "
                             "gradient in its states can be taken: choose another model.")
    source, target = get_piece_ids(model, trace)
    longer = max(len(source), len(target))
    if longer > MAX_PIECES:
        raise GradientsError(
            "long",
            f"Gradients in states are taken of at most {MAX_PIECES} pieces on either side: got "
            f"{len(source)} and {len(target)}; take a shorter sentence.",
            longer,
            MAX_PIECES,
        )
    x, y = (torch.tensor([one], device=device_of(model.network)) for one in (source, target))
    found = compute_gradient_norms(model.network, x, y, on_progress, stopped)
    read = [cell for cell, _ in found.gates if cell.side == "encoder"]
    return Gradients(model.name, trace.source, trace.target, _array(found.log_probabilities[0]),
                     _array(found.total[0]), None if found.direct is None else _array(found.direct[0]),
                     tuple(found.remaining_steps[0].tolist()), bool(read), max((cell.layer for cell in read), default=0),
                     tuple(_gates(found)))  # fmt: skip


def _gates(found: GradientNorms) -> list[Gates]:
    made = []
    for (side, layer), cells in groupby(found.gates, key=lambda one: (one[0].side, one[0].layer)):
        made += [Gates(side, layer, way, cell.cell.gates, _array(values[0]))
                 for way, (cell, values) in enumerate(cells, 1)]
    return made


def _array(values: Tensor) -> Array:
    found: Array = values.cpu().numpy()
    return found
