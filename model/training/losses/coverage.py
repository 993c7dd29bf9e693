"""The mathematics of `model.networks.coverage` over whole sequences, for training: the chain of looks that
`model.training.losses.gru` has, which knows of the looks before, and the loss of a vocabulary that shares its
probability with the source's pieces.

Neural coverage, whose own GRU runs for every source piece at every step, goes by the network's own loop, and so do
smoothed labels where pieces are copied.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.coverage import CoverageConfig, CoverageRNNsearch
from model.text.vocabulary import PAD
from model.training.losses import common
from model.training.losses.common import compute_row_weights, select_target_tokens, to_half
from model.training.losses.gru import compute_output_loss, run_teacher_forced


class _MixedLoss(Function):
    """Summed negative log-likelihood of pieces (rows,) given readouts t (rows, l), a (rows,), of which sigmoid(a) is
    left to the vocabulary, and the attention `copied` (rows,) that each piece gets in the source."""

    @staticmethod
    def forward(ctx: Any, t: Tensor, weight: Tensor, bias: Tensor, a: Tensor, copied: Tensor, pieces: Tensor,
                half: bool) -> Tensor:
        th, wh = to_half(t, half), to_half(weight, half)
        dt, dweight, dbias = torch.empty_like(t), torch.zeros_like(weight), torch.zeros_like(bias)
        da, dcopied = torch.empty_like(a), torch.empty_like(copied)
        total = t.new_zeros(())
        tiny, counts = torch.finfo(t.dtype).tiny, compute_row_weights(pieces, t)
        for start in range(0, len(t), common.CHUNK_ROWS):
            rows = slice(start, start + common.CHUNK_ROWS)
            p = torch.softmax(torch.addmm(bias.to(th.dtype), th[rows], wh.T), -1, dtype=t.dtype)
            index, kept, left = pieces[rows, None], torch.sigmoid(a[rows]), torch.sigmoid(-a[rows])
            generated = kept * p.gather(1, index)[:, 0]
            whole = (generated + left * copied[rows]).clamp_min(tiny)
            count = counts[rows] if isinstance(counts, Tensor) else counts
            total -= (whole.log() * count).sum()
            share = generated / whole  # that the piece was the vocabulary's
            da[rows] = (kept - share) * count
            dcopied[rows] = -left / whole * count
            p.scatter_add_(1, index, p.new_full(index.shape, -1.0))
            p *= (share * count)[:, None]
            dbias += p.sum(0)
            ph = to_half(p, half)
            dt[rows] = ph @ wh
            dweight += ph.T @ th[rows]
        ctx.save_for_backward(dt, dweight, dbias, da, dcopied)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        return (*(one * grads[0] for one in ctx.saved_tensors), None, None)


def uses_reference_loss(config: CoverageConfig, smoothing: float) -> bool:
    """Whether `loss` is the network's own."""
    return config.coverage == "neural" or bool(config.copying and smoothing)


def compute_loss(network: CoverageRNNsearch, source: Tensor, target: Tensor, *, half: bool = False,
         smoothing: float = 0.0) -> Tensor:
    """Summed negative log-likelihood (nats) of padded (batch, target) pieces given padded (batch, source) pieces, and
    the loss of coverage while training: equal to `network.loss`, dropout as in `model.training.losses.gru.loss`."""
    config = network.config
    if uses_reference_loss(config, smoothing):
        return network.loss(source, target, smoothing)
    source, target = source.T.contiguous(), target.T.contiguous()
    v_cover = None if network.V_a is None else network.V_a[:, 0]
    made = run_teacher_forced(network, source, target, half, v_cover, network.compute_inverse_fertility)
    assert made.alphas is not None
    if config.copying:
        rows, pieces = select_target_tokens(target)
        a = network.compute_generation_logit(made.states, made.embedded, made.contexts)
        copied = (made.alphas * (source.T[None] == target[:, :, None])).sum(-1)
        total = _MixedLoss.apply(made.readouts.flatten(0, 1)[rows], network.W_o, network.b_w, a.flatten()[rows],
                                 copied.flatten()[rows], pieces, half)
    else:
        total = compute_output_loss(network, made, target, half, smoothing)
    if not (config.coverage_loss and network.training):
        return total
    before = F.pad(made.alphas.cumsum(0)[:-1], (0, 0, 0, 0, 1, 0))
    again = torch.minimum(made.alphas, before).sum(-1)  # (target, batch)
    found: Tensor = total + config.coverage_loss * (again * (target != PAD)).sum()
    return found
