"""The quiet buttons that save a file."""

from collections.abc import Callable

import streamlit as st


def button(
    key: str, label: str, file: str, mime: str, content: Callable[[], str | bytes], hint: str | None = None
) -> None:
    """A button that makes a file when it is pressed; the page is not run again for it."""
    st.download_button(
        label, content, file_name=file, mime=mime, key=key, type="tertiary", on_click="ignore", help=hint
    )
