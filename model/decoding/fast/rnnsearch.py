"""The mathematics of `model.networks.rnnsearch` for search, one step at a time: the same numbers but for rounding, far
sooner.

A step of a few rows is matrices times a few vectors, and what takes its time is fetching the matrices. So

- what depends on the piece alone, W E y and V_o E y with the biases, is a table of all pieces, made once;
- matrices that eat the same vector are joined: W_a, U_z, U_r and U_o with the state;
- matrices are held in half precision too, where that is what they are, and fetched so for few rows
  (`model.decoding.fast.packed_linear`);
- C c_i and C_o c_i = sum_j alpha_ij (C h_j): what the context's matrices make of the annotations is computed once a
  sentence, and a step only weighs it, where a sentence stands alone or has several rows. Where many sentences have a
  row each, both ways have as much to compute, and this one has more to fetch. For RNNencdec, whose context never
  changes, nothing is left to do;
- the rows of one sentence (a beam) look at one memory, which is not copied for each;
- what lies between two products is one call, and a whole step may be one (`model.decoding.fast.compiled_rnnsearch`), on a
  processor and in float32. What is here is the same for all else, and is to be read first.

Shapes and symbols are those of `model.networks.rnnsearch`; A = n' + 2n + 2l is the width of what a state is turned into
at once (RNNencdec has no n'), P = 3n + 2l that of what a piece or a context is.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from model.decoding.fast.background_compile import get_kernels
from model.decoding.fast.packed_linear import PackedLinear
from model.networks.base import AttentionOverrides, StepResult, apply_override
from model.networks.rnnsearch import ATTENTION, GRU, GRUNetwork, RNNsearch
from model.trace import MapDescription

if TYPE_CHECKING:
    from model.decoding.fast.compiled_rnnsearch import CompiledRNNsearch

Found = tuple[Tensor, "State", Tensor, Tensor | None, dict[str, Tensor]]
"""What a step comes to: log p(y_i), the state after it, the state that the look or readout used, alpha_i where there
is attention, and what else was made on the way, by name."""



@dataclass(frozen=True)
class Rows:
    """Which sentence each row of a batch belongs to, where there are more rows than sentences.

    `sentence` (rows,); `place` (rows,): the how-manieth row of its sentence it is, of at most `most`.
    """

    sentence: Tensor
    place: Tensor
    most: int

    @classmethod
    def of(cls, sentence: Tensor, sentences: int) -> Rows:
        counts = torch.bincount(sentence, minlength=sentences)
        order = sentence.argsort(stable=True)
        place = torch.empty_like(order)
        place[order] = torch.arange(len(order), device=order.device) - (counts.cumsum(0) - counts)[sentence[order]]
        return cls(sentence, place, int(counts.max()))

    @classmethod
    def gathered(cls, rows: Tensor, before: Rows | None, sentences: int) -> tuple[Tensor | None, Rows | None]:
        """What picked or repeated `rows` of a batch of so many sentences, in which `before` said whose each is, still
        look at: the sentences that are to be kept, None for all of them, and whose each row is then, None where row i
        is sentence i's. Sentences go once a quarter of them are of no use, not before: they are copied then."""
        if before is not None:
            rows = before.sentence.index_select(0, rows)
        kept, own = rows.unique(return_inverse=True)
        fewer = 4 * len(kept) <= 3 * sentences
        if fewer:
            rows, sentences = own, len(kept)
        plain = len(rows) == sentences and torch.equal(rows, torch.arange(sentences, device=rows.device))
        return kept if fewer else None, None if plain else cls.of(rows, sentences)


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves: as `model.networks.rnnsearch.Memory`, and what the context's matrices make of it.

    Row i of a batch looks at sentence i, unless `rows` says otherwise."""

    annotations: Tensor  # h (sentences, source, 2n); for RNNencdec the one vector c (batch, 1, n)
    eaten: Tensor | None  # [C; C_o] h (sentences, source, P); for RNNencdec (batch, 1, P); None where it does not pay
    keys: Tensor | None  # U_a h (sentences, source, n')
    mask: Tensor | None  # (sentences, source), true where there is a piece; None where it is so everywhere
    summary: Tensor  # (sentences, n)
    rows: Rows | None = None
    lengths: Tensor | None = (
        None  # (sentences,) pieces of each; this and the next are for `model.decoding.fast.search_kernels`
    )
    powers: Tensor | None = None  # e^(2 U_a h) (sentences, source, n'), source 0 without attention

    def picked(self, sentences: Tensor) -> Memory:
        """The memory of these sentences alone, a row each."""
        eaten, keys, mask, lengths, powers = (
            None if part is None else part.index_select(0, sentences)
            for part in (self.eaten, self.keys, self.mask, self.lengths, self.powers))
        return Memory(self.annotations.index_select(0, sentences), eaten, keys, mask,
                      self.summary.index_select(0, sentences), None, lengths, powers)

    @cached_property
    def arrays(self) -> tuple[Any, Any, Any, Any] | None:
        """What `model.decoding.fast.search_kernels` takes of it at every step: the powers; the annotations, or what the
        context's matrices make of them; the sentence of each row; and the lengths. None where it is not for that."""
        if self.lengths is None or self.powers is None:
            return None
        seen = self.annotations if self.eaten is None else self.eaten
        whose = torch.arange(len(self.summary)) if self.rows is None else self.rows.sentence
        return self.powers.numpy(), seen.numpy(), whose.numpy(), self.lengths.numpy()

    def of_rows(self, part: Tensor) -> Tensor:
        """A part of the memory (sentences, ...) as the rows see it: (rows, ...), or (1, ...) for all of them."""
        if self.rows is None or len(part) == 1:
            return part
        return part.index_select(0, self.rows.sentence)


