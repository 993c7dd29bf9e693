"""A layer of `model.networks.lstm` over whole sequences, for training, and `model.networks.seq2seq` with it.

As in `model.training.losses.gru`: the loop over time is a custom autograd function that keeps what going backward
needs, input projections stand outside of it, and each weight gradient is one matrix product over all steps. Time stands
first: (time, batch, hidden). Tanh is taken as 2 sigmoid(2x) - 1, which is several times faster to compute.

Sentences are read in the encoder's own order with their padding on the right, and what comes after their end is never
looked at: nothing needs masking.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.lstm import LSTMLayer, LSTMNetwork, gather_positions, reverse_positions
from model.networks.seq2seq import Seq2Seq
from model.text.vocabulary import PAD
from model.training.losses.common import OutputLoss, linear, select_target_tokens, to_half


def step_forward(c: Tensor, gates: Tensor, cell: Tensor, bent: Tensor, out: Tensor) -> None:
    """One update from the sums in `gates` (batch, 4n), which become i, f, o, g: into `cell` c', `bent` tanh(c') and
    `out` h', each (batch, n), given c."""
    n = c.shape[1]
    g = gates[:, 3 * n :]
    g.mul_(2)
    gates.sigmoid_()
    g.mul_(2).sub_(1)
    torch.mul(gates[:, n : 2 * n], c, out=cell)
    cell.addcmul_(gates[:, :n], g)
    torch.mul(cell, 2, out=bent).sigmoid_().mul_(2).sub_(1)
    torch.mul(gates[:, 2 * n : 3 * n], bent, out=out)


def step_backward(dh: Tensor, dc: Tensor, c: Tensor, gates: Tensor, bent: Tensor, dpre: Tensor) -> None:
    """Gradient of one update: fills `dpre` (batch, 4n) and turns `dc`, the gradient of c', into that of c."""
    n = c.shape[1]
    i, f, o, g = (gates[:, k * n : (k + 1) * n] for k in range(4))
    di, df, do, dg = (dpre[:, k * n : (k + 1) * n] for k in range(4))
    torch.mul(dh, bent, out=do)
    through = dh * o
    dc.add_(through).addcmul_(through.mul_(bent), bent, value=-1)
    torch.mul(dc, g, out=di)
    torch.mul(dc, c, out=df)
    sigmoids, three = gates[:, : 3 * n], dpre[:, : 3 * n]
    three.mul_(sigmoids).addcmul_(three, sigmoids, value=-1)
    torch.mul(dc, i, out=dg)
    dg.addcmul_(dg * g, g, value=-1)
    dc.mul_(f)


class LSTMSequence(Function):
    """A layer over all steps: (time, batch, 4n) projected inputs and (batch, n) first h and c -> all h and all c, each
    (time, batch, n)."""

    @staticmethod
    def forward(ctx: Any, pre: Tensor, h: Tensor, c: Tensor, u: Tensor, half: bool) -> tuple[Tensor, Tensor]:
        time, batch, n = len(pre), *h.shape
        uh, gates = to_half(u, half), torch.empty_like(pre)
        states, cells, bents = (pre.new_empty(time, batch, n) for _ in range(3))
        start_h, start_c = h, c
        for t in range(time):
            if half:
                torch.add(pre[t], to_half(h, half) @ uh.T, out=gates[t])
            else:
                torch.addmm(pre[t], h, u.T, out=gates[t])
            step_forward(c, gates[t], cells[t], bents[t], states[t])
            h, c = states[t], cells[t]
        ctx.save_for_backward(start_h, start_c, uh, gates, states, cells, bents)
        ctx.half = half
        ctx.set_materialize_grads(False)
        return states, cells

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        start_h, start_c, uh, gates, states, cells, bents = ctx.saved_tensors
        dpre = torch.empty_like(gates)
        dh, dc = torch.zeros_like(start_h), torch.zeros_like(start_c)
        for t in reversed(range(len(gates))):
            if grads[0] is not None:
                dh = dh + grads[0][t]
            if grads[1] is not None:
                dc += grads[1][t]
            step_backward(dh, dc, cells[t - 1] if t else start_c, gates[t], bents[t], dpre[t])
            dh = (to_half(dpre[t], ctx.half) @ uh).to(dpre.dtype)
        before = torch.cat([start_h[None], states[:-1]])
        du = to_half(dpre, ctx.half).flatten(0, 1).T @ to_half(before, ctx.half).flatten(0, 1)
        return dpre, dh, dc, du.to(dpre.dtype), None


