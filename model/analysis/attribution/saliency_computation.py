"""Gradient times input, integrated gradients and occlusion of one sentence pair, as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.attribution.saliency_record import MIN_CHANGE, SaliencyError, compute_completeness_gaps
from model.decoding.batch_decoder import get_device
from model.decoding.stop_callback import StopCallback, raise_if_stopped
from model.decoding.translate import TranslationModel
from model.networks.base import SourceEmbedder
from model.progress import FractionCallback
from model.text.vocabulary import PAD

MAX_GAP = 0.01  # by how much the sum of a row of integrated gradients may miss the change it explains, as a share
MAX_CELL_CHANGE = 0.05  # between two refinements; errors of cells can cancel in the sum
MIN_INTERVALS, MAX_INTERVALS = 8, 512  # of the quadrature
BATCH_SIZE = 32  # sources
MAX_RETAINED = 150_000  # batch times source times target tokens; each retains about 2 kB for the backward pass


def require_source_embedder(model: TranslationModel) -> SourceEmbedder:
    """Return the network of a model. Raises SaliencyError if it gives no access to its source embeddings."""
    if not isinstance(model.network, SourceEmbedder):
        raise SaliencyError(f"{model.name} does not give access to its source embeddings, so that saliency cannot be "
                            "computed: choose another model.")
    return model.network


class SaliencyComputation:
    """One sentence pair as token ids, and the network that attributes it, in the network's own precision."""

    def __init__(
        self, network: SourceEmbedder, source: Sequence[int], target: Sequence[int], on_progress: FractionCallback,
        should_stop: StopCallback | None = None,
    ) -> None:
        self.network, self.target, self.on_progress, self.should_stop = network, target, on_progress, should_stop
        self.source = torch.tensor([list(source)], device=get_device(network))
        with torch.no_grad():
            self.embedded = network.embed_source(self.source).detach()  # x (1, S, m)
        self.log_probabilities = self._evaluate(self.embedded)[:, 0]

    def occlude(self, groups: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log p of each target token without each group of source tokens, (T, groups).

        `groups` (groups, S) is 1 for the tokens of a group.
        """
        factors = torch.from_numpy(1 - groups).to(self.embedded)[:, :, None]
        log_probs = []
        for part in factors.split(BATCH_SIZE):
            log_probs.append(self._evaluate(part * self.embedded))
            self.on_progress(sum(values.shape[1] for values in log_probs) / len(groups))
        return np.concatenate(log_probs, axis=1)

    def compute_gradient_times_input(self) -> NDArray[np.float64]:
        """Return gradient times input, (T, S)."""
        gradients = self.compute_gradients_at([1.0], range(len(self.target)), self.on_progress)
        return np.stack([gradients[i][0] for i in range(len(self.target))])

    def compute_integrated_gradients(self) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
        """Return integrated gradients (T, S), log p with a zero source (T,), and each row's number of points.

        The average is a Clenshaw-Curtis quadrature. The intervals are doubled, keeping the points, until a row is
        complete and its cells no longer change.
        """
        zero_source_log_probs = self._evaluate(0 * self.embedded)[:, 0]
        values = np.zeros((len(self.target), self.source.shape[1]))
        gradients_by_point: dict[int, dict[float, NDArray[np.float64]]] = {i: {} for i in range(len(self.target))}
        point_counts = [0] * len(self.target)
        pending, intervals, finished_share = list(gradients_by_point), MIN_INTERVALS, 0.0
        while pending:
            points, weights = compute_clenshaw_curtis(intervals)
            coarse_rule = compute_clenshaw_curtis(intervals // 2)
            new_points = [point for point in points if point not in gradients_by_point[pending[0]]]

            def report(fraction: float, finished_share: float = finished_share) -> None:
                # A round is taken to leave half of the rest.
                self.on_progress(finished_share + (1 - finished_share) * fraction / 2)

            unfinished: list[int] = []
            for i, gradients in self.compute_gradients_at(new_points, pending, report).items():
                gradients_by_point[i] |= dict(zip(new_points, gradients, strict=True))
                values[i], coarse = (
                    sum(weight * gradients_by_point[i][point] for point, weight in zip(*rule, strict=True))
                    for rule in ((points, weights), coarse_rule)
                )
                point_counts[i] = len(points)
                row = slice(i, i + 1)
                gap = compute_completeness_gaps(values[row], self.log_probabilities[row], zero_source_log_probs[row])[0]
                scale = max(MIN_CHANGE, abs(self.log_probabilities[i] - zero_source_log_probs[i]))
                is_rough = gap > MAX_GAP or np.abs(values[i] - coarse).max() > MAX_CELL_CHANGE * scale
                if is_rough and intervals < MAX_INTERVALS:
                    unfinished.append(i)
            pending, intervals = unfinished, 2 * intervals
            finished_share = max(finished_share + (1 - finished_share) / 2, 1 - len(pending) / len(self.target))
            self.on_progress(finished_share)
        return values, zero_source_log_probs, point_counts

    def compute_gradients_at(
        self, scales: Sequence[float], rows: Sequence[int], on_progress: FractionCallback | None = None
    ) -> dict[int, NDArray[np.float64]]:
        """Return, for some target positions, the gradient at scaled sources times the full source, (scales, S)."""
        x = self.embedded
        parts: dict[int, list[NDArray[np.float64]]] = {i: [] for i in rows}
        with torch.enable_grad():
            batch_size = max(1, min(BATCH_SIZE, MAX_RETAINED // (x.shape[1] * (max(rows) + 1))))
            batches = torch.tensor(scales, dtype=x.dtype, device=x.device).split(batch_size)
            for batch in batches:
                scaled = (batch[:, None, None] * x).requires_grad_()
                log_probs = self._force_target(scaled, max(rows) + 1)
                for i in rows:
                    raise_if_stopped(self.should_stop)
                    (gradient,) = torch.autograd.grad(log_probs[i].sum(), scaled, retain_graph=True)
                    parts[i].append((gradient * x).sum(-1).double().cpu().numpy())
                    if on_progress is not None:
                        on_progress(sum(map(len, parts.values())) / (len(rows) * len(batches)))
        return {i: np.concatenate(arrays) for i, arrays in parts.items()}

    @torch.no_grad()
    def _evaluate(self, embedded: Tensor) -> NDArray[np.float64]:
        """Return log p of the target tokens, (T, rows), for source embeddings (rows, S, m)."""
        return torch.stack(self._force_target(embedded, len(self.target))).double().cpu().numpy()

    def _force_target(self, embedded: Tensor, steps: int) -> list[Tensor]:
        """Return log p of each of the first target tokens, (rows,), for source embeddings (rows, S, m)."""
        rows = len(embedded)
        state = self.network.start(self.network.encode(self.source.expand(rows, -1), embedded))
        log_probs, previous = [], PAD
        for token in self.target[:steps]:
            raise_if_stopped(self.should_stop)
            result = self.network.step(state, torch.full((rows,), previous, device=embedded.device))
            log_probs.append(result.log_probs[:, token])
            state, previous = result.state, token
        return log_probs


def compute_clenshaw_curtis(intervals: int) -> tuple[list[float], list[float]]:
    """Return the points in [0, 1] and weights, with sum 1, of a Clenshaw-Curtis quadrature with an even interval count.

    It is exact for polynomials up to that degree. Its points contain those of half the intervals, bit by bit.
    """
    half_intervals = intervals // 2
    points = [0.5 - 0.5 * float(np.cos(np.pi * (k / intervals))) for k in range(intervals + 1)]
    weights = []
    for k in range(intervals + 1):
        total = sum((1 if j == half_intervals else 2) / (4 * j * j - 1) * np.cos(2 * j * k * np.pi / intervals)
                    for j in range(1, half_intervals + 1))
        weights.append(float((1 - total) * (1 if k in (0, intervals) else 2) / (2 * intervals)))
    return points, weights
