"""Saliency: the payload, the exported table, and the method in the link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.attribution.saliency_record import METHODS, Method, Saliency, SaliencyError
from model.trace import Trace
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import saliency
from tests.pages.components import get_component_data, list_alerts
from tests.pages.fakes import PLAIN
from tests.traces import make_trace

OpenApp = Callable[..., AppTest]
T = load_messages("en")


def build_saliency(trace: Trace, method: Method = "gradient") -> Saliency:
    """Return a map in which every piece counts for itself and against its left neighbour."""
    rows, columns = len(trace.target.pieces), len(trace.source.pieces)
    values = (np.eye(rows, columns) * 3 - np.eye(rows, columns, k=-1)).astype(np.float32)
    computed = Saliency("gradient", trace.source, trace.target, values, (-0.5,) * rows, trace.provenance)
    if method == "occlusion":
        return replace(computed, method=method, words=np.eye(rows, len(trace.source.words) + 1, dtype=np.float32))
    if method == "integrated":
        zero_source = tuple(float(-0.5 - row.sum()) for row in values)
        return replace(computed, method=method, zero_source_log_probabilities=zero_source,
                       points=(9, *[17] * (rows - 1)))
    return computed


def test_payload_has_the_map_over_words_alpha_and_ranks() -> None:
    translation = make_trace()
    computed = build_saliency(translation)
    data = saliency.build_saliency_payload(computed, translation, T)
    rows, columns = len(translation.target.words) + 1, len(translation.source.words) + 1
    assert (len(data["target"]), len(data["source"])) == (rows, columns)
    assert data["target"][-1] == T("saliency.end")
    np.testing.assert_allclose(data["values"], computed.compute_word_map_with_end(), atol=1e-4)
    np.testing.assert_allclose(data["alpha"] or [], translation.compute_word_map_with_end(), atol=1e-4)
    assert len(data["ranks"]) == rows
    assert data["overall"] is not None
    assert data["completeness"] == ""


def test_payload_without_attention_has_no_alpha_and_no_ranks() -> None:
    translation = make_trace(order=None, model=PLAIN)
    data = saliency.build_saliency_payload(build_saliency(translation), translation, T)
    assert (data["alpha"], data["ranks"], data["overall"]) == (None, [], None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_method_is_described_in_words(language: str) -> None:
    t, translation = load_messages(language), make_trace()
    payloads = {method: saliency.build_saliency_payload(build_saliency(translation, method), translation, t)
                for method in METHODS}  # fmt: skip
    for method, data in payloads.items():
        assert data["method"] == t(f"option.{method}")
        assert data["method"].casefold() in data["definition"].casefold()
    assert "0.0" in payloads["integrated"]["completeness"]
    assert "17" in payloads["integrated"]["completeness"]


def test_csv_is_over_words_and_has_no_formulas() -> None:
    translation = make_trace(source="= the sea", target="la mer", order=(1, 2))
    rows = list(csv.reader(io.StringIO(saliency.build_saliency_csv(build_saliency(translation, "occlusion")))))
    assert rows[0] == ["target", "'=", "the", "sea", "</s>"]
    assert [row[0] for row in rows[1:]] == ["la", "mer", "</s>"]
    assert rows[1][1:] == ["1", "0", "0", "0"]


def test_method_is_chosen_and_kept_in_the_link(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saliency, "compute_saliency", lambda model, trace, method, *_: build_saliency(trace, method))
    app = open_app("laboratory", experiment="saliency")
    assert get_component_data(app, "saliency")["method"] == T("option.gradient")
    app.segmented_control(key="method").set_value("occlusion").run()
    assert get_component_data(app, "saliency")["method"] == T("option.occlusion")
    assert app.query_params["method"] in ("occlusion", ["occlusion"])
    assert [node.proto.label for node in app.get("download_button")] == ["HTML", "CSV", "JSON"]


def test_refused_map_is_explained_in_one_sentence(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Saliency:
        raise SaliencyError("It does not say.")

    monkeypatch.setattr(saliency, "compute_saliency", refuse)
    app = open_app("laboratory", experiment="saliency")
    assert list_alerts(app) == ['<p role="alert">It does not say.</p>']
