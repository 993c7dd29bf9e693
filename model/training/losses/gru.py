"""The mathematics of `model.networks.rnnsearch` over whole sequences, for training: same parameters, same loss, far
less time.

The loops over time are custom autograd functions. Going forward they keep only what going backward needs; going
backward they fill buffers with the gradients of the pre-activations, and every weight gradient is then *one* matrix
product over all steps. Input projections stand outside the loops altogether. With `half` states and element-wise work
stay in the parameters' own precision, and products are as in `model.training.losses.common`.

All three wirings are one chain: s_0; c_i = look(s_i); s_{i+1} = GRU(p_i, s_i, c_i). They differ in which projected
previous word p_i an update eats and in which state the readout takes (`_wire`). Inside, time stands first:
(target, batch, hidden). The attention's tanh is taken as 2 sigmoid(2x) - 1, which is several times
faster to compute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.rnnsearch import GRU, GRUNetwork, RNNencdec, RNNsearch
from model.text.vocabulary import PAD
from model.training.losses.common import (
    OutputLoss,
    as_numpy,
    find_padding,
    get_kernels,
    linear,
    select_target_tokens,
    to_half,
)


def _update(pre: Tensor, s: Tensor, u_gates: Tensor, u: Tensor, keep: Tensor | None, half: bool, fused: Any,
            gates: Tensor, candidate: Tensor, rs: Tensor, out: Tensor) -> None:
    """One GRU update into its buffers: gates (batch, 2n) become z, r and `out` s'. Where keep is 0, s' = s."""
    n = s.shape[1]
    product = to_half(s, half) @ u_gates.T
    if fused:
        kept = as_numpy(s[:0] if keep is None else keep)
        fused.gate(as_numpy(pre), as_numpy(product.to(s.dtype)), as_numpy(s), kept, as_numpy(gates), as_numpy(rs))
        product = (rs.to(u.dtype) @ u.T).to(s.dtype)
        fused.update(as_numpy(pre), as_numpy(product), as_numpy(s), as_numpy(gates), as_numpy(candidate), as_numpy(out))
        return
    torch.add(pre[:, : 2 * n], product, out=gates)
    gates.sigmoid_()
    z, r = gates[:, :n], gates[:, n:]
    if keep is not None:
        z.mul_(keep)
    torch.mul(r, s, out=rs)
    torch.add(pre[:, 2 * n :], rs.to(u.dtype) @ u.T, out=candidate)
    candidate.tanh_()
    torch.lerp(s, candidate, z, out=out)


def _update_backward(ds: Tensor, s: Tensor, gates: Tensor, candidate: Tensor, u_gates: Tensor, u: Tensor, fused: Any,
                     dpre: Tensor) -> Tensor:
    """Gradient of one update: fills dpre (batch, 3n) and returns the gradient of s, given that of s' (overwritten)."""
    n = s.shape[1]
    z, r = gates[:, :n], gates[:, n:]
    dz, dr, dc = dpre[:, :n], dpre[:, n : 2 * n], dpre[:, 2 * n :]
    if fused:
        fused.update_backward(as_numpy(ds), as_numpy(gates), as_numpy(candidate), as_numpy(dpre))
        drs = (dc.to(u.dtype) @ u).to(s.dtype)
        fused.gates_backward(as_numpy(s), as_numpy(gates), as_numpy(candidate), as_numpy(drs), as_numpy(ds), as_numpy(dpre))
        return ds.add_(dpre[:, : 2 * n].to(u.dtype) @ u_gates)
    torch.mul(ds, z, out=dc)
    dc.addcmul_(dc * candidate, candidate, value=-1)  # through tanh
    drs = (dc.to(u.dtype) @ u).to(s.dtype)
    torch.sub(candidate, s, out=dz)
    dz.mul_(ds).mul_(z).mul_(1 - z)
    torch.mul(drs, s, out=dr)
    dr.mul_(r).mul_(1 - r)
    ds.mul_(1 - z).addcmul_(drs, r)
    return ds.add_(dpre[:, : 2 * n].to(u.dtype) @ u_gates)


