"""The fused loss of RNNsearch with coverage or copying (`model.networks.coverage`).

The decoder loop is that of `model.training.losses.gru`, with coverage. With copying, the output loss is that of a
mixture of the vocabulary and the source tokens. Neural coverage, and label smoothing with copying, are not fused.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.coverage import CoverageConfig, CoverageRNNsearch
from model.text.vocabulary import PAD, UNK
from model.training.losses import common
from model.training.losses.common import cast_to_bfloat16, compute_row_weights, select_target_tokens
from model.training.losses.gru import compute_output_loss, run_teacher_forced


class _MixedLoss(Function):
    """The summed negative log-likelihood of tokens (rows,) in a mixture of generating and copying.

    t (rows, l): readouts. a (rows,): the vocabulary has the probability sigmoid(a). copied (rows,): the attention
    weight of the token in the source. Tokens beyond the vocabulary are unknown words, which can only be copied.
    """

    @staticmethod
    def forward(ctx: Any, t: Tensor, weight: Tensor, bias: Tensor, a: Tensor, copied: Tensor, tokens: Tensor,
                use_bfloat16: bool) -> Tensor:
        th, wh = cast_to_bfloat16(t, use_bfloat16), cast_to_bfloat16(weight, use_bfloat16)
        dt, dweight, dbias = torch.empty_like(t), torch.zeros_like(weight), torch.zeros_like(bias)
        da, dcopied = torch.empty_like(a), torch.empty_like(copied)
        total = t.new_zeros(())
        tiny, weights = torch.finfo(t.dtype).tiny, compute_row_weights(tokens, t.dtype)
        for start in range(0, len(t), common.CHUNK_ROWS):
            rows = slice(start, start + common.CHUNK_ROWS)
            p = torch.softmax(torch.addmm(bias.to(th.dtype), th[rows], wh.T), -1, dtype=t.dtype)
            p_gen, p_copy = torch.sigmoid(a[rows]), torch.sigmoid(-a[rows])
            is_known = tokens[rows] < len(weight)
            index = torch.where(is_known, tokens[rows], UNK)[:, None]
            generated = p_gen * p.gather(1, index)[:, 0] * is_known
            mixture = (generated + p_copy * copied[rows]).clamp_min(tiny)
            row_weights = weights[rows] if isinstance(weights, Tensor) else weights
            total -= (mixture.log() * row_weights).sum()
            posterior = generated / mixture  # the probability that the token was generated
            da[rows] = (p_gen - posterior) * row_weights
            dcopied[rows] = -p_copy / mixture * row_weights
            p.scatter_add_(1, index, p.new_full(index.shape, -1.0))
            p *= (posterior * row_weights)[:, None]
            dbias += p.sum(0)
            ph = cast_to_bfloat16(p, use_bfloat16)
            dt[rows] = ph @ wh
            dweight += ph.T @ th[rows]
        ctx.save_for_backward(dt, dweight, dbias, da, dcopied)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        return (*(gradient * grads[0] for gradient in ctx.saved_tensors), None, None)


def uses_reference_loss(config: CoverageConfig, smoothing: float) -> bool:
    """Return whether `compute_loss` has no fused version and calls the network's own loss."""
    return config.coverage == "neural" or bool(config.copying and smoothing)


def compute_loss(
    network: CoverageRNNsearch, source: Tensor, target: Tensor, *, use_bfloat16: bool = False, smoothing: float = 0.0,
    previous: Tensor | None = None,
) -> Tensor:
    """Return the summed negative log-likelihood (nats) of padded (batch, target) given padded (batch, source) tokens.

    With copying it is that of the mixture. In training mode the coverage loss is added. Equal to `network.loss` without
    dropout. The batch is not checked: EOS must be last, padding on the right. `smoothing` is label smoothing.
    `previous` (batch, target): the tokens that the decoder reads in place of the right ones, PAD first.
    """
    config = network.config
    if uses_reference_loss(config, smoothing):
        if previous is not None:
            raise ValueError("only the fused loss takes previous tokens")
        return network.loss(source, target, smoothing)
    source, target = source.T.contiguous(), target.T.contiguous()
    source_input, target_input = network.replace_unknown(source), network.replace_unknown(target)
    v_cover = None if network.V_a is None else network.V_a[:, 0]
    previous = None if previous is None else network.replace_unknown(previous.T)
    output = run_teacher_forced(network, source_input, target_input, use_bfloat16, v_cover,
                                network.compute_inverse_fertility, previous)
    assert output.alphas is not None
    if config.copying:
        rows, tokens = select_target_tokens(target)
        a = network.compute_generation_logit(output.states, output.embedded, output.contexts)
        copied = (output.alphas * (source.T[None] == target[:, :, None])).sum(-1)
        total = _MixedLoss.apply(output.readouts.flatten(0, 1)[rows], network.W_o, network.b_w, a.flatten()[rows],
                                 copied.flatten()[rows], tokens, use_bfloat16)
    else:
        total = compute_output_loss(network, output, target, use_bfloat16, smoothing)
    if not (config.coverage_loss and network.training):
        return total
    coverage = F.pad(output.alphas.cumsum(0)[:-1], (0, 0, 0, 0, 1, 0))
    repeated = torch.minimum(output.alphas, coverage).sum(-1)  # (target, batch)
    auxiliary_loss: Tensor = config.coverage_loss * (repeated * (target != PAD)).sum()
    return total + auxiliary_loss
