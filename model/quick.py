"""The mathematics of `model.rnnsearch` for search, one step at a time: the same numbers but for rounding, far sooner.

A step of one sentence is matrices times single vectors, and what takes its time is fetching the matrices. So

- matrices that eat the same vector are joined, and laid out as a product with one row reads them: W_a, U_z, U_r and U_o
  with the state, W and V_o with the embedded piece;
- C c_i and C_o c_i = sum_j alpha_ij (C h_j): what the context's matrices make of the annotations is computed once a
  sentence, and a step only weighs it. For RNNencdec, whose context never changes, nothing is left to do;
- both directions of the encoder are read in one loop.

Shapes and symbols are those of `model.rnnsearch`; A = n' + 2n + 2l is the width of what a state is turned into at once
(RNNencdec has no n'), P = 3n + 2l that of what a piece or a context is.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.rnnsearch import ATTENTION, GRU, Network, RNNsearch
from model.trace import MapDescription
from model.translator import Alpha, StepResult, in_place_of


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves: as `model.rnnsearch.Memory`, and what the context's matrices make of it."""

    annotations: Tensor  # h (batch, source, 2n); for RNNencdec the one vector c (batch, 1, n)
    eaten: Tensor  # [C; C_o] h (batch, source, P); for RNNencdec (batch, 1, P)
    keys: Tensor | None  # U_a h (batch, source, n')
    mask: Tensor | None  # (batch, source), true where there is a piece; None where it is so everywhere
    summary: Tensor  # (batch, n)

    def select(self, rows: Tensor) -> Memory:
        keys, mask = (None if part is None else part[rows] for part in (self.keys, self.mask))
        return Memory(self.annotations[rows], self.eaten[rows], keys, mask, self.summary[rows])


@dataclass(frozen=True)
class State:
    """Where the decoder stands: s, what the joined matrices make of it, and what those of the context made of the last
    context (None before the first step)."""

    memory: Memory
    s: Tensor  # (batch, n)
    ahead: Tensor  # (batch, A)
    eaten: Tensor | None  # (batch, P)

    def reorder(self, rows: Tensor) -> State:
        eaten = None if self.eaten is None else self.eaten[rows]
        return replace(self, s=self.s[rows], ahead=self.ahead[rows], eaten=eaten)

    def select(self, rows: Tensor) -> State:
        return replace(self.reorder(rows), memory=self.memory.select(rows))