class _GRUSequence(Function):
    """A GRU over all steps: (time, batch, 3n) projected inputs, (batch, n) start -> (time, batch, n) states."""

    @staticmethod
    def forward(ctx: Any, pre: Tensor, start: Tensor, u_gates: Tensor, u: Tensor, keep: Tensor | None,
                backward_in_time: bool, half: bool) -> Tensor:
        time, batch, n = len(pre), len(start), u.shape[0]
        ugh, uh = to_half(u_gates, half), to_half(u, half)
        gates, candidates = pre.new_empty(time, batch, 2 * n), pre.new_empty(time, batch, n)
        rs, states = pre.new_empty(time, batch, n), pre.new_empty(time, batch, n)
        s, fused = start, get_kernels(pre, start)
        for t in reversed(range(time)) if backward_in_time else range(time):
            kept = None if keep is None else keep[t]
            _update(pre[t], s, ugh, uh, kept, half, fused, gates[t], candidates[t], rs[t], states[t])
            s = states[t]
        ctx.save_for_backward(start, ugh, uh, gates, candidates, rs, states)
        ctx.backward_in_time, ctx.half = backward_in_time, half
        return states

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        start, ugh, uh, gates, candidates, rs, states = ctx.saved_tensors
        time, n = len(states), uh.shape[0]
        # the state each update started from
        before = torch.cat([states[1:], start[None]] if ctx.backward_in_time else [start[None], states[:-1]])[:time]
        dpre = states.new_empty(time, len(start), 3 * n)
        ds, fused = torch.zeros_like(start), get_kernels(states)
        for t in range(time) if ctx.backward_in_time else reversed(range(time)):
            ds += grads[0][t]
            ds = _update_backward(ds, before[t], gates[t], candidates[t], ugh, uh, fused, dpre[t])
        d = to_half(dpre, ctx.half).flatten(0, 1)
        du_gates = (d[:, : 2 * n].T @ before.to(d.dtype).flatten(0, 1)).to(dpre.dtype)
        du = (d[:, 2 * n :].T @ rs.to(d.dtype).flatten(0, 1)).to(dpre.dtype)
        return dpre, ds, du_gates, du, None, None, None


