"""The list of ideas on the page Concepts, in the order of their buttons."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages.ui.concepts.context import IdeaContext


@dataclass(frozen=True)
class Idea:
    """One idea, drawn as a section of its own.

    `name`: in links, and in the messages `idea.NAME` (title), `idea_lead.NAME` (two or three sentences). `renderer`:
    the function that draws its picture, as "module:function", imported when the idea is first opened.
    """

    name: str
    renderer: str

    def render(self, context: IdeaContext) -> None:
        """Draw the picture and its control."""
        module, _, name = self.renderer.partition(":")
        cast("Callable[[IdeaContext], None]", getattr(importlib.import_module(module), name))(context)


IDEAS: tuple[Idea, ...] = (Idea("scaling", "pages.ui.concepts.scaling:render_scaling"),)
NAMES = tuple(idea.name for idea in IDEAS)


def find_idea(name: str) -> Idea:
    """Return the idea of this name, or the first one."""
    return next((idea for idea in IDEAS if idea.name == name), IDEAS[0])
