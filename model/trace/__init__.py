"""The record that stands in the middle: what one model did with one sentence, its sides, steps, maps and tree."""

from model.trace.checks import some
from model.trace.trace import (
    ANNOTATIONS,
    ATTENTION,
    END_PIECE,
    ENERGIES,
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
)

__all__ = [
    "ANNOTATIONS",
    "ATTENTION",
    "END_PIECE",
    "ENERGIES",
    "SCHEMA",
    "WORD_START",
    "Array",
    "Candidate",
    "Provenance",
    "Side",
    "Step",
    "Trace",
    "TraceError",
    "WeightMap",
    "check_schema",
    "some",
]
