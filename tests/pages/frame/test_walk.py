"""The two walks of a presentation: which view each request opens, and back to where it was started."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.frame import walk
from pages.ui.url_state import experiments
from tests.pages.components import get_component_data, submit_sentence

OpenApp = Callable[..., AppTest]


def ask(app: AppTest, **request: Any) -> dict[str, Any]:
    """Send a request of the frame's component; return the page and the parameters of the link."""
    app.session_state["walk-request"] = request
    app.run()
    assert not app.exception
    return {"page": app.session_state["page"] or "translate", **app.query_params}


def get_walk(app: AppTest) -> dict[str, Any]:
    data: dict[str, Any] = get_component_data(app, "frame")["walk"]
    return data


def test_stops_of_a_lecture_open_as_their_links_and_lead_back_to_the_start(open_app: OpenApp) -> None:
    app = open_app(sentence="The dog runs.", scale="grey")
    start = {"page": "translate", **app.query_params}
    values = {"sentence": "I am a student.", "step": "3", "nothing": "x", "present": "0", "lang": "ko"}
    link = ask(app, lecture=0, page="step_by_step", values=values)
    assert (link["page"], link["present"], link["step"]) == ("step_by_step", "1", "3")
    assert not {"scale", "nothing", "lang"} & set(link)
    assert get_walk(app)["lecture_stop"] == 0
    assert get_component_data(app, "frame")["view_title"] == "Step by step"
    link = ask(app, lecture=1, page="step_by_step", values={**values, "step": "2"})
    assert (link["step"], get_component_data(app, "step_by_step")["step"]) == ("2", 2)
    ask(app, lecture=2, page="concepts", values={"idea": "scaling"})
    assert get_component_data(app, "frame")["view_title"] == "Concepts: Why √d"
    assert ask(app, walk="") == start
    data = get_component_data(app, "frame")
    assert (data["is_presenting"], data["walk"]["lecture_stop"]) == (False, -1)


def test_a_long_sentence_and_the_reader_s_file_are_there_after_a_lecture(open_app: OpenApp) -> None:
    app, sentence = open_app(), "the sea is calm . " * 150  # too long for a link
    submit_sentence(app, sentence)
    app.session_state["text"] = "key-of-a-file"
    ask(app, lecture=0, page="your_text", values={})
    assert "text" not in app.session_state
    ask(app, walk="")
    assert app.text_area(key="sentence").value == sentence
    assert app.session_state["text"] == "key-of-a-file"


def test_a_lecture_that_was_left_by_going_back_can_be_started_again(open_app: OpenApp) -> None:
    app = open_app(sentence="The dog runs.")
    ask(app, lecture=0, page="step_by_step", values={})
    app.session_state["present"] = False  # as the browser's history has it
    app.run()
    assert get_walk(app)["lecture_stop"] == -1
    assert ask(app, lecture=0, page="story", values={})["page"] == "story"


@pytest.mark.parametrize(
    "view",
    [{"page": "nowhere", "values": {}}, {"page": "story", "values": ["x"]}, {"page": ["story"], "values": {}}, {}],
)
def test_a_stop_that_is_no_view_changes_nothing(open_app: OpenApp, view: dict[str, Any]) -> None:
    app = open_app(sentence="The dog runs.")
    previous_view = {"page": "translate", **app.query_params}
    assert ask(app, lecture=0, **view) == previous_view


def test_every_page_walks_the_parts_of_the_laboratory_with_the_reader_s_sentence(open_app: OpenApp) -> None:
    app = open_app(sentence="The dog runs.")
    ask(app, walk="all")
    stops = walk.list_all_stops()
    first = next(number for number, stop in enumerate(stops) if stop.page == "laboratory")
    for number, name in enumerate(experiments.NAMES, first):
        link = ask(app, stop=number)
        assert (link["page"], link.get("experiment", experiments.NAMES[0])) == ("laboratory", name)
        assert (link["sentence"], get_walk(app)["stop"]) == ("The dog runs.", number)


def test_the_lecture_of_a_link_leaves_the_link_once_the_browser_has_it(open_app: OpenApp) -> None:
    app = open_app(lecture="abc")
    assert app.query_params["lecture"] == "abc"
    assert "lecture" not in ask(app, is_read=True)


@pytest.mark.parametrize("page", ["concepts", "laboratory"])
def test_a_part_that_is_chosen_no_more_breaks_no_page(open_app: OpenApp, page: str) -> None:
    app = open_app(page)
    name = walk.PARTS[page].name
    first = app.session_state[name]
    app.session_state[name] = None
    app.run()
    assert not app.exception
    assert app.session_state[name] == first


def test_stop_with_parameters_of_earlier_versions_opens() -> None:
    view = walk._parse_view({"page": "laboratory", "values": {"part": "need", "heat": "0.7", "temperature": "1"}})
    assert view is not None
    assert view.values == {"experiment": "ablation", "temperature": "1"}
