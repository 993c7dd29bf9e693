"""The fused loss of `model.networks.luong`.

Without input feeding the decoder LSTM runs first (`model.training.losses.lstm`), and the attention of all steps is one
batched product. With input feeding, LSTM and attention take turns in one custom autograd function; the gradients of
keys and annotations are one product after the last step. It supports global attention whose score is a product of state
and key. Other attention with input feeding is not fused.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from model.networks.lstm import LSTMState
from model.networks.luong import Luong, LuongConfig, LuongEncoderOutput
from model.training.losses.common import cast_to_bfloat16, find_padding, linear
from model.training.losses.lstm import (
    compute_output_loss,
    embed_previous_tokens,
    encode,
    run_layer,
    step_backward,
    step_forward,
)


class _InputFeedingSequence(Function):
    """LSTM layers and attention in turns: returns s~ of every step, (target, batch, n).

    pre (target, batch, 4n): the projected embeddings and bias of the lowest layer; h, c (layers, batch, n); keys,
    annotations (batch, source, n); padding_mask (batch, source) or None; dropout_mask (layers - 1, target, batch, n)
    or None; W_c (n, 2n); biases (layers - 1, 4n) of the layers above; weights: [W, U] (4n, 2n) of each layer, of the
    lowest layer's W the columns for s~.
    """

    @staticmethod
    def forward(ctx: Any, pre: Tensor, h: Tensor, c: Tensor, keys: Tensor, annotations: Tensor,
                padding_mask: Tensor | None, dropout_mask: Tensor | None, w_c: Tensor, biases: Tensor,
                use_bfloat16: bool, *weights: Tensor) -> Tensor:
        steps, batch, layers, n = len(pre), pre.shape[1], len(weights), h.shape[2]
        whs, wch = [cast_to_bfloat16(w, use_bfloat16) for w in weights], cast_to_bfloat16(w_c, use_bfloat16)
        inputs, gates = pre.new_zeros(layers, steps, batch, 2 * n), pre.new_empty(layers, steps, batch, 4 * n)
        cells, tanh_cells, states = (pre.new_empty(layers, steps, batch, n) for _ in range(3))
        joint, outputs = pre.new_empty(steps, batch, 2 * n), pre.new_empty(steps, batch, n)
        alphas = pre.new_empty(steps, batch, 1, keys.shape[1])
        for t in range(steps):
            for l in range(layers):
                x = inputs[l, t]
                x[:, n:] = states[l, t - 1] if t else h[l]
                if l:
                    x[:, :n] = states[l - 1, t] if dropout_mask is None else states[l - 1, t] * dropout_mask[l - 1, t]
                elif t:
                    x[:, :n] = outputs[t - 1]
                addend = biases[l - 1] if l else pre[t]
                if use_bfloat16:
                    torch.add(addend, cast_to_bfloat16(x, use_bfloat16) @ whs[l].T, out=gates[l, t])
                else:
                    torch.addmm(addend, x, weights[l].T, out=gates[l, t])
                step_forward(cells[l, t - 1] if t else c[l], gates[l, t], cells[l, t], tanh_cells[l, t], states[l, t])
            s = states[-1, t]
            e = torch.bmm(keys, s[:, :, None])[:, :, 0]
            if padding_mask is not None:
                e.masked_fill_(padding_mask, -torch.inf)
            torch.softmax(e, -1, out=alphas[t, :, 0])
            joint[t, :, :n] = torch.bmm(alphas[t], annotations)[:, 0]
            joint[t, :, n:] = s
            torch.mul(cast_to_bfloat16(joint[t], use_bfloat16) @ wch.T, 2, out=outputs[t]).sigmoid_().mul_(2).sub_(1)
        ctx.save_for_backward(c, keys, annotations, dropout_mask, wch, inputs, gates, cells, tanh_cells, joint, outputs,
                              alphas, *whs)
        ctx.use_bfloat16 = use_bfloat16
        return outputs

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (c, keys, annotations, dropout_mask, wch, inputs, gates, cells, tanh_cells, joint, outputs, alphas,
         *whs) = ctx.saved_tensors
        layers, steps, batch, n = cells.shape
        dpre, dsum = torch.empty_like(gates), torch.empty_like(outputs)
        dcontexts, des = torch.empty_like(outputs), outputs.new_empty(steps, batch, keys.shape[1])
        dh, dc = [torch.zeros_like(c[0]) for _ in range(layers)], [torch.zeros_like(c[0]) for _ in range(layers)]
        dfed = torch.zeros_like(c[0])
        for t in reversed(range(steps)):
            torch.add(grads[0][t], dfed, out=dsum[t])
            dsum[t].addcmul_(dsum[t] * outputs[t], outputs[t], value=-1)
            djoint = (cast_to_bfloat16(dsum[t], ctx.use_bfloat16) @ wch).to(outputs.dtype)
            dcontexts[t] = djoint[:, :n]
            alpha = alphas[t, :, 0]
            dalpha = torch.bmm(annotations, dcontexts[t, :, :, None])[:, :, 0]
            torch.mul(alpha, dalpha - (alpha * dalpha).sum(-1, keepdim=True), out=des[t])
            dbelow = djoint[:, n:] + torch.bmm(des[t, :, None], keys)[:, 0]
            for l in reversed(range(layers)):
                previous_cell = cells[l, t - 1] if t else c[l]
                step_backward(dh[l].add_(dbelow), dc[l], previous_cell, gates[l, t], tanh_cells[l, t], dpre[l, t])
                dx = (cast_to_bfloat16(dpre[l, t], ctx.use_bfloat16) @ whs[l]).to(outputs.dtype)
                dbelow, dh[l] = dx[:, :n], dx[:, n:]
                if l and dropout_mask is not None:
                    dbelow = dbelow * dropout_mask[l - 1, t]
            dfed = dbelow
        dkeys = torch.bmm(des.permute(1, 2, 0), joint[:, :, n:].transpose(0, 1))
        dannotations = torch.bmm(alphas[:, :, 0].permute(1, 2, 0), dcontexts.transpose(0, 1))

        def multiply(gradients: Tensor, values: Tensor) -> Tensor:
            """Return the gradient of a weight, summed over steps and sentences."""
            d, x = (cast_to_bfloat16(part, ctx.use_bfloat16).flatten(0, 1) for part in (gradients, values))
            return (d.T @ x).to(outputs.dtype)

        dw = [multiply(dpre[l], inputs[l]) for l in range(layers)]
        dw_c = multiply(dsum, joint)
        return (dpre[0], torch.stack(dh), torch.stack(dc), dkeys, dannotations, None, None, dw_c,
                dpre[1:].sum((1, 2)), None, *dw)


def _decode_with_input_feeding(
    network: Luong, encoded: LuongEncoderOutput, embedded: Tensor, use_bfloat16: bool
) -> Tensor:
    """Return s~ of every step (target, batch, n) with input feeding, given embeddings (target, batch, m)."""
    config = network.config
    m, layers = config.embedding, config.layers
    dropout_mask = None
    if network.training and config.dropout and layers > 1:
        dropout_mask = torch.stack([network.sample_dropout_mask(*embedded.shape[:2]) for _ in range(layers - 1)])
    lowest = network.decoder_layers[0]
    pre = linear(embedded, lowest.W[:, :m], use_bfloat16) + lowest.b
    input_weights = [lowest.W[:, m:], *(lstm.W for lstm in network.decoder_layers[1:])]
    weights = [torch.cat([w, lstm.U], dim=1) for w, lstm in zip(input_weights, network.decoder_layers, strict=True)]
    biases = torch.stack([lstm.b for lstm in network.decoder_layers])[1:]
    padding_mask = find_padding(encoded.mask)
    h, c = (x.transpose(0, 1).contiguous() for x in (encoded.lstm.h, encoded.lstm.c))
    outputs: Tensor = _InputFeedingSequence.apply(pre, h, c, encoded.keys, encoded.annotations, padding_mask,
                                                  dropout_mask, network.W_c, biases, use_bfloat16, *weights)
    return outputs


def _decode_without_input_feeding(
    network: Luong, encoded: LuongEncoderOutput, embedded: Tensor, use_bfloat16: bool
) -> Tensor:
    """Return s~ of every step (target, batch, n) without input feeding, given embeddings (target, batch, m)."""
    steps, batch, _ = embedded.shape
    x = embedded
    for number, lstm in enumerate(network.decoder_layers):
        if number and network.training and network.config.dropout:
            x = x * network.sample_dropout_mask(steps, batch)
        x, _ = run_layer(lstm, x, encoded.lstm.h[:, number], encoded.lstm.c[:, number], use_bfloat16)
    s = x.transpose(0, 1)  # (batch, target, n)
    alpha, _ = network.align(encoded, s, torch.arange(1, steps + 1, device=s.device).expand(batch, steps))
    c = alpha @ encoded.annotations
    return torch.tanh(linear(torch.cat([c, s], dim=-1), network.W_c, use_bfloat16)).transpose(0, 1)


def uses_reference_loss(config: LuongConfig, smoothing: float) -> bool:
    """Return whether `compute_loss` has no fused version and calls the network's own loss."""
    has_product_score = config.window == "global" and config.score in ("dot", "general", "scaled dot")
    return config.feeding and not has_product_score


