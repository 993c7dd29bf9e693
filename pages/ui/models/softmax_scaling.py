"""Why √d: how sharp softmax(q·k) becomes as q and k grow longer, with the scale and without (assets/player/family)."""

from typing import Annotated, TypedDict

from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages


class RootData(TypedDict):
    """The words; everything else is drawn at random in the browser, from a seed."""

    words: Annotated[dict[str, str], "root"]
    language: str


_mount = Component("root", RootData)


def render_softmax_scaling(t: Messages) -> None:
    """Draw the experiment."""
    _mount(key="family-root", data={"words": t.table("root"), "language": t.language})
