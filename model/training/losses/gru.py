"""The fused loss of RNNsearch and RNNencdec: the loss of `model.networks.rnnsearch` over whole sequences, much faster.

The loops over time are custom autograd functions. The forward pass keeps only what the backward pass needs. The
backward pass collects the gradients of the pre-activations, so that each weight gradient is one matrix product over all
steps. Input projections are computed outside the loops. With `use_bfloat16`, matrix products are in bfloat16; states
and element-wise operations keep the precision of the parameters.

All three wirings are one chain: s_0; c_i = attend(s_i); s_{i+1} = GRU(p_i, s_i, c_i). They differ in the projected
previous token p_i of a step and in the state that the readout takes. Time is the first dimension: (target, batch,
hidden). The attention's tanh is computed as 2 sigmoid(2x) - 1, which is several times faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from model.networks.base import shift_target
from model.networks.rnnsearch import GRU, GRUNetwork, RNNsearch
from model.text.vocabulary import PAD
from model.training.losses.common import (
    OutputLoss,
    call_kernel,
    cast_to_bfloat16,
    find_padding,
    get_training_kernels,
    linear,
    select_target_tokens,
)


def _step(pre: Tensor, s: Tensor, u_gates: Tensor, u: Tensor, token_mask: Tensor | None, use_bfloat16: bool,
          kernels: Any, gates: Tensor, candidate: Tensor, rs: Tensor, new_s: Tensor) -> None:
    """Compute one GRU step into buffers: z and r into `gates` (batch, 2n), s' into `new_s`.

    Where `token_mask` (batch, 1) is 0, s' = s.
    """
    n = s.shape[1]
    product = cast_to_bfloat16(s, use_bfloat16) @ u_gates.T
    if kernels:
        call_kernel(kernels.compute_gru_gates, pre, product.to(s.dtype), s,
                    s[:0] if token_mask is None else token_mask, gates, rs)
        product = (rs.to(u.dtype) @ u.T).to(s.dtype)
        call_kernel(kernels.update_gru, pre, product, s, gates, candidate, new_s)
        return
    torch.add(pre[:, : 2 * n], product, out=gates)
    gates.sigmoid_()
    z, r = gates[:, :n], gates[:, n:]
    if token_mask is not None:
        z.mul_(token_mask)
    torch.mul(r, s, out=rs)
    torch.add(pre[:, 2 * n :], rs.to(u.dtype) @ u.T, out=candidate)
    candidate.tanh_()
    torch.lerp(s, candidate, z, out=new_s)


def _step_backward(ds: Tensor, s: Tensor, gates: Tensor, candidate: Tensor, u_gates: Tensor, u: Tensor, kernels: Any,
                     dpre: Tensor) -> Tensor:
    """Fill dpre (batch, 3n) and return the gradient of s, given the gradient of s', which is overwritten."""
    n = s.shape[1]
    z, r = gates[:, :n], gates[:, n:]
    dz, dr, dc = dpre[:, :n], dpre[:, n : 2 * n], dpre[:, 2 * n :]
    if kernels:
        call_kernel(kernels.update_gru_backward, ds, gates, candidate, dpre)
        drs = (dc.to(u.dtype) @ u).to(s.dtype)
        call_kernel(kernels.compute_gru_gates_backward, s, gates, candidate, drs, ds, dpre)
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


