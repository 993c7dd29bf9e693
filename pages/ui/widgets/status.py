"""The status line below the controls: what is waited for, what went wrong, and whether an older result is displayed."""

from __future__ import annotations

import streamlit as st

from pages.ui.escape import escape_html, shorten_quote
from pages.ui.i18n.messages import Messages


def format_alert(text: str) -> str:
    """Return a text as HTML that screen readers announce at once."""
    return f'<p role="alert">{escape_html(text)}</p>'


class Status:
    """The texts of the status line.

    Waiting and problems have separate places, so that a later wait does not erase a problem. Only the first problem is
    displayed: it is about the sentence in the box.
    """

    def __init__(self) -> None:
        self._waiting, self._problem = st.empty(), st.empty()
        self._texts: list[str] = []

    def show_waiting(self, text: str) -> None:
        """Display what is waited for."""
        self._waiting.html(f'<p class="waiting" role="status">{escape_html(text)}</p>')

    def clear_waiting(self) -> None:
        """Display no wait any more."""
        self._waiting.empty()

    def show_problem(self, problem: str) -> None:
        """Display what went wrong, unless a problem is displayed already."""
        if not self._texts:
            self._add(format_alert(problem))

    def mark_previous(self, sentence: str, t: Messages, model: str = "") -> None:
        """Display that the result below is for an earlier `sentence`, by `model`, a title, or by several models. The
        style sheet dims the result."""
        short = shorten_quote(sentence)
        text = t("status.previous", sentence=short, model=model) if model else t("status.previous_all", sentence=short)
        self._add(f'<p class="previous">{escape_html(text)}</p>')

    def _add(self, html: str) -> None:
        self._texts.append(html)
        self._problem.html("".join(self._texts))
