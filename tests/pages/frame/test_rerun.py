"""Running a page anew does not lose the click that has just come in."""

import tomllib

from streamlit.testing.v1 import AppTest

from model.paths import ROOT


def two_pages() -> None:
    """An app whose first page runs itself anew just as a click on the link to the second one comes in."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    from pages.ui.frame.rerun import rerun_page

    def leaving() -> None:
        st.session_state["runs"] = st.session_state.get("runs", 0) + 1
        if st.session_state["runs"] > 1:
            return
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        if st.session_state["clicked"]:
            context.script_requests.request_rerun(RerunData(page_script_hash=second._script_hash))
        rerun_page()

    def reached() -> None:
        st.text("the second page")

    second = st.Page(reached)
    st.navigation([st.Page(leaving, default=True), second]).run()


def test_a_click_that_has_just_come_in_is_followed() -> None:
    app = AppTest.from_function(two_pages)
    app.session_state["clicked"] = True
    app.run()
    assert not app.exception
    assert [text.value for text in app.text] == ["the second page"]
    assert app.session_state["runs"] == 1


def test_without_a_click_the_page_runs_anew() -> None:
    app = AppTest.from_function(two_pages)
    app.session_state["clicked"] = False
    app.run()
    assert not app.exception
    assert app.session_state["runs"] == 2


def test_a_reader_has_one_thread() -> None:
    """Two at once exchange their pages now and then; nothing but the setting can be looked at without chance."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["runner"]["fastReruns"] is False
