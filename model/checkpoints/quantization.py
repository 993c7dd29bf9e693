"""Weights in eight bits: whole numbers from -127 to 127, and a scale for every BLOCK of them along a row.

A quarter of float32 and half of half precision on the disk; the network computes in float32 all the same. A scale
reaches its block's farthest value: in blocks so small a smaller one, which cuts that off, leaves more error than it
saves. Vectors (biases, v_a) are few and stay in half precision.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

BLOCK_SIZE = 32  # weights that share a scale; two bytes for 32 of them are a sixteenth of what is written
SCALE_SUFFIX = ".scale"  # what a matrix's scales are called beside it: NAME.scale
MAX_LEVEL = 127
_LEAST = 2.0**-126  # a scale that is not zero, for blocks of zeros


def quantize_weights(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Finite weights by name, of any precision, as what is written: int8 matrices (rows, columns), beside each its
    scales in bfloat16, (rows, blocks), and the rest in half precision."""
    packed: dict[str, Tensor] = {}
    for name, value in weights.items():
        if value.ndim == 2:
            packed[name], packed[name + SCALE_SUFFIX] = _rounded(value.detach().float())
        else:
            packed[name] = value.detach().half().contiguous()
    return packed


def dequantize_weights(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What `pack` wrote, or weights of any precision, in float32. What was in eight bits become numbers that half
    precision has, which search can fetch sooner. Raises ValueError where a matrix and its scales do not fit each other.
    """
    weights: dict[str, Tensor] = {}
    for name, value in packed.items():
        if name.endswith(SCALE_SUFFIX) and name.removesuffix(SCALE_SUFFIX) in packed:
            continue
        if value.dtype == torch.int8:
            scale = packed.get(name + SCALE_SUFFIX)
            if scale is None or value.ndim != 2 or scale.shape != (len(value), -(-value.shape[1] // BLOCK_SIZE)):
                raise ValueError(f"{name} is in eight bits and has no scale for each of its blocks")
            whole = _joined(_blocks(value.float()) * scale.float()[:, :, None], value.shape[1])
            weights[name] = whole.half().float()
        else:
            weights[name] = value.float()
    return weights


def _rounded(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """The matrix (rows, columns) in whole numbers, int8, and its scales in bfloat16, (rows, blocks)."""
    blocks = _blocks(matrix)
    scale = (blocks.abs().amax(-1, keepdim=True) / MAX_LEVEL).bfloat16().float().clamp_min(_LEAST)
    whole = (blocks / scale).round().clamp(-MAX_LEVEL, MAX_LEVEL)  # rounding may have left the scale a little short
    return _joined(whole, matrix.shape[1]).to(torch.int8), scale[:, :, 0].bfloat16()


def _blocks(matrix: Tensor) -> Tensor:
    """(rows, columns) -> (rows, blocks, BLOCK), zeros at the end of the last block."""
    return F.pad(matrix, (0, -matrix.shape[1] % BLOCK_SIZE)).view(len(matrix), -1, BLOCK_SIZE)


def _joined(blocks: Tensor, columns: int) -> Tensor:
    """(rows, blocks, BLOCK) -> (rows, columns)."""
    return blocks.flatten(1)[:, :columns].contiguous()
