"""The frame around every page: which page is marked, what the switch for presenting is told, in both languages."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state.params import POSITION_PARAMS
from tests.pages.components import get_data

Open = Callable[..., AppTest]


def switch(app: AppTest) -> dict[str, Any]:
    """What was sent to the frame's component."""
    assert not app.exception
    (component,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("frame")]
    return get_data(component)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_switch_speaks_the_language_and_knows_the_link(open_app: Open, language: str) -> None:
    words = load_messages(language).get_table("frame")
    assert switch(open_app(locale=language)) == {
        "present": False,
        "live": False,
        "places": [row.name for row in POSITION_PARAMS],
        "words": words,
        "language": language,
    }
    app = open_app(locale=language, present="1")
    assert switch(app)["present"] is True
    assert app.query_params["present"] == "1"


@pytest.mark.verdict
def test_live_is_kept_from_page_to_page_where_there_is_a_box(open_app: Open) -> None:
    app = open_app(live="on")
    assert switch(app)["live"] is True
    assert app.query_params["live"] == "on"
    assert switch(app.switch_page("pages/story.py").run())["live"] is False
    assert switch(app.switch_page("pages/compare.py").run())["live"] is True
    assert app.segmented_control(key="live").value == "on"


def test_presenting_is_kept_from_page_to_page(open_app: Open) -> None:
    app = open_app(present="1", scale="grey").switch_page("pages/step_by_step.py").run()
    assert switch(app)["present"] is True
    app.switch_page("pages/translate.py").run()
    assert switch(app)["present"] is True
    assert app.segmented_control(key="scale").value == "grey"


def test_every_page_has_its_link_in_every_language(open_app: Open) -> None:
    english, *others = ([node.proto.label for node in open_app(locale=one).get("page_link")] for one in LANGUAGES)
    assert english[:2] == [load_messages("en")("page.story"), load_messages("en")("page.translate")]
    for other in others:
        assert len(english) == len(set(english)) == len(other) == len(set(other))
        assert not set(english) & set(other)


def test_the_first_page_by_its_own_name_is_the_first_page(fakes: None) -> None:
    app = AppTest.from_file("../../../app.py", default_timeout=20)
    app.context = {"locale": "en-GB"}
    app.switch_page("pages/translate.py").run()
    assert switch(app)["present"] is False
    assert app.text_area(key="sentence").value


def test_a_name_that_means_nothing_is_told_once_and_does_not_break_the_way_back(open_app: Open) -> None:
    """A browser that goes back asks again with the link as it was."""
    app = open_app(fbclid="abc", scale="grey")
    assert "fbclid" not in app.query_params
    app.query_params["fbclid"] = "abc"
    app.run()
    assert switch(app)["present"] is False
    links = [node.proto.query_string for node in app.get("page_link")]
    assert "scale=grey" in links[0]
    assert all("fbclid" not in link for link in links), links
