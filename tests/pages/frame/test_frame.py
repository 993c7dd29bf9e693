"""The frame around every page: navigation, and what its component is sent."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from model.paths import ROOT
from pages.ui.frame import qr_code, walk
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state.params import LECTURE_LIMIT, PAGES, POSITION_PARAMS
from tests.pages.components import get_component_data, submit_sentence

OpenApp = Callable[..., AppTest]


def get_frame_data(app: AppTest) -> dict[str, Any]:
    return get_component_data(app, "frame")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_component_gets_texts_in_the_language_and_the_parameters_of_the_link(
    open_app: OpenApp, language: str
) -> None:
    t = load_messages(language)
    data = get_frame_data(open_app(locale=language))
    pages = data.pop("pages")
    assert tuple(pages) == PAGES
    assert pages["compare"] == t("compare.title")
    assert data == {
        "is_presenting": False,
        "walk": {"stop": 1, "count": len(walk.list_all_stops()), "lecture_stop": -1},
        "is_live": False,
        "has_unsaved_work": False,
        "position_params": [param.name for param in POSITION_PARAMS],
        "longest_address": qr_code.MAX_LENGTH,
        "view_title": t("page.translate"),
        "lecture_limit": LECTURE_LIMIT,
        "messages": t.get_table("frame"),
        "lecture_messages": t.get_table("lecture"),
        "language": language,
    }


def test_work_that_no_link_carries_is_unsaved(open_app: OpenApp) -> None:
    def has_unsaved_work() -> bool:
        return bool(get_frame_data(app)["has_unsaved_work"])

    app = open_app("your_text")
    app.segmented_control(key="input-method").set_value("file").run()
    assert not has_unsaved_work()
    app.file_uploader(key="uploaded").upload("mine.csv", b"the sea,la mer\n", "text/csv").run()
    assert has_unsaved_work()
    app.segmented_control(key="input-method").set_value("paste").run().run()  # the frame is drawn first
    assert not has_unsaved_work()
    app.text_area(key="pasted").set_value("the sea").run()
    assert has_unsaved_work()
    app.switch_page("pages/translate.py").run()
    assert has_unsaved_work()


def test_a_file_is_unsaved_on_pages_whose_link_does_not_carry_it(open_app: OpenApp) -> None:
    app = open_app("compare")
    app.session_state["text"] = "key-of-a-file"
    app.run()
    assert get_frame_data(app)["has_unsaved_work"]
    app.query_params["text"] = "key-of-a-file"
    app.run()
    assert not get_frame_data(app)["has_unsaved_work"]


@pytest.mark.verdict
def test_presenting_and_live_translation_stay_on_from_page_to_page(open_app: OpenApp) -> None:
    app = open_app(live="on", present="1", scale="grey")
    assert (get_frame_data(app)["is_live"], get_frame_data(app)["is_presenting"]) == (True, True)
    assert (app.query_params["live"], app.query_params["present"]) == ("on", "1")
    app.switch_page("pages/story.py").run()  # has no sentence box
    assert (get_frame_data(app)["is_live"], get_frame_data(app)["is_presenting"]) == (False, True)
    app.switch_page("pages/translate.py").run()
    assert (get_frame_data(app)["is_live"], get_frame_data(app)["is_presenting"]) == (True, True)
    assert app.segmented_control(key="scale").value == "grey"


def test_translate_also_opens_by_its_own_name(fakes: None) -> None:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=20).switch_page("pages/translate.py").run()
    assert get_frame_data(app)["is_presenting"] is False
    assert app.text_area(key="sentence").value


def test_an_unknown_parameter_is_removed_and_not_carried_when_the_browser_goes_back_to_it(open_app: OpenApp) -> None:
    app = open_app(fbclid="abc", scale="grey")
    assert "fbclid" not in app.query_params
    app.query_params["fbclid"] = "abc"
    app.run()
    assert not app.exception
    links = [node.proto.query_string for node in app.get("page_link")]
    assert all("scale=grey" in link for link in links[:-1]), links  # the last one is not in the navigation
    assert all("fbclid" not in link for link in links), links


def test_a_new_sentence_is_in_the_navigation_without_drawing_it_twice(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app()
    redraws: list[str] = []
    original = DeltaGenerator.page_link

    def record_redraw(element: DeltaGenerator, *args: Any, **options: Any) -> DeltaGenerator:
        redraws.append(app.text_area(key="sentence").value or "")
        return original(element, *args, **options)

    monkeypatch.setattr(DeltaGenerator, "page_link", record_redraw)
    submit_sentence(app, "The dog runs.")
    assert redraws  # the first sentence adds the fingerprints to the link
    redraws.clear()
    submit_sentence(app, "The cat sleeps.")
    assert not app.exception
    assert redraws == []
    assert "The+cat+sleeps." in app.get("page_link")[0].proto.query_string