class Quick:
    """A network of `model.rnnsearch` as `model.translator.Translator`, with the weights it had when this was made."""

    def __init__(self, network: Network) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = tuple(network.maps)
        configuration = network.configuration
        self.wiring, self.n, self.l = configuration.wiring, configuration.hidden, configuration.readout
        attends = isinstance(network, RNNsearch)
        self.a = configuration.alignment if attends else 0
        weights = {name: value.detach() for name, value in network.named_parameters()}
        backward = [network.encoder_backward] if isinstance(network, RNNsearch) else []
        directions = [network.encoder, *backward]

        self.source_embedding, self.target_embedding = (weights[f"{side}_embedding.weight"]
                                                        for side in ("source", "target"))
        self.read = _columns(*(one.W for one in directions))  # (m, directions of 3n)
        self.read_bias = torch.cat([_bias(one) for one in directions])
        self.encoder_gates = torch.stack([_columns(one.U_gates) for one in directions])  # (directions, n, 2n)
        self.encoder_U = torch.stack([_columns(one.U) for one in directions])  # (directions, n, n)
        self.W_s, self.b_s = _columns(weights["W_s"]), weights["b_s"]
        state = [weights["W_a"]] if attends else []
        self.state = _columns(*state, weights["decoder.U_gates"], weights["U_o"])  # (n, A)
        self.piece = _columns(weights["decoder.W"], weights["V_o"])  # (m, P)
        self.piece_bias = torch.cat([_bias(network.decoder), weights["b_o"]])
        self.context = _columns(weights["decoder.C"], weights["C_o"])  # (2n or n, P)
        self.U = _columns(weights["decoder.U"])
        self.W_o, self.b_w = _columns(weights["W_o"]), weights["b_w"]
        self.U_a: Tensor | None = _columns(weights["U_a"]) if attends else None
        self.v_a: Tensor | None = weights["v_a"] if attends else None

    def source_weights(self, memory: Memory) -> dict[str, Tensor]:
        """Neither model lets source pieces look at one another."""
        return {}

    def encode(self, source: Tensor) -> Memory:
        """(batch, source) pieces, as `model.rnnsearch.Network.annotate` takes them, -> the memory."""
        network = self._network()
        assert network is not None  # whoever searches holds it
        mask = network.check_source(source)
        whole = bool(mask.all())
        states = self._read(source, None if whole else mask)  # (source, directions, batch, n), each in its own order
        if self.U_a is None:
            c = states[-1, 0]
            return Memory(c[:, None], (c @ self.context)[:, None], None, None if whole else mask, c)
        h = torch.cat([states[:, 0], states[:, 1].flip(0)], dim=-1).transpose(0, 1).contiguous()
        return Memory(h, h @ self.context, h @ self.U_a, None if whole else mask, h[:, 0, self.n :])

    def _read(self, source: Tensor, mask: Tensor | None) -> Tensor:
        """The states of the encoder's directions, the second one from the end of the sentence to its beginning."""
        count = len(self.encoder_U)
        embedded = torch.nn.functional.embedding(source.T, self.source_embedding)  # (source, batch, m)
        projected = (embedded @ self.read + self.read_bias).unflatten(-1, (count, 3 * self.n)).transpose(1, 2)
        kept = None if mask is None else mask.T[:, None, :, None].expand(-1, count, -1, -1)
        if count > 1:
            projected = torch.stack([projected[:, 0], projected[:, 1].flip(0)], dim=1)
            kept = None if kept is None else torch.stack([kept[:, 0], kept[:, 1].flip(0)], dim=1)
        gates, candidates = projected[..., : 2 * self.n], projected[..., 2 * self.n :]
        s = projected.new_zeros(count, source.shape[0], self.n)
        states = []
        for j in range(len(projected)):
            z, r = torch.baddbmm(gates[j], s, self.encoder_gates).sigmoid_().chunk(2, dim=-1)
            new = torch.lerp(s, torch.baddbmm(candidates[j], r * s, self.encoder_U).tanh_(), z)
            s = new if kept is None else torch.where(kept[j], new, s)
            states.append(s)
        return torch.stack(states)

    def start(self, memory: Memory) -> State:
        """s_0 = tanh(W_s summary + b)."""
        s = torch.addmm(self.b_s, memory.summary, self.W_s).tanh_()
        return State(memory, s, s @ self.state, None)

    def step(self, state: State, piece: Tensor, *, detail: bool = False, alpha: Alpha | None = None) -> StepResult:
        """One step of search, as `model.rnnsearch.Network.step`."""
        p = torch.addmm(self.piece_bias, self.target_embedding[piece], self.piece)  # (batch, P)
        s, ahead = state.s, state.ahead
        gates: dict[str, Tensor] = {}
        if self.wiring == "groundhog" and state.eaten is not None:
            s, ahead, gates = self._update(p, s, ahead, state.eaten)
        eaten, weights, energies = self._look(state.memory, ahead, alpha)
        used, spoke = s, ahead
        if self.wiring != "groundhog":
            s, ahead, gates = self._update(p, s, ahead, eaten)
            if self.wiring == "equation4":
                used, spoke = s, ahead
        log_probabilities = self._write(p, spoke, eaten)
        extra: dict[str, Tensor] = {}
        if detail:
            h = state.memory.annotations
            extra = {"state": used, "context": h[:, 0] if weights is None else (weights[:, None] @ h)[:, 0], **gates}
            extra |= {} if energies is None else {"energies": energies}
        looked = {} if weights is None else {ATTENTION.key: weights}
        return StepResult(log_probabilities, State(state.memory, s, ahead, eaten), looked, extra)

    def _look(self, memory: Memory, ahead: Tensor, alpha: Alpha | None) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """What the context's matrices make of c_i (batch, P), alpha_i and the energies (batch, source)."""
        if memory.keys is None or self.v_a is None:
            return memory.eaten[:, 0], None, None
        e = (ahead[:, None, : self.a] + memory.keys).tanh_() @ self.v_a  # (batch, source)
        own = torch.softmax(e if memory.mask is None else e.masked_fill(~memory.mask, -torch.inf), dim=-1)
        used = own if alpha is None else in_place_of(own, alpha.get(ATTENTION.key))
        return (used[:, None] @ memory.eaten)[:, 0], used, e

    def _update(self, p: Tensor, s: Tensor, ahead: Tensor, eaten: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """s' = f(s, y, c), what the joined matrices make of it, and the gates."""
        n, a = self.n, self.a
        given = p[:, : 3 * n] + eaten[:, : 3 * n]
        z, r = (given[:, : 2 * n] + ahead[:, a : a + 2 * n]).sigmoid_().chunk(2, dim=-1)
        new = torch.lerp(s, torch.addmm(given[:, 2 * n :], r * s, self.U).tanh_(), z)
        return new, new @ self.state, {"update": z, "reset": r}

    def _write(self, p: Tensor, ahead: Tensor, eaten: Tensor) -> Tensor:
        """log p(y_i), (batch, vocabulary)."""
        t = p[:, 3 * self.n :] + ahead[:, self.a + 2 * self.n :] + eaten[:, 3 * self.n :]
        t = torch.maximum(t[:, 0::2], t[:, 1::2])  # (batch, l)
        return torch.log_softmax(torch.addmm(self.b_w, t, self.W_o), dim=-1)


def _columns(*matrices: Tensor) -> Tensor:
    """Matrices (out, in) one below the other, transposed and laid out anew: (in, the sum of outs)."""
    return torch.cat([matrix.detach() for matrix in matrices]).T.contiguous()


def _bias(gru: GRU) -> Tensor:
    """The bias of z, r and the candidate, of which only the last has one."""
    return torch.cat([gru.b.new_zeros(2 * gru.hidden), gru.b]).detach()


_made: weakref.WeakKeyDictionary[Network, tuple[object, Quick]] = weakref.WeakKeyDictionary()


def prepared(network: Network) -> Quick:
    """The network for search: made once, and again once its weights have changed."""
    weights = [(one.data_ptr(), one.dtype, 0 if one.is_inference() else one._version) for one in network.parameters()]
    made = _made.get(network)
    if made is None or made[0] != weights:
        with torch.inference_mode(False), torch.no_grad():
            made = _made[network] = weights, Quick(network)
    return made[1]
