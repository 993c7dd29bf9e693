"""The story in AppTest: it opens at the scene of its link without a model, in both languages, and keeps its place."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from pages.ui.backend import service
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.story.payload import SCENES
from tests.hostile import CASES
from tests.pages.components import data_of, fired

Open = Callable[..., AppTest]


@pytest.fixture
def open_page(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> Open:
    """The app at this page, opened by a link with these query parameters; no model may be loaded."""
    monkeypatch.setattr(service, "load_model", lambda name: pytest.fail("a model was loaded"))

    def run(locale: str = "en-GB", **query: str) -> AppTest:
        app = open_app(locale, **query)
        for key, value in query.items():
            app.query_params[key] = value
        return app.switch_page("pages/story.py").run()

    return run


def node(app: AppTest) -> Any:
    assert not app.exception
    (component,) = [one for one in app.get("bidi_component") if one.proto.component_name.endswith("story")]
    return component


def story(app: AppTest) -> dict[str, Any]:
    """What was sent to the component."""
    data: dict[str, Any] = data_of(node(app))
    return data


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", range(1, len(SCENES) + 1))
def test_every_scene_has_a_link_in_both_languages(open_page: Open, scene: int, language: str) -> None:
    app = open_page(scene=str(scene), lang=language)
    data = story(app)
    assert data["scene"] == scene
    assert len(data["scenes"]) == len(SCENES)
    assert data["scenes"][scene - 1]["title"] == load_messages(language)(f"scene.{[*SCENES][scene - 1]}_title")
    assert [*app.query_params.get("scene", "1")] == [str(scene)]


@pytest.mark.parametrize("given", ["0", "7", "-1", "two", CASES["HTML"], CASES["null bytes"], "1" * 400])
def test_a_scene_there_is_not_is_spoken_of_and_the_story_begins(open_page: Open, given: str) -> None:
    app = open_page(scene=given)
    assert story(app)["scene"] == 1
    said = " ".join(one.proto.body for one in app.get("html") if 'role="alert"' in one.proto.body)
    assert "scene = " in said
    assert "<img" not in said
    assert "scene" not in app.query_params


def test_the_scene_that_the_reader_came_to_is_kept(open_page: Open) -> None:
    app = open_page()
    for sent, kept in ((4, 4), (99, 4), ("5", 4), (None, 4), (2, 2)):
        app._run(WidgetStates(widgets=[fired(node(app), "scene", sent)]))
        assert app.session_state["scene"] == kept
    assert app.query_params["scene"] == "2"
    app.switch_page("pages/translate.py").run()
    app.switch_page("pages/story.py").run()
    assert story(app)["scene"] == 2
