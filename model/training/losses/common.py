"""What the fused losses share: linear layers over all steps, compiled kernels, and the loss of the output layer.

With `use_bfloat16`, matrix products are in bfloat16 and accumulate in float32. Softmax and sums over steps keep the
precision of the parameters, so that tests can compare in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from model.text.vocabulary import PAD

CHUNK_ROWS = 512  # target tokens whose logits are in memory at once
BAND_ROWS = 256  # rows of a chunk that a product and a kernel process in turns, so that they stay in the cache
MAX_THREADS = 2  # of torch; with more, the kernels on one core are slower than torch


def cast_to_bfloat16(x: Tensor, use_bfloat16: bool) -> Tensor:
    """Return x in bfloat16 if `use_bfloat16`, else x."""
    return x.bfloat16() if use_bfloat16 else x


def get_training_kernels(*tensors: Tensor | None) -> Any:
    """Return the module of compiled kernels if it supports these tensors and is faster than torch, else None.

    It supports float32 on a CPU. It is imported here, so that importing this module does not import numba.
    """
    is_supported = all(x is None or (x.dtype == torch.float32 and x.device.type == "cpu") for x in tensors)
    if not is_supported or torch.get_num_threads() > MAX_THREADS:
        return None
    return import_module("model.decoding.fast.training_kernels")


def call_kernel(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a compiled kernel with tensors as numpy arrays over the same memory."""
    return kernel(*(as_numpy(value) if isinstance(value, Tensor) else value for value in arguments))


def as_numpy(tensor: Tensor) -> Any:
    """Return a numpy array over the memory of a tensor; bfloat16, which numpy lacks, as uint16."""
    tensor = tensor.detach()
    return (tensor.view(torch.uint16) if tensor.dtype == torch.bfloat16 else tensor).numpy()


def requires_static_shapes(tensor: Tensor) -> bool:
    """Return whether shapes must not depend on values: on a GPU, where reading a value synchronises and cannot be
    captured in a graph (`model.training.cuda_graphs`)."""
    return tensor.is_cuda


def find_padding(present: Tensor) -> Tensor | None:
    """Return the mask of padding; None if there is no padding and shapes may depend on values."""
    return None if not requires_static_shapes(present) and bool(present.all()) else ~present


def select_target_tokens(target: Tensor) -> tuple[Tensor | slice, Tensor]:
    """Return the rows of the flattened (target, batch) that are not padding, and their tokens.

    If shapes are static these are all rows; `compute_row_weights` then gives padding the weight 0.
    """
    tokens = target.flatten()
    if requires_static_shapes(target):
        return slice(None), tokens
    rows = (tokens != PAD).nonzero()[:, 0]
    return rows, tokens[rows]


def compute_row_weights(tokens: Tensor, dtype: torch.dtype) -> Tensor | float:
    """Return the weight of each row of `select_target_tokens` in the loss: 0 for padding, 1 for tokens."""
    return (tokens != PAD).to(dtype) if requires_static_shapes(tokens) else 1.0


class _Linear(Function):
    """x W^T over all steps, (rows, in) and (out, in) -> (rows, out)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, use_bfloat16: bool) -> Tensor:
        xh, wh = cast_to_bfloat16(x, use_bfloat16), cast_to_bfloat16(weight, use_bfloat16)
        ctx.save_for_backward(xh, wh)
        ctx.use_bfloat16 = use_bfloat16
        return (xh @ wh.T).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        xh, wh = ctx.saved_tensors
        g = cast_to_bfloat16(grads[0], ctx.use_bfloat16)
        dx = (g @ wh).to(grads[0].dtype) if ctx.needs_input_grad[0] else None
        return dx, (g.T @ xh).to(grads[0].dtype), None


def linear(x: Tensor, weight: Tensor, use_bfloat16: bool) -> Tensor:
    """Return x W^T, (..., in) and (out, in) -> (..., out)."""
    return _Linear.apply(x.flatten(0, -2), weight, use_bfloat16).view(*x.shape[:-1], len(weight))


class OutputLoss(Function):
    """The summed negative log-likelihood of tokens (rows,) given readouts t (rows, l), computed a chunk at a time.

    tokens: of `select_target_tokens`. smoothing: label smoothing; a label is (1 - smoothing) at its token plus
    smoothing / vocabulary everywhere.
    """

    @staticmethod
    def forward(ctx: Any, t: Tensor, weight: Tensor, bias: Tensor, tokens: Tensor, use_bfloat16: bool,
                smoothing: float) -> Tensor:
        th, wh = cast_to_bfloat16(t, use_bfloat16), cast_to_bfloat16(weight, use_bfloat16)
        dt, dweight, dbias = torch.empty_like(t), torch.zeros_like(weight), torch.zeros_like(bias)
        total = t.new_zeros(())
        tiny = torch.finfo(t.dtype).tiny  # limits the reported loss of one token (87 nats in float32), not its gradient
        bias_h = bias.to(th.dtype)
        kernels, weights = get_training_kernels(t, bias), compute_row_weights(tokens, t.dtype)
        is_bfloat16 = th.dtype == torch.bfloat16
        likelihood = kernels and (kernels.cross_entropy_bfloat16 if is_bfloat16 else kernels.cross_entropy)
        chunk = 4 * CHUNK_ROWS if kernels and is_bfloat16 else CHUNK_ROWS  # a quarter of the memory per token
        for start in range(0, len(t), chunk):
            rows = slice(start, start + chunk)
            if kernels:
                gradients = th.new_empty(len(th[rows]), len(wh))
                for first in range(0, len(gradients), BAND_ROWS):
                    band = gradients[first : first + BAND_ROWS]
                    part = slice(start + first, start + first + len(band))
                    torch.addmm(bias_h, th[part], wh.T, out=band)
                    total += call_kernel(likelihood, tokens[part], smoothing, band, dbias)
                    dt[part] = band @ wh
                dweight += gradients.T @ th[rows]
                continue
            logits = torch.addmm(bias_h, th[rows], wh.T)
            p = torch.softmax(logits, -1, dtype=t.dtype)
            index = tokens[rows, None]
            log_p = p.gather(1, index).clamp_min(tiny).log()
            row_weights = weights[rows, None] if isinstance(weights, Tensor) else weights
            total -= (1 - smoothing) * (log_p * row_weights).sum()
            p.scatter_add_(1, index, p.new_full(index.shape, smoothing - 1.0))
            if smoothing:
                # The mean log-probability is the mean logit minus the log-sum-exp, which is the token's logit - log p.
                log_sum_exp = logits.gather(1, index).to(t.dtype) - log_p
                total -= smoothing * ((logits.mean(1, keepdim=True, dtype=t.dtype) - log_sum_exp) * row_weights).sum()
                p.sub_(smoothing / p.shape[1])
            if isinstance(row_weights, Tensor):
                p *= row_weights
            dbias += p.sum(0)
            ph = cast_to_bfloat16(p, use_bfloat16)
            dt[rows] = ph @ wh
            dweight += ph.T @ th[rows]
        ctx.save_for_backward(dt, dweight, dbias)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        dt, dweight, dbias = ctx.saved_tensors
        return dt * grads[0], dweight * grads[0], dbias * grads[0], None, None, None
