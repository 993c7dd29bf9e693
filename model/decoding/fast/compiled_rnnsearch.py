"""A network's way for search, `model.decoding.fast.rnnsearch`, by what is compiled for it, `model.decoding.fast.search_kernels`:
the same numbers but for rounding, and sooner. Letters are those of `model.decoding.fast.rnnsearch`.

For one row a step is one call, which makes the products too and waits for nothing but the matrices. More rows torch
multiplies faster, and what lies between two products is a call.
"""

from __future__ import annotations

import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import Tensor

from model.decoding.fast.packed_linear import PackedLinear
from model.networks.base import AttentionOverrides, apply_override
from model.networks.rnnsearch import ATTENTION

if TYPE_CHECKING:
    from model.decoding.fast.rnnsearch import FastRNNsearch, Found, State


class CompiledRNNsearch:
    """What a `Quick` does, compiled: the steps of its encoder and decoder."""

    def __init__(self, quick: FastRNNsearch, steps: Any) -> None:
        # Whoever holds this is held by `quick`: with a reference back, both would stay until garbage is collected.
        self._quick: FastRNNsearch = weakref.proxy(quick)
        self._steps = steps

    def read(self, source: Tensor, lengths: Tensor) -> Tensor:
        """The states of the encoder's directions, as `Quick` itself: (batch, source, directions of n)."""
        quick, n, pieces = self._quick, self._quick.n, source.numpy()
        table = quick.reading.of(source)  # (vocabulary, directions of 3n)
        h = torch.empty(*source.shape, len(quick.encoder_U) * n)
        for way, (gates, U) in enumerate(zip(quick.encoder_gates, quick.encoder_U, strict=True)):
            given = table.numpy(), way * 3 * n, pieces
            then = lengths.numpy(), way * n, h.numpy()
            if len(source) == 1:
                self._steps.read(*given, way == 1, *_matrices(gates, U), gates.added.numpy(), *then)
            else:
                order = range(source.shape[1])
                self._read_some(reversed(order) if way else order, gates, U, given, then)
        return h

    def _read_some(self, order: Any, gates: PackedLinear, U: PackedLinear, given: tuple[Any, ...], then: tuple[Any, ...]) -> None:
        """One direction, where torch makes the products."""
        h = then[-1]
        s, z, rs = (np.zeros((len(h), self._quick.n), np.float32) for _ in range(3))
        for j in order:
            self._steps.read_gates(*given, j, gates.of(s), s, z, rs)
            self._steps.read_update(*given, j, U.of(rs), z, *then[:2], s, h)

    def powers(self, keys: Tensor) -> Tensor:
        """e^(2 U_a h), of keys U_a h."""
        powers = torch.empty_like(keys)
        self._steps.powers(keys.numpy(), powers.numpy())
        return powers

    @cached_property
    def _same(self) -> tuple[Any, Any, Any, Any]:
        """What every step takes: the table of pieces, a bias of zeros, that of the readout, and v_a."""
        quick = self._quick
        none = np.zeros(max(quick.state.added.shape[0], quick.context.added.shape[0]), np.float32)
        v = np.empty(0, np.float32) if quick.v_a is None else quick.v_a.numpy()
        return quick.table.numpy(), none, quick.readout.added.numpy(), v

    def step(self, state: State, piece: Tensor, alpha: AttentionOverrides | None, detail: bool) -> Found:
        """One step of the decoder; what else is made on the way is told where `detail` asks for it."""
        quick, steps, memory, n, a = self._quick, self._steps, state.memory, self._quick.n, self._quick.a
        arrays = memory.arrays
        assert arrays is not None  # who asks has looked
        powers, seen, whose, lengths = arrays
        table, none, bias, v = self._same
        rows, attends = state.s.shape[0], powers.shape[1] > 0
        early, late = quick.wiring == "groundhog" and state.eaten is not None, quick.wiring != "groundhog"
        told = early or quick.wiring == "equation4"
        pieces, s, ahead = piece.numpy(), state.s.numpy(), state.ahead.numpy()
        z, r, new = np.empty_like(s), np.empty_like(s), np.empty_like(s)
        energies, alphas = (np.empty((rows, powers.shape[1]), np.float32) for _ in range(2))
        eaten = np.empty((rows, table.shape[1]), np.float32) if attends else seen[:, 0]
        before = cast("Tensor", state.eaten).numpy() if early else eaten
        changed = None if alpha is None or not attends else alpha.get(ATTENTION.key)

        def used() -> Any:
            """The alphas that are to be used, of the network's own."""
            return apply_override(torch.from_numpy(alphas.copy()), changed).contiguous().numpy()

        if rows == 1:
            updating, joined, eating, writing = _matrices(quick.U, quick.state, quick.context, quick.readout)
            after, values = np.empty_like(ahead), np.empty((rows, len(bias)), np.float32)

            def step(given: Any) -> None:
                steps.whole(early, late, told, table, pieces, s, ahead, before, powers, seen, whose, lengths, updating,
                            joined, eating if memory.eaten is None else eating[:0], writing, none, bias, v, given, z, r,
                            new, after, energies, alphas, eaten, values)

            step(alphas[:0])
            if changed is not None:  # what is used may hang on what the network's own are
                step(used())
        else:
            after, rs = ahead, np.empty_like(s)

            def updated(eats: Any) -> Any:
                steps.gates(table, pieces, eats, ahead, a, s, z, r, rs)
                steps.update(table, pieces, eats, quick.U.of(rs), s, z, new)
                return quick.state.of(new)

            if early:
                after = updated(before)
            if attends:
                steps.look(after, powers, v, whose, lengths, energies, alphas)
                alphas = alphas if changed is None else used()
                found = np.empty((rows, seen.shape[2]), np.float32)
                steps.weighed(alphas, seen, whose, found)
                eaten = quick.context.of(found) if memory.eaten is None else found
            if late:
                after = updated(eaten)
            t = np.empty((rows, quick.l), np.float32)
            steps.maxout(table, pieces, eaten, after if told else ahead, n, a, t)
            values = quick.readout.of(t)
            steps.log_softmax(values)
        made = {"update": z, "reset": r} if detail and (early or late) else {}
        made |= {"energies": energies} if detail and attends else {}
        moved = (new, after) if early or late else (s, ahead)
        own_state = s if quick.wiring == "appendix" else moved[0]
        return (torch.from_numpy(values), state.after(*map(torch.from_numpy, (*moved, eaten))),
                torch.from_numpy(own_state), torch.from_numpy(alphas) if attends else None,
                {name: torch.from_numpy(part) for name, part in made.items()})


def _matrices(*products: PackedLinear) -> list[Any]:
    """The products' matrices (in, out), as compiled steps take them."""
    return [one.columns.numpy() for one in products]


def compile_all() -> None:
    """Compile what search uses, by searching with networks so small that it takes no time: with one row and more."""
    from model.decoding import Settings, search
    from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
    from model.text.vocabulary import EOS

    for kind in (RNNsearch, RNNencdec):
        sizes = RNNsearchConfig(kind.__name__.lower(), 64, embedding=32, hidden=32, alignment=32, readout=32)
        network = kind(sizes).half().float().eval()
        for beam, sources in ((1, [[3, EOS]]), (2, [[3, EOS]]), (1, [[3, EOS], [3, 4, EOS]])):
            search(network, sources, Settings(beam=beam, max_ratio=2.0))
