"""The length curves of two models, small: what the dot of a growing sentence moves along."""

from collections.abc import Sequence

from model.decoding import Settings
from model.serialization.codec import CodecError
from model.trace import Trace
from pages.ui.backend.evaluations import Index, Search, describe_search, describe_test_set, load_evaluation, load_index
from pages.ui.charts.payload_parts import CurvePoint, build_curve_points
from pages.ui.compare.payload_types import CurveData, CurveSet
from pages.ui.i18n.messages import Messages


def build_curve_payload(traces: Sequence[Trace], settings: Settings, t: Messages) -> CurveData:
    """For every test set that one of the models of `traces` was evaluated on with the same weights, the points of each:
    (words, BLEU, sentences, first and last number of words), None for a model without. With the same search where
    there is such an evaluation, else greedy, which the set's name says then."""
    stand = load_index()
    sets: list[CurveSet] = []
    for data in stand.sets:
        found = [_line(stand, data, trace, settings.beam) for trace in traces]
        searches = dict.fromkeys(one[1] for one in found if one is not None)
        if searches:
            name, others = describe_test_set(data, t, stand.sets), any(one.beam != settings.beam for one in searches)
            name = ", ".join((name, *(describe_search(one, t) for one in searches))) if others else name
            sets.append({"key": data, "name": name, "lines": [None if one is None else one[0] for one in found]})
    return {"sets": sets, "words": t.table("compare_curve")}


def _line(stand: Index, data: str, trace: Trace, beam: int) -> tuple[list[CurvePoint], Search] | None:
    made_by = trace.made_by
    for search in dict.fromkeys((Search(beam), Search(1))):
        entry = stand.find(data, made_by.model, search)
        if entry is None or entry.fingerprint != made_by.fingerprint:
            continue
        try:
            return build_curve_points(load_evaluation(entry.path).by_length), search
        except CodecError:  # named on the page that is about them
            continue
    return None