def compute_loss(
    network: Luong, source: Tensor, target: Tensor, *, use_bfloat16: bool = False, smoothing: float = 0.0,
    previous: Tensor | None = None,
) -> Tensor:
    """Return the summed negative log-likelihood (nats) of padded (batch, target) given padded (batch, source) tokens.

    Equal to `network.loss` without dropout. Dropout is applied in the same places, but its random numbers are drawn in
    time-major order.
    The batch is not checked: EOS must be last, padding on the right. `smoothing` is label smoothing.
    `previous` (batch, target): the tokens that the decoder reads in place of the right ones, PAD first.
    """
    config = network.config
    if uses_reference_loss(config, smoothing):
        if previous is not None:
            raise ValueError("only the fused loss takes previous tokens")
        return network.loss(source, target, smoothing)
    mask, states, final_states = encode(network, source, use_bfloat16)
    h = states.transpose(0, 1).contiguous()  # (batch, source, n)
    cells = LSTMState(*(torch.stack(parts, dim=1) for parts in zip(*final_states, strict=True)))
    encoded = LuongEncoderOutput(h, network.compute_keys(h), mask, cells)
    embedded = embed_previous_tokens(network, target, previous)
    decode = _decode_with_input_feeding if config.feeding else _decode_without_input_feeding
    outputs = decode(network, encoded, embedded, use_bfloat16)
    return compute_output_loss(network, outputs, target, use_bfloat16, smoothing)
