"""The list of the laboratory's experiments, in the order of their buttons."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages.ui.laboratory.context import ExperimentContext


@dataclass(frozen=True)
class Experiment:
    """One experiment of the laboratory.

    `name`: in links, and in the messages `part.NAME`. `renderer`: the function that draws it, as "module:function",
    imported when the experiment is first opened. `needs_attention`: whether it needs a model with attention.
    `uses_overrides`: whether the reader's overrides apply; `draws_overrides`: the kinds of overrides that it draws
    itself. `uses_search`: whether it has the choice of a search. `has_plain_lead`: whether it has another introduction
    for models without attention.
    """

    name: str
    renderer: str
    needs_attention: bool = False
    uses_overrides: bool = False
    draws_overrides: tuple[Literal["attention", "prefix"], ...] = ()
    uses_search: bool = True
    has_plain_lead: bool = False

    def render(self, context: ExperimentContext) -> None:
        """Draw the experiment."""
        module, _, name = self.renderer.partition(":")
        cast("Callable[[ExperimentContext], None]", getattr(importlib.import_module(module), name))(context)


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "attention",
        "pages.ui.laboratory.console:render_console",
        needs_attention=True,
        uses_overrides=True,
        draws_overrides=("attention", "prefix"),
    ),
    Experiment("need", "pages.ui.laboratory.ablation:render_ablation", needs_attention=True),
    Experiment(
        "beam",
        "pages.ui.laboratory.beam:render_beam",
        uses_overrides=True,
        draws_overrides=("prefix",),
        uses_search=False,
    ),
    Experiment(
        "words",
        "pages.ui.laboratory.forced_decoding:render_forced_decoding",
        uses_overrides=True,
        draws_overrides=("prefix",),
    ),
    Experiment("asking", "pages.ui.laboratory.saliency:render_saliency", has_plain_lead=True),
    Experiment("vector", "pages.ui.laboratory.vector:render_vector"),
    Experiment("sampling", "pages.ui.laboratory.sampling:render_sampling", uses_overrides=True),
)
NAMES = tuple(experiment.name for experiment in EXPERIMENTS)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of this name, or the first one."""
    return next((experiment for experiment in EXPERIMENTS if experiment.name == name), EXPERIMENTS[0])
