"""`model.networks.luong` over whole sequences, for training: same parameters, same loss, far less time.

Without input feeding all updates come before all looks: the decoder is a sequence (`model.training.losses.lstm`), and
the looks of all steps are one batched product. With it, updates and looks take turns, in one custom autograd function
for scores that are a product of state and key; keys and annotations get their gradients in one product after the last
step. What is left, a look of another kind with input feeding, takes the plain loop.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from model.networks.lstm import LSTMState
from model.networks.luong import Luong, LuongConfig, LuongEncoderOutput
from model.training.losses.common import find_padding, linear, to_half
from model.training.losses.lstm import (
    compute_output_loss,
    embed_previous_tokens,
    encode,
    run_layer,
    step_backward,
    step_forward,
)


class _FedSequence(Function):
    """The chain of updates and looks: returns s~ of every step, (target, batch, n).

    pre (target, batch, 4n): what the embeddings add to the lowest layer's sums, its bias included; h, c (layers, batch,
    n); keys, annotations (batch, source, n); blocked (batch, source), true on padding, None without any; kept
    (layers - 1, target, batch, n) or None; W_c (n, 2n); biases (layers - 1, 4n) of the layers above; weights: of each
    layer [W, U] (4n, 2n), of the lowest one's W the part that takes s~.
    """

    @staticmethod
    def forward(ctx: Any, pre: Tensor, h: Tensor, c: Tensor, keys: Tensor, annotations: Tensor, blocked: Tensor | None,
                kept: Tensor | None, w_c: Tensor, biases: Tensor, half: bool, *weights: Tensor) -> Tensor:
        steps, batch, layers, n = len(pre), pre.shape[1], len(weights), h.shape[2]
        whs, wch = [to_half(w, half) for w in weights], to_half(w_c, half)
        inputs, gates = pre.new_zeros(layers, steps, batch, 2 * n), pre.new_empty(layers, steps, batch, 4 * n)
        cells, bents, states = (pre.new_empty(layers, steps, batch, n) for _ in range(3))
        joined, out = pre.new_empty(steps, batch, 2 * n), pre.new_empty(steps, batch, n)
        alphas = pre.new_empty(steps, batch, 1, keys.shape[1])
        for t in range(steps):
            for l in range(layers):
                x = inputs[l, t]
                x[:, n:] = states[l, t - 1] if t else h[l]
                if l:
                    x[:, :n] = states[l - 1, t] if kept is None else states[l - 1, t] * kept[l - 1, t]
                elif t:
                    x[:, :n] = out[t - 1]
                added = biases[l - 1] if l else pre[t]
                if half:
                    torch.add(added, to_half(x, half) @ whs[l].T, out=gates[l, t])
                else:
                    torch.addmm(added, x, weights[l].T, out=gates[l, t])
                step_forward(cells[l, t - 1] if t else c[l], gates[l, t], cells[l, t], bents[l, t], states[l, t])
            s = states[-1, t]
            e = torch.bmm(keys, s[:, :, None])[:, :, 0]
            if blocked is not None:
                e.masked_fill_(blocked, -torch.inf)
            torch.softmax(e, -1, out=alphas[t, :, 0])
            joined[t, :, :n] = torch.bmm(alphas[t], annotations)[:, 0]
            joined[t, :, n:] = s
            torch.mul(to_half(joined[t], half) @ wch.T, 2, out=out[t]).sigmoid_().mul_(2).sub_(1)
        ctx.save_for_backward(c, keys, annotations, kept, wch, inputs, gates, cells, bents, joined, out, alphas, *whs)
        ctx.half = half
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        c, keys, annotations, kept, wch, inputs, gates, cells, bents, joined, out, alphas, *whs = ctx.saved_tensors
        layers, steps, batch, n = cells.shape
        dpre, dsum = torch.empty_like(gates), torch.empty_like(out)
        dcontexts, des = torch.empty_like(out), out.new_empty(steps, batch, keys.shape[1])
        dh, dc = [torch.zeros_like(c[0]) for _ in range(layers)], [torch.zeros_like(c[0]) for _ in range(layers)]
        fed = torch.zeros_like(c[0])
        for t in reversed(range(steps)):
            torch.add(grads[0][t], fed, out=dsum[t])
            dsum[t].addcmul_(dsum[t] * out[t], out[t], value=-1)
            djoined = (to_half(dsum[t], ctx.half) @ wch).to(out.dtype)
            dcontexts[t] = djoined[:, :n]
            alpha = alphas[t, :, 0]
            dalpha = torch.bmm(annotations, dcontexts[t, :, :, None])[:, :, 0]
            torch.mul(alpha, dalpha - (alpha * dalpha).sum(-1, keepdim=True), out=des[t])
            below = djoined[:, n:] + torch.bmm(des[t, :, None], keys)[:, 0]
            for l in reversed(range(layers)):
                before = cells[l, t - 1] if t else c[l]
                step_backward(dh[l].add_(below), dc[l], before, gates[l, t], bents[l, t], dpre[l, t])
                dx = (to_half(dpre[l, t], ctx.half) @ whs[l]).to(out.dtype)
                below, dh[l] = dx[:, :n], dx[:, n:]
                if l and kept is not None:
                    below = below * kept[l - 1, t]
            fed = below
        dkeys = torch.bmm(des.permute(1, 2, 0), joined[:, :, n:].transpose(0, 1))
        dannotations = torch.bmm(alphas[:, :, 0].permute(1, 2, 0), dcontexts.transpose(0, 1))
        dw = [(to_half(dpre[l], ctx.half).flatten(0, 1).T @ to_half(inputs[l], ctx.half).flatten(0, 1)).to(out.dtype)
              for l in range(layers)]
        dw_c = to_half(dsum, ctx.half).flatten(0, 1).T @ to_half(joined, ctx.half).flatten(0, 1)
        return (dpre[0], torch.stack(dh), torch.stack(dc), dkeys, dannotations, None, None, dw_c.to(out.dtype),
                dpre[1:].sum((1, 2)), None, *dw)


def _fed(network: Luong, memory: LuongEncoderOutput, embedded: Tensor, half: bool) -> Tensor:
    """s~ of every step (target, batch, n) with input feeding, of embeddings (target, batch, m)."""
    config = network.config
    m, layers = config.embedding, config.layers
    kept = None
    if network.training and config.dropout and layers > 1:
        kept = torch.stack([network.sample_dropout_mask(*embedded.shape[:2]) for _ in range(layers - 1)])
    lowest = network.decoder_layers[0]
    pre = linear(embedded, lowest.W[:, :m], half) + lowest.b
    taken = [lowest.W[:, m:], *(lstm.W for lstm in network.decoder_layers[1:])]
    weights = [torch.cat([w, lstm.U], dim=1) for w, lstm in zip(taken, network.decoder_layers, strict=True)]
    biases = torch.stack([lstm.b for lstm in network.decoder_layers])[1:]
    blocked = find_padding(memory.mask)
    h, c = (one.transpose(0, 1).contiguous() for one in (memory.lstm.h, memory.lstm.c))
    out: Tensor = _FedSequence.apply(pre, h, c, memory.keys, memory.annotations, blocked, kept, network.W_c, biases,
                                     half, *weights)
    return out


def _all_at_once(network: Luong, memory: LuongEncoderOutput, embedded: Tensor, half: bool) -> Tensor:
    """s~ of every step (target, batch, n) without input feeding."""
    steps, batch, _ = embedded.shape
    x = embedded
    for number, lstm in enumerate(network.decoder_layers):
        if number and network.training and network.config.dropout:
            x = x * network.sample_dropout_mask(steps, batch)
        x, _ = run_layer(lstm, x, memory.lstm.h[:, number], memory.lstm.c[:, number], half)
    s = x.transpose(0, 1)  # (batch, target, n)
    alpha, _ = network.align(memory, s, torch.arange(1, steps + 1, device=s.device).expand(batch, steps))
    c = alpha @ memory.annotations
    return torch.tanh(linear(torch.cat([c, s], dim=-1), network.W_c, half)).transpose(0, 1)


def uses_reference_loss(config: LuongConfig, smoothing: float) -> bool:
    """Whether `loss` is the network's own."""
    products = config.window == "global" and config.score in ("dot", "general", "scaled dot")
    return config.feeding and not products


def compute_loss(network: Luong, source: Tensor, target: Tensor, *, half: bool = False, smoothing: float = 0.0) -> Tensor:
    """Summed negative log-likelihood (nats) of padded (batch, target) pieces given padded (batch, source) pieces.

    Equal to `network.loss` with dropout off; with dropout on, values are dropped as there, from the same random
    generator but in time-major order. The batch must be well formed (EOS last, padding right): nothing is checked.
    """
    if type(network) is not Luong:
        raise TypeError(f"the mathematics here is that of Luong, not of {type(network).__name__}")
    config = network.config
    if uses_reference_loss(config, smoothing):
        return network.loss(source, target, smoothing)
    mask, states, ends = encode(network, source, half)
    h = states.transpose(0, 1).contiguous()  # (batch, source, n)
    cells = LSTMState(*(torch.stack(parts, dim=1) for parts in zip(*ends, strict=True)))
    memory = LuongEncoderOutput(h, network.compute_keys(h), mask, cells)
    embedded = embed_previous_tokens(network, target)
    out = (_fed if config.feeding else _all_at_once)(network, memory, embedded, half)
    return compute_output_loss(network, out, target, half, smoothing)
