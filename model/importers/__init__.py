"""Attention made elsewhere, read into the record in the middle: whatever toolkit wrote the weights, they become Traces
that are drawn and saved as our own models' are. Plain Python and numpy."""

from model.importers.problems import ForeignError
from model.importers.reading import read
from model.importers.record import LENGTH_LIMIT, MAP_LIMIT

__all__ = ["LENGTH_LIMIT", "MAP_LIMIT", "ForeignError", "read"]
