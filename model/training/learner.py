"""A network that learns, one update at a time: its loss, gradients, clipping, optimiser and running average.

`model.training.trainer` runs it over prepared text for hours, `model.training.live` over a toy task for a minute.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from model.networks import registry
from model.training.batches import Batch, Position
from model.training.cuda_graphs import CudaGraphCache
from model.training.distributed import ProcessGroup, allocate_gradients
from model.training.machine import check_memory, supports_bfloat16
from model.training.recipe import OptimiserSettings, Recipe

BYTES_PER_PARAMETER = 20  # float32: weight, gradient, average and Adam's two means
LOSS_DECAY = 0.98  # of the running mean of the loss, per update


class TrainingError(ValueError):
    """Training cannot continue. The saved state is unchanged."""


@dataclass
class Progress:
    """The counters of a run, saved with its state."""

    updates: int = 0
    target_tokens: int = 0  # seen, EOS included
    seconds: float = 0.0  # spent in updates
    processor_seconds: float = 0.0  # processor time in updates, of all threads and processes
    restarts: int = 0
    position: Position = field(default_factory=Position)
    best: float = -1.0  # dev BLEU
    curve: list[dict[str, Any]] = field(default_factory=list)  # an entry per dev evaluation
    loss: float = float("nan")  # running mean per target token, nats
    cooling: tuple[int, int] | None = None  # target tokens at which the rate begins to fall, and is zero

    def compute_cool_down_factor(self) -> float:
        """Return the factor of the learning rate: 1 before the cool-down, falling to 0 at its end."""
        if self.cooling is None:
            return 1.0
        begin, end = self.cooling
        return min(1.0, max(0.0, (end - self.target_tokens) / (end - begin)))

    def compute_end_tokens(self, max_tokens: int | None) -> int | None:
        """Return the target tokens at which a run ends: `max_tokens` (None: never), or the end of its
        cool-down if that comes earlier."""
        return min(max_tokens or self.cooling[1], self.cooling[1]) if self.cooling else max_tokens


class Learner:
    """A network of `kind` with new weights by the recipe's seed, and what its updates need.

    Call `prepare` when the weights to begin with are in place, and `update` for each batch. `gradient_norm` is that of
    the last update, before clipping. Raises SettingsFileError for settings that do not fit the kind.
    """

    def __init__(self, recipe: Recipe, kind: str, vocabulary: int, group: ProcessGroup, name: str = "") -> None:
        self.recipe, self.group = recipe, group
        self.kind = registry.find_kind(kind)
        self.device = group.device
        config = recipe.build_network_config(kind, vocabulary)
        self.has_fused_loss = self.kind.can_capture_loss(config, recipe.training.label_smoothing)
        self.use_bfloat16 = self.has_fused_loss and supports_bfloat16(self.device)  # a network's own loss is in float32
        with torch.device("meta"):  # has shapes, but no memory
            parameter_count = sum(parameter.numel() for parameter in self.kind.build(config).parameters())
        check_memory(BYTES_PER_PARAMETER * parameter_count,
                     f"training {name or kind} with {parameter_count:,} parameters")
        torch.manual_seed(recipe.training.seed)
        self.network: Any = self.kind.build(config)
        self.progress = Progress()
        self.learning_rate = recipe.optimiser.compute_learning_rate(1)
        self.gradient_norm = 0.0

    def prepare(self) -> None:
        """Move the network to the device; create its running average and its optimisers."""
        self.network.to(self.device)
        self.parameters: list[torch.Tensor] = list(self.network.parameters())
        self._gradients: torch.Tensor | None = None  # on a GPU or with several processes, from the first update on
        self._graphs: CudaGraphCache | None = None  # on a GPU
        has_average = self.recipe.training.average_decay > 0
        self.average: Any = copy.deepcopy(self.network).eval() if has_average else self.network
        self.optimisers = create_optimisers(self.recipe.optimiser, self.parameters, self.network.config.vocabulary)

    def compute_loss(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Return the summed loss of a batch of tokens, in nats."""
        return self.kind.compute_loss(self.network, source, target, use_bfloat16=self.use_bfloat16,
                                      smoothing=self.recipe.training.label_smoothing)

    def compute_gradients(self, batch: Batch) -> float:
        """Compute the gradients of a batch, summed over processes; return its summed loss in nats."""
        self.network.train()
        if self.group.size == 1 and self.device.type == "cpu":
            for parameter in self.parameters:
                parameter.grad = None  # backward() then assigns instead of adding
        else:
            if self._gradients is None:
                self._gradients = allocate_gradients(self.parameters)
            self._gradients.zero_()
        if self._graphs is None and self.device.type == "cuda" and self.has_fused_loss:
            self._graphs = CudaGraphCache(self.compute_loss, self.parameters)
        source, target = batch.select_rank_rows(self.group.rank, self.group.size)
        divisor = batch.target_tokens if self.recipe.optimiser.reduction == "mean" else 1
        total = self.parameters[0].new_zeros(())
        if len(source) and self._graphs is not None:
            total = self._graphs.compute_gradients(source, target, divisor)
        elif len(source):
            total = self.compute_loss(*(torch.from_numpy(ids).to(self.device) for ids in (source, target)))
            (total / divisor).backward()
        return self.group.all_reduce_gradients(self._gradients, total.detach()).item()

    def update(self, batch: Batch) -> float:
        """Do one update; return the mean loss per target token in nats, auxiliary losses included.

        Raises TrainingError if the loss or its gradient is not finite.
        """
        settings, training, progress = self.recipe.optimiser, self.recipe.training, self.progress
        update = progress.updates + 1
        self.group.seed_dropout(training.seed, update)
        mean = self.compute_gradients(batch) / batch.target_tokens
        norm = nn.utils.get_total_norm([x.grad for x in self.parameters if x.grad is not None])
        if not (math.isfinite(mean) and math.isfinite(norm.item())):
            raise TrainingError(
                f"at update {update:,} the loss per token is {mean} and the norm of its gradient {norm.item()}; the "
                "last save is kept, but with this recipe it will happen again: lower optimiser.rate or optimiser.clip"
            )
        self.gradient_norm = norm.item()
        if self.gradient_norm > settings.clip:  # saves a multiplication by 1
            nn.utils.clip_grads_with_norm_(self.parameters, settings.clip, norm)
        self.learning_rate = settings.compute_learning_rate(update) * progress.compute_cool_down_factor()
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = self.learning_rate
            optimiser.step()
        torch.autograd.graph.increment_version(self.parameters)  # fused Adam does not; fast decoders compare versions
        progress.loss = mean if update == 1 else LOSS_DECAY * progress.loss + (1 - LOSS_DECAY) * mean
        progress.updates = update
        progress.target_tokens += batch.target_tokens
        progress.position = batch.next_position
        if update % training.average_every == 0 and self.average is not self.network:
            # At first the mean of all weights so far; a constant decay would keep the untrained weights too long.
            decay = min(training.average_decay, 1 - 1 / (update // training.average_every))
            with torch.no_grad():
                for average, parameter in zip(self.average.parameters(), self.parameters, strict=True):
                    average.lerp_(parameter, 1 - decay)
        return mean


def create_optimisers(
    settings: OptimiserSettings, parameters: list[torch.Tensor], vocabulary: int
) -> list[torch.optim.Optimizer]:
    """Create the recipe's optimiser; with Muon two, because Muon is for hidden layers and Adam for the rest.

    Embeddings and the output layer have a row or column per entry of the vocabulary. Muon's rate is scaled to updates
    of the size of Adam's (Liu et al. 2025, "Muon is scalable for LLM training", section 2.2).
    """
    if settings.rho is not None:
        return [torch.optim.Adadelta(parameters, lr=settings.rate, rho=settings.rho, eps=settings.epsilon)]
    assert settings.betas is not None
    if settings.momentum is None:
        return [torch.optim.Adam(parameters, lr=settings.rate, betas=settings.betas, eps=settings.epsilon, fused=True)]
    hidden_parameters: list[torch.Tensor] = []
    other_parameters: list[torch.Tensor] = []
    for parameter in parameters:
        is_hidden = parameter.ndim == 2 and vocabulary not in parameter.shape
        (hidden_parameters if is_hidden else other_parameters).append(parameter)
    adam = torch.optim.Adam(other_parameters, lr=settings.rate, betas=settings.betas, eps=settings.epsilon, fused=True)
    return [adam, torch.optim.Muon(hidden_parameters, lr=settings.rate, momentum=settings.momentum, weight_decay=0.0,
                                   adjust_lr_fn="match_rms_adamw")]
