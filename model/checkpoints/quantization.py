"""Quantization to eight bits: integers from -127 to 127, with a scale for each block of BLOCK_SIZE weights in a row.

Files are a quarter of float32 and half of half precision; the network computes in float32. The scale is set by the
largest weight of the block: in blocks this small, clipping it would cost more than it saves. Vectors (biases, v_a) are
few and stay in half precision.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

BLOCK_SIZE = 32  # a scale takes two bytes, a sixteenth of its block
SCALE_SUFFIX = ".scale"  # the scales of a matrix NAME are stored as NAME.scale
MAX_LEVEL = 127
_MIN_SCALE = 2.0**-126  # for blocks of zeros


def quantize_weights(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantize finite weights by name.

    Returns int8 matrices (rows, columns), their scales in bfloat16, (rows, blocks), and the rest in half precision.
    """
    packed: dict[str, Tensor] = {}
    for name, value in weights.items():
        if value.ndim == 2:
            packed[name], packed[name + SCALE_SUFFIX] = _quantize(value.detach().float())
        else:
            packed[name] = value.detach().half().contiguous()
    return packed


def dequantize_weights(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights in float32, from quantized ones or from any precision.

    Dequantized weights are rounded to half precision, which fast decoders store. Raises ValueError if a matrix and its
    scales do not fit.
    """
    weights: dict[str, Tensor] = {}
    for name, value in packed.items():
        if name.endswith(SCALE_SUFFIX) and name.removesuffix(SCALE_SUFFIX) in packed:
            continue
        if value.dtype == torch.int8:
            scale = packed.get(name + SCALE_SUFFIX)
            if scale is None or value.ndim != 2 or scale.shape != (len(value), -(-value.shape[1] // BLOCK_SIZE)):
                raise ValueError(f"{name} is in eight bits and has no scale for each of its blocks")
            values = _join_blocks(_split_blocks(value.float()) * scale.float()[:, :, None], value.shape[1])
            weights[name] = values.half().float()
        else:
            weights[name] = value.float()
    return weights


def _quantize(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Return a matrix (rows, columns) as int8, and its scales in bfloat16, (rows, blocks)."""
    blocks = _split_blocks(matrix)
    scale = (blocks.abs().amax(-1, keepdim=True) / MAX_LEVEL).bfloat16().float().clamp_min(_MIN_SCALE)
    values = (blocks / scale).round().clamp(-MAX_LEVEL, MAX_LEVEL)  # the scale may have been rounded down
    return _join_blocks(values, matrix.shape[1]).to(torch.int8), scale[:, :, 0].bfloat16()


def _split_blocks(matrix: Tensor) -> Tensor:
    """Return (rows, columns) as (rows, blocks, BLOCK_SIZE), the last block padded with zeros."""
    return F.pad(matrix, (0, -matrix.shape[1] % BLOCK_SIZE)).view(len(matrix), -1, BLOCK_SIZE)


def _join_blocks(blocks: Tensor, columns: int) -> Tensor:
    """Return (rows, blocks, BLOCK_SIZE) as (rows, columns)."""
    return blocks.flatten(1)[:, :columns].contiguous()