class GRUSequence(Function):
    """A GRU over all steps: (time, batch, 3n) projected inputs, (batch, n) start -> (time, batch, n) states."""

    @staticmethod
    def forward(ctx: Any, pre: Tensor, start: Tensor, u_gates: Tensor, u: Tensor, token_mask: Tensor | None,
                backward_in_time: bool, use_bfloat16: bool) -> Tensor:
        time, batch, n = len(pre), len(start), u.shape[0]
        ugh, uh = cast_to_bfloat16(u_gates, use_bfloat16), cast_to_bfloat16(u, use_bfloat16)
        gates, candidates = pre.new_empty(time, batch, 2 * n), pre.new_empty(time, batch, n)
        rs, states = pre.new_empty(time, batch, n), pre.new_empty(time, batch, n)
        s, kernels = start, get_training_kernels(pre, start)
        for t in reversed(range(time)) if backward_in_time else range(time):
            _step(pre[t], s, ugh, uh, None if token_mask is None else token_mask[t], use_bfloat16, kernels, gates[t],
                  candidates[t], rs[t], states[t])
            s = states[t]
        ctx.save_for_backward(start, ugh, uh, gates, candidates, rs, states)
        ctx.backward_in_time, ctx.use_bfloat16 = backward_in_time, use_bfloat16
        return states

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        start, ugh, uh, gates, candidates, rs, states = ctx.saved_tensors
        time, n = len(states), uh.shape[0]
        previous = torch.cat([states[1:], start[None]] if ctx.backward_in_time else [start[None], states[:-1]])[:time]
        dpre = states.new_empty(time, len(start), 3 * n)
        ds, kernels = torch.zeros_like(start), get_training_kernels(states)
        for t in range(time) if ctx.backward_in_time else reversed(range(time)):
            ds += grads[0][t]
            ds = _step_backward(ds, previous[t], gates[t], candidates[t], ugh, uh, kernels, dpre[t])
        d = cast_to_bfloat16(dpre, ctx.use_bfloat16).flatten(0, 1)
        du_gates = (d[:, : 2 * n].T @ previous.to(d.dtype).flatten(0, 1)).to(dpre.dtype)
        du = (d[:, 2 * n :].T @ rs.to(d.dtype).flatten(0, 1)).to(dpre.dtype)
        return dpre, ds, du_gates, du, None, None, None