def run_layer(lstm: LSTMLayer, x: Tensor, h: Tensor, c: Tensor, half: bool) -> tuple[Tensor, Tensor]:
    """`LSTM.over` with time first: (time, batch, inputs) -> all h and all c."""
    states, cells = LSTMSequence.apply(linear(x, lstm.W, half) + lstm.b, h, c, lstm.U, half)
    return states, cells


def encode(network: LSTMNetwork, source: Tensor, half: bool) -> tuple[Tensor, Tensor, list[tuple[Tensor, Tensor]]]:
    """`Recurrent.read` of a well-formed batch: the mask (batch, source), the highest states (source, batch, n) and
    where each layer stands after the last piece it reads, h and c, each (batch, n)."""
    mask = source != PAD
    order, opposite = reverse_positions(mask, end_stays=True), reverse_positions(mask, end_stays=False)
    columns, last = torch.arange(len(source), device=source.device), mask.sum(1) - 1
    reverse = network.config.reverse
    pieces = gather_positions(source, order) if reverse else source
    x = F.embedding(pieces.T, network.source_embedding.weight, PAD)  # (source, batch, m)
    ends = []
    for layer in network.encoder_layers:
        x = network.apply_dropout(x)
        states, last_h, last_c = [], [], []
        for way, lstm in enumerate(layer):
            zero = x.new_zeros(len(source), lstm.hidden)
            h, c = run_layer(lstm, _arranged(x, opposite) if way else x.contiguous(), zero, zero, half)
            states.append(_arranged(h, opposite) if way else h)
            last_h.append(h[last, columns])
            last_c.append(c[last, columns])
        x = torch.cat(states, dim=-1) if len(states) > 1 else states[0]
        ends.append((torch.cat(last_h, dim=-1), torch.cat(last_c, dim=-1)))
    return mask, _arranged(x, order) if reverse else x, ends


def _arranged(values: Tensor, places: Tensor) -> Tensor:
    """values (source, batch, ...) in the order that `places` (batch, source) says."""
    return values[places.T, torch.arange(values.shape[1], device=values.device)]


def embed_previous_tokens(network: LSTMNetwork, target: Tensor) -> Tensor:
    """The embeddings of the pieces before, dropped: (batch, target) -> (target, batch, m)."""
    target = target.T
    previous = torch.cat([torch.full_like(target[:1], PAD), target[:-1]])
    return network.apply_dropout(F.embedding(previous, network.target_embedding.weight, PAD))


def compute_output_loss(network: LSTMNetwork, t: Tensor, target: Tensor, half: bool, smoothing: float) -> Tensor:
    """The loss of target pieces (batch, target) read out from t (target, batch, n), which is dropped here."""
    rows, pieces = select_target_tokens(target.T)
    read_out = network.apply_dropout(t).flatten(0, 1)[rows]
    total: Tensor = OutputLoss.apply(read_out, network.W_o, network.b_o, pieces, half, smoothing)
    return total


def compute_loss(network: Seq2Seq, source: Tensor, target: Tensor, *, half: bool = False, smoothing: float = 0.0) -> Tensor:
    """Summed negative log-likelihood (nats) of padded (batch, target) pieces given padded (batch, source) pieces.

    Equal to `network.loss` with dropout off; with dropout on, values are dropped as there, from the same random
    generator but in time-major order. The batch must be well formed (EOS last, padding right): nothing is checked.
    """
    if type(network) is not Seq2Seq:
        raise TypeError(f"the mathematics here is that of Seq2Seq, not of {type(network).__name__}")
    _, _, ends = encode(network, source, half)
    x = embed_previous_tokens(network, target)
    for number, (lstm, (h, c)) in enumerate(zip(network.decoder_layers, ends, strict=True)):
        x, _ = run_layer(lstm, network.apply_dropout(x) if number else x, h, c, half)
    return compute_output_loss(network, x, target, half, smoothing)
