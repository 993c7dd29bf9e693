"""Streamlit asks no server on the internet for this machine's address."""

import urllib.request
from collections.abc import Callable

import pytest
from streamlit import net_util
from streamlit.testing.v1 import AppTest
from streamlit.web.server.server_util import is_url_from_allowed_origins


def test_another_origin_is_refused_without_any_request(
    open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[str] = []
    monkeypatch.setattr(net_util, "_internal_ip", None)
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, *_, **__: requests.append(url))
    monkeypatch.setattr(urllib.request, "urlopen", lambda url, *_, **__: requests.append(url))
    assert not is_url_from_allowed_origins("https://elsewhere.example")
    assert requests  # Streamlit alone asks
    requests.clear()
    assert not open_app().exception
    assert not is_url_from_allowed_origins("https://elsewhere.example")
    assert requests == []
    assert is_url_from_allowed_origins("http://localhost:8501")