class _AttentiveSequence(Function):
    """Attention and GRU in turns: (updates + 1, batch, n) states, (target, batch, 2n) contexts, (target, batch, source)
    alphas.

    pre (updates, batch, 3n); start (batch, n); keys = U_a h (batch, source, n'); h (batch, source, 2n); padding_mask
    (batch, source) or None if there is no padding. Attention is computed once per target token; there are as many GRU
    updates or one fewer. With `v_cover` (n',) the energies depend on coverage, e_ij = v_a^T tanh(W_a s + U_a h_j +
    v_cover C_ij), where C_ij = (alpha_1j + .. + alpha_{i-1,j}) / Phi_j; inverse_fertility (batch, source) is 1 / Phi_j,
    and 1 if it is None.
    """

    @staticmethod
    def forward(ctx: Any, pre: Tensor, start: Tensor, keys: Tensor, h: Tensor, padding_mask: Tensor | None,
                u_gates: Tensor, u: Tensor, c_weight: Tensor, w_a: Tensor, v_a: Tensor, v_cover: Tensor | None,
                inverse_fertility: Tensor | None, steps: int, use_bfloat16: bool) -> tuple[Tensor, Tensor, Tensor]:
        updates, (batch, n) = len(pre), start.shape
        ugh, uh, ch, wah = (cast_to_bfloat16(w, use_bfloat16) for w in (u_gates, u, c_weight, w_a))
        gates, candidates = pre.new_empty(updates, batch, 2 * n), pre.new_empty(updates, batch, n)
        rs, states = pre.new_empty(updates, batch, n), pre.new_empty(updates + 1, batch, n)
        contexts, alphas = h.new_empty(steps, batch, h.shape[2]), h.new_empty(steps, batch, h.shape[1])
        coverage = torch.zeros_like(alphas[0])
        queries = h.new_empty(steps, batch, len(w_a))
        states[0] = start
        # Below, `keys2` and `queries` hold 2 U_a h_j and 2 W_a s. With kernels they hold the exponentials of these.
        keys2, v2 = 2 * keys, 2 * v_a
        buffer = torch.empty_like(keys)
        kernels = get_training_kernels(pre, start, keys, h, v_a)
        attention_kernels = kernels if v_cover is None else None
        if attention_kernels:
            call_kernel(attention_kernels.exp_doubled, keys, keys2)
            lengths = _sentence_lengths(keys, padding_mask)
        for i in range(steps):
            s = states[i]
            query = cast_to_bfloat16(s, use_bfloat16) @ wah.T
            if attention_kernels:
                call_kernel(attention_kernels.exp_doubled, query.to(s.dtype), queries[i])
                call_kernel(attention_kernels.attend, queries[i], keys2, v_a, h, lengths, alphas[i], contexts[i])
            else:
                # Eq. 6, e_ij = v_a^T tanh(W_a s + U_a h_j), with tanh x = 2 sigmoid(2x) - 1.
                torch.mul(query, 2, out=queries[i])
                torch.add(keys2, queries[i][:, None], out=buffer)
                if v_cover is not None:
                    buffer.addcmul_(_scale(coverage, inverse_fertility)[:, :, None], 2 * v_cover)
                e = buffer.sigmoid_() @ v2  # up to a constant, which softmax ignores
                if padding_mask is not None:
                    e.masked_fill_(padding_mask, -torch.inf)
                torch.softmax(e, -1, out=alphas[i])
                torch.bmm(alphas[i][:, None], h, out=contexts[i][:, None])
                coverage += alphas[i]
            if i < updates:
                p = pre[i] + cast_to_bfloat16(contexts[i], use_bfloat16) @ ch.T
                _step(p, s, ugh, uh, None, use_bfloat16, kernels, gates[i], candidates[i], rs[i], states[i + 1])
        ctx.kernels, ctx.attention_kernels = kernels, attention_kernels
        ctx.save_for_backward(keys2, v_a, v_cover, inverse_fertility, h, ugh, uh, ch, wah, gates, candidates, rs,
                              states, contexts, alphas, queries, padding_mask)
        ctx.set_materialize_grads(False)  # alphas often have no gradient of their own
        return states, contexts, alphas

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (keys2, v_a, v_cover, inverse_fertility, h, ugh, uh, ch, wah, gates, candidates, rs, states, contexts, alphas,
         queries, padding_mask) = ctx.saved_tensors
        updates, steps = len(gates), len(contexts)
        batch, n = states.shape[1:]
        dpre, dqueries = rs.new_empty(updates, batch, 3 * n), torch.empty_like(queries)
        dcontexts = grads[1].clone()
        dkeys, dv = torch.zeros_like(keys2), torch.zeros_like(v_a)
        kernels, attention_kernels = ctx.kernels, ctx.attention_kernels
        if attention_kernels:
            lengths, dvs = _sentence_lengths(keys2, padding_mask), torch.zeros_like(queries[0])
            no_gradient = torch.zeros_like(alphas[0])
        else:
            sigmoid, slope = torch.empty_like(keys2), torch.empty_like(keys2)
        ds = grads[0][updates].clone() if updates == steps else torch.zeros_like(states[0])
        dcover = None if v_cover is None else torch.zeros_like(v_cover)
        dinverse_fertility = None if inverse_fertility is None else torch.zeros_like(inverse_fertility)
        coverage = alphas.sum(0)
        dcoverage = torch.zeros_like(coverage)
        for i in reversed(range(steps)):
            coverage -= alphas[i]
            if i < updates:
                ds = _step_backward(ds, states[i], gates[i], candidates[i], ugh, uh, kernels, dpre[i])
                dcontexts[i] += dpre[i].to(ch.dtype) @ ch
            ds += grads[0][i]
            if attention_kernels:
                dalpha = no_gradient if grads[2] is None else grads[2][i]
                call_kernel(attention_kernels.attend_backward, queries[i], keys2, v_a, h, lengths, alphas[i],
                            dcontexts[i], dalpha, dqueries[i], dkeys, dvs)
                ds += dqueries[i].to(wah.dtype) @ wah
                continue
            alpha = alphas[i]  # (batch, source)
            dalpha = (h * dcontexts[i][:, None]).sum(-1) + dcoverage
            if grads[2] is not None:
                dalpha += grads[2][i]
            de = alpha * (dalpha - (alpha * dalpha).sum(-1, keepdim=True))
            # Eq. 6 backward: the slope of tanh x is 4 sigmoid(2x) (1 - sigmoid(2x)).
            torch.add(keys2, queries[i][:, None], out=sigmoid)
            if v_cover is not None:
                sigmoid.addcmul_(_scale(coverage, inverse_fertility)[:, :, None], 2 * v_cover)
            sigmoid.sigmoid_()
            dv += de.flatten() @ sigmoid.flatten(0, 1)  # tanh's constant cancels: sum_j de_j = 0
            torch.addcmul(sigmoid, sigmoid, sigmoid, value=-1, out=slope)
            torch.mul(torch.bmm(de[:, None], slope)[:, 0], 4 * v_a, out=dqueries[i])
            dkeys.addcmul_(slope, de[:, :, None])
            if v_cover is not None and dcover is not None:
                dcover.addcmul_((de * _scale(coverage, inverse_fertility)).flatten() @ slope.flatten(0, 1), 4 * v_a)
                dC = de * (slope @ (4 * v_a * v_cover))  # of C_i
                dcoverage += _scale(dC, inverse_fertility)
                if dinverse_fertility is not None:
                    dinverse_fertility.addcmul_(dC, coverage)
            ds += dqueries[i].to(wah.dtype) @ wah
        if attention_kernels:
            dkeys *= v_a
            dv = dvs.sum(0)
        else:
            dkeys *= 4 * v_a
            dv *= 2
        dh = torch.bmm(alphas.permute(1, 2, 0), dcontexts.transpose(0, 1))
        d, previous = dpre.to(uh.dtype).flatten(0, 1), states.to(uh.dtype)
        du_gates = d[:, : 2 * n].T @ previous[:updates].flatten(0, 1)
        du = d[:, 2 * n :].T @ rs.to(uh.dtype).flatten(0, 1)
        dc = d.T @ contexts[:updates].to(uh.dtype).flatten(0, 1)
        dw_a = dqueries.to(uh.dtype).flatten(0, 1).T @ previous[:steps].flatten(0, 1)
        dtype = dpre.dtype
        return (dpre, ds, dkeys, dh, None, du_gates.to(dtype), du.to(dtype), dc.to(dtype), dw_a.to(dtype), dv, dcover,
                dinverse_fertility, None, None)


