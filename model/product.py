"""Rows of vectors times a matrix, the matrix held as search can fetch it soonest.

Few rows wait for the matrix to come from memory, and in half precision it comes twice as soon. It is held so as well
where nothing is lost by it, that is where every weight is a number of half precision, as shipped weights are; the
products and their sums are computed in float32 all the same. More rows are multiplied in tiles (`model.fast.tiles`)
where the processor has those. Where it has neither, and where a weight is finer, float32 is fetched.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from model.fast.behind import tiles

FEW = 6  # rows up to which fetching half as much is sooner than tiles,
SOME = 16  # and than float32


class Product:
    """x (..., in) -> x M^T + b (..., out), for matrices (out, in) one below the other."""

    def __init__(self, matrices: Sequence[Tensor], bias: Tensor | None = None) -> None:
        whole = torch.cat([matrix.detach() for matrix in matrices])
        self.columns = whole.T.contiguous()  # (in, out): a product with one row reads them one after the other
        self.bias = None if bias is None else bias.detach()
        self.added = whole.new_zeros(len(whole)) if self.bias is None else self.bias
        exact = bool(whole.dtype == torch.float32 and whole.half().float().equal(whole))
        self._half = _packed(whole) if exact else None
        self._packed: Any = None
        self._by: Any = None  # what multiplies what is packed

    @cached_property
    def halves(self) -> Any:
        """The matrix (in, out) in half precision, as `model.fast.steps` takes it for a row; None where it would be
        another, and where the processor does not know such numbers."""
        return None if self._half is None else self.columns.half().view(torch.uint16).numpy()

    @property
    def packed(self) -> Any:
        """The matrix as `model.fast.tiles` takes it for many rows; None where that is not to be taken."""
        if self._packed is None and self._half is not None and (module := tiles(self.columns)) is not None:
            self._by, self._packed = module, module.packed(self.columns)
        return self._packed

    def __call__(self, x: Tensor) -> Tensor:
        if x.dim() > 2:
            return self(x.flatten(0, -2)).unflatten(0, x.shape[:-1])
        rows = x.shape[0]
        if rows > FEW and (packed := self.packed) is not None:
            product = x.new_empty(rows, self.added.shape[0])
            self._by.multiply(x.contiguous().numpy(), packed, self.added.numpy(), product.numpy())
            return product
        if self._half is not None and rows <= SOME:
            return torch.fbgemm_linear_fp16_weight_fp32_activation(x, self._half, self.added)
        return x @ self.columns if self.bias is None else torch.addmm(self.bias, x, self.columns)

    def of(self, x: Any) -> Any:
        """The same of a numpy array."""
        return self(torch.from_numpy(x)).numpy()


def of_rows(rows: int, *products: Product) -> list[Any] | None:
    """The matrices of products with so many rows as `model.fast.steps.multiply` takes them; None where torch has
    them sooner."""
    if rows != 1 and rows <= FEW:
        return None
    matrices = [one.halves if rows == 1 else one.packed for one in products]
    return None if any(one is None for one in matrices) else matrices


def _packed(whole: Tensor) -> Tensor | None:
    """The matrix (out, in) in half precision, laid out for the product; None where it would be another, and where there
    is no such product."""
    if whole.device.type != "cpu":
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
