"""Gradient norms of log p(y_i) with respect to encoder states and encoder outputs, through the network's own steps.

The state at position j is what the cell of the top encoder layer passes on there: s_j of a GRU, h_j and c_j of an
LSTM, both directions together. Its *total* gradient covers all paths: along the recurrence to the end of the sentence,
and through attention. The *direct* gradient is with respect to the encoder output at j alone, all others constant. A
network without recurrence has the direct gradient alone.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor, nn

from model.analysis.attribution.gradient_record import GradientsError
from model.decoding.batch_decoder import get_device
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.decoding.translate import TranslationModel
from model.networks.recurrence import Recurrence, RecurrentTranslator
from model.progress import FractionCallback
from model.text.vocabulary import PAD

GRADIENT_BATCH = 16  # target tokens differentiated together


@dataclass(frozen=True)
class GradientNorms:
    """Gradient norms and gate values of a batch, float64, 0 at padding except the gates of a decoder.

    Attributes:
        log_probabilities: log p(y_i), (batch, target).
        total: norm of the total gradient, (batch, target, source).
        direct: norm of the direct gradient, the same shape; None for a decoder without attention.
        remaining_steps: encoder steps after each position in the main direction, (batch, source). For a network without
            recurrence, the positions up to the end of the sentence.
        gates: each cell with the means of its gates over the units, (batch, gates, positions). Positions are those of
            the source for an encoder, the last target steps for a decoder, which may be fewer than target tokens.
    """

    log_probabilities: Tensor
    total: Tensor
    direct: Tensor | None
    remaining_steps: Tensor
    gates: tuple[tuple[Recurrence, Tensor], ...]


@dataclass
class _CellRecorder:
    """Forward hook of one cell.

    It records the gate means (batch, gates) of each call. With `is_differentiated` it also adds zero tensors to the
    states, whose gradients are those of the states.
    """

    recurrence: Recurrence
    is_differentiated: bool
    gates: list[Tensor] = field(default_factory=list)
    offsets: list[list[Tensor]] = field(default_factory=list)

    def __call__(self, cell: nn.Module, inputs: Any, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        count, names = self.recurrence.cell.state_count, self.recurrence.cell.gates
        gates = torch.cat(outputs[count:], dim=-1).detach().chunk(len(names), dim=-1)
        self.gates.append(torch.stack([gate.mean(-1) for gate in gates], dim=-1))
        if not self.is_differentiated:
            return outputs
        offsets = [torch.zeros_like(state).requires_grad_() for state in outputs[:count]]
        self.offsets.append(offsets)
        return (*(state + offset for state, offset in zip(outputs, offsets, strict=False)), *outputs[count:])


def require_recurrent_network(model: TranslationModel) -> RecurrentTranslator:
    """Return the network of a model. Raises GradientsError if it does not list its recurrent cells."""
    if not isinstance(model.network, RecurrentTranslator):
        raise GradientsError("unknown", f"{model.name} does not list its recurrent cells, so that no gradient of its "
                             "states can be computed: choose another model.")
    return model.network


def compute_sentence_norms(
    network: RecurrentTranslator, source: Sequence[int], target: Sequence[int],
    on_progress: FractionCallback | None = None, should_stop: StopCallback | None = None,
) -> GradientNorms:
    """Compute the gradient norms of one sentence pair as token ids, a batch of 1."""
    source_ids, target_ids = (torch.tensor([list(ids)], device=get_device(network)) for ids in (source, target))
    return compute_gradient_norms(network, source_ids, target_ids, on_progress, should_stop)


def compute_gradient_norms(
    network: RecurrentTranslator, source: Tensor, target: Tensor, on_progress: FractionCallback | None = None,
    should_stop: StopCallback | None = None,
) -> GradientNorms:
    """Compute the gradient norms of padded token ids (batch, source) and (batch, target) by teacher forcing.

    The hooks are set on a copy of `network` that shares its weights. Raises SearchStopped once `should_stop` returns
    true.
    """
    module = cast("nn.Module", network)
    shared_tensors = {id(tensor): tensor for tensor in (*module.parameters(), *module.buffers())}
    hooked = cast("RecurrentTranslator", copy.deepcopy(module, shared_tensors))
    recurrences = hooked.list_recurrences()
    top_layer = max((recurrence.layer for recurrence in recurrences if recurrence.side == "encoder"), default=0)
    recorders = [_CellRecorder(recurrence, recurrence.side == "encoder" and recurrence.layer == top_layer)
                 for recurrence in recurrences]  # fmt: skip
    mask = source != PAD
    with torch.enable_grad(), ExitStack() as hooks:
        for recorder in recorders:
            hooks.enter_context(recorder.recurrence.cell.register_forward_hook(recorder))
        encoder_output = hooked.encode(source, hooked.embed_source(source).detach().requires_grad_())
        annotations = hooked.get_annotations(encoder_output)
        log_probs = _force_target(hooked, encoder_output, target, should_stop)
        top_cells = [recorder for recorder in recorders if recorder.is_differentiated]
        total, direct = _differentiate(log_probs, top_cells, annotations, mask, on_progress, should_stop)
    positions = top_cells[0].recurrence.reading_positions if top_cells else None
    return GradientNorms(
        torch.stack(log_probs, dim=1).detach().double(), total, direct,
        _count_remaining_steps(mask, positions(mask) if positions else None),
        tuple((recorder.recurrence, _stack_gates(recorder, mask)) for recorder in recorders),
    )  # fmt: skip


def _force_target(
    network: RecurrentTranslator, encoder_output: Any, target: Tensor, should_stop: StopCallback | None
) -> list[Tensor]:
    """Return log p of each target token, (batch,), 0 at padding."""
    state, previous, log_probs = network.start(encoder_output), torch.full_like(target[:, 0], PAD), []
    for token in target.unbind(1):
        raise_if_stopped(should_stop)
        result = network.step(state, previous)
        log_prob = result.log_probs.gather(1, token[:, None])[:, 0]
        log_probs.append(torch.where(token != PAD, log_prob, 0.0))
        state, previous = result.state, token
    return log_probs


def _differentiate(
    log_probs: Sequence[Tensor], top_cells: Sequence[_CellRecorder], annotations: Tensor | None, mask: Tensor,
    on_progress: FractionCallback | None, should_stop: StopCallback | None,
) -> tuple[Tensor, Tensor | None]:
    """Return `total` and `direct` of GradientNorms."""
    inputs = [offset for recorder in top_cells for offsets in recorder.offsets for offset in offsets]
    if annotations is not None:
        inputs.append(annotations)
    outputs = [values.sum() for values in log_probs]  # sentences of a batch are independent
    total, direct = [], []
    for start in range(0, len(outputs), GRADIENT_BATCH):
        raise_if_stopped(should_stop)
        part = outputs[start : start + GRADIENT_BATCH]
        one_hot = torch.eye(len(part), dtype=part[0].dtype, device=part[0].device).unbind(1)
        gradients = torch.autograd.grad(part, inputs, one_hot, retain_graph=True, is_grads_batched=True,
                                        allow_unused=True, materialize_grads=True)
        # (part, batch); of the annotations (part, batch, source)
        squares = [gradient.double().square().sum(-1) for gradient in gradients]
        if annotations is not None:
            direct.append(squares.pop())
        total.append(_sum_by_position(top_cells, squares, mask, len(part)) if top_cells else direct[-1])
        if on_progress is not None:
            on_progress(sum(map(len, total)) / len(outputs))
    norms = [torch.cat(parts).sqrt().transpose(0, 1) * mask[:, None] for parts in (total, direct) if parts]
    return norms[0], norms[1] if annotations is not None else None


def _sum_by_position(top_cells: Sequence[_CellRecorder], squares: list[Tensor], mask: Tensor, rows: int) -> Tensor:
    """Sum the squares (rows, batch) of all offsets, in their order, by source position: (rows, batch, source)."""
    total = torch.zeros(rows, *mask.shape, dtype=torch.float64, device=mask.device)
    remaining = iter(squares)
    for recorder in top_cells:
        assert recorder.recurrence.reading_positions is not None
        steps = torch.stack([sum((next(remaining) for _ in offsets), torch.zeros_like(total[:, :, 0]))
                             for offsets in recorder.offsets], dim=-1)  # (rows, batch, source)
        total = total.scatter_add(2, recorder.recurrence.reading_positions(mask).expand_as(steps), steps)
    return total


def _stack_gates(recorder: _CellRecorder, mask: Tensor) -> Tensor:
    """Return the gate means (batch, gates, positions), an encoder's in the order of the sentence."""
    recurrence = recorder.recurrence
    if not recorder.gates:  # a decoder that updates after the first step, and one step
        return torch.zeros(len(mask), len(recurrence.cell.gates), 0, dtype=torch.float64, device=mask.device)
    steps = torch.stack(recorder.gates, dim=-1).double()
    if recurrence.reading_positions is None:
        return steps
    positions = recurrence.reading_positions(mask)[:, None].expand_as(steps)
    return torch.zeros_like(steps).scatter(2, positions, steps) * mask[:, None]


def _count_remaining_steps(mask: Tensor, positions: Tensor | None) -> Tensor:
    """Return the encoder steps after each position, (batch, source), given the position that each step reads."""
    steps = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    if positions is not None:
        steps = torch.zeros_like(steps).scatter(1, positions, steps)
    return (mask.sum(1, keepdim=True) - 1 - steps) * mask
