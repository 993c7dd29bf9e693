"""The exercise at the end of an idea. The picture's component makes its question of the numbers that it shows.

The browser component is assets/player/concepts/exercise.js.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params

EXERCISES = ("bottleneck", "bidirectional", "gates", "gradients", "retrieval", "scores", "windows", "training",
             "choosing", "self_attention", "positions", "scaling")  # fmt: skip
"""The ideas with an exercise."""


class ExerciseData(TypedDict):
    """The idea on the page, all ideas in the order of their buttons, and those with an exercise."""

    idea: str
    ideas: list[str]
    exercises: list[str]
    messages: Annotated[dict[str, str], "exercise"]
    language: str


_mount = Component("exercise", ExerciseData)


def render_exercise(idea: str, t: Messages) -> None:
    """Draw the exercise of an idea, if it has one, and mark the solved ones in the list of ideas."""
    data: ExerciseData = {
        "idea": idea,
        "ideas": list(params.IDEAS),
        "exercises": list(EXERCISES),
        "messages": t.get_table("exercise"),
        "language": t.language,
    }
    _mount(key="concept-exercise", data=data)
