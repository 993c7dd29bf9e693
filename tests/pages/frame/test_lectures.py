"""The shipped lectures, and the page of the speaker's window."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from starlette.requests import Request

from model.paths import ASSETS
from pages.ui.frame.speaker import serve_speaker
from pages.ui.i18n.messages import LANGUAGES
from pages.ui.url_state.params import LINK_PARAMS, PAGES
from tests.hostile import CASES


def read_lecture(language: str) -> dict[str, Any]:
    lecture: dict[str, Any] = json.loads((ASSETS / "lectures" / f"{language}.json").read_text("utf-8"))
    return lecture


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lecture_takes_45_minutes_and_each_stop_is_a_view_of_the_app(language: str) -> None:
    lecture = read_lecture(language)
    assert sum(stop["minutes"] for stop in lecture["stops"]) == 45
    for stop in lecture["stops"]:
        assert "" not in (stop["title"], stop["note"])
        assert stop["page"] in PAGES
        for name, text in stop.get("values", {}).items():
            assert stop["page"] in LINK_PARAMS[name].pages
            assert LINK_PARAMS[name].value_type.parse(text)[1] == (), (name, text)


def test_the_lectures_have_the_same_views_in_all_languages() -> None:
    views = [
        [
            {name: stop[name] for name in stop if name not in ("title", "note")}
            for stop in read_lecture(language)["stops"]
        ]
        for language in LANGUAGES
    ]
    assert all(language_views == views[0] for language_views in views)


def get_speaker_page(language: str) -> str:
    query = b"lang=" + quote(language, errors="replace").encode()
    return bytes(serve_speaker(Request({"type": "http", "query_string": query})).body).decode()


def test_the_speaker_s_page_is_in_a_known_language() -> None:
    assert '<html lang="ko">' in get_speaker_page("ko")
    assert {get_speaker_page(text) for text in CASES.values()} == {get_speaker_page("en")}