class _AttentiveSequence(Function):
    """The chain of looks and updates: returns all states (updates + 1, batch, n), contexts (target, batch, 2n) and
    alphas (target, batch, source).

    pre (updates, batch, 3n); start (batch, n); keys = U_a h (batch, source, n'); h (batch, source, 2n);
    blocked (batch, source), true on padding, None without any. There are as many looks as target pieces, and as many
    updates or one fewer. With `v_cover` (n',) the energies know of the looks before theirs, e_ij = v_a^T tanh(W_a s +
    U_a h_j + v_cover C_ij), where C_ij = gain_j (alpha_1j + .. + alpha_{i-1,j}) and gain (batch, source) is 1 where it
    is None.
    """

    @staticmethod
    def forward(ctx: Any, pre: Tensor, start: Tensor, keys: Tensor, h: Tensor, blocked: Tensor | None, u_gates: Tensor,
                u: Tensor, c_weight: Tensor, w_a: Tensor, v_a: Tensor, v_cover: Tensor | None, gain: Tensor | None,
                looks: int, half: bool) -> tuple[Tensor, Tensor, Tensor]:
        updates, (batch, n) = len(pre), start.shape
        ugh, uh, ch, wah = (to_half(w, half) for w in (u_gates, u, c_weight, w_a))
        gates, candidates = pre.new_empty(updates, batch, 2 * n), pre.new_empty(updates, batch, n)
        rs, states = pre.new_empty(updates, batch, n), pre.new_empty(updates + 1, batch, n)
        contexts, alphas = h.new_empty(looks, batch, h.shape[2]), h.new_empty(looks, batch, h.shape[1])
        covered = torch.zeros_like(alphas[0])
        queries = h.new_empty(looks, batch, len(w_a))
        states[0] = start
        keys2, v2 = 2 * keys, 2 * v_a
        buffer = torch.empty_like(keys)
        fused = get_kernels(pre, start, keys, h, v_a)
        fused_look = fused if v_cover is None else None
        if fused_look:
            fused_look.powers(as_numpy(keys), as_numpy(keys2))
            lengths = as_numpy(_lengths(keys, blocked))
        for i in range(looks):
            s = states[i]
            query = to_half(s, half) @ wah.T
            if fused_look:
                fused_look.powers(as_numpy(query.to(s.dtype)), as_numpy(queries[i]))
                fused_look.look(as_numpy(queries[i]), as_numpy(keys2), as_numpy(v_a), as_numpy(h), lengths, as_numpy(alphas[i]),
                                as_numpy(contexts[i]))
            else:
                # Eq. 6, e_ij = v_a^T tanh(W_a s + U_a h_j), with tanh x = 2 sigmoid(2x) - 1.
                torch.mul(query, 2, out=queries[i])
                torch.add(keys2, queries[i][:, None], out=buffer)
                if v_cover is not None:
                    buffer.addcmul_(_gained(covered, gain)[:, :, None], 2 * v_cover)
                e = buffer.sigmoid_() @ v2  # + a constant, which the softmax drops
                if blocked is not None:
                    e.masked_fill_(blocked, -torch.inf)
                torch.softmax(e, -1, out=alphas[i])
                torch.bmm(alphas[i][:, None], h, out=contexts[i][:, None])
                covered += alphas[i]
            if i < updates:
                p = pre[i] + to_half(contexts[i], half) @ ch.T
                _update(p, s, ugh, uh, None, half, fused, gates[i], candidates[i], rs[i], states[i + 1])
        ctx.fused, ctx.fused_look = fused, fused_look
        ctx.save_for_backward(keys2, v_a, v_cover, gain, h, ugh, uh, ch, wah, gates, candidates, rs, states, contexts,
                              alphas, queries, blocked)
        ctx.set_materialize_grads(False)  # alphas seldom go anywhere else
        return states, contexts, alphas

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (keys2, v_a, v_cover, gain, h, ugh, uh, ch, wah, gates, candidates, rs, states, contexts, alphas,
         queries, blocked) = ctx.saved_tensors
        updates, looks = len(gates), len(contexts)
        batch, n = states.shape[1:]
        dpre, dqueries = rs.new_empty(updates, batch, 3 * n), torch.empty_like(queries)
        dcontexts = grads[1].clone()
        dkeys, dv = torch.zeros_like(keys2), torch.zeros_like(v_a)
        fused, fused_look = ctx.fused, ctx.fused_look
        if fused_look:
            lengths, dvs = as_numpy(_lengths(keys2, blocked)), torch.zeros_like(queries[0])
            nothing = as_numpy(torch.zeros_like(alphas[0]))
        else:
            sigmoid, slope = torch.empty_like(keys2), torch.empty_like(keys2)
        ds = grads[0][updates].clone() if updates == looks else torch.zeros_like(states[0])
        dcover = None if v_cover is None else torch.zeros_like(v_cover)
        dgain = None if gain is None else torch.zeros_like(gain)
        covered = alphas.sum(0)
        dcovered = torch.zeros_like(covered)
        for i in reversed(range(looks)):
            covered -= alphas[i]
            if i < updates:
                ds = _update_backward(ds, states[i], gates[i], candidates[i], ugh, uh, fused, dpre[i])
                dcontexts[i] += dpre[i].to(ch.dtype) @ ch
            ds += grads[0][i]
            if fused_look:
                fused_look.look_backward(
                    as_numpy(queries[i]), as_numpy(keys2), as_numpy(v_a), as_numpy(h), lengths, as_numpy(alphas[i]), as_numpy(dcontexts[i]),
                    nothing if grads[2] is None else as_numpy(grads[2][i]), as_numpy(dqueries[i]), as_numpy(dkeys), as_numpy(dvs))
                ds += dqueries[i].to(wah.dtype) @ wah
                continue
            alpha = alphas[i]  # (batch, source)
            dalpha = (h * dcontexts[i][:, None]).sum(-1) + dcovered
            if grads[2] is not None:
                dalpha += grads[2][i]
            de = alpha * (dalpha - (alpha * dalpha).sum(-1, keepdim=True))
            # Eq. 6 backward: the slope of tanh x is 4 sigmoid(2x) (1 - sigmoid(2x)).
            torch.add(keys2, queries[i][:, None], out=sigmoid)
            if v_cover is not None:
                sigmoid.addcmul_(_gained(covered, gain)[:, :, None], 2 * v_cover)
            sigmoid.sigmoid_()
            dv += de.flatten() @ sigmoid.flatten(0, 1)  # sum_j de_j = 0 takes care of tanh's constant
            torch.addcmul(sigmoid, sigmoid, sigmoid, value=-1, out=slope)
            torch.mul(torch.bmm(de[:, None], slope)[:, 0], 4 * v_a, out=dqueries[i])
            dkeys.addcmul_(slope, de[:, :, None])
            if v_cover is not None and dcover is not None:
                dcover.addcmul_((de * _gained(covered, gain)).flatten() @ slope.flatten(0, 1), 4 * v_a)
                dseen = de * (slope @ (4 * v_a * v_cover))  # of C_i
                dcovered += _gained(dseen, gain)
                if dgain is not None:
                    dgain.addcmul_(dseen, covered)
            ds += dqueries[i].to(wah.dtype) @ wah
        if fused_look:
            dkeys *= v_a
            dv = dvs.sum(0)
        else:
            dkeys *= 4 * v_a
            dv *= 2
        dh = torch.bmm(alphas.permute(1, 2, 0), dcontexts.transpose(0, 1))
        d, before = dpre.to(uh.dtype).flatten(0, 1), states.to(uh.dtype)
        du_gates = d[:, : 2 * n].T @ before[:updates].flatten(0, 1)
        du = d[:, 2 * n :].T @ rs.to(uh.dtype).flatten(0, 1)
        dc = d.T @ contexts[:updates].to(uh.dtype).flatten(0, 1)
        dw_a = dqueries.to(uh.dtype).flatten(0, 1).T @ before[:looks].flatten(0, 1)
        kind = dpre.dtype
        return (dpre, ds, dkeys, dh, None, du_gates.to(kind), du.to(kind), dc.to(kind), dw_a.to(kind), dv, dcover,
                dgain, None, None)


