"""LSTM layers over whole sequences, and the fused loss of `model.networks.seq2seq`.

As in `model.training.losses.gru`, the loop over time is a custom autograd function, input projections are outside the
loop, and each weight gradient is one matrix product over all steps. Time is the first dimension: (time, batch, hidden).
Tanh is computed as 2 sigmoid(2x) - 1, which is several times faster.

The padding of a source is on the right, even in reverse order. Nothing after its end is used: no mask is needed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.base import shift_target
from model.networks.lstm import LSTMLayer, LSTMNetwork, gather_positions, reverse_positions
from model.networks.seq2seq import Seq2Seq
from model.text.vocabulary import PAD
from model.training.losses.common import OutputLoss, cast_to_bfloat16, linear, select_target_tokens


def step_forward(c: Tensor, gates: Tensor, cell: Tensor, tanh_cell: Tensor, new_h: Tensor) -> None:
    """Compute one step in place: `gates` (batch, 4n), the pre-activations, become i, f, o, g.

    Writes c' into `cell`, tanh(c') into `tanh_cell` and h' into `new_h`, each (batch, n).
    """
    n = c.shape[1]
    g = gates[:, 3 * n :]
    g.mul_(2)
    gates.sigmoid_()
    g.mul_(2).sub_(1)
    torch.mul(gates[:, n : 2 * n], c, out=cell)
    cell.addcmul_(gates[:, :n], g)
    torch.mul(cell, 2, out=tanh_cell).sigmoid_().mul_(2).sub_(1)
    torch.mul(gates[:, 2 * n : 3 * n], tanh_cell, out=new_h)


def step_backward(dh: Tensor, dc: Tensor, c: Tensor, gates: Tensor, tanh_cell: Tensor, dpre: Tensor) -> None:
    """Fill `dpre` (batch, 4n) and turn `dc`, the gradient of c', into the gradient of c."""
    n = c.shape[1]
    i, f, o, g = (gates[:, k * n : (k + 1) * n] for k in range(4))
    di, df, do, dg = (dpre[:, k * n : (k + 1) * n] for k in range(4))
    torch.mul(dh, tanh_cell, out=do)
    dtanh_cell = dh * o
    dc.add_(dtanh_cell).addcmul_(dtanh_cell.mul_(tanh_cell), tanh_cell, value=-1)
    torch.mul(dc, g, out=di)
    torch.mul(dc, c, out=df)
    sigmoids, three = gates[:, : 3 * n], dpre[:, : 3 * n]
    three.mul_(sigmoids).addcmul_(three, sigmoids, value=-1)
    torch.mul(dc, i, out=dg)
    dg.addcmul_(dg * g, g, value=-1)
    dc.mul_(f)


class LSTMSequence(Function):
    """A layer over all steps: (time, batch, 4n) projected inputs, (batch, n) initial h and c -> all h and c, each
    (time, batch, n)."""

    @staticmethod
    def forward(ctx: Any, pre: Tensor, h: Tensor, c: Tensor, u: Tensor, use_bfloat16: bool) -> tuple[Tensor, Tensor]:
        time, batch, n = len(pre), *h.shape
        uh, gates = cast_to_bfloat16(u, use_bfloat16), torch.empty_like(pre)
        states, cells, tanh_cells = (pre.new_empty(time, batch, n) for _ in range(3))
        start_h, start_c = h, c
        for t in range(time):
            if use_bfloat16:
                torch.add(pre[t], cast_to_bfloat16(h, use_bfloat16) @ uh.T, out=gates[t])
            else:
                torch.addmm(pre[t], h, u.T, out=gates[t])
            step_forward(c, gates[t], cells[t], tanh_cells[t], states[t])
            h, c = states[t], cells[t]
        ctx.save_for_backward(start_h, start_c, uh, gates, states, cells, tanh_cells)
        ctx.use_bfloat16 = use_bfloat16
        ctx.set_materialize_grads(False)
        return states, cells

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        start_h, start_c, uh, gates, states, cells, tanh_cells = ctx.saved_tensors
        dpre = torch.empty_like(gates)
        dh, dc = torch.zeros_like(start_h), torch.zeros_like(start_c)
        for t in reversed(range(len(gates))):
            if grads[0] is not None:
                dh = dh + grads[0][t]
            if grads[1] is not None:
                dc += grads[1][t]
            step_backward(dh, dc, cells[t - 1] if t else start_c, gates[t], tanh_cells[t], dpre[t])
            dh = (cast_to_bfloat16(dpre[t], ctx.use_bfloat16) @ uh).to(dpre.dtype)
        previous = torch.cat([start_h[None], states[:-1]])
        d, inputs = (cast_to_bfloat16(x, ctx.use_bfloat16).flatten(0, 1) for x in (dpre, previous))
        du = d.T @ inputs
        return dpre, dh, dc, du.to(dpre.dtype), None


