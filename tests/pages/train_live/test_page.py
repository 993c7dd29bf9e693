"""Train: the recorded run, a run with the settings of the link, and the files of a run."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from model.training.live.records import NetworkReport, store_event
from model.training.live.settings import KINDS, LiveSettings
from pages.ui.backend import live_runs
from pages.ui.i18n.messages import load_messages
from pages.ui.train_live import animation, exports, watching
from tests.pages.backend.test_live_runs import FakeWorker
from tests.pages.components import create_event, find_choice, get_component_data

OpenApp = Callable[..., AppTest]
LINK = {"task": "sort", "longest-source": "8", "first-kind": "luong", "second-kind": "none",
        "hidden": "32", "score": "dot", "rate": "0.003", "forcing": "0.5", "clip": "5",
        "initial-seed": "3", "time": "30"}  # fmt: skip


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[LiveSettings]:
    """The settings of the processes that were started."""
    settings: list[LiveSettings] = []

    def start(network_settings: LiveSettings, on_event: Callable[[dict[str, Any]], None]) -> FakeWorker:
        settings.append(network_settings)
        return FakeWorker(network_settings, on_event)

    monkeypatch.setattr(live_runs, "WorkerProcess", start)
    return settings


def press_train(app: AppTest) -> AppTest:
    node = next(node for node in app.get("bidi_component") if node.proto.component_name.endswith("train_live"))
    app._run(WidgetStates(widgets=[create_event(node, "train", 1)]))
    return app


def test_opens_with_the_recorded_run(open_app: OpenApp) -> None:
    t = load_messages("en")
    data = get_component_data(open_app("train_live"), "train_live")
    assert (data["key"], data["note"]) == ("", t("training.recorded"))
    assert [network["settings"] for network in data["networks"]] == [
        LiveSettings().to_dict(), LiveSettings(kind="rnnencdec").to_dict(),
    ]  # fmt: skip
    copy_data = get_component_data(open_app("train_live", task="copy"), "train_live")
    assert copy_data["note"] == t("training.recorded_other")


@pytest.mark.verdict
def test_the_recorded_run_reaches_the_bound() -> None:
    attention, vector = watching.load_recorded()
    by_kind = [{score["length"]: score["accuracy"] for score in network["exam"]} for network in (attention, vector)]
    trained = [by_kind[0][length] for length in attention["lengths"]]
    assert sum(trained) / len(trained) >= 0.99
    assert by_kind[1][12] < by_kind[0][12] - 0.3


def test_trains_with_the_settings_of_the_link(open_app: OpenApp, started: list[LiveSettings]) -> None:
    app = open_app("train_live", **LINK, input="abc")
    assert not get_component_data(app, "frame")["has_unsaved_work"]
    press_train(app)
    assert get_component_data(app.run(), "frame")["has_unsaved_work"]
    assert started == [LiveSettings("sort", "luong", 8, 32, "dot", 0.003, 0.5, 5.0, 3, 30.0)]
    data = get_component_data(app, "train_live")
    assert data["key"]
    assert (data["input"], data["styles"]) == ("abc", [{"name": "Luong (LSTM, attention)", "is_dashed": False}])
    find_choice(app, "task").set_value("numbers").run()
    other_data = get_component_data(app, "train_live")
    assert (data["note"], other_data["note"]) == ("", load_messages("en")("training.changed"))
    assert other_data["key"] == data["key"]  # the run goes on
    assert other_data["input"] == ""  # the run would not understand it
    press_train(app)
    assert (started[-1].task, started[-1].limit) == ("numbers", 4)


def test_the_second_network_is_of_another_kind(open_app: OpenApp) -> None:
    app = open_app("train_live")
    find_choice(app, "first-kind").set_value("rnnencdec").run()
    assert find_choice(app, "second-kind").value == "rnnsearch"
    assert len(find_choice(app, "second-kind").options) == len(KINDS)


def test_csv_has_every_snapshot_and_the_test() -> None:
    networks = watching.load_recorded()
    rows = list(csv.DictReader(io.StringIO(exports.to_csv(networks))))
    assert len(rows) == sum(len(network["snapshots"]) + 1 for network in networks)
    snapshot = networks[0]["snapshots"][30]
    assert (rows[30]["network"], float(rows[30]["loss"]), int(rows[30]["updates"]), float(rows[30]["exact_at_12"])) == (
        "rnnsearch", snapshot["loss"], snapshot["updates"], snapshot["by_length"][11])  # fmt: skip
    tests = [row for row in rows if row["snapshot"] == "final_test"]
    assert [float(row["exact_at_24"]) for row in tests] == [network["exam"][-1]["accuracy"] for network in networks]


def test_page_and_picture_of_a_run() -> None:
    t = load_messages("ko")
    data = watching.build_data([LiveSettings()], t)
    page = exports.build_page(data, t)
    assert 'lang="ko"' in page
    assert json.dumps(data["networks"][0]["snapshots"][3]["examples"][0]["alpha"]) in page
    root = ElementTree.fromstring(animation.build_svg(data, t))
    cells = [node for node in root.iter("{http://www.w3.org/2000/svg}rect") if node.get("fill-opacity")]
    source, target = data["networks"][0]["examples"][0].values()
    assert len(cells) == (len(source) + 1) * (len(target) + 1)  # type: ignore[arg-type]
    frames = len(data["networks"][0]["snapshots"]) + animation.HOLD_FRAMES
    assert {len(cell[0].get("values", "").split(";")) for cell in cells} == {frames}


def test_a_run_without_snapshots_is_saved_too() -> None:
    t = load_messages("en")
    data = watching.build_data([LiveSettings()], t)
    empty = live_runs.start_report(LiveSettings().to_dict())
    store_event(empty, {"event": "ready", "parameters": 1, "lengths": [1], "longer": [], "examples": []})
    assert len(exports.to_csv([empty]).splitlines()) == 1
    ElementTree.fromstring(animation.build_svg({**data, "networks": [empty], "styles": data["styles"][:1]}, t))


def test_lines_of_the_picture_are_dashed_as_in_its_legend() -> None:
    """The first network may fail before its first snapshot."""
    t = load_messages("en")
    data = watching.build_data([LiveSettings(), LiveSettings(kind="rnnencdec")], t)
    first, second = data["networks"]
    failed: NetworkReport = {**first, "snapshots": []}
    root = ElementTree.fromstring(animation.build_svg({**data, "networks": [failed, second]}, t))
    lines = [node for node in root.iter("{http://www.w3.org/2000/svg}polyline") if node.get("points")]
    assert lines
    assert all(line.get("stroke-dasharray") for line in lines)


def test_words_of_an_output_are_separated_in_the_picture() -> None:
    t = load_messages("en")
    data = watching.build_data([LiveSettings()], t)
    root = ElementTree.fromstring(animation.build_svg({**data, "separators": ("", " ")}, t))
    output = data["networks"][0]["snapshots"][-1]["examples"][0]["output"]
    assert " ".join(output) in [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_method_is_that_of_the_run_on_the_screen() -> None:
    t = load_messages("en")
    data = watching.build_data([LiveSettings(forcing=0.5)], t)  # the recorded run has another share
    assert t("training.forced") not in watching.describe_method(data, t)
