"""One step of a network as search sees it: padding in, the best pieces out, in an order that never varies."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from model.search.hypothesis import Look
from model.text.vocabulary import EOS, PAD, UNK
from model.translator import State, StepResult, Translator


def start(network: Translator, sources: Sequence[Sequence[int]]) -> State:
    """Encode source sentences (piece ids, EOS last), padded to one batch; the state before the first piece.

    Raises ValueError for a source that is empty, does not end in EOS or holds PAD, and for a network in training,
    whose dropout would act.
    """
    if isinstance(network, nn.Module) and network.training:
        raise ValueError("The network is in training, where dropout acts: call eval() before searching.")
    for source in sources:
        if not source or source[-1] != EOS or PAD in source:
            raise ValueError(f"A source is a list of piece ids that ends in EOS ({EOS}) and holds no PAD ({PAD}): "
                             f"got {list(source)[:20]}.")
    length = max(map(len, sources))
    padded = [[*source, *[PAD] * (length - len(source))] for source in sources]
    state: State = network.start(network.encode(torch.tensor(padded, device=_device(network))))
    return state


def take(network: Translator, state: State, pieces: Sequence[int], best: int, detail: bool) -> tuple[Look, State]:
    """One step after `pieces`, one for each row: the `best` likeliest next pieces of each row, and the next state.

    PAD and UNK are never among them; the others keep the probabilities the network gave them.
    """
    result = network.step(state, torch.tensor(pieces, device=_device(network)), detail=detail)
    return looked(result, best, detail), result.state


def looked(result: StepResult, best: int, detail: bool) -> Look:
    """What a step gave, on the host, with the `best` likeliest pieces of each row."""
    values = result.log_probabilities
    values, ids = likeliest(values.index_fill(1, torch.tensor([PAD, UNK], device=values.device), -torch.inf), best)
    if not bool(torch.isfinite(values[:, 0]).all()):  # NaN sorts before every number
        raise ValueError("The network gave no usable log-probability for the next piece: its weights may be damaged.")
    rows = [[value for value in row if value > -torch.inf] for row in values.tolist()]
    return Look(
        pieces=[row[: len(possible)] for row, possible in zip(ids.tolist(), rows, strict=True)],
        log_probabilities=rows,
        weights={name: values.cpu().numpy() for name, values in result.weights.items()},
        detail={name: values.cpu().numpy() for name, values in result.detail.items()} if detail else {},
    )


def likeliest(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The greatest `count` of each row of (rows, n), and their columns; of equal scores the lowest column comes first.

    `torch.topk` leaves the order of equal scores open, and which of them it takes.
    """
    count = min(count, scores.shape[1])
    values, columns = scores.topk(count)
    if bool(((scores >= values[:, -1:]).sum(1) > count).any()):  # the last place is shared: take the lowest columns
        values, columns = scores.sort(dim=1, descending=True, stable=True)
        return values[:, :count], columns[:, :count]
    columns = columns.sort(dim=1).values
    values, order = scores.gather(1, columns).sort(dim=1, descending=True, stable=True)
    return values, columns.gather(1, order)


def rows_of(network: Translator, rows: Sequence[int]) -> Tensor:
    """Row numbers as `State.select` takes them."""
    return torch.tensor(rows, dtype=torch.int64, device=_device(network))


def _device(network: Translator) -> torch.device:
    if isinstance(network, nn.Module):
        for parameter in network.parameters():
            return parameter.device
    return torch.device("cpu")