def _sentence_lengths(keys: Tensor, padding_mask: Tensor | None) -> Tensor:
    """Return the number of tokens of each source sentence, (batch,)."""
    lengths = torch.full((len(keys),), keys.shape[1])
    return lengths if padding_mask is None else lengths - padding_mask.sum(1)


def _scale(coverage: Tensor, inverse_fertility: Tensor | None) -> Tensor:
    return coverage if inverse_fertility is None else coverage * inverse_fertility


def _project(gru: GRU, embedded: Tensor, use_bfloat16: bool) -> Tensor:
    """Return W e with the candidate's bias, (time, batch, m) -> (time, batch, 3n)."""
    return linear(embedded, gru.W, use_bfloat16) + gru.input_bias


def _select_inputs(network: GRUNetwork, projected: Tensor) -> Tensor:
    """Return the projected previous tokens that are the inputs of the GRU updates, in order."""
    wiring = network.config.wiring
    return projected if wiring == "equation4" else projected[1:] if wiring == "groundhog" else projected[:-1]


@dataclass(frozen=True)
class TeacherForcedOutput:
    """The results of a teacher-forced pass; time is the first dimension."""

    readouts: Tensor  # t, after maxout and dropout: (target, batch, l)
    states: Tensor  # the states of the readout (target, batch, n)
    embedded: Tensor  # the previous tokens, after dropout (target, batch, m)
    contexts: Tensor  # (target, batch, 2n); for RNNencdec (1, batch, n)
    alphas: Tensor | None  # (target, batch, source)


