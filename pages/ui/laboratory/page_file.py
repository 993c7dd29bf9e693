"""An experiment as a page of its own: its component with its data in one file, for a browser without this app."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from model.trace import Trace
from pages.ui.backend.cards import title_of
from pages.ui.components import alone
from pages.ui.i18n.messages import Messages
from pages.ui.widgets import saving


def render_html_button(part: str, component: str, data: Mapping[str, Any], of: Trace, t: Messages) -> None:
    """The button that saves the experiment `part` as its component shows it; `of`: the translation it is about."""
    name = saving.named(of, f"{t('laboratory.file')}-{part}")
    saving.button(f"{part}-html", t("laboratory.html"), f"{name}.html", "text/html",
                  partial(build_html, part, component, data, of, t), t("laboratory.html_help"))  # fmt: skip


def build_html(part: str, component: str, data: Mapping[str, Any], of: Trace, t: Messages) -> str:
    """A whole page that shows the experiment as it is, from a file and without the net."""
    title = t("laboratory.page", part=t(f"part.{part}"), model=title_of(of.made_by.model), sentence=of.source.text)
    return alone.document(component, title, {**data, "alone": True}, t)
