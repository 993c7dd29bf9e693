"""Linear layers with fixed weights, for few rows.

With few rows, loading the matrix takes longer than multiplying. PackedLinear then uses a copy packed in fp16, which
loads in half the time. It does so only if all weights are exact in fp16, as shipped weights are. Products are computed
and summed in float32. The few rows of a compiled step are multiplied by `model.decoding.fast.search_kernels.matmul`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

MAX_PACKED_ROWS = 64  # with more rows the float32 matrix is faster


class PackedLinear:
    """x (..., in) -> x M^T + b (..., out), for matrices (out, in) stacked to one."""

    def __init__(self, matrices: Sequence[Tensor], bias: Tensor | None = None) -> None:
        matrix = torch.cat([part.detach() for part in matrices])
        self.transposed = matrix.T.contiguous()  # (in, out): a product with one row reads it sequentially
        self.bias = None if bias is None else bias.detach()
        self.bias_or_zeros = matrix.new_zeros(len(matrix)) if self.bias is None else self.bias
        is_fp16 = matrix.device.type == "cpu" and matrix.dtype == torch.float32 and matrix.half().float().equal(matrix)
        self.fp16_bits: Any = self.transposed.half().numpy().view(np.int16) if is_fp16 else None  # (in, out)
        self.packed = _pack_fp16(matrix, self.bias_or_zeros) if is_fp16 else None

    def __call__(self, x: Tensor) -> Tensor:
        if x.dim() > 2:
            return self(x.flatten(0, -2)).unflatten(0, x.shape[:-1])
        if self.packed is not None and len(x) <= MAX_PACKED_ROWS:
            product: Tensor = torch.ops.quantized.linear_dynamic_fp16.default(x, self.packed)
            return product
        return x @ self.transposed if self.bias is None else torch.addmm(self.bias, x, self.transposed)

    def multiply_array(self, x: Any) -> Any:
        """Return the product with a numpy array."""
        return self(torch.from_numpy(x)).numpy()


def _pack_fp16(matrix: Tensor, bias: Tensor) -> Any:
    """Pack a matrix (out, in) and a bias; return None if torch cannot do it here."""
    try:
        return torch.ops.quantized.linear_prepack_fp16(matrix, bias)
    except RuntimeError:
        return None
