"""A stranger's page is refused without a word to the net."""

import urllib.request
from collections.abc import Callable

import pytest
from streamlit import net_util
from streamlit.testing.v1 import AppTest
from streamlit.web.server.server_util import is_url_from_allowed_origins


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Streamlit asked of the net, from a state in which it knows no address of this machine."""
    found: list[str] = []

    def note(url: str, *given: object, **named: object) -> None:
        found.append(url)

    monkeypatch.setattr(net_util, "_internal_ip", None)
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", note)
    monkeypatch.setattr(urllib.request, "urlopen", note)
    return found


def test_a_strangers_page_is_refused_and_nobody_is_asked(open_app: Callable[..., AppTest], asked: list[str]) -> None:
    assert not is_url_from_allowed_origins("https://elsewhere.example")
    assert asked  # what Streamlit does by itself
    asked.clear()
    assert not open_app().exception
    assert not is_url_from_allowed_origins("https://elsewhere.example")
    assert asked == []
    assert is_url_from_allowed_origins("http://localhost:8501")