def run_teacher_forced(
    network: GRUNetwork, source: Tensor, target: Tensor, use_bfloat16: bool, v_cover: Tensor | None = None,
    compute_inverse_fertility: Callable[[Tensor], Tensor | None] | None = None, previous: Tensor | None = None,
) -> TeacherForcedOutput:
    """Run the network on tokens (source, batch) and (target, batch).

    v_cover: weights of coverage, see `_AttentiveSequence`. compute_inverse_fertility: from the annotations (batch,
    source, 2n) to 1 / Phi_j (batch, source). previous: the tokens that the decoder reads, (target, batch), if not the
    shifted target.
    """
    present = source != PAD
    padding = find_padding(present)
    token_mask = None if padding is None else present[:, :, None].to(network.W_s.dtype)
    embedded = network.apply_dropout(F.embedding(source, network.source_embedding.weight, PAD))  # (source, batch, m)
    batch, n = source.shape[1], network.config.hidden
    zero = network.W_s.new_zeros(batch, n)

    encoder = network.encoder
    pre = _project(encoder, embedded, use_bfloat16)
    forward = GRUSequence.apply(pre, zero, encoder.U_gates, encoder.U, token_mask, False, use_bfloat16)
    if isinstance(network, RNNsearch):
        gru = network.encoder_backward
        pre = _project(gru, embedded, use_bfloat16)
        backward = GRUSequence.apply(pre, zero, gru.U_gates, gru.U, token_mask, True, use_bfloat16)
        summary = backward[0]
    else:
        summary = forward[-1]
    start = torch.tanh(linear(summary, network.W_s, use_bfloat16) + network.b_s)

    if previous is None:
        previous = shift_target(target.T).T
    embedded = network.apply_dropout(F.embedding(previous, network.target_embedding.weight, PAD))  # (target, batch, m)
    decoder = network.decoder
    inputs = _select_inputs(network, _project(decoder, embedded, use_bfloat16))  # (updates, batch, 3n)
    assert decoder.C is not None
    alphas = None
    if isinstance(network, RNNsearch):
        h = torch.cat([forward, backward], dim=-1).transpose(0, 1).contiguous()  # (batch, source, 2n)
        keys = linear(h, network.U_a, use_bfloat16)  # (batch, source, n')
        padding_mask = None if padding is None else padding.T
        states, contexts, alphas = _AttentiveSequence.apply(
            inputs, start, keys, h, padding_mask, decoder.U_gates, decoder.U, decoder.C, network.W_a, network.v_a,
            v_cover, None if compute_inverse_fertility is None else compute_inverse_fertility(h), len(target),
            use_bfloat16)  # fmt: skip
    else:
        contexts = summary[None]
        constant = linear(summary, decoder.C, use_bfloat16)
        states = GRUSequence.apply(inputs + constant, start, decoder.U_gates, decoder.U, None, False, use_bfloat16)
        states = torch.cat([start[None], states])
    readout_states = states[1:] if network.config.wiring == "equation4" else states[: len(target)]

    t = linear(readout_states, network.U_o, use_bfloat16) + linear(embedded, network.V_o, use_bfloat16)
    t = t + linear(contexts, network.C_o, use_bfloat16) + network.b_o
    t = network.apply_dropout(F.max_pool1d(t, 2))  # maxout: (target, batch, l)
    return TeacherForcedOutput(t, readout_states, embedded, contexts, alphas)


def compute_loss(
    network: GRUNetwork, source: Tensor, target: Tensor, *, use_bfloat16: bool = False, smoothing: float = 0.0,
    previous: Tensor | None = None,
) -> Tensor:
    """Return the summed negative log-likelihood (nats) of padded (batch, target) given padded (batch, source) tokens.

    Equal to `network.loss` without dropout. Dropout is applied in the same places, but its random numbers are drawn in
    time-major order. The batch is not checked: EOS must be last, padding on the right. `smoothing` is label smoothing.
    `previous` (batch, target): the tokens that the decoder reads in place of the right ones, PAD first.
    """
    source, target = source.T.contiguous(), target.T.contiguous()
    previous = None if previous is None else previous.T
    output = run_teacher_forced(network, source, target, use_bfloat16, previous=previous)
    return compute_output_loss(network, output, target, use_bfloat16, smoothing)


def compute_output_loss(
    network: GRUNetwork, output: TeacherForcedOutput, target: Tensor, use_bfloat16: bool, smoothing: float
) -> Tensor:
    """Return the summed loss of tokens (target, batch), given the teacher-forced pass over them."""
    rows, tokens = select_target_tokens(target)
    readouts = output.readouts.flatten(0, 1)[rows]
    loss: Tensor = OutputLoss.apply(readouts, network.W_o, network.b_w, tokens, use_bfloat16, smoothing)
    return loss
