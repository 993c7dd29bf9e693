"""Running a page anew from within, without losing what the reader has asked for meanwhile."""

from typing import NoReturn

import streamlit as st


def rerun_page() -> NoReturn:
    """Run the page anew, unless the reader has gone on.

    `st.rerun` stays on this page even where a click on a link to another one has just come in: that click would be
    lost. Every message to the browser is where Streamlit takes up what has come in, hence an empty one first.
    (.streamlit/config.toml does its part: with runner.fastReruns a click starts a second thread beside the one that
    runs anew, and the two may exchange their pages.)
    """
    st.empty()
    st.rerun()
