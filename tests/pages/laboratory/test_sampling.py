"""Sampling: the payload, the exported table, and the settings in the link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.errors.samples import compare_samples
from model.decoding import Settings
from model.trace import Trace
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import sampling
from tests.pages.components import get_component_data
from tests.traces import make_trace

OpenApp = Callable[..., AppTest]
SOURCE = "the house sleeps ."
REFERENCE = make_trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
OTHER_TRACE = make_trace(SOURCE, "le foyer dort .", (0, 1, 2, 3))
SAMPLES = [REFERENCE, OTHER_TRACE, REFERENCE]


def test_payload_counts_equal_samples_and_marks_different_words() -> None:
    data = sampling.build_sampling_payload(compare_samples(REFERENCE, SAMPLES), 3, load_messages("en"))
    assert [group["count"] for group in data["groups"]] == [2, 1]
    assert [is_changed for _, _, is_changed in data["groups"][0]["text"]] == [False] * 4
    assert [is_changed for _, _, is_changed in data["groups"][1]["text"]] == [True, True, False, False]
    assert data["places"][1] == [{"word": "maison", "count": 2}, {"word": "foyer", "count": 1}]
    assert len(data["alpha"] or []) == len(data["target"]) == 5
    assert sampling.build_samples_csv(compare_samples(REFERENCE, SAMPLES)).splitlines()[1].startswith("2,")


def test_settings_are_kept_in_the_link(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Settings, int]] = []

    def sample(model: object, text: str, settings: Settings, count: int, *_: object) -> list[Trace]:
        calls.append((settings, count))
        return [
            make_trace(text, " ".join(word[::-1] for word in text.split()), tuple(range(len(text.split()))))
        ] * count

    monkeypatch.setattr(sampling, "sample_translations", sample)
    app = open_app("laboratory", experiment="sampling", temperature="0.7")
    app.segmented_control(key="samples").set_value("10").run()
    app.segmented_control(key="truncation").set_value("nine-tenths").run()
    app.button(key="dice").click().run()
    assert not app.exception
    settings, count = calls[-1]
    assert (settings.temperature, settings.top_p, settings.top_k, settings.seed, count) == (0.7, 0.9, 0, 2, 10)
    params = {key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()}
    assert params | {"samples": "10", "temperature": "0.7", "truncation": "nine-tenths", "seed": "2"} == params
    assert get_component_data(app, "sampling")["groups"][0]["count"] == 10


def test_cached_samples_name_the_search_of_their_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy and beam search often find the same translation; its samples are cached once."""
    cache: dict[object, object] = {}
    model = SimpleNamespace(name=REFERENCE.provenance.model)
    monkeypatch.setattr(sampling, "sample_translations", lambda *_: [REFERENCE, OTHER_TRACE])
    context: Any = SimpleNamespace(measure=lambda key, work: cache.setdefault(key, work(model, lambda: False)))
    for reference in (REFERENCE, make_trace(SOURCE, REFERENCE.target.text, (0, 1, 2, 3), beam=5)):
        comparison = sampling.measure_samples(context, reference, Settings(sample=True), 2)
        assert comparison is not None
        assert comparison.reference == reference
    assert len(cache) == 1


def test_samples_are_drawn_with_the_unk_of_their_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    rules: list[str] = []

    def sample(model: object, text: str, settings: Settings, *_: object) -> list[Trace]:
        rules.append(settings.unk)
        return [REFERENCE]

    monkeypatch.setattr(sampling, "sample_translations", sample)
    context: Any = SimpleNamespace(measure=lambda key, work: work(None, lambda: False))
    provenance = replace(REFERENCE.provenance, settings=REFERENCE.provenance.settings | {"unk": "replace"})
    sampling.measure_samples(context, replace(REFERENCE, provenance=provenance), Settings(sample=True), 1)
    assert rules == ["replace"]
