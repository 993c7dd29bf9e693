"""The gradient of log p(y_i) in what an encoder is in at each source place, through the network's own steps.

The state at a place j is what the cell of the encoder's highest layer hands on from there: s_j of a GRU, h_j and c_j of
an LSTM, of two directions both. A gradient in it goes every road there is: from state to state to the end of the
sentence and, where the decoder looks, through the annotation. The gradient in the annotation alone, all others held,
is the direct road; a network without recurrence has no other.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from model.decoding.stop_callback import Stopped, go_on
from model.text.vocabulary import PAD

if TYPE_CHECKING:
    from torch import Tensor, nn

    from model.networks.recurrence import Recurrence, RecurrentTranslator

ProgressCallback = Callable[[float], object]
"""Called now and then with how much of the work is done, from 0 to 1."""

GRADIENT_BATCH = 16  # target pieces whose gradients are taken together


@dataclass(frozen=True)
class GradientNorms:
    """What a batch of sentences and their translations gave; all of float64, 0 where there is padding.

    `log_probabilities` (batch, target): log p(y_i); `whole` (batch, target, source): the norm of its gradient in the
    state at each place; `direct`, of the same shape: in the annotation alone, None for a decoder that never looks;
    `left` (batch, source): steps of reading between a place and the end of the reading, of the first direction; of a
    network that reads everything at once, places up to the sentence's end; `gates`: of each cell its gates' means over
    the units (batch, gates, places): of an encoder's at the source places, of a decoder's at its last steps, which may
    be fewer than the target has pieces.
    """

    log_probabilities: Tensor
    total: Tensor
    direct: Tensor | None
    remaining_steps: Tensor
    gates: tuple[tuple[Recurrence, Tensor], ...]


@dataclass
class _CellRecorder:
    """One cell while it runs: its gates' means (batch, gates) of every call, and what is added, zeros, to what it hands
    on, of every call."""

    of: Recurrence
    asked: bool
    gates: list[Tensor] = field(default_factory=list)
    added: list[list[Tensor]] = field(default_factory=list)

    def __call__(self, cell: nn.Module, given: Any, out: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        import torch

        states, names = self.of.cell.states, self.of.cell.gates
        found = torch.cat(out[states:], dim=-1).detach().chunk(len(names), dim=-1)
        self.gates.append(torch.stack([one.mean(-1) for one in found], dim=-1))
        if not self.asked:
            return out
        self.added.append([torch.zeros_like(one).requires_grad_() for one in out[:states]])
        return (*(one + more for one, more in zip(out, self.added[-1], strict=False)), *out[states:])


def compute_gradient_norms(
    network: RecurrentTranslator,
    source: Tensor,
    target: Tensor,
    on_progress: ProgressCallback | None = None,
    stopped: Stopped | None = None,
) -> GradientNorms:
    """Padded source pieces (batch, source) and target pieces (batch, target), teacher forcing. The network itself is
    left alone: what is watched is a copy that shares its weights. SearchStopped once `stopped` says so."""
    import torch

    module = cast("nn.Module", network)
    own = copy.deepcopy(module, {id(one): one for one in (*module.parameters(), *module.buffers())})
    watched = cast("Recurs", own)
    cells = watched.recurrences()
    highest = max((one.layer for one in cells if one.side == "encoder"), default=0)
    watches = [_CellRecorder(one, one.side == "encoder" and one.layer == highest) for one in cells]
    with torch.enable_grad(), ExitStack() as hooks:
        for one in watches:
            hooks.enter_context(one.of.cell.register_forward_hook(one))
        embedded = watched.embed_source(source).detach().requires_grad_()
        memory = watched.encode(source, embedded)
        looked = watched.get_annotations(memory)
        written = _forced(watched, memory, target, stopped)
        states = [one for one in watches if one.asked]
        whole, direct = _norms(written, states, looked, source != PAD, on_progress, stopped)
    left = states[0].of.reading_positions(source != PAD) if states and states[0].of.reading_positions else None
    return GradientNorms(torch.stack(written, dim=1).detach().double(), whole, direct, _left(source != PAD, left),
                   tuple((one.of, _placed(one, source != PAD)) for one in watches))


def _forced(network: RecurrentTranslator, memory: Any, target: Tensor, stopped: Stopped | None) -> list[Tensor]:
    """log p of the target pieces, each (batch,), 0 where there is padding."""
    import torch

    state, previous, written = network.start(memory), torch.full_like(target[:, 0], PAD), []
    for piece in target.unbind(1):
        go_on(stopped)
        result = network.step(state, previous)
        here = result.log_probs.gather(1, piece[:, None])[:, 0]
        written.append(torch.where(piece != PAD, here, 0.0))
        state, previous = result.state, piece
    return written


def _norms(
    written: Sequence[Tensor],
    states: Sequence[_CellRecorder],
    looked: Tensor | None,
    mask: Tensor,
    told: ProgressCallback | None,
    stopped: Stopped | None,
) -> tuple[Tensor, Tensor | None]:
    """`whole` and `direct` as `Watched` has them."""
    import torch

    leaves = [one for watch in states for step in watch.added for one in step]
    asked = leaves if looked is None else [*leaves, looked]
    rows = [one.sum() for one in written]  # rows of a batch never influence one another
    whole, direct = [], []
    for first in range(0, len(rows), GRADIENT_BATCH):
        go_on(stopped)
        part = rows[first : first + GRADIENT_BATCH]  # what is written after them is not gone through
        each = torch.eye(len(part), dtype=part[0].dtype, device=part[0].device).unbind(1)
        found = list(torch.autograd.grad(part, asked, each, retain_graph=True, is_grads_batched=True,
                                         allow_unused=True, materialize_grads=True))
        squares = [one.double().square().sum(-1) for one in found]  # (part, batch), of `looked` (part, batch, source)
        if looked is not None:
            direct.append(squares.pop())
        whole.append(_at_places(states, squares, mask, len(part)) if states else direct[-1])
        if told is not None:
            told(sum(map(len, whole)) / len(rows))
    norms = [torch.cat(parts).sqrt().transpose(0, 1) * mask[:, None] for parts in (whole, direct) if parts]
    return norms[0], norms[1] if looked is not None else None


def _at_places(states: Sequence[_CellRecorder], squares: list[Tensor], mask: Tensor, rows: int) -> Tensor:
    """Squares (rows, batch) of every leaf, in the order of the leaves, summed at the places (rows, batch, source)."""
    import torch

    total = torch.zeros(rows, *mask.shape, dtype=torch.float64, device=mask.device)
    left = iter(squares)
    for one in states:
        assert one.of.reading_positions is not None
        steps = torch.stack([sum((next(left) for _ in step), torch.zeros_like(total[:, :, 0])) for step in one.added],
                            dim=-1)  # (rows, batch, source)
        total = total.scatter_add(2, one.of.reading_positions(mask).expand_as(steps), steps)
    return total


def _placed(one: _CellRecorder, mask: Tensor) -> Tensor:
    """The gates' means (batch, gates, places), an encoder's in the sentence's order."""
    import torch

    if not one.gates:  # the only step was one before which it is not run
        return torch.zeros(len(mask), len(one.of.cell.gates), 0, dtype=torch.float64, device=mask.device)
    steps = torch.stack(one.gates, dim=-1).double()
    if one.of.reading_positions is None:
        return steps
    places = one.of.reading_positions(mask)[:, None].expand_as(steps)
    return torch.zeros_like(steps).scatter(2, places, steps) * mask[:, None]


def _left(mask: Tensor, places: Tensor | None) -> Tensor:
    """Steps of reading after each place (batch, source), given the place of each step."""
    import torch

    steps = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    at = steps if places is None else torch.zeros_like(steps).scatter(1, places, steps)
    return (mask.sum(1, keepdim=True) - 1 - at) * mask
