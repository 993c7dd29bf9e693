"""The record that stands in the middle: what one model did with one sentence, its sides, steps, maps and tree."""

from model.trace.checks import some
from model.trace.maps import ACCOUNT, MapDescription, first_look, pictured
from model.trace.trace import (
    ANNOTATIONS,
    END_PIECE,
    ENERGIES,
    READ_IN,
    SCHEMA,
    WORD_START,
    Array,
    Candidate,
    Provenance,
    Side,
    Step,
    Trace,
    TraceError,
    WeightMap,
    check_schema,
    shares,
    word_positions,
)

__all__ = [
    "ACCOUNT",
    "ANNOTATIONS",
    "END_PIECE",
    "ENERGIES",
    "READ_IN",
    "SCHEMA",
    "WORD_START",
    "Array",
    "Candidate",
    "MapDescription",
    "Provenance",
    "Side",
    "Step",
    "Trace",
    "TraceError",
    "WeightMap",
    "check_schema",
    "first_look",
    "pictured",
    "shares",
    "some",
    "word_positions",
]