@dataclass(frozen=True)
class State:
    """Where the decoder stands: s, what the joined matrices make of it, and what those of the context made of the last
    context (None before the first step)."""

    memory: Memory
    s: Tensor  # (rows, n)
    ahead: Tensor  # (rows, A)
    eaten: Tensor | None  # (rows, P)
    context: PackedLinear  # what makes `eaten` of a context

    def after(self, s: Tensor, ahead: Tensor, eaten: Tensor | None) -> State:
        """The same with these in their places."""
        return State(self.memory, s, ahead, eaten, self.context)

    def reorder(self, rows: Tensor) -> State:
        s, ahead = self.s.index_select(0, rows), self.ahead.index_select(0, rows)
        return self.after(s, ahead, None if self.eaten is None else self.eaten.index_select(0, rows))

    def select(self, rows: Tensor) -> State:
        return replace(self.reorder(rows), memory=self._memory_of(rows))

    def _memory_of(self, rows: Tensor) -> Memory:
        """The memory of picked or repeated rows."""
        memory = self.memory
        if memory.keys is None:
            return memory.picked(rows)
        kept, whose = Rows.gathered(rows, memory.rows, len(memory.summary))
        if kept is not None:
            memory = memory.picked(kept)
        pays = whose is not None and memory.eaten is None and len(rows) > len(memory.summary)
        eaten = self.context(memory.annotations) if pays else memory.eaten
        return replace(memory, eaten=eaten, rows=whose)


class Table:
    """What a product makes of each row of an embedding (vocabulary, m), made when it is first asked for: a sentence has
    few of the pieces, and what nobody asks for takes no memory."""

    def __init__(self, product: PackedLinear, embedding: Tensor) -> None:
        self._product, self._embedding = product, embedding
        self._rows = embedding.new_empty(len(embedding), len(product.added))
        self._made = torch.zeros(len(embedding), dtype=torch.bool, device=embedding.device)

    def of(self, pieces: Tensor) -> Tensor:
        """The table (vocabulary, P), in which the rows of these pieces stand."""
        new = pieces[~self._made[pieces]]
        if len(new):
            new = new.unique()
            self._rows[new] = self._product(self._embedding[new])
            self._made[new] = True  # last: another thread may ask meanwhile
        return self._rows


