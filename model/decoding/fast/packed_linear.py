"""Matrix products with weights that do not change, as search makes them.

With few rows, fetching the matrix from memory takes longer than multiplying. For them it is packed in half precision,
which is fetched in half the time, if that loses nothing: if every weight is a number of half precision, as shipped
weights are. Products are computed and summed in float32 all the same. `model.decoding.fast.search_kernels` multiplies single
rows by itself, together with what comes between two products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

MAX_PACKED_ROWS = 16  # rows up to which the packed matrix is faster


class PackedLinear:
    """x (..., in) -> x M^T + b (..., out), for matrices (out, in) one below the other."""

    def __init__(self, matrices: Sequence[Tensor], bias: Tensor | None = None) -> None:
        whole = torch.cat([matrix.detach() for matrix in matrices])
        self.columns = whole.T.contiguous()  # (in, out): a product with one row reads them one after the other
        self.bias = None if bias is None else bias.detach()
        self.added = whole.new_zeros(len(whole)) if self.bias is None else self.bias
        self._packed = _pack(whole, self.added)

    def __call__(self, x: Tensor) -> Tensor:
        if x.dim() > 2:
            return self(x.flatten(0, -2)).unflatten(0, x.shape[:-1])
        if self._packed is not None and len(x) <= MAX_PACKED_ROWS:
            product: Tensor = torch.ops.quantized.linear_dynamic_fp16(x, self._packed)
            return product
        return x @ self.columns if self.bias is None else torch.addmm(self.bias, x, self.columns)

    def of(self, x: Any) -> Any:
        """The same of a numpy array."""
        return self(torch.from_numpy(x)).numpy()


def _pack(whole: Tensor, bias: Tensor) -> Any:
    """Pack a matrix (out, in) and a bias for products in half precision; None where a weight would change, or where
    torch has no such product for this processor."""
    if whole.device.type != "cpu" or whole.dtype != torch.float32 or not whole.half().float().equal(whole):
        return None
    try:
        return torch.ops.quantized.linear_prepack_fp16(whole, bias)
    except RuntimeError:
        return None
