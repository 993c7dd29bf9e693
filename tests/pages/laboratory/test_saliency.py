"""Other ways of asking: what is sent, what is saved, and that the way is carried by the link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.attribution.saliency_record import METHODS, Method, Saliency, SaliencyError
from model.trace import Trace
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.laboratory import saliency
from tests.pages.components import data_of
from tests.pages.fakes import PLAIN
from tests.pages.traces import trace

Open = Callable[..., AppTest]
SAY = load_messages("en")


def leaned(of: Trace, method: Method = "gradient") -> Saliency:
    """Of a made-up Trace, a map in which every piece speaks against its left neighbour and for itself."""
    rows, columns = len(of.target.pieces), len(of.source.pieces)
    values = (np.eye(rows, columns) * 3 - np.eye(rows, columns, k=-1)).astype(np.float32)
    made = Saliency("gradient", of.source, of.target, values, (-0.5,) * rows, of.made_by)
    if method == "occlusion":
        return replace(made, method=method, words=np.eye(rows, len(of.source.words) + 1, dtype=np.float32))
    if method == "integrated":
        without = tuple(float(-0.5 - row.sum()) for row in values)
        return replace(made, method=method, without=without, points=(9, *[17] * (rows - 1)))
    return made


def test_what_is_sent_is_over_words_with_alpha_and_its_ranks() -> None:
    made = trace()
    found = leaned(made)
    data = saliency.build_saliency_payload(found, made, SAY)
    rows, columns = len(made.target.words) + 1, len(made.source.words) + 1
    assert (len(data["target"]), len(data["source"])) == (rows, columns)
    assert data["target"][-1] == SAY("asking.end")
    np.testing.assert_allclose(data["values"], found.word_map(), atol=1e-4)
    np.testing.assert_allclose(data["alpha"] or [], made.compute_word_map_with_end(), atol=1e-4)
    assert len(data["ranks"]) == rows
    assert data["overall"] is not None
    assert data["complete"] == ""


def test_without_attention_there_is_no_alpha_and_no_rank() -> None:
    made = trace(order=None, model=PLAIN)
    data = saliency.build_saliency_payload(leaned(made), made, SAY)
    assert (data["alpha"], data["ranks"], data["overall"]) == (None, [], None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_way_is_told_in_words_and_how_complete_it_is(language: str) -> None:
    t = load_messages(language)
    for method in METHODS:
        sent = saliency.build_saliency_payload(leaned(trace(), method), trace(), t)
        assert sent["method"] == t(f"option.{method}")
        assert sent["method"].casefold() in sent["means"].casefold()
    made = trace()
    told = saliency.build_saliency_payload(leaned(made, "integrated"), made, t)["complete"]
    assert "0.0" in told
    assert "17" in told


def test_it_leaves_as_a_table_over_words() -> None:
    made = trace(source="= the sea", target="la mer", order=(1, 2))
    rows = list(csv.reader(io.StringIO(saliency.saliency_to_csv(leaned(made, "occlusion")))))
    assert rows[0] == ["target", "'=", "the", "sea", "</s>"]
    assert [row[0] for row in rows[1:]] == ["la", "mer", "</s>"]
    assert rows[1][1:] == ["1", "0", "0", "0"]


def sent(app: AppTest) -> dict[str, Any]:
    assert not app.exception
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("asking")]
    data: dict[str, Any] = data_of(component)
    return data


def test_the_way_is_chosen_and_carried_by_the_link(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saliency, "compute_saliency", lambda model, made, method, told, stopped: leaned(made, method))
    app = open_app()
    app.query_params["part"] = "asking"
    app.switch_page("pages/laboratory.py").run()
    assert sent(app)["method"] == SAY("option.gradient")
    app.segmented_control(key="asked").set_value("occlusion").run()
    assert sent(app)["method"] == SAY("option.occlusion")
    assert app.query_params["asked"] in ("occlusion", ["occlusion"])
    assert [node.proto.label for node in app.get("download_button")] == ["HTML", "CSV", "JSON"]


def test_what_cannot_be_asked_is_said_in_one_sentence(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Saliency:
        raise SaliencyError("It does not say.")

    monkeypatch.setattr(saliency, "compute_saliency", refuse)
    app = open_app()
    app.query_params["part"] = "asking"
    app.switch_page("pages/laboratory.py").run()
    assert not app.exception
    assert '<p role="alert">It does not say.</p>' in [node.proto.body for node in app.get("html")]
