"""The attention weights of one decoder step, many maps in one array. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


class StackedWeights(Mapping[str, Any]):
    """Weights (rows, columns) by map key, held in a few arrays or tensors (rows, maps, columns).

    places: the stack and the position in it of each key. A Transformer has dozens of maps, and handling each of them
    separately at every step would take as long as an eighth of the step.
    """

    def __init__(self, stacks: Sequence[Any], places: Mapping[str, tuple[int, int]]) -> None:
        self.stacks, self.places = tuple(stacks), places

    def __getitem__(self, key: str) -> Any:
        stack, position = self.places[key]
        return self.stacks[stack][:, position]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def convert(self, function: Callable[[Any], Any]) -> StackedWeights:
        """Return the weights with a function applied to each stack."""
        return StackedWeights([function(stack) for stack in self.stacks], self.places)
