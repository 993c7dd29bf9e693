"""The length curves of two models, small: what the dot of a growing sentence moves along."""

from collections.abc import Sequence

from model.codec import CodecError
from model.search import Settings
from model.trace import Trace
from pages.view.compare.payload_types import CurveData, CurveSet
from pages.view.results.evaluations import Index, Search, index, read, shown_set
from pages.view.results.length_points import CurvePoint, points
from pages.view.shell.messages import Messages


def payload(traces: Sequence[Trace], settings: Settings, say: Messages) -> CurveData:
    """For every test set that one of the models of `traces` was evaluated on with the same weights, the points of each:
    (words, BLEU, sentences, first and last number of words), None for a model without. With the same search where
    there is such an evaluation, else greedy."""
    stand = index()
    sets: list[CurveSet] = []
    for data in stand.sets:
        lines = [_line(stand, data, trace, settings.beam) for trace in traces]
        if any(line is not None for line in lines):
            sets.append({"name": shown_set(data, say, stand.sets), "lines": lines})
    return {"sets": sets, "words": say.table("compare_curve")}


def _line(stand: Index, data: str, trace: Trace, beam: int) -> list[CurvePoint] | None:
    made_by = trace.made_by
    for search in dict.fromkeys((Search(beam), Search(1))):
        entry = stand.find(data, made_by.model, search)
        if entry is None or entry.fingerprint != made_by.fingerprint:
            continue
        try:
            return points(read(entry.path).by_length)
        except CodecError:  # named on the page that is about them
            continue
    return None
