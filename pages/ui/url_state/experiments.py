"""The experiments of the laboratory: the one list of them, in the order in which they are offered."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages.ui.laboratory.context import ExperimentContext


@dataclass(frozen=True)
class Experiment:
    """One experiment: its name, as links say it and as the texts `part.NAME` call it; `show`, what draws it for a
    context ("module:function", followed when it is first chosen); `attends`: whether it needs a model with attention;
    `follows`: whether changes have a part in it, and which of them it `shows` by itself; `searches`: whether the choice
    of a search says how it translates; `plain`: whether it has a lead of its own for models without attention."""

    name: str
    show: str
    attends: bool = False
    follows: bool = False
    shows: tuple[Literal["looks", "begun"], ...] = ()
    searches: bool = True
    plain: bool = False

    def run(self, context: ExperimentContext) -> None:
        """Draw it."""
        module, _, name = self.show.partition(":")
        cast("Callable[[ExperimentContext], None]", getattr(importlib.import_module(module), name))(context)


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment("attention", "pages.ui.laboratory.console:render_console", attends=True, follows=True,
               shows=("looks", "begun")),
    Experiment("need", "pages.ui.laboratory.ablation:render_ablation", attends=True),
    Experiment("beam", "pages.ui.laboratory.beam:render_beam", follows=True, shows=("begun",), searches=False),
    Experiment("words", "pages.ui.laboratory.forced_decoding:render_forced_decoding", follows=True, shows=("begun",)),
    Experiment("asking", "pages.ui.laboratory.saliency:render_saliency", plain=True),
    Experiment("vector", "pages.ui.laboratory.vector:render_vector"),
    Experiment("sampling", "pages.ui.laboratory.sampling:render_sampling", follows=True),
)
NAMES = tuple(one.name for one in EXPERIMENTS)


def find_experiment(name: str) -> Experiment:
    """The experiment of that name, the first one where there is none."""
    return next((one for one in EXPERIMENTS if one.name == name), EXPERIMENTS[0])
