"""What every network offers to search, whatever paper it comes from.

    memory = network.encode(source)
    state = network.start(memory)
    result = network.step(state, piece)          # log-probabilities of the next piece, the state after it, the weights

Search knows nothing else about a network: it keeps the state, hands it back, and moves its rows. Rows of a batch never
influence one another, and padding changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from torch import Tensor


class Memory(Protocol):
    """What the encoder leaves for the decoder to consult; only its own network looks inside."""

    def select(self, rows: Tensor) -> Memory:
        """Pick or repeat sentences: `rows` (k,) int64 are rows of the batch, in the new order."""


class State(Protocol):
    """All that one step needs of the steps before it, the memory included; never changed in place."""

    def select(self, rows: Tensor) -> State:
        """Pick or repeat rows of everything, the memory included: `rows` (k,) int64, in the new order."""

    def reorder(self, rows: Tensor) -> State:
        """As `select`, where every new row comes from a row of the same sentence: the memory stays where it is."""


@dataclass(frozen=True)
class StepResult:
    """What one step gives, for each row of the batch.

    `log_probabilities` (batch, vocabulary), in nats, of the next piece y_i; `state` to hand to the next step;
    `weights` by name, each (batch, source), 0 on padding, the attention under "attention" (none for RNNencdec);
    `detail`, when asked for, further tensors by name, (batch, ...).
    """

    log_probabilities: Tensor
    state: State
    weights: dict[str, Tensor] = field(default_factory=dict)
    detail: dict[str, Tensor] = field(default_factory=dict)


class Translator(Protocol):
    """A network that search can decode with; each network passes memories and states of its own types through."""

    def encode(self, source: Tensor) -> Any:
        """The memory of source pieces (batch, source), int64, each row ending in EOS, then padded with PAD.

        Raises ValueError for an empty row.
        """

    def start(self, memory: Any) -> Any:
        """The state before the first piece."""

    def step(self, state: Any, piece: Tensor, *, detail: bool = False) -> StepResult:
        """One step after `piece` (batch,), int64: the piece before, y_{i-1}, and PAD at the first step."""
