"""Sampling: what is sent of the drawn translations, what is saved, and that dice and cuts are in the link."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.errors.samples import compare_samples
from model.decoding import Settings
from model.trace import Trace
from pages.ui.i18n.messages import load_messages
from pages.ui.laboratory import sampling
from tests.pages.components import data_of
from tests.pages.traces import trace

Open = Callable[..., AppTest]
SAY = load_messages("en")
SOURCE = "the house sleeps ."
LIKE = trace(SOURCE, "la maison dort .", (0, 1, 2, 3))
OTHER = trace(SOURCE, "=le foyer dort .", (0, 1, 2, 3))


def test_what_is_sent_counts_what_is_the_same_and_marks_what_differs() -> None:
    data = sampling.build_sampling_payload(compare_samples(LIKE, [LIKE, OTHER, LIKE]), 3, SAY)
    assert [one["count"] for one in data["groups"]] == [2, 1]
    assert [other for _, _, other in data["groups"][0]["text"]] == [False] * 4
    assert [other for _, _, other in data["groups"][1]["text"]] == [True, True, False, False]
    assert data["places"][1] == [{"word": "maison", "count": 2}, {"word": "foyer", "count": 1}]
    assert len(data["alpha"] or []) == len(data["target"]) == 5


def test_it_leaves_as_a_table_without_formulas() -> None:
    lines = sampling.samples_to_csv(compare_samples(LIKE, [LIKE, OTHER, LIKE])).splitlines()
    assert lines[1].startswith("2,")
    assert lines[2].endswith(",'=le foyer dort .")


def test_everything_that_is_chosen_is_in_the_link(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Settings, int]] = []

    def drawn(model: object, text: str, settings: Settings, count: int, *_: object) -> list[Trace]:
        asked.append((settings, count))
        return [trace(text, " ".join(word[::-1] for word in text.split()), tuple(range(len(text.split()))))] * count

    monkeypatch.setattr(sampling, "draws", drawn)
    app = open_app()
    app.query_params["part"] = "sampling"
    app.query_params["heat"] = "0.7"
    app.switch_page("pages/laboratory.py").run()
    app.segmented_control(key="draws").set_value("10").run()
    app.segmented_control(key="cut").set_value("nine-tenths").run()
    app.button(key="dice").click().run()
    assert not app.exception
    settings, count = asked[-1]
    assert (settings.temperature, settings.top_p, settings.top_k, settings.seed, count) == (0.7, 0.9, 0, 2, 10)
    said = {key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()}
    assert {key: said[key] for key in ("draws", "heat", "cut", "seed")} == {
        "draws": "10", "heat": "0.7", "cut": "nine-tenths", "seed": "2"}  # fmt: skip
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("sampling")]
    data: dict[str, Any] = data_of(component)
    assert data["groups"][0]["count"] == 10


def test_what_it_is_beside_is_called_by_its_own_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedily and with a beam the same translation is often found, and kept once."""
    kept: dict[object, object] = {}
    model = SimpleNamespace(name=LIKE.made_by.model)
    monkeypatch.setattr(sampling, "draws", lambda *_: [LIKE, OTHER])
    bench: Any = SimpleNamespace(measure=lambda key, work: kept.setdefault(key, work(model, lambda: False)))
    for like in (LIKE, trace(SOURCE, LIKE.target.text, (0, 1, 2, 3), beam=5)):
        found = sampling.measure_samples(bench, like, Settings(sample=True), 2)
        assert found is not None
        assert found.reference == like
    assert len(kept) == 1
