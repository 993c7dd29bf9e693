"""Download buttons, and the names of downloaded files."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from model.trace import Trace

MAX_WORDS = 6  # of the sentence in a file name
MAX_LETTERS = 48  # of these words
MAX_NAMED = 3  # models in a file name; more are counted


def draw_download_button(
    key: str, label: str, file: str, mime: str, build_content: Callable[[], str | bytes], hint: str | None = None
) -> None:
    """Draw a button whose file is built when it is pressed, without a rerun of the page."""
    data = add_byte_order_mark(build_content) if mime == "text/csv" else build_content
    st.download_button(
        label, data, file_name=file, mime=mime, key=key, type="tertiary", on_click="ignore", help=hint
    )


def add_byte_order_mark(build_content: Callable[[], str | bytes]) -> Callable[[], str | bytes]:
    """Return `build_content` with the byte order mark of UTF-8 before its result. Without it Excel reads CSV in the
    system's code page: "Ã©tÃ©" for "été"."""

    def build_marked() -> str | bytes:
        content = build_content()
        return f"\ufeff{content}" if isinstance(content, str) else b"\xef\xbb\xbf" + content

    return build_marked


def build_file_name(trace: Trace, suffix: str, models: Sequence[str] = ()) -> str:
    """Return the name of a file about a translation, without extension: the sentence's first words, the model, and
    `suffix`. It has only letters, of any script, digits and dashes, which every system accepts.

    `models` are those of a file about several; more than MAX_NAMED are counted.
    """
    sentence = slugify_words(trace.source.text.casefold(), MAX_WORDS)[:MAX_LETTERS].strip("-")
    names = [*map(slugify_words, models or [trace.provenance.model])]
    return "-".join(filter(None, (sentence, *(names if len(names) <= MAX_NAMED else [f"{len(names)}-models"]), suffix)))


def slugify_words(text: str, max_words: int | None = None) -> str:
    """Return the words of a text joined by dashes, at most `max_words`."""
    return "-".join(re.findall(r"[^\W_]+", text)[:max_words])
