"""Rerun a page from within, without losing a click that has just arrived."""

from typing import NoReturn

import streamlit as st


def rerun_page() -> NoReturn:
    """Rerun the page, unless the reader has clicked on something meanwhile.

    `st.rerun` alone would discard a click on a link to another page that has just arrived. Streamlit handles clicks
    when it sends a message to the browser, hence the empty message first. This needs runner.fastReruns off
    (.streamlit/config.toml): otherwise a click starts a second thread, and the two may exchange their pages.
    """
    st.empty()
    st.rerun()
