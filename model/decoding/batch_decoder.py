"""One step of a network as search sees it: padding in, the best pieces out, in an order that never varies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.decoding.attention_override import AttentionOverride
from model.decoding.fast.background_compile import get_kernels
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.hypothesis import Array, SourceInfo, StepOutput
from model.decoding.overrides import Overrides
from model.decoding.settings import Settings, SettingsError
from model.networks.base import DecoderState, StepResult, Translator
from model.text.vocabulary import EOS, PAD, UNK

MOST = 64  # of the likeliest, of which each new one is put among those before it one by one
GROUP = 16  # columns that only their greatest score stands for at first


class BatchDecoder:
    """A batch of sentences while it is decoded: where the network stands, and what it said about each source.

    `state` is that before the next piece. Raises as `start`; EditsError where a row is changed that the network or the
    sentence does not have; SettingsError where the settings ask for attention and there is none.
    """

    def __init__(self, network: Translator, sources: Sequence[Sequence[int]], settings: Settings,
                 edits: Sequence[Overrides] | None = None) -> None:
        self.network, self.settings = network, settings
        maps = tuple(network.maps)
        self.keys = [one.key for one in maps]
        self.back = {one.key for one in maps if one.columns == "target"}
        if settings.beta and not any(one.is_source_attention for one in maps):
            raise SettingsError(f"beta must be 0 for a model without attention, which covers nothing: got "
                                f"{settings.beta}.")
        self.edits: list[Overrides] | None = None
        if edits is not None and any(edits):
            for source, one in zip(sources, edits, strict=False):
                one.validate(maps, len(source))
            self.edits = [one.normalize(maps) for one in edits]
        self.lengths = [len(source) for source in sources]
        rules = [rule for one in self.edits or () for rule in one.rules]
        self.looking_back = list(dict.fromkeys(rule.map_key for rule in rules if rule.kind == "before"))
        self.own: dict[str, Tensor] = {}  # of these maps the network's own rows of the step before
        self.stepping, memory = _encoded(network, sources)
        self.device = get_device(network)
        self.steps = 0
        between = {key: values.cpu().numpy() for key, values in self.stepping.encoder_attention_weights(memory).items()}
        self.sources = [
            SourceInfo(len(source), maps, {key: values[row, : len(source), : len(source)]
                                       for key, values in between.items()})
            for row, source in enumerate(sources)
        ]
        self.state: DecoderState = self.stepping.start(memory)

    def step(self, pieces: Sequence[int], sentences: Sequence[int]) -> tuple[StepResult, StepOutput]:
        """One step after `pieces`, one for each row, and what came of it: as many of the likeliest pieces as are asked
        for. `sentences` says which sentence each row belongs to.

        PAD and UNK are never among them; the others keep the probabilities the network gave them.
        """
        settings = self.settings
        self.steps += 1
        changed = self._changed(sentences)
        result = self.stepping.step(self.state, to_index_tensor(self.device, pieces), detail=settings.detail,
                                    overrides=changed or None)
        self.state = result.state
        self.own = {key: own for key in self.looking_back if (own := changed[key].own) is not None}
        count = max(settings.beam, settings.candidates)
        values, columns = _likeliest(result.log_probs, count)
        if ((columns == PAD) | (columns == UNK)).any():  # seldom
            values, columns = _likeliest(mask_forbidden_tokens(result.log_probs), count)
        rows, ids = values.tolist(), columns.tolist()
        if not np.isfinite(values).all():
            if not np.isfinite(values[:, 0]).all():  # NaN sorts before every number
                raise ValueError("The network gave no usable log-probability for the next piece: its weights may be "
                                 "damaged.")
            rows = [[value for value in row if value > -math.inf] for row in rows]
            ids = [row[: len(finite)] for row, finite in zip(ids, rows, strict=True)]
        return result, StepOutput(
            tokens=ids,
            log_probs=rows,
            weights={key: result.weights[key].cpu().numpy() for key in self.keys if key in result.weights},
            detail={name: values.cpu().numpy() for name, values in result.detail.items()} if settings.detail else {},
        )

    def _changed(self, sentences: Sequence[int]) -> dict[str, AttentionOverride]:
        """What is changed at the step under way, by the key of its map, for a batch whose rows belong to these
        sentences; maps whose own rows the next step wants to know are among it."""
        if self.edits is None:
            return {}
        at = [self.edits[sentence].get_step(self.steps) for sentence in sentences]
        source = [self.lengths[sentence] for sentence in sentences]
        written = [self.steps] * len(source)  # which a row over the target has a weight for each of
        keys = dict.fromkeys([*(key for one in at for key in one), *self.looking_back])  # in the order they come in
        return {key: AttentionOverride(self.steps, [one.get(key) for one in at], written if key in self.back else source,
                          self.own.get(key)) for key in keys}

    def select(self, rows: Sequence[int]) -> None:
        """Go on with these rows of the batch: sentences finish, beams open."""
        self._move(places := to_index_tensor(self.device, rows))
        self.state = self.state.select(places)

    def reorder(self, rows: Sequence[int]) -> None:
        """As `select`, where every new row comes from a row of the same sentence. What was looked at stays with each
        hypothesis (`model.decoding.hypothesis.Path`) and needs no reordering."""
        self._move(places := to_index_tensor(self.device, rows))
        self.state = self.state.reorder(places)

    def _move(self, rows: Tensor) -> None:
        self.own = {key: own.index_select(0, rows) for key, own in self.own.items()}


def start_decoding(network: Translator, sources: Sequence[Sequence[int]]) -> tuple[Translator, DecoderState]:
    """Encode source sentences (piece ids, EOS last), padded to one batch; the network as search goes through it, and
    the state before the first piece.

    Raises ValueError for a source that is empty, does not end in EOS or holds PAD, and for a network in training,
    whose dropout would act.
    """
    stepping, memory = _encoded(network, sources)
    return stepping, stepping.start(memory)


def _encoded(network: Translator, sources: Sequence[Sequence[int]]) -> tuple[Translator, Any]:
    """The network as search goes through it, and its memory of the padded batch."""
    if isinstance(network, nn.Module) and network.training:
        raise ValueError("The network is in training, where dropout acts: call eval() before searching.")
    for source in sources:
        if not source or source[-1] != EOS or PAD in source:
            raise ValueError(f"A source is a list of piece ids that ends in EOS ({EOS}) and holds no PAD ({PAD}): "
                             f"got {list(source)[:20]}.")
    length = max(map(len, sources))
    padded = [[*source, *[PAD] * (length - len(source))] for source in sources]
    stepping = get_fast_decoder(network)
    return stepping, stepping.encode(to_index_tensor(get_device(network), padded))


def mask_forbidden_tokens(log_probabilities: Tensor) -> Tensor:
    """Log-probabilities (batch, vocabulary) where -inf forbids what search never writes: PAD and UNK."""
    values = log_probabilities.clone()
    values[:, PAD] = values[:, UNK] = -math.inf
    return values


def get_log_probs(result: StepResult, chosen: Mapping[int, int], step: int) -> dict[int, float]:
    """The log-probability at this step, counted from 1, of the piece that each row of `chosen` is to write.

    Raises ValueError for a piece out of the network's vocabulary, and for one that it holds to be impossible.
    """
    if not chosen:
        return {}
    values = result.log_probs
    for piece in chosen.values():
        if not 0 <= piece < values.shape[1]:
            raise ValueError(f"Piece {piece} is not in the network's vocabulary of {values.shape[1]} pieces.")
    rows, pieces = (torch.tensor(list(part), device=values.device) for part in (chosen.keys(), chosen.values()))
    found: dict[int, float] = dict(zip(chosen, values[rows, pieces].tolist(), strict=True))
    for row, value in found.items():
        if not math.isfinite(value):
            raise ValueError(f"The network gives the piece {chosen[row]} at step {step} no usable log-probability: "
                             f"got {value}.")
    return found


def top_k(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The greatest `count` of each row of (rows, n), and their columns; of equal scores the lowest column comes first.

    `torch.topk` leaves the order of equal scores open, and which of them it takes. NaN comes before every number.
    """
    count = min(count, scores.shape[1])
    if (found := _compiled(scores, count)) is not None:
        return torch.from_numpy(found[0]), torch.from_numpy(found[1])
    if count == 1:
        first = torch.from_numpy(scores.cpu().numpy().argmax(1)[:, None])  # which is the first of equal ones
        columns = first.to(scores.device)
        return scores.gather(1, columns), columns
    values, columns = _greatest(scores, min(count + 1, scores.shape[1]))  # one more, to see whether the last is shared
    if bool((values[:, 1:] == values[:, :-1]).any()):
        values, columns = scores.sort(dim=1, descending=True, stable=True)
    return values[:, :count], columns[:, :count]


