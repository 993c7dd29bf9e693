"""The page *The story*: it opens at the scene of its link, without a model, and remembers the scene."""

from collections.abc import Callable
from functools import partial

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from pages.ui.i18n.messages import load_messages
from pages.ui.story.payload import SCENES
from tests.pages.components import create_event, get_component_data, list_alerts

OpenApp = Callable[..., AppTest]


@pytest.fixture
def open_page(open_app: OpenApp, loaded_models: list[str]) -> OpenApp:
    """Open the page; a request for a model fails the test."""
    return partial(open_app, "story")


@pytest.mark.parametrize(("scene", "language"), [(3, "ko"), (len(SCENES), "en")])
def test_every_scene_has_a_link(open_page: OpenApp, scene: int, language: str) -> None:
    app = open_page(scene=str(scene), lang=language)
    data = get_component_data(app, "story")
    assert data["scene"] == scene
    assert len(data["scenes"]) == len(SCENES)
    assert data["scenes"][scene - 1]["title"] == load_messages(language)(f"scene.{[*SCENES][scene - 1]}_title")
    assert [*app.query_params.get("scene", "1")] == [str(scene)]


def test_unknown_scene_is_reported_and_the_first_opens(open_page: OpenApp) -> None:
    app = open_page(scene="0")
    assert get_component_data(app, "story")["scene"] == 1
    (alert,) = list_alerts(app)
    assert "for scene in the link" in alert
    assert "scene" not in app.query_params


def test_reached_scene_is_remembered(open_page: OpenApp) -> None:
    app = open_page()
    for value, scene in ((4, 4), (99, 4), ("5", 4), (None, 4), (2, 2)):
        (node,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("story")]
        app._run(WidgetStates(widgets=[create_event(node, "scene", value)]))
        assert app.session_state["scene"] == scene
    assert app.query_params["scene"] == "2"
    app.switch_page("pages/translate.py").run()
    app.switch_page("pages/story.py").run()
    assert get_component_data(app, "story")["scene"] == 2
