"""The two walks of a presentation: where each press of a clicker leads, and back to where it was started."""

from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.ui.frame import walk
from pages.ui.url_state import experiments
from tests.pages.components import get_component_data

Open = Callable[..., AppTest]


def ask(app: AppTest, **request: Any) -> dict[str, Any]:
    """Send a request of the frame's component; return the page and the parameters of the link."""
    app.session_state["walk-request"] = request
    app.run()
    assert not app.exception
    return {"page": app.session_state["page"] or "translate", **app.query_params}


def get_walk(app: AppTest) -> dict[str, Any]:
    data: dict[str, Any] = get_component_data(app, "frame")["walk"]
    return data


def test_the_route_begins_with_the_story_and_ends_where_it_was_started(open_app: Open) -> None:
    app = open_app(sentence="The dog runs.", scale="grey")
    start = {"page": "translate", **app.query_params}
    link = ask(app, walk="route")
    assert (link["page"], link["present"], link["route"]) == ("story", "1", "1")
    stops = walk.list_route()
    assert get_walk(app) == {"stop": 0, "count": len(stops), "presses": -1, "skips": True, "is_route": True}
    assert {stop.page for stop in stops[1:4]} == {"translate", "step_by_step", "compare"}
    for number, stop in list(enumerate(stops))[1:4]:
        link = ask(app, stop=number)
        assert (link["page"], link["route"]) == (stop.page, str(number + 1))
        assert app.text_area(key="sentence").value == stop.values.get("sentence", "I saw the sea .")  # of Compare
        assert "scale" not in link
        assert get_walk(app)["presses"] == stop.presses
    assert ask(app, stop=len(stops))["route"] == "4"  # unchanged: there is no such stop
    assert ask(app, stop=2)["route"] == "3"
    assert ask(app, walk="") == start
    assert get_component_data(app, "frame")["present"] is False


def test_every_page_walks_the_parts_of_the_laboratory_with_the_reader_s_sentence(open_app: Open) -> None:
    app = open_app(sentence="The dog runs.")
    ask(app, walk="all")
    stops = walk.list_all_stops()
    first = next(number for number, stop in enumerate(stops) if stop.page == "laboratory")
    for number, name in enumerate(experiments.NAMES, first):
        link = ask(app, stop=number)
        assert (link["page"], link.get("part", experiments.NAMES[0])) == ("laboratory", name)
        assert (link["sentence"], get_walk(app)["stop"], get_walk(app)["presses"]) == ("The dog runs.", number, -1)
    assert "route" not in app.query_params


def test_a_link_of_the_route_opens_its_stop(open_app: Open) -> None:
    app = open_app(present="1", route="1")
    assert app.session_state["page"] == "story"
    assert (app.query_params["present"], app.query_params["route"]) == ("1", "1")
