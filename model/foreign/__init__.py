"""Attention made elsewhere, read into the record in the middle: whatever toolkit wrote the weights, they become Traces
that are drawn and saved as our own models' are. Plain Python and numpy."""

from model.foreign.problems import ForeignError
from model.foreign.reading import read
from model.foreign.record import LENGTH_LIMIT, MAP_LIMIT

__all__ = ["LENGTH_LIMIT", "MAP_LIMIT", "ForeignError", "read"]
