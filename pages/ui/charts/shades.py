"""Vectors as a few cells, each a shade from 0 to 1."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def scale_to_unit_range(values: NDArray[np.float32], scale: NDArray[np.float32]) -> list[Any]:
    """Block means as shades from 0 to 1, least and greatest being those of `scale`."""
    low, high = float(scale.min()), float(scale.max())
    found: list[Any] = np.clip((values - low) / ((high - low) or 1.0), 0, 1).round(3).astype(float).tolist()
    return found