def _lengths(keys: Tensor, blocked: Tensor | None) -> Tensor:
    """Of each sentence, (batch,)."""
    whole = torch.full((len(keys),), keys.shape[1])
    return whole if blocked is None else whole - blocked.sum(1)


def _gained(covered: Tensor, gain: Tensor | None) -> Tensor:
    return covered if gain is None else covered * gain


def _project(gru: GRU, embedded: Tensor, half: bool) -> Tensor:
    """W e with the candidate's bias, (time, batch, m) -> (time, batch, 3n)."""
    return linear(embedded, gru.W, half) + F.pad(gru.b, (2 * gru.hidden, 0))


def _wire(network: GRUNetwork, projected: Tensor) -> Tensor:
    """The projected previous words that the updates of the chain eat, in order."""
    wiring = network.config.wiring
    return projected if wiring == "equation4" else projected[1:] if wiring == "groundhog" else projected[:-1]


@dataclass(frozen=True)
class TeacherForcedPass:
    """A teacher-forced pass, time first."""

    readouts: Tensor  # t, after maxout and dropout: (target, batch, l)
    states: Tensor  # those read out from (target, batch, n)
    embedded: Tensor  # the pieces before, after dropout (target, batch, m)
    contexts: Tensor  # (target, batch, 2n); for RNNencdec (1, batch, n)
    alphas: Tensor | None  # (target, batch, source)


