"""A file uploader in the reader's language; Streamlit's own texts are English."""

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
    """Draw a file uploader. A file above the size limit is refused with a sentence that ends with `too_large`."""
    size = st.get_option("server.maxUploadSize")
    texts = {_BUTTON: t("upload.choose"), _LIMIT: t("upload.most", size=size)}
    # Streamlit's texts get size 0 and are not hidden, since screen readers would then miss the replacements too.
    rules = (f'{selector} {{ font-size: 0; }} {selector}::after {{ font-size: 14px; content: "{text}"; }}'
             for selector, text in texts.items())  # fmt: skip
    st.html(f"<style>{' '.join(rules)}</style>")
    st.file_uploader(label, key=key, on_change=on_change)
    refusal = f"{t('upload.too_large', size=size)} {too_large}".rstrip()
    st.html(f'<p class="too-large" role="alert">{escape_html(refusal)}</p>')
