"""Why scores are divided by √d: the sharpness of softmax(q·k) for longer q and k, with and without the division.

The browser component is in assets/player/concepts.
"""

from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer_payload_types import ScalingData

_mount = Component("softmax_scaling", ScalingData)


def render_scaling(context: IdeaContext) -> None:
    """Draw the experiment."""
    t = context.t
    _mount(key="concept-scaling", data={"messages": t.get_table("root"), "language": t.language})