class FastRNNsearch:
    """A network of `model.networks.rnnsearch` as `model.networks.base.Translator`, with the weights it had when this
    was made."""

    def __init__(self, network: GRUNetwork) -> None:
        self._network = weakref.ref(network)
        self.maps: tuple[MapDescription, ...] = tuple(network.maps)
        config = network.config
        self.wiring, self.n, self.l = config.wiring, config.hidden, config.readout
        attends = isinstance(network, RNNsearch)
        self.a = config.alignment if attends else 0
        weights = {name: value.detach() for name, value in network.named_parameters()}
        backward = [network.encoder_backward] if isinstance(network, RNNsearch) else []
        directions = [network.encoder, *backward]

        self.source_embedding, self.target_embedding = (weights[f"{side}_embedding.weight"]
                                                        for side in ("source", "target"))
        read = PackedLinear([one.W for one in directions], torch.cat([_bias(one) for one in directions]))
        self.reading = Table(read, self.source_embedding)
        self.encoder_gates = [PackedLinear([one.U_gates]) for one in directions]  # each n -> 2n
        self.encoder_U = [PackedLinear([one.U]) for one in directions]  # each n -> n
        self.start_from = PackedLinear([weights["W_s"]], weights["b_s"])
        state = [weights["W_a"]] if attends else []
        U_o, V_o, C_o, b_o = (_apart(weights[name]) for name in ("U_o", "V_o", "C_o", "b_o"))
        self.state = PackedLinear([*state, weights["decoder.U_gates"], U_o])  # n -> A
        self.piece = PackedLinear([weights["decoder.W"], V_o], torch.cat([_bias(network.decoder), b_o]))  # m -> P
        self.context = PackedLinear([weights["decoder.C"], C_o])  # 2n or n -> P
        self.U = PackedLinear([weights["decoder.U"]])
        self.readout = PackedLinear([weights["W_o"]], weights["b_w"])
        self.U_a = PackedLinear([weights["U_a"]]) if attends else None
        self.v_a: Tensor | None = weights["v_a"] if attends else None
        self._compiled: CompiledRNNsearch | None = None
        self._as_such = True  # what energies take the tanh of is W_a s + U_a h_j, and no more

    @cached_property
    def table(self) -> Tensor:
        """What each piece is turned into, (vocabulary, P): made by the first step. Rows of it are taken here and there,
        and are found sooner in large pages of memory, which numpy asks for and torch does not."""
        made = self.piece(self.target_embedding)
        if made.device.type != "cpu" or made.dtype not in (torch.float32, torch.float64):
            return made
        return torch.from_numpy(np.empty(tuple(made.shape), made.numpy().dtype)).copy_(made)

    @property
    def compiled(self) -> CompiledRNNsearch | None:
        """The same, compiled, where that is to be taken; once it is taken, it is always."""
        if self._compiled is None and (module := get_kernels(self.U.columns)) is not None:
            from model.decoding.fast.compiled_rnnsearch import CompiledRNNsearch

            self._compiled = CompiledRNNsearch(self, module)
        return self._compiled

    def encoder_attention_weights(self, encoder_output: Memory) -> dict[str, Tensor]:
        """Neither model lets source pieces look at one another."""
        return {}

    def encode(self, source: Tensor) -> Memory:
        """(batch, source) pieces, as `model.networks.rnnsearch.Network.annotate` takes them, -> the memory."""
        network = self._network()
        assert network is not None  # whoever searches holds it
        mask = network.check_source(source)
        whole, compiled = bool(mask.all()), self.compiled
        lengths = mask.sum(1)
        h = self._read(source, None if whole else mask) if compiled is None else compiled.read(source, lengths)
        padded = None if whole else mask
        steps_by = compiled if self._as_such else None
        if self.U_a is None:
            c = h[:, -1]  # padding leaves the state as it was after EOS
            memory = Memory(c[:, None], self.context(c)[:, None], None, padded, c)
            return memory if steps_by is None else replace(memory, lengths=lengths, powers=h[:, :0])
        eaten, keys = self.context(h) if len(source) == 1 else None, self.U_a(h)
        memory = Memory(h, eaten, keys, padded, h[:, 0, self.n :])
        return memory if steps_by is None else replace(memory, lengths=lengths, powers=steps_by.powers(keys))

    def _read(self, source: Tensor, mask: Tensor | None) -> Tensor:
        """The states of the encoder's directions after each piece, the first one's beside the second's, which begins at
        the end of the sentence: (batch, source, directions of n)."""
        n, length = self.n, source.shape[1]
        projected = self.reading.of(source)  # (vocabulary, directions of 3n)
        h = projected.new_empty(len(source), length, len(self.encoder_U) * n)
        for way, (gates, U) in enumerate(zip(self.encoder_gates, self.encoder_U, strict=True)):
            table = projected[:, way * 3 * n : (way + 1) * 3 * n]
            s = projected.new_zeros(len(source), n)
            for j in range(length) if way == 0 else reversed(range(length)):
                given = table.index_select(0, source[:, j])
                z, r = gates(s).add_(given[:, : 2 * n]).sigmoid_().chunk(2, dim=-1)
                new = torch.lerp(s, U(r * s).add_(given[:, 2 * n :]).tanh_(), z)
                s = new if mask is None else torch.where(mask[:, j, None], new, s)
                h[:, j, way * n : (way + 1) * n] = s
        return h

    def start(self, encoder_output: Memory) -> State:
        """s_0 = tanh(W_s summary + b)."""
        s = self.start_from(encoder_output.summary).tanh_()
        return State(encoder_output, s, self.state(s), None, self.context)

    def step(
        self, state: State, token: Tensor, *, detail: bool = False, overrides: AttentionOverrides | None = None
    ) -> StepResult:
        """One step of search, as `model.networks.rnnsearch.Network.step`."""
        by = None if state.memory.arrays is None else self.compiled
        found = self._step(state, token, overrides) if by is None else by.step(state, token, overrides, detail)
        values, after, used, weights, made = found
        extra: dict[str, Tensor] = {}
        if detail:
            h = state.memory.of_rows(state.memory.annotations)
            extra = {"state": used, "context": h[:, 0] if weights is None else (weights[:, None] @ h)[:, 0], **made}
        return StepResult(values, after, {} if weights is None else {ATTENTION.key: weights}, extra)

    def _step(self, state: State, piece: Tensor, alpha: AttentionOverrides | None) -> Found:
        s, ahead = state.s, state.ahead
        made: dict[str, Tensor] = {}
        if self.wiring == "groundhog" and state.eaten is not None:
            s, ahead, made = self._update(piece, s, ahead, state.eaten)
        eaten, weights, energies = self._look(state, ahead, alpha)
        used, spoke = s, ahead
        if self.wiring != "groundhog":
            s, ahead, made = self._update(piece, s, ahead, eaten)
            if self.wiring == "equation4":
                used, spoke = s, ahead
        if energies is not None:
            made["energies"] = energies
        return self._write(piece, spoke, eaten), state.after(s, ahead, eaten), used, weights, made

    def _look(
        self, state: State, ahead: Tensor, alpha: AttentionOverrides | None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """What the context's matrices make of c_i (rows, P), alpha_i and the energies (rows, source)."""
        memory = state.memory
        if memory.keys is None or self.v_a is None:
            assert memory.eaten is not None
            return memory.eaten[:, 0], None, None
        e = self._inside(state, memory.keys, ahead).tanh_() @ self.v_a  # (rows, source)
        masked = e if memory.mask is None else e.masked_fill(~memory.of_rows(memory.mask), -torch.inf)
        own = torch.softmax(masked, dim=-1)
        used = own if alpha is None else apply_override(own, alpha.get(ATTENTION.key))
        return self._weighed(memory, used), used, e

    def _inside(self, state: State, keys: Tensor, ahead: Tensor) -> Tensor:
        """What the energies take the tanh of, W_a s + U_a h_j, (rows, source, n')."""
        asked, of_rows = ahead[:, None, : self.a], state.memory.of_rows(keys)
        return asked + of_rows if of_rows is keys else of_rows.add_(asked)

    def _weighed(self, memory: Memory, weights: Tensor) -> Tensor:
        """What the context's matrices make of the contexts that `weights` (rows, source) add up to: (rows, P)."""
        seen = memory.annotations if memory.eaten is None else memory.eaten
        if len(seen) == 1:
            found = weights @ seen[0]
        elif memory.rows is None:
            found = (weights[:, None] @ seen)[:, 0]
        else:
            sentence, place = memory.rows.sentence, memory.rows.place
            apart = weights.new_zeros(len(seen), memory.rows.most, weights.shape[1])
            apart[sentence, place] = weights
            found = (apart @ seen)[sentence, place]
        return self.context(found) if memory.eaten is None else found

    def _update(self, piece: Tensor, s: Tensor, ahead: Tensor,
                eaten: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """s' = f(s, y, c), what the joined matrices make of it, and the gates."""
        n, a = self.n, self.a
        given = self.table.index_select(0, piece)[:, : 3 * n] + eaten[:, : 3 * n]
        z, r = (given[:, : 2 * n] + ahead[:, a : a + 2 * n]).sigmoid_().chunk(2, dim=-1)
        new = torch.lerp(s, self.U(r * s).add_(given[:, 2 * n :]).tanh_(), z)
        return new, self.state(new), {"update": z, "reset": r}

    def _write(self, piece: Tensor, ahead: Tensor, eaten: Tensor) -> Tensor:
        """log p(y_i), (rows, vocabulary)."""
        n, a = self.n, self.a
        t = self.table.index_select(0, piece)[:, 3 * n :] + ahead[:, a + 2 * n :]
        t += eaten[:, 3 * n :]
        t = torch.maximum(t[:, : self.l], t[:, self.l :])  # (rows, l)
        return torch.log_softmax(self.readout(t), dim=-1)


def _apart(rows: Tensor) -> Tensor:
    """Of two neighbouring rows, of which the readout takes the greater, the first ones before all the second ones."""
    return torch.cat([rows[0::2], rows[1::2]])


def _bias(gru: GRU) -> Tensor:
    """The bias of z, r and the candidate, of which only the last has one."""
    return torch.cat([gru.b.new_zeros(2 * gru.hidden), gru.b]).detach()
