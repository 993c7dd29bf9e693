"""What all fast losses share: products over all steps at once, in half precision where asked, and the output's loss.

With `half` matrix products take and give bfloat16 (they accumulate in float32 inside); softmax and sums over steps stay
in the parameters' own precision, so that without it float64 checks hold to the last digits.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from model.text.vocabulary import PAD

CHUNK_ROWS = 512  # target pieces whose logits are held at once: memory stays flat in the length of the batch
BAND_ROWS = 256  # of these, those of which loops and products take turns: what one has made is near when the other wants it
MAX_THREADS = 2  # of torch's, with which loops on one core are still the faster


def to_half(x: Tensor, half: bool) -> Tensor:
    """x in bfloat16 where asked."""
    return x.bfloat16() if half else x


def get_kernels(*tensors: Tensor | None) -> Any:
    """`model.decoding.fast.training_kernels`, imported where training first wants it, if it can take these and is worth it: on a
    processor, in float32, and with few threads. Else None."""
    fit = all(one is None or (one.dtype == torch.float32 and one.device.type == "cpu") for one in tensors)
    return (
        import_module("model.decoding.fast.training_kernels")
        if fit and torch.get_num_threads() <= MAX_THREADS
        else None
    )


def as_numpy(tensor: Tensor) -> Any:
    """The same memory as a numpy array, for a loop; bfloat16, of which numpy knows nothing, as its sixteen bits."""
    given = tensor.detach()
    return (given.view(torch.uint16) if given.dtype == torch.bfloat16 else given).numpy()


def requires_static_shapes(tensor: Tensor) -> bool:
    """Whether shapes may not hang on what tensors hold: on a GPU, where every such question waits until all before it
    is done, and where what is asked cannot be recorded (`model.training.cuda_graphs`)."""
    return tensor.is_cuda


def find_padding(present: Tensor) -> Tensor | None:
    """Where there is padding; None, if it may be asked, where there is none."""
    return None if not requires_static_shapes(present) and bool(present.all()) else ~present


def select_target_tokens(target: Tensor) -> tuple[Tensor | slice, Tensor]:
    """The steps of (target, batch) at which a piece is written, as rows of all steps one behind another, and these
    pieces; where it may not be asked, all steps, of which losses count those with padding for nothing."""
    pieces = target.flatten()
    if requires_static_shapes(target):
        return slice(None), pieces
    rows = (pieces != PAD).nonzero()[:, 0]
    return rows, pieces[rows]


def compute_row_weights(pieces: Tensor, like: Tensor) -> Tensor | float:
    """What a step counts, for losses over rows of `written`: (rows,) of 1, and 0 where it is padding; 1 where there is
    no such row."""
    return (pieces != PAD).to(like.dtype) if requires_static_shapes(pieces) else 1.0


class _Product(Function):
    """x W^T over all steps: (rows, in), (out, in) -> (rows, out)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, half: bool) -> Tensor:
        xh, wh = to_half(x, half), to_half(weight, half)
        ctx.save_for_backward(xh, wh)
        ctx.half = half
        return (xh @ wh.T).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        xh, wh = ctx.saved_tensors
        g = to_half(grads[0], ctx.half)
        dx = (g @ wh).to(grads[0].dtype) if ctx.needs_input_grad[0] else None
        return dx, (g.T @ xh).to(grads[0].dtype), None


def linear(x: Tensor, weight: Tensor, half: bool) -> Tensor:
    """(..., in) -> (..., out)."""
    return _Product.apply(x.flatten(0, -2), weight, half).view(*x.shape[:-1], len(weight))


class OutputLoss(Function):
    """Summed negative log-likelihood of pieces (rows,) of `written` given readouts t (rows, l), logits held a chunk at
    a time.

    With smoothing, the label of a piece is (1 - smoothing) at the piece and smoothing / pieces everywhere.
    """

    @staticmethod
    def forward(ctx: Any, t: Tensor, weight: Tensor, bias: Tensor, pieces: Tensor, half: bool,
                smoothing: float) -> Tensor:
        th, wh = to_half(t, half), to_half(weight, half)
        dt, dweight, dbias = torch.empty_like(t), torch.zeros_like(weight), torch.zeros_like(bias)
        total = t.new_zeros(())
        tiny = torch.finfo(t.dtype).tiny  # caps the *reported* loss of one piece, at 87 nats in float32; no gradient
        bias_h = bias.to(th.dtype)
        fused, counts = get_kernels(t, bias), compute_row_weights(pieces, t)
        rounded = th.dtype == torch.bfloat16
        likelihood = fused and (fused.likelihood_of_halves if rounded else fused.likelihood)
        chunk = 4 * CHUNK_ROWS if fused and rounded else CHUNK_ROWS  # a quarter as much is held of each piece
        for start in range(0, len(t), chunk):
            rows = slice(start, start + chunk)
            if fused:
                gradients = th.new_empty(len(th[rows]), len(wh))
                for first in range(0, len(gradients), BAND_ROWS):
                    band = gradients[first : first + BAND_ROWS]
                    some = slice(start + first, start + first + len(band))
                    torch.addmm(bias_h, th[some], wh.T, out=band)
                    total += likelihood(as_numpy(pieces[some]), smoothing, as_numpy(band), as_numpy(dbias))
                    dt[some] = band @ wh
                dweight += gradients.T @ th[rows]
                continue
            logits = torch.addmm(bias_h, th[rows], wh.T)
            p = torch.softmax(logits, -1, dtype=t.dtype)
            index = pieces[rows, None]
            log_p = p.gather(1, index).clamp_min(tiny).log()
            count = counts[rows, None] if isinstance(counts, Tensor) else counts
            total -= (1 - smoothing) * (log_p * count).sum()
            p.scatter_add_(1, index, p.new_full(index.shape, smoothing - 1.0))
            if smoothing:
                # The mean of all log p is that of the logits less their log-sum-exp, which the piece's own two tell.
                normaliser = logits.gather(1, index).to(t.dtype) - log_p
                total -= smoothing * ((logits.mean(1, keepdim=True, dtype=t.dtype) - normaliser) * count).sum()
                p.sub_(smoothing / p.shape[1])
            if isinstance(count, Tensor):
                p *= count
            dbias += p.sum(0)
            ph = to_half(p, half)
            dt[rows] = ph @ wh
            dweight += ph.T @ th[rows]
        ctx.save_for_backward(dt, dweight, dbias)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        dt, dweight, dbias = ctx.saved_tensors
        return dt * grads[0], dweight * grads[0], dbias * grads[0], None, None, None
