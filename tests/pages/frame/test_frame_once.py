"""The links to the other pages are drawn once a run, whatever sentence has just been typed."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.frame import frame


def test_a_new_sentence_is_in_the_links_from_the_start(
    open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app()
    drawn: list[dict[str, str]] = []
    carried = frame._build_link_params

    def noted() -> dict[str, str]:
        drawn.append(carried())
        return drawn[-1]

    monkeypatch.setattr(frame, "_build_link_params", noted)
    for sentence in ("The dog runs.", "The cat sleeps."):  # with the first one the link begins to name the weights
        drawn.clear()
        app.text_area(key="sentence").set_value(sentence)
        app.button(key="submit").click().run()
    assert not app.exception
    assert [one["sentence"] for one in drawn] == ["The cat sleeps."]
