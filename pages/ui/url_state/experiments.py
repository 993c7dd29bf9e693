"""The list of the laboratory's experiments, in the order of their buttons."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Experiment:
    """One experiment of the laboratory.

    `name`: in links, and in the messages `experiment.NAME`. `needs_attention`: whether it needs a model with attention.
    `uses_overrides`: whether the reader's overrides apply; `drawn_override_kinds`: the kinds of overrides that it draws
    itself. `uses_search`: whether it has the choice of a search. `has_plain_lead`: whether it has another introduction
    for models without attention.
    """

    name: str
    needs_attention: bool = False
    uses_overrides: bool = False
    drawn_override_kinds: tuple[Literal["attention", "prefix"], ...] = ()
    uses_search: bool = True
    has_plain_lead: bool = False


EXPERIMENTS = (
    Experiment("attention", needs_attention=True, uses_overrides=True, drawn_override_kinds=("attention", "prefix")),
    Experiment("ablation", needs_attention=True),
    Experiment("beam", uses_overrides=True, drawn_override_kinds=("prefix",), uses_search=False),
    Experiment("forced_decoding", uses_overrides=True, drawn_override_kinds=("prefix",)),
    Experiment("saliency", has_plain_lead=True),
    Experiment("vector"),
    Experiment("sampling", uses_overrides=True),
)
NAMES = tuple(experiment.name for experiment in EXPERIMENTS)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of this name, or the first one."""
    return next((experiment for experiment in EXPERIMENTS if experiment.name == name), EXPERIMENTS[0])