def run_teacher_forced(network: GRUNetwork, source: Tensor, target: Tensor, half: bool, v_cover: Tensor | None = None,
        gain: Callable[[Tensor], Tensor | None] | None = None) -> TeacherForcedPass:
    """The network over given pieces (source, batch) and (target, batch). With `v_cover` attention knows of its looks
    before (`_AttentiveSequence`); `gain` makes (batch, source) of the annotations (batch, source, 2n)."""
    present = source != PAD
    padding = find_padding(present)
    keep = None if padding is None else present[:, :, None].to(network.W_s.dtype)
    embedded = network.apply_dropout(F.embedding(source, network.source_embedding.weight, PAD))  # (source, batch, m)
    batch, n = source.shape[1], network.config.hidden
    zero = network.W_s.new_zeros(batch, n)

    encoder = network.encoder
    pre = _project(encoder, embedded, half)
    forward = _GRUSequence.apply(pre, zero, encoder.U_gates, encoder.U, keep, False, half)
    if isinstance(network, RNNsearch):
        gru = network.encoder_backward
        backward = _GRUSequence.apply(_project(gru, embedded, half), zero, gru.U_gates, gru.U, keep, True, half)
        summary = backward[0]
    else:
        summary = forward[-1]
    start = torch.tanh(linear(summary, network.W_s, half) + network.b_s)

    previous = torch.cat([torch.full_like(target[:1], PAD), target[:-1]])
    embedded = network.apply_dropout(F.embedding(previous, network.target_embedding.weight, PAD))  # (target, batch, m)
    decoder = network.decoder
    eaten = _wire(network, _project(decoder, embedded, half))  # (updates, batch, 3n)
    assert decoder.C is not None
    alphas = None
    if isinstance(network, RNNsearch):
        h = torch.cat([forward, backward], dim=-1).transpose(0, 1).contiguous()  # (batch, source, 2n)
        keys = linear(h, network.U_a, half)  # (batch, source, n')
        blocked = None if padding is None else padding.T
        states, contexts, alphas = _AttentiveSequence.apply(
            eaten, start, keys, h, blocked, decoder.U_gates, decoder.U, decoder.C, network.W_a, network.v_a, v_cover,
            None if gain is None else gain(h), len(target), half)  # fmt: skip
    else:
        contexts = summary[None]
        constant = linear(summary, decoder.C, half)
        states = _GRUSequence.apply(eaten + constant, start, decoder.U_gates, decoder.U, None, False, half)
        states = torch.cat([start[None], states])
    used = states[1:] if network.config.wiring == "equation4" else states[: len(target)]

    from_context = linear(contexts, network.C_o, half)
    t = linear(used, network.U_o, half) + linear(embedded, network.V_o, half) + from_context + network.b_o
    t = network.apply_dropout(F.max_pool1d(t, 2))  # maxout: (target, batch, l)
    return TeacherForcedPass(t, used, embedded, contexts, alphas)


def compute_loss(network: GRUNetwork, source: Tensor, target: Tensor, *, half: bool = False, smoothing: float = 0.0) -> Tensor:
    """Summed negative log-likelihood (nats) of padded (batch, target) pieces given padded (batch, source) pieces.

    The label of every piece is smoothed by so much.

    Equal to `network.loss` with dropout off; with dropout on, embeddings and readout are dropped as there, from the
    same random generator but in time-major order. The batch must be well formed (EOS last, padding right): nothing is
    checked.
    """
    if type(network) not in (RNNsearch, RNNencdec):
        raise TypeError(f"the mathematics here is that of RNNsearch and RNNencdec, not of {type(network).__name__}")
    source, target = source.T.contiguous(), target.T.contiguous()
    return compute_output_loss(network, run_teacher_forced(network, source, target, half), target, half, smoothing)


def compute_output_loss(network: GRUNetwork, made: TeacherForcedPass, target: Tensor, half: bool, smoothing: float) -> Tensor:
    """The summed loss of the pieces (target, batch), given the pass that they forced."""
    rows, pieces = select_target_tokens(target)
    readouts = made.readouts.flatten(0, 1)[rows]
    found: Tensor = OutputLoss.apply(readouts, network.W_o, network.b_w, pieces, half, smoothing)
    return found
