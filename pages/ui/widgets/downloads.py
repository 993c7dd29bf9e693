"""The quiet buttons that save a file, and what the file of a translation is called."""

import re
from collections.abc import Callable

import streamlit as st

from model.trace import Trace

MAX_WORDS = 6  # of the sentence, in the name of a file
MAX_LETTERS = 48  # of them at most


def draw_download_button(
    key: str, label: str, file: str, mime: str, build_content: Callable[[], str | bytes], hint: str | None = None
) -> None:
    """A button that makes a file when it is pressed; the page is not run again for it."""
    made = add_byte_order_mark(build_content) if mime == "text/csv" else build_content
    st.download_button(
        label, made, file_name=file, mime=mime, key=key, type="tertiary", on_click="ignore", help=hint
    )


def add_byte_order_mark(build_content: Callable[[], str | bytes]) -> Callable[[], str | bytes]:
    """A table with the mark that it is in UTF-8 before it, without which Excel reads it in the code page of its system:
    "Ã©tÃ©" in the place of "été"."""

    def made() -> str | bytes:
        found = build_content()
        return f"\ufeff{found}" if isinstance(found, str) else b"\xef\xbb\xbf" + found

    return made


def build_file_name(trace: Trace, suffix: str) -> str:
    """The name of a file about a translation, without its ending: the sentence's first words, the model, what of it.
    Letters of any script and digits stay, so that every system takes it."""
    sentence = slugify_words(trace.source.text.casefold(), MAX_WORDS)[:MAX_LETTERS].strip("-")
    return "-".join(filter(None, (sentence, slugify_words(trace.made_by.model), suffix)))


def slugify_words(text: str, max_words: int | None = None) -> str:
    """The words of a text, the first so many of them, as the name of a file has them."""
    return "-".join(re.findall(r"[^\W_]+", text)[:max_words])