def run_layer(lstm: LSTMLayer, x: Tensor, h: Tensor, c: Tensor, use_bfloat16: bool) -> tuple[Tensor, Tensor]:
    """Run a layer: (time, batch, inputs) -> all h and all c, each (time, batch, n)."""
    states, cells = LSTMSequence.apply(linear(x, lstm.W, use_bfloat16) + lstm.b, h, c, lstm.U, use_bfloat16)
    return states, cells


def encode(
    network: LSTMNetwork, source: Tensor, use_bfloat16: bool
) -> tuple[Tensor, Tensor, list[tuple[Tensor, Tensor]]]:
    """Run the encoder on (batch, source) tokens.

    Returns the mask (batch, source), the states of the top layer (source, batch, n), and the final h and c of each
    layer, (batch, n).
    """
    mask = source != PAD
    order, opposite = reverse_positions(mask, end_stays=True), reverse_positions(mask, end_stays=False)
    columns, last = torch.arange(len(source), device=source.device), mask.sum(1) - 1
    reverse = network.config.reverse
    tokens = gather_positions(source, order) if reverse else source
    x = F.embedding(tokens.T, network.source_embedding.weight, PAD)  # (source, batch, m)
    final_states = []
    for layer in network.encoder_layers:
        x = network.apply_dropout(x)
        states, last_h, last_c = [], [], []
        for direction, lstm in enumerate(layer):
            zero = x.new_zeros(len(source), lstm.hidden)
            inputs = _gather_time_major(x, opposite) if direction else x.contiguous()
            h, c = run_layer(lstm, inputs, zero, zero, use_bfloat16)
            states.append(_gather_time_major(h, opposite) if direction else h)
            last_h.append(h[last, columns])
            last_c.append(c[last, columns])
        x = torch.cat(states, dim=-1) if len(states) > 1 else states[0]
        final_states.append((torch.cat(last_h, dim=-1), torch.cat(last_c, dim=-1)))
    return mask, _gather_time_major(x, order) if reverse else x, final_states


def _gather_time_major(values: Tensor, positions: Tensor) -> Tensor:
    """Return values (source, batch, ...) in the order of `positions` (batch, source)."""
    return values[positions.T, torch.arange(values.shape[1], device=values.device)]


def embed_previous_tokens(network: LSTMNetwork, target: Tensor, previous: Tensor | None = None) -> Tensor:
    """Return the embeddings of the previous tokens after dropout: (batch, target) -> (target, batch, m)."""
    previous = shift_target(target) if previous is None else previous
    return network.apply_dropout(F.embedding(previous.T, network.target_embedding.weight, PAD))


def compute_output_loss(
    network: LSTMNetwork, t: Tensor, target: Tensor, use_bfloat16: bool, smoothing: float
) -> Tensor:
    """Return the loss of tokens (batch, target) given readouts t (target, batch, n) before dropout."""
    rows, tokens = select_target_tokens(target.T)
    readouts = network.apply_dropout(t).flatten(0, 1)[rows]
    total: Tensor = OutputLoss.apply(readouts, network.W_o, network.b_o, tokens, use_bfloat16, smoothing)
    return total


def compute_loss(
    network: Seq2Seq, source: Tensor, target: Tensor, *, use_bfloat16: bool = False, smoothing: float = 0.0,
    previous: Tensor | None = None,
) -> Tensor:
    """Return the summed negative log-likelihood (nats) of padded (batch, target) given padded (batch, source) tokens.

    Equal to `network.loss` without dropout. Dropout is applied in the same places, but its random numbers are drawn in
    time-major order.
    The batch is not checked: EOS must be last, padding on the right. `smoothing` is label smoothing.
    `previous` (batch, target): the tokens that the decoder reads in place of the right ones, PAD first.
    """
    _, _, final_states = encode(network, source, use_bfloat16)
    x = embed_previous_tokens(network, target, previous)
    for number, (lstm, (h, c)) in enumerate(zip(network.decoder_layers, final_states, strict=True)):
        x, _ = run_layer(lstm, network.apply_dropout(x) if number else x, h, c, use_bfloat16)
    return compute_output_loss(network, x, target, use_bfloat16, smoothing)
