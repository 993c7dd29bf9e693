"""Asking a network what it leaned on, without looking at its attention: gradients and words left out.

Each method asks of a translation that stands already, piece by piece ("teacher forcing"): what did source piece x_j do
for log p(y_i | y_<i, x)? All need nothing but the source embeddings, which a network offers as
`model.networks.base.EmbedsSource`; RNNencdec has no other alignment than this. "Nothing" is an embedding of zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from model.analysis.attribution.saliency_record import MIN_CHANGE, Method, Saliency, SaliencyError, completeness_gaps
from model.decoding.overrides import Edits
from model.decoding.stop_callback import Stopped, go_on
from model.decoding.translate import prepare
from model.text.normalise import normalise
from model.text.vocabulary import PAD
from model.trace import Trace
from model.trace.trace import build_word_membership

if TYPE_CHECKING:
    from torch import Tensor

    from model.decoding.translate import Model
    from model.networks.base import SourceEmbedder

MAX_GAP = 0.01  # how far the sum of a row of integrated gradients may miss the change that it explains
MAX_CELL_CHANGE = (
    0.05  # how far a cell may lie from where half the points put it: errors of cells can cancel in the sum
)
MIN_INTERVALS, MAX_INTERVALS = (
    8,
    512,
)  # intervals of the quadrature: doubled from the first until the row is complete, or to the most
BATCH_SIZE = 32  # sources that are read together
MAX_RETAINED = 150_000  # of these times source pieces times target pieces, for whose gradients some 2 kB each are kept

ProgressCallback = Callable[[float], object]
"""Called now and then with how much of the work is done, from 0 to 1."""


def compute_saliency(model: Model, trace: Trace, method: Method, on_progress: ProgressCallback | None = None,
        stopped: Stopped | None = None) -> Saliency:
    """What each source piece did for each piece of the Trace's translation, which `model` made.

    SaliencyError for a network that does not offer its source embeddings, for a Trace of another model or made with
    changed attention; SearchStopped once `stopped` says so.
    """
    from model.networks.base import SourceEmbedder

    if not isinstance(model.network, SourceEmbedder):
        raise SaliencyError(f"{model.name} does not say what it makes of single source pieces, so that nothing can be "
                            "asked of them: choose another model.")
    source, target = get_piece_ids(model, trace)
    words = build_word_membership(trace.source.word_of, len(trace.source.words))
    asking = SaliencyComputation(model.network, source, target, on_progress or (lambda share: None), stopped)
    whole = asking.log_probabilities
    made = partial(Saliency, method, trace.source, trace.target, log_probabilities=tuple(whole), made_by=trace.made_by)
    if method == "occlusion":
        pieces, groups = (whole[:, None] - asking.occlude(each) for each in (np.eye(len(source)), words))
        return made(pieces.astype(np.float32), words=groups.astype(np.float32))
    if method == "gradient":
        return made(asking.gradient_times_input().astype(np.float32))
    values, without, points = asking.integrated_gradients()
    return made(values.astype(np.float32), without=tuple(without), points=tuple(points))


def get_piece_ids(model: Model, trace: Trace) -> tuple[list[int], list[int]]:
    """The source and the target pieces of a Trace that this very model made; SaliencyError for any other, and for one
    made with changed attention."""
    if trace.made_by.fingerprint != model.fingerprint:
        raise SaliencyError(f"The translation was made by the weights {trace.made_by.fingerprint}, those of "
                            f"{model.name} are {model.fingerprint}: translate the sentence anew.")
    if replace(Edits.from_text(trace.made_by.edits), prefix=()):
        raise SaliencyError("The translation was made with changed attention, which gradients would not see: take the "
                            "change back.")
    return prepare(model, normalise(trace.source.text)).ids, [step.id for step in trace.steps]


class SaliencyComputation:
    """One sentence and its translation, as piece ids, before a network of whatever precision."""

    def __init__(
        self,
        network: SourceEmbedder,
        source: Sequence[int],
        target: Sequence[int],
        on_progress: ProgressCallback,
        stopped: Stopped | None = None,
    ) -> None:
        import torch

        from model.decoding.batch_decoder import device_of

        self.network, self.target, self.on_progress, self.stopped = network, target, on_progress, stopped
        self.source = torch.tensor([list(source)], device=device_of(network))
        with torch.no_grad():
            self.embedded = network.embed_source(self.source).detach()  # x (1, S, m)
        self.log_probabilities = self._without_gradients(self.embedded)[:, 0]

    def occlude(self, groups: NDArray[np.float64]) -> NDArray[np.float64]:
        """log p of each target piece with each group of source pieces gone, (T, groups); `groups` (groups, S) has 1
        for the pieces that belong to one."""
        import torch

        kept = torch.from_numpy(1 - groups).to(self.embedded)[:, :, None]
        found = []
        for part in kept.split(BATCH_SIZE):
            found.append(self._without_gradients(part * self.embedded))
            self.on_progress(sum(one.shape[1] for one in found) / len(groups))
        return np.concatenate(found, axis=1)

    def gradient_times_input(self) -> NDArray[np.float64]:
        """Gradient times input, (T, S)."""
        shares = self.gradients_at([1.0], range(len(self.target)), self.on_progress)
        return np.stack([shares[i][0] for i in range(len(self.target))])

    def integrated_gradients(self) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
        """Integrated gradients (T, S), log p of each target piece with a source of zeros (T,), and the points that each
        row was averaged at.

        The average is that of Clenshaw and Curtis, whose points serve again when their number is doubled, row by row
        until the row is complete and steady.
        """
        without = self._without_gradients(0 * self.embedded)[:, 0]
        values = np.zeros((len(self.target), self.source.shape[1]))
        known: dict[int, dict[float, NDArray[np.float64]]] = {i: {} for i in range(len(self.target))}
        points = [0] * len(self.target)
        waiting, intervals, far = list(known), MIN_INTERVALS, 0.0
        while waiting:
            at, weights = clenshaw_curtis(intervals)
            coarse = clenshaw_curtis(intervals // 2)
            fresh = [one for one in at if one not in known[waiting[0]]]
            left: list[int] = []
            for i, shares in self.gradients_at(fresh, waiting, partial(self._told_between, far)).items():
                known[i] |= dict(zip(fresh, shares, strict=True))
                values[i], before = (sum(weight * known[i][one] for one, weight in zip(*rule, strict=True))
                                     for rule in ((at, weights), coarse))
                points[i] = len(at)
                of = max(MIN_CHANGE, abs(self.log_probabilities[i] - without[i]))
                missed = completeness_gaps(values[i : i + 1], self.log_probabilities[i : i + 1], without[i : i + 1])[0]
                if (
                    missed > MAX_GAP or np.abs(values[i] - before).max() > MAX_CELL_CHANGE * of
                ) and intervals < MAX_INTERVALS:
                    left.append(i)
            waiting, intervals = left, 2 * intervals
            far = max(far + (1 - far) / 2, 1 - len(waiting) / len(self.target))
            self.on_progress(far)
        return values, without, points

    def _told_between(self, done: float, share: float) -> None:
        """So much of a round of points is there, before which so much was `done`: it is taken to leave half of what was
        left, as rounds do."""
        self.on_progress(done + (1 - done) * share / 2)

    def gradients_at(self, shares: Sequence[float], rows: Sequence[int], on_progress: ProgressCallback | None = None
               ) -> dict[int, NDArray[np.float64]]:
        """For some target pieces the gradient times the whole source, (shares, S), at these shares of the source.
        `told` of each gradient."""
        import torch

        x = self.embedded
        found: dict[int, list[NDArray[np.float64]]] = {i: [] for i in rows}
        with torch.enable_grad():
            together = max(1, min(BATCH_SIZE, MAX_RETAINED // (x.shape[1] * (max(rows) + 1))))
            split = torch.tensor(shares, dtype=x.dtype, device=x.device).split(together)
            for part in split:
                scaled = (part[:, None, None] * x).requires_grad_()
                written = self._forced(scaled, max(rows) + 1)
                for i in rows:
                    go_on(self.stopped)
                    (gradient,) = torch.autograd.grad(written[i].sum(), scaled, retain_graph=True)
                    found[i].append((gradient * x).sum(-1).double().cpu().numpy())
                    if on_progress is not None:
                        on_progress(sum(map(len, found.values())) / (len(rows) * len(split)))
        return {i: np.concatenate(parts) for i, parts in found.items()}

    def _without_gradients(self, embedded: Tensor) -> NDArray[np.float64]:
        import torch

        with torch.no_grad():
            return torch.stack(self._forced(embedded, len(self.target))).double().cpu().numpy()

    def _forced(self, embedded: Tensor, steps: int) -> list[Tensor]:
        """log p of the first target pieces, each (rows,), for sources (rows, S, m)."""
        import torch

        rows = len(embedded)
        state = self.network.start(self.network.encode(self.source.expand(rows, -1), embedded))
        written, previous = [], PAD
        for piece in self.target[:steps]:
            go_on(self.stopped)
            result = self.network.step(state, torch.full((rows,), previous, device=embedded.device))
            written.append(result.log_probs[:, piece])
            state, previous = result.state, piece
        return written


def clenshaw_curtis(intervals: int) -> tuple[list[float], list[float]]:
    """Points from 0 to 1 and their weights, which sum to 1, for an even number of intervals: exact for polynomials up
    to that degree. Half of the points are those of half the intervals, to the bit."""
    half = intervals // 2
    points = [0.5 - 0.5 * float(np.cos(np.pi * (k / intervals))) for k in range(intervals + 1)]
    weights = []
    for k in range(intervals + 1):
        total = sum((1 if j == half else 2) / (4 * j * j - 1) * np.cos(2 * j * k * np.pi / intervals)
                    for j in range(1, half + 1))
        weights.append(float((1 - total) * (1 if k in (0, intervals) else 2) / (2 * intervals)))
    return points, weights
