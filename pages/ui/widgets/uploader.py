"""The place for a file, which speaks the reader's language: Streamlit's own says what it has to say in English."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages

_BUTTON = '[data-testid="stFileUploaderDropzone"] button[data-testid="stBaseButton-secondary"] p'
_LIMIT = '[data-testid="stFileUploaderDropzoneInstructions"] span'


def draw_uploader(
    label: str, key: str, t: Messages, on_change: Callable[[], None] | None = None, too_large: str = ""
) -> None:
    """A place for a file; what is given there stands in the session under `key`. A file above the limit is refused with
    a sentence below the place, where `too_large` says what to do then."""
    size = st.get_option("server.maxUploadSize")
    said = {_BUTTON: t("upload.choose"), _LIMIT: t("upload.most", size=size)}
    # Streamlit's words are not hidden, only small: what stands in for them would be hidden from screen readers too.
    rules = (f'{place} {{ font-size: 0; }} {place}::after {{ font-size: 14px; content: "{text}"; }}'
             for place, text in said.items())  # fmt: skip
    st.html(f"<style>{' '.join(rules)}</style>")
    st.file_uploader(label, key=key, on_change=on_change)
    refusal = f"{t('upload.too_large', size=size)} {too_large}".rstrip()
    st.html(f'<p class="too-large" role="alert">{escape_html(refusal)}</p>')
