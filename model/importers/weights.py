"""Turns arrays of weights of any usual layout into matrices with a layer and a head.

Layouts that are read, rows and columns last: (rows, columns); (heads, rows, columns); (layers, heads, rows, columns);
(layers, 1, heads, rows, columns) and (1, layers, heads, rows, columns), a batch of one; and what generating step by
step returns, (steps, ..., 1, columns), in Hugging Face (steps, layers, 1, heads, 1, columns). The columns of later
steps may be more, as in a decoder's self-attention: what earlier ones lack is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.importers.errors import AttentionFileError

Weights = NDArray[np.float64]

NAME_LIMIT = 100  # characters of a map's name in a message
_TOLERANCE = 1e-3  # how far below 0 and above 1 a rounded weight may lie
_SUM_TOLERANCE = 1e-2  # how far from 1 the sum of a line may lie that is held to be a distribution


def to_array(value: Any, name: str, sentence: int) -> Weights:
    """Return the weights called `name` as an array of two axes or more, clipped to 0 to 1. Raises AttentionFileError
    for anything but finite numbers of an even shape between 0 and 1."""
    shown = name[:NAME_LIMIT]
    if not isinstance(value, np.ndarray) and not has_numbers_only(value):  # numpy pads texts to the longest
        raise AttentionFileError("values", name=shown, sentence=sentence)
    try:
        array = np.asarray(value)
    except ValueError:
        array = _join_steps(value, shown, sentence)
    if array.dtype.kind not in "fiu":
        raise AttentionFileError("values", name=shown, sentence=sentence)
    array = array.astype(np.float64)
    if array.ndim < 2 or array.size == 0:
        raise AttentionFileError("shape", name=shown, got=format_shape(array), sentence=sentence)
    if not np.isfinite(array).all():
        raise AttentionFileError("values", name=shown, sentence=sentence)
    worst = float(array.flat[int(np.argmax(np.abs(array - 0.5)))])
    if not -_TOLERANCE <= worst <= 1 + _TOLERANCE:
        raise AttentionFileError("range", name=shown, got=f"{worst:.4g}", sentence=sentence)
    return np.clip(array, 0, 1)


def to_layers(array: Weights, target: int, name: str, sentence: int) -> Weights:
    """Return an array as (layers, heads, rows, columns). `target`: how many target tokens there are, by which steps are
    told from heads. Raises AttentionFileError for a batch of several sentences and for any other layout."""
    shown = name[:NAME_LIMIT]
    given = array
    has_steps = array.ndim == 6 or (array.ndim > 2 and target > 1 and abs(array.shape[0] - target) <= 1)
    if has_steps and array.shape[-2] == 1:
        array = np.moveaxis(array[..., 0, :], 0, -2)
    if array.ndim == 5:
        if 1 not in array.shape[:2]:
            raise AttentionFileError("batch", name=shown, got=array.shape[1], sentence=sentence)
        array = array[:, 0] if array.shape[1] == 1 else array[0]
    if array.ndim > 4:
        raise AttentionFileError("shape", name=shown, got=format_shape(given), sentence=sentence)
    while array.ndim < 4:
        array = array[None]
    return array


def iterate_matrices(array: Weights) -> Iterator[tuple[int | None, int | None, Weights]]:
    """Yield each matrix of (layers, heads, rows, columns) with its layer and head, counted from 1; None for the only
    one."""
    layers, heads = array.shape[:2]
    for layer in range(layers):
        for head in range(heads):
            yield (layer + 1 if layers > 1 else None), (head + 1 if heads > 1 else None), array[layer, head]


def is_transposed(array: Weights) -> bool:
    """Say whether the columns of every matrix sum to 1 and the rows don't: the weights stand the other way round."""
    if 1 in array.shape[-2:]:
        return False
    columns, rows = array.sum(axis=-2), array.sum(axis=-1)
    return bool((np.abs(columns - 1) <= _SUM_TOLERANCE).all()) and bool((np.abs(rows - 1) > _SUM_TOLERANCE).any())


def format_shape(array: NDArray[Any]) -> str:
    return " × ".join(map(str, array.shape)) or "1"


def _join_steps(value: Any, shown: str, sentence: int) -> Weights:
    """Join the arrays of steps, which have the same shape but for more and more columns, into one of all rows."""
    try:
        steps = [np.asarray(step) for step in value]
    except ValueError:
        steps = []
    even = len({step.shape[:-1] for step in steps}) == 1 and steps[0].ndim > 2 and steps[0].shape[-2] == 1
    growing = even and all(step.dtype.kind in "fiu" for step in steps)
    if not growing or any(later.shape[-1] < step.shape[-1] for step, later in pairwise(steps)):
        raise AttentionFileError("ragged", name=shown, sentence=sentence)
    width = steps[-1].shape[-1]
    padded = [np.pad(step, [(0, 0)] * (step.ndim - 1) + [(0, width - step.shape[-1])]) for step in steps]
    return np.stack(padded)


def has_numbers_only(value: Any) -> bool:
    """Say whether lists within lists hold numbers alone."""
    level = [value]
    while level:
        if any(type(one) not in (list, int, float) for one in level):
            return False
        level = [inner for one in level if type(one) is list for inner in one]
    return True
