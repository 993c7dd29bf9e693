"""Rows of vectors times a matrix, the matrix held as search can fetch it soonest.

Few rows wait for the matrix to come from memory, and in half precision it comes twice as soon. It is held so as well
where nothing is lost by it, that is where every weight is a number of half precision, as shipped weights are; the
products and their sums are computed in float32 all the same. Where the processor has no such product (other than x86),
and for more rows than a few, float32 is fetched.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch
from torch import Tensor

FEW = 16  # rows up to which fetching half as much is sooner


class Product:
    """x (..., in) -> x M^T + b (..., out), for matrices (out, in) one below the other."""

    def __init__(self, matrices: Sequence[Tensor], bias: Tensor | None = None) -> None:
        whole = torch.cat([matrix.detach() for matrix in matrices])
        self.columns = whole.T.contiguous()  # (in, out): a product with one row reads them one after the other
        self.bias = None if bias is None else bias.detach()
        self._half = _packed(whole)
        self._added = whole.new_zeros(len(whole)) if self.bias is None else self.bias

    def __call__(self, x: Tensor) -> Tensor:
        if x.dim() == 2 and len(x) <= FEW and self._half is not None:
            return torch.fbgemm_linear_fp16_weight_fp32_activation(x, self._half, self._added)
        if self.bias is None:
            return x @ self.columns
        if x.dim() == 2:
            return torch.addmm(self.bias, x, self.columns)
        return x @ self.columns + self.bias


def _packed(whole: Tensor) -> Tensor | None:
    """The matrix (out, in) in half precision, laid out for the product; None where it would be another, and where there
    is no such product."""
    if whole.dtype != torch.float32 or whole.device.type != "cpu" or not torch.equal(whole.half().float(), whole):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the product is to move elsewhere in torch: the version is pinned
        try:
            packed: Tensor = torch.fbgemm_pack_gemm_matrix_fp16(whole.contiguous())
            torch.fbgemm_linear_fp16_weight_fp32_activation(whole.new_zeros(1, whole.shape[1]), packed,
                                                            whole.new_zeros(len(whole)))
        except RuntimeError:  # built for another processor
            return None
    return packed
