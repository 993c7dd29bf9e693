"""The line below the controls: what is waited for, what went wrong, and whether what stands below is of before."""

from __future__ import annotations

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages

MAX_CHARACTERS = 60  # characters, at most, of a sentence that is named; the picture below shows the whole


class Status:
    """Two places in one line, so that a later wait never wipes a problem off. Of several problems the first stays: that
    one is about the sentence in the box."""

    def __init__(self) -> None:
        self._waiting, self._problem = st.empty(), st.empty()
        self._texts: list[str] = []

    def wait(self, text: str) -> None:
        """Say what is being waited for."""
        self._waiting.html(f'<p class="waiting" role="status">{escape_html(text)}</p>')

    def clear(self) -> None:
        """Say no longer that anything is waited for."""
        self._waiting.empty()

    def tell(self, problem: str) -> None:
        """Say what went wrong, unless a problem is told already."""
        if not self._texts:
            self._add(f'<p role="alert">{escape_html(problem)}</p>')

    def mark_previous(self, sentence: str, t: Messages, model: str = "") -> None:
        """Say that what stands below is the answer to an earlier `sentence`; page.css dims it. `model`: the title of
        the one model that gave it, "" for several."""
        short = shorten(sentence)
        several = t("status.previous_all", sentence=short)
        mark = t("status.previous", sentence=short, model=model) if model else several
        self._add(f'<p class="previous">{escape_html(mark)}</p>')

    def _add(self, html: str) -> None:
        self._texts.append(html)
        self._problem.html("".join(self._texts))


def shorten(sentence: str) -> str:
    """The first words of a sentence that has more than SHOWN characters, "…" behind them."""
    if len(sentence) <= MAX_CHARACTERS:
        return sentence
    start = sentence[:MAX_CHARACTERS]
    return (start.rpartition(" ")[0] or start) + "…"
