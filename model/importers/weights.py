"""Conversion of attention weights in any usual array layout into matrices with layer and head.

Supported shapes: (rows, columns); (heads, rows, columns); (layers, heads, rows, columns); a batch of one, (layers, 1,
heads, rows, columns) or (1, layers, heads, rows, columns); and generation step by step, (steps, ..., 1, columns), in
Hugging Face (steps, layers, 1, heads, 1, columns). Later steps may have more columns, as in decoder self-attention;
earlier ones are padded with 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.importers.errors import AttentionFileError

Weights = NDArray[np.float64]

MAP_NAME_LIMIT = 100  # characters of a map's name in a message
AXIS_LIMIT = 6  # steps, layers, batch, heads, rows, columns
UNPACKED_BYTE_LIMIT = 64 * 2**20  # the weights of a sentence
_TOLERANCE = 1e-3  # allowed distance of a rounded weight below 0 or above 1
_SUM_TOLERANCE = 1e-2  # allowed distance from 1 of the sum of a distribution


def to_array(value: Any, name: str, sentence: int) -> Weights:
    """Return the weights as an array of two axes or more, clipped to 0 to 1.

    Raises AttentionFileError for anything but finite numbers between 0 and 1 in a regular shape.
    """
    short_name = name[:MAP_NAME_LIMIT]
    if not isinstance(value, np.ndarray):
        axis_count = count_axes(value)
        if axis_count is None:  # numpy pads texts to the longest
            raise AttentionFileError("values", name=short_name, sentence=sentence)
        if axis_count > AXIS_LIMIT:
            raise AttentionFileError("shape", name=short_name, got=_format_deep_shape(value), sentence=sentence)
    try:
        array = np.asarray(value)
    except ValueError:
        array = _join_steps(value, short_name, sentence)
    if array.dtype.kind not in "fiu":
        raise AttentionFileError("values", name=short_name, sentence=sentence)
    array = array.astype(np.float64)
    if array.ndim < 2 or array.size == 0:
        raise AttentionFileError("shape", name=short_name, got=format_shape(array), sentence=sentence)
    if not np.isfinite(array).all():
        raise AttentionFileError("values", name=short_name, sentence=sentence)
    worst = float(array.flat[int(np.argmax(np.abs(array - 0.5)))])
    if not -_TOLERANCE <= worst <= 1 + _TOLERANCE:
        raise AttentionFileError("range", name=short_name, got=f"{worst:.4g}", sentence=sentence)
    return np.clip(array, 0, 1)


def to_layers(array: Weights, target_length: int, name: str, sentence: int) -> Weights:
    """Return an array as (layers, heads, rows, columns).

    `target_length`: the number of target tokens, which distinguishes steps from heads. Raises AttentionFileError for a
    batch of several sentences and for any other layout.
    """
    short_name = name[:MAP_NAME_LIMIT]
    original = array
    has_steps = array.ndim == 6 or (array.ndim > 2 and target_length > 1 and abs(array.shape[0] - target_length) <= 1)
    if has_steps and array.shape[-2] == 1:
        array = np.moveaxis(array[..., 0, :], 0, -2)
    if array.ndim == 5:
        if 1 not in array.shape[:2]:
            raise AttentionFileError("batch", name=short_name, got=array.shape[1], sentence=sentence)
        array = array[:, 0] if array.shape[1] == 1 else array[0]
    if array.ndim > 4:
        raise AttentionFileError("shape", name=short_name, got=format_shape(original), sentence=sentence)
    while array.ndim < 4:
        array = array[None]
    return array


def iterate_matrices(array: Weights) -> Iterator[tuple[int | None, int | None, Weights]]:
    """Yield layer, head and matrix of (layers, heads, rows, columns), counted from 1; None for a single one."""
    layers, heads = array.shape[:2]
    for layer in range(layers):
        for head in range(heads):
            yield (layer + 1 if layers > 1 else None), (head + 1 if heads > 1 else None), array[layer, head]


def is_transposed(array: Weights) -> bool:
    """Return whether the columns of every matrix sum to 1 and the rows don't."""
    if 1 in array.shape[-2:]:
        return False
    column_sums, row_sums = array.sum(axis=-2), array.sum(axis=-1)
    return bool((np.abs(column_sums - 1) <= _SUM_TOLERANCE).all() and (np.abs(row_sums - 1) > _SUM_TOLERANCE).any())


def format_shape(array: NDArray[Any]) -> str:
    return " × ".join(map(str, array.shape)) or "1"


def _join_steps(value: Any, short_name: str, sentence: int) -> Weights:
    """Stack the arrays of steps, which may have more and more columns."""
    try:
        steps = [np.asarray(step) for step in value]
    except ValueError:
        steps = []
    has_one_shape = len({step.shape[:-1] for step in steps}) == 1 and steps[0].ndim > 2 and steps[0].shape[-2] == 1
    is_numeric = has_one_shape and all(step.dtype.kind in "fiu" for step in steps)
    if not is_numeric or any(next_step.shape[-1] < step.shape[-1] for step, next_step in pairwise(steps)):
        raise AttentionFileError("ragged", name=short_name, sentence=sentence)
    width = steps[-1].shape[-1]
    check_size(len(steps) * steps[-1].size)
    padded = [np.pad(step, [(0, 0)] * (step.ndim - 1) + [(0, width - step.shape[-1])]) for step in steps]
    return np.stack(padded)


def check_size(number_count: int) -> None:
    """Raise AttentionFileError for more numbers, as float64, than are read."""
    size = 8 * number_count
    if size > UNPACKED_BYTE_LIMIT:
        raise AttentionFileError("unpacked", got=size, limit=UNPACKED_BYTE_LIMIT)


def count_axes(value: Any) -> int | None:
    """Return how deep lists of numbers are nested; None for lists of anything else."""
    level, depth = [value], 0
    while all(type(item) in (list, int, float) for item in level):
        lists = [item for item in level if type(item) is list]
        if not lists:
            return depth
        level, depth = [child for item in lists for child in item], depth + 1
    return None


def _format_deep_shape(value: Any) -> str:
    """Format the shape of lists that are nested deeper than AXIS_LIMIT, along their first items."""
    lengths: list[int] = []
    while isinstance(value, list) and value and len(lengths) < AXIS_LIMIT:
        lengths.append(len(value))
        value = value[0]
    return " × ".join([*map(str, lengths), "…"])
