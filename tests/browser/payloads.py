"""Payloads of components for the tests that mount them without the app."""

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.decoding import OverrideRule, Overrides, Settings
from model.decoding.translate import translate_n_best
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.compare import payload as comparison
from pages.ui.compare.payload_types import CompareData
from pages.ui.family import columns
from pages.ui.heatmap import heatmap
from pages.ui.heatmap.heatmap import HeatmapView
from pages.ui.heatmap.payload_types import HeatmapData
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import beam, console
from pages.ui.laboratory.payload_types import BeamData, ConsoleData
from pages.ui.results.payload_types import AlignmentOnsetData
from pages.ui.widgets.family_results import FamilyResults
from pages.ui.your_text import sentence_bars
from pages.ui.your_text.payload_types import BarRow, SentenceBarsData
from tests.model.analysis.scripted import build_random_model
from tests.pages.compare.test_payload import FIRST, LONG
from tests.pages.fakes import ATTENDED, PLAIN
from tests.traces import ENGLISH, LOST, make_trace

SAY = load_messages("en")


def build_bars(lines: list[int]) -> SentenceBarsData:
    """Build bars of these lines of a running file. A sentence is as long as its line number."""
    rows: list[BarRow] = [
        {"line": line, "words": line, "source": f"sentence {line}", "outputs": [{"text": f"phrase {line}"}]}
        for line in lines
    ]
    length = sentence_bars.SentenceMeasure("length", (("all", [float(line) for line in lines]),), "high", 0)
    data = sentence_bars.build_bars_payload("letters.txt", rows, [length], ["rnnsearch-50"], SAY)
    data["pages"] = [{"url": "translate", "title": "Translate", "is_per_model": False}]
    return data


def build_beam(vocabulary: Vocabulary, name: str = "one") -> BeamData:
    """Build the beam of an untrained model."""
    settings = Settings(beam=3, n_best=3, tree=True, max_ratio=1.0)
    traces = tuple(translate_n_best(build_random_model(vocabulary), normalise("The grey cat sleeps."), settings))
    assert traces[0].tree is not None
    return {**beam.build_beam_payload(traces, traces[0].tree, -1, (), 3, SAY), "search_id": name}


def build_heatmap(name: str = "one") -> HeatmapData:
    """Build a heatmap with two hypotheses."""
    hypotheses = (make_trace(beam=5), make_trace(target=LOST, beam=5))
    return {**heatmap.build_heatmap_payload(hypotheses, None, HeatmapView(), 0, SAY), "id": name}


def build_console(*rules: OverrideRule) -> ConsoleData:
    """Build the attention console after these overrides."""
    before = make_trace()
    provenance = replace(before.provenance, overrides=Overrides(rules=rules).to_text())
    after = replace(before, provenance=provenance) if provenance.overrides else before
    return console.build_console_payload(before, after, None, SAY)


def build_onset() -> AlignmentOnsetData:
    """Build two moments of a training, in which a weight grows from 0.2 to 0.8."""
    alpha = [base64.b64encode(bytes([part, 255 - part])).decode() for part in (51, 204)]
    return {
        "id": "one", "probe": 1, "moment": 0, "ticks": [10, 20], "languages": ("en", "fr"),
        "probes": [{"source": [("", "one")], "target": [("", "un")]}],
        "models": [{"name": "a", "is_dashed": True, "is_hollow": False, "marker": "circle", "target_tokens": [10, 20],
                    "bleu": [1.0, 2.0], "moments": [0, 1],
                    "probes": [{"translations": ["", "un"], "alpha": alpha, "diagonal": None, "reordering": None}]}],
        "messages": SAY.get_table("alignment_onset"), "language": "en",
    }  # fmt: skip


def build_family(*names: str) -> Mapping[str, Any]:
    """Build the columns of two models, of which these have translated."""
    traces = {PLAIN: make_trace(target=LOST, order=None, model=PLAIN), ATTENDED: make_trace(model=ATTENDED)}
    results = FamilyResults(normalise(ENGLISH), Settings(), "en", {name: traces[name] for name in names}, {}, {})
    return columns.build_columns_payload(results, [PLAIN, ATTENDED], SAY)


def build_growing_comparison() -> CompareData:
    """Build a comparison of a sentence that has grown from one clause to two."""
    short = make_trace(FIRST, "le petit chat dort ici .", (0, 1, 2, 3, 4, 4))
    whole = make_trace(LONG, "un chat dort là , et le chien court .", (0, 2, 3, 4, 5, 6, 7, 9, 10, 11))
    pairs = tuple((trace, trace) for trace in (short, whole))
    return comparison.build_compare_payload(pairs, 1, Settings(), SAY)
