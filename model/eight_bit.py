"""Weights in eight bits: whole numbers from -127 to 127, and a scale for every BLOCK of them along a row.

A quarter of float32 and half of half precision on the disk; the network computes in float32 all the same. Of a block's
scales the one is taken that leaves the smallest sum of squared errors: cutting off a far value may serve the many.
Vectors (biases, v_a) are few and stay in half precision.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

BLOCK = 32  # weights that share a scale; two bytes for 32 of them are a sixteenth of what is written
SCALE = ".scale"  # what a matrix's scales are called beside it: NAME.scale
MOST = 127
_SCALES = 20  # tried for a block: the one that reaches its farthest value, and smaller ones in steps of
_STEP = 0.025  # so much of it
_LEAST = 2.0**-126  # a scale that is not zero, for blocks of zeros


def pack(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Finite weights by name, of any precision, as what is written: int8 matrices (rows, columns), beside each its
    scales in bfloat16, (rows, blocks), and the rest in half precision."""
    packed: dict[str, Tensor] = {}
    for name, value in weights.items():
        if value.ndim == 2:
            packed[name], packed[name + SCALE] = _rounded(value.detach().float())
        else:
            packed[name] = value.detach().half().contiguous()
    return packed


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What `pack` wrote, or weights of any precision, in float32. What was in eight bits become numbers that half
    precision has, which search can fetch sooner. Raises ValueError where a matrix and its scales do not fit each other.
    """
    weights: dict[str, Tensor] = {}
    for name, value in packed.items():
        if name.endswith(SCALE) and name.removesuffix(SCALE) in packed:
            continue
        if value.dtype == torch.int8:
            scale = packed.get(name + SCALE)
            if scale is None or value.ndim != 2 or scale.shape != (len(value), -(-value.shape[1] // BLOCK)):
                raise ValueError(f"{name} is in eight bits and has no scale for each of its blocks")
            whole = _joined(_blocks(value.float()) * scale.float()[:, :, None], value.shape[1])
            weights[name] = whole.half().float()
        else:
            weights[name] = value.float()
    return weights


def _rounded(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """The matrix (rows, columns) in whole numbers, int8, and its scales in bfloat16, (rows, blocks)."""
    blocks = _blocks(matrix)
    farthest = blocks.abs().amax(-1, keepdim=True) / MOST
    best, least = farthest, torch.full_like(farthest, torch.inf)
    for number in range(_SCALES):
        scale = (farthest * (1 - number * _STEP)).bfloat16().float().clamp_min(_LEAST)
        error = (_whole(blocks, scale) * scale - blocks).square().sum(-1, keepdim=True)
        best, least = torch.where(error < least, scale, best), torch.minimum(error, least)
    whole = _joined(_whole(blocks, best), matrix.shape[1]).to(torch.int8)
    return whole, best[:, :, 0].bfloat16()


def _blocks(matrix: Tensor) -> Tensor:
    """(rows, columns) -> (rows, blocks, BLOCK), zeros at the end of the last block."""
    return F.pad(matrix, (0, -matrix.shape[1] % BLOCK)).view(len(matrix), -1, BLOCK)


def _joined(blocks: Tensor, columns: int) -> Tensor:
    """(rows, blocks, BLOCK) -> (rows, columns)."""
    return blocks.flatten(1)[:, :columns].contiguous()


def _whole(blocks: Tensor, scale: Tensor) -> Tensor:
    return (blocks / scale).round().clamp(-MOST, MOST)
