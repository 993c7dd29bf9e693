"""Why scores are divided by √d: the sharpness of softmax(q·k) for longer q and k, with and without the division.

The browser component is in assets/player/family.
"""

from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.models.payload_types import RootData

_mount = Component("softmax_scaling", RootData)


def render_softmax_scaling(t: Messages) -> None:
    """Draw the experiment."""
    _mount(key="family-root", data={"words": t.get_table("root"), "language": t.language})
