"""Rerunning a page does not lose a click that has just arrived."""

import tomllib

import pytest
from streamlit.testing.v1 import AppTest

from model.paths import ROOT


def two_pages() -> None:
    """An app whose first page reruns just as a click on the link to the second one arrives."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    from pages.ui.frame.rerun import rerun_page

    def first() -> None:
        st.session_state["runs"] = st.session_state.get("runs", 0) + 1
        if st.session_state["runs"] > 1:
            return
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        if st.session_state["clicked"]:
            context.script_requests.request_rerun(RerunData(page_script_hash=second_page._script_hash))
        rerun_page()

    def second() -> None:
        st.text("the second page")

    second_page = st.Page(second)
    st.navigation([st.Page(first, default=True), second_page]).run()


@pytest.mark.parametrize(("is_clicked", "texts", "runs"), [(True, ["the second page"], 1), (False, [], 2)])
def test_a_rerun_follows_a_click_that_has_just_arrived(is_clicked: bool, texts: list[str], runs: int) -> None:
    app = AppTest.from_function(two_pages)
    app.session_state["clicked"] = is_clicked
    app.run()
    assert not app.exception
    assert [text.value for text in app.text] == texts
    assert app.session_state["runs"] == runs


def test_fast_reruns_are_off() -> None:
    """Two threads of one session can exchange their pages; a test could not provoke it reliably."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["runner"]["fastReruns"] is False