def _likeliest(scores: Tensor, count: int) -> tuple[Array, Array]:
    """As `likeliest`, on the host."""
    found = _compiled(scores, min(count, scores.shape[1]))
    if found is None:
        values, columns = top_k(scores, count)
        found = values.cpu().numpy(), columns.cpu().numpy()
    return found


def _compiled(scores: Tensor, count: int) -> tuple[Array, Array] | None:
    """What `likeliest` gives, by what is compiled for it; None where that cannot take it, or there is NaN."""
    if count > MOST or not scores.is_contiguous() or (compiled := get_kernels(scores)) is None:
        return None
    values, columns = np.empty((scores.shape[0], count), np.float32), np.empty((scores.shape[0], count), np.int64)
    return (values, columns) if compiled.likeliest(scores.numpy(), values, columns) else None


def _greatest(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """`torch.topk`, sooner where there are many columns: the greatest `count` of a row lie in those groups of GROUP
    columns whose greatest are the greatest, and in what is left over beside whole groups."""
    groups = scores.shape[1] // GROUP
    if len(scores) == 1 or count * 4 > groups:
        return scores.topk(count)
    best = scores[:, : groups * GROUP].unflatten(1, (GROUP, groups)).amax(1).topk(count).indices  # (rows, count)
    members = best[:, None] + torch.arange(GROUP, device=scores.device)[:, None] * groups
    left = torch.arange(groups * GROUP, scores.shape[1], device=scores.device).expand(len(scores), -1)
    columns = torch.cat([members.flatten(1), left], dim=1)
    values, places = scores.gather(1, columns).topk(count)
    return values, columns.gather(1, places)


def to_index_tensor(device: torch.device, rows: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
    """Row numbers, or pieces, as a State, a step or an encoder takes them."""
    return torch.from_numpy(np.array(rows, np.int64)).to(device)  # sooner than torch goes through a list


def get_device(network: Translator) -> torch.device:
    """Where the network computes."""
    if isinstance(network, nn.Module):
        for parameter in network.parameters():
            return parameter.device
    return torch.device("cpu")
