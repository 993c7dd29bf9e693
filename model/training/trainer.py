"""The trainer: batches in, checkpoints out; stopped at any moment, it goes on as if nothing had happened.

A run lives in a folder: `state.pt` (weights, their running average, optimiser, random state, place in the data,
counters and diary; always a whole file) and `best/` (a checkpoint like the shipped ones: the averaged weights with the
highest dev BLEU, and the diary). What is evaluated and shipped is the running average of the weights.
"""

from __future__ import annotations

import copy
import hashlib
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import nn

from model.checkpoints import checkpoint
from model.networks import registry
from model.serialization.toml import read_section
from model.text.prepared import read_language_pair
from model.text.vocabulary import Vocabulary
from model.training.batches import Batch, Batches, DataError, Position
from model.training.cuda_graphs import CudaGraphCache
from model.training.development import DevelopmentSet
from model.training.diary import Diary
from model.training.diary_record import DIARY, DiaryRecord
from model.training.distributed import allocate_gradients, join_process_group
from model.training.held_out import held_out_loss
from model.training.lock import lock_run_folder
from model.training.machine import check_memory, describe_machine, limit_kernel_cache, supports_bfloat16
from model.training.muon import Muon
from model.training.recipe import OptimiserSettings, Plan, Recipe, RecipeError
from model.training.resumed import check_optimiser, check_origin, check_progress
from model.training.state import STATE, StateError, read_state, write_state

BYTES = 20  # of a parameter: itself, its gradient, its average and Adam's two means, in float32
_LOOSE = ("dropout", "coverage_loss")  # of a configuration: they act while training, and change no weight's meaning
SHARE_LOGGED = 0.98  # the running loss forgets this much of itself an update

__all__ = ["STATE", "Progress", "Report", "Trainer", "TrainingError", "describe_machine"]


class TrainingError(ValueError):
    """Training that cannot go on; the message says why, and that what was saved is untouched."""


@dataclass
class Progress:
    """Counters of a run; everything here is saved with it."""

    updates: int = 0
    pieces: int = 0  # target pieces seen, EOS included
    seconds: float = 0.0  # spent in updates
    processor_seconds: float = 0.0  # of the processor's time, all threads of all processes; of nobody else's work
    restarts: int = 0
    position: Position = field(default_factory=Position)
    best: float = -1.0  # dev BLEU
    curve: list[dict[str, Any]] = field(default_factory=list)  # one entry a dev evaluation
    loss: float = float("nan")  # running mean a target piece, nats, of what is minimised
    cooling: tuple[int, int] | None = None  # target pieces between which the rate falls to zero; the run ends there

    def cool_down_factor(self) -> float:
        """The share of the rate that the cool-down has left."""
        if self.cooling is None:
            return 1.0
        begin, end = self.cooling
        return min(1.0, max(0.0, (end - self.pieces) / (end - begin)))

    def end_tokens(self, pieces: int | None) -> int | None:
        """The target pieces at which a run of so many (None: no limit) ends: where its cool-down does, if sooner."""
        return min(pieces or self.cooling[1], self.cooling[1]) if self.cooling else pieces


@dataclass(frozen=True)
class Report:
    """What a listener is told after an update: counters, the rate and how fast it goes."""

    progress: Progress
    learning_rate: float
    tokens_per_second: float
    is_likelihood_only: (
        bool  # whether the loss is that of likelihood alone, to which smoothing or coverage adds something
    )
    event: str = ""  # "", "saved", "evaluated"


class Trainer:
    """One training run in `folder`. Raises RecipeError, DataError or CheckpointError before anything is written.

    `plan` says what is trained; `data` is a folder made by `python -m model data`; `initial` a checkpoint whose weights
    alone are started from; `threads` of the processor, where not all. Started by torchrun, all processes train as one:
    every one of them makes its Trainer and runs it, and `group.first` is the one that saves, evaluates and reports.
    """

    def __init__(self, folder: Path, recipe: Recipe, plan: Plan, data: Path, *, initial: str | None = None,
                 threads: int | None = None) -> None:
        limit_kernel_cache()
        if threads:
            torch.set_num_threads(threads)
        self.folder, self.recipe, self.plan, self.data = folder, recipe, plan, data
        self.kind = registry.find_kind(plan.kind)
        self.languages = read_language_pair(data)
        self.vocabulary_path = data / checkpoint.VOCABULARY
        if not self.vocabulary_path.exists():
            raise DataError(f"{data} holds no prepared text: make it first, python -m model data FOLDER --out {data}")
        self.vocabulary = Vocabulary.load(self.vocabulary_path)
        wanted = recipe.vocabulary
        if (self.vocabulary.kind, len(self.vocabulary)) != (wanted.kind, wanted.size):
            raise RecipeError(
                f"the recipe {recipe.name} wants a vocabulary of kind {wanted.kind} with {wanted.size:,} pieces, but "
                f"that of {data} is of kind {self.vocabulary.kind} with {len(self.vocabulary):,}; prepare such data "
                f"(python -m model data DIR --kind {wanted.kind} --vocabulary {wanted.size}), or train by a recipe of "
                f'your own, a file NAME.toml with the lines extends = "{recipe.name}", [vocabulary], size = '
                f'{len(self.vocabulary)} and kind = "{self.vocabulary.kind}"'
            )
        self.group = join_process_group()
        self.device = self.group.device
        self.use_bfloat16 = bool(self.kind.loss) and supports_bfloat16(
            self.device
        )  # a network's own loss knows nothing of it
        config = recipe.build_network_config(plan.kind, len(self.vocabulary))
        with torch.device("meta"):  # shapes alone, which claim no memory
            parameters = sum(parameter.numel() for parameter in self.kind.build(config).parameters())
        check_memory(BYTES * parameters, f"training {plan.name} with {parameters:,} parameters")
        torch.manual_seed(recipe.training.seed)
        self.network: Any = self.kind.build(config)
        self.origin: dict[str, Any] | None = None
        self.diary = Diary(self.vocabulary, self.languages)
        if initial is not None:
            self._start_from(initial)
        self.network.to(self.device)
        self.parameters: list[torch.Tensor] = list(self.network.parameters())
        self._gradients: torch.Tensor | None = None  # laid out at the first update, and kept, where that is of use
        self._recordings: CudaGraphCache | None = None  # on a GPU
        averaging = recipe.training.average_decay > 0
        self.average: Any = copy.deepcopy(self.network).eval() if averaging else self.network
        self.optimiser = make_optimiser(recipe.optimiser, self.parameters, len(self.vocabulary))
        self.batches = Batches(data, recipe.data, plan.longest_words, recipe.training.seed,
                               vocabulary=len(self.vocabulary))
        self.development = DevelopmentSet(data, self.vocabulary)
        self.progress = Progress()
        self.learning_rate = recipe.optimiser.rate_at(1)
        self._stop = threading.Event()

    def _start_from(self, initial: str) -> None:
        """Weights alone, from a checkpoint of the same vocabulary, network, sizes and wiring; dropout may differ."""
        model = checkpoint.load_model(initial)
        if model.vocabulary.model_bytes != self.vocabulary.model_bytes:
            raise RecipeError(f"the checkpoint {initial} has another vocabulary than {self.vocabulary_path}; start "
                              "from one that was trained on this data, or without --init")
        ours, theirs = asdict(self.network.config), asdict(model.network.config)
        grown = theirs["kind"] == self.kind.warm_start_kind
        compared = [key for key in (theirs if grown else ours) if key not in _LOOSE and not (grown and key == "kind")]
        differing = [key for key in compared if ours[key] != theirs.get(key)]
        if differing:
            parts = "; ".join(f"{key} is {theirs.get(key, 'absent')} there and {ours[key]} here" for key in differing)
            raise RecipeError(f"the checkpoint {initial} is another network: {parts}; make recipe and name match")
        self.network.load_state_dict(self.network.state_dict() | model.network.state_dict())
        self.origin = {"name": model.name, "fingerprint": model.fingerprint, "training": model.card.training}
        if (model.card.folder / DIARY).exists():  # its story goes on
            record = DiaryRecord.from_json((model.card.folder / DIARY).read_bytes())
            self.diary = Diary.from_record(self.vocabulary, record, self.languages)

    @property
    def machine(self) -> str:
        """One line on what computes."""
        return describe_machine(self.device, self.use_bfloat16, self.group.size)

    @property
    def tokens_seen(self) -> int:
        """Target pieces the weights have seen, in this run and in those it went on from."""
        return self.progress.pieces + (checkpoint.count_target_tokens(self.origin["training"]) if self.origin else 0)

    @classmethod
    def resume(cls, folder: Path, data: Path, *, threads: int | None = None) -> Trainer:
        """The run of a folder, exactly where its last save left it.

        Raises RecipeError where there is none, StateError where it is damaged, DataError where the data is another.
        """
        try:
            state = read_state(folder)
        except FileNotFoundError as error:
            advice = "start one: python -m model train RECIPE"
            raise RecipeError(f"there is no run to resume in {folder}; {advice}") from error
        trainer = cls(folder, Recipe.from_dict(state["recipe"]), read_section(Plan, "plan", state["plan"]), data,
                      threads=threads)
        trainer._restore(state)
        return trainer

    def _restore(self, state: dict[str, Any]) -> None:
        """Take over all that `save` wrote."""
        data = state.get("data", self._data())  # the first states did not say
        if data != self._data():
            raise DataError(f"the run in {self.folder} was trained on other data than is in {self.data}; go on with "
                            "that data, or start a new run from its weights with --init")
        try:
            check_progress(state["progress"])
            check_origin(state["origin"])
            self.batches.check_position(Position(**state["progress"]["position"]))
            self.network.load_state_dict(state["network"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            check_optimiser(self.optimiser)
            self.origin = state["origin"]
            self.diary = Diary.from_record(self.vocabulary, DiaryRecord.from_plain(state["diary"]), self.languages)
            self.progress = _progress(state["progress"])
            self.progress.restarts += 1
            torch.set_rng_state(state["random"])
            if self.device.type == "cuda" and state["random_cuda"] is not None:
                torch.cuda.set_rng_state(state["random_cuda"])
        except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, OverflowError) as error:
            said = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            reason = " ".join(said.split())[:200]
            raise StateError(f"what {self.folder} saved does not fit its own recipe ({reason}); start anew") from error

    def save(self) -> None:
        """Write the whole state; whoever is killed meanwhile leaves the one before. Only the first process writes."""
        if self.group.is_first:
            write_state(self.folder, {
                "plan": asdict(self.plan), "recipe": self.recipe.to_dict(), "origin": self.origin, "data": self._data(),
                "network": self.network.state_dict(), "average": self.average.state_dict(),
                "optimiser": self.optimiser.state_dict(), "progress": asdict(self.progress),
                "diary": self.diary.to_dict(), "random": torch.get_rng_state(),
                "random_cuda": torch.cuda.get_rng_state() if self.device.type == "cuda" else None,
            })  # fmt: skip

    def _data(self) -> dict[str, Any]:
        """What tells whether a folder of prepared data is the one a run began with."""
        vocabulary = hashlib.sha256(self.vocabulary.model_bytes).hexdigest()
        return {"vocabulary": vocabulary, "corpora": self.batches.corpus_sizes}

    def run(self, *, max_tokens: int | None = None, max_minutes: float | None = None,
            max_updates: int | None = None) -> Iterator[Report]:
        """Train until a limit or until `stop()`; yields a Report after every update, and saves at the end.

        pieces: target pieces of the whole run; minutes: of this call; updates: of the whole run. Raises TrainingError
        where the loss or its gradient is no longer finite; the last saved state then stands. Raises RunningError
        where another process trains in the folder. A cool-down's end is a limit too.
        """
        with lock_run_folder(self.folder) if self.group.is_first else nullcontext():
            yield from self._updates(self.progress.end_tokens(max_tokens), max_minutes, max_updates)

    def _updates(self, pieces: int | None, minutes: float | None, updates: int | None) -> Iterator[Report]:
        training, progress = self.recipe.training, self.progress
        began = saved = time.monotonic()
        config = self.network.config
        likelihood = not (training.label_smoothing or getattr(config, "coverage_loss", 0.0))
        try:
            for batch in self.batches.iterate_from(progress.position):
                late = minutes is not None and time.monotonic() - began >= 60 * minutes
                if self.group.all_reduce_any(late or self._stop.is_set()) \
                        or (pieces is not None and progress.pieces >= pieces) \
                        or (updates is not None and progress.updates >= updates):
                    break
                started, busy = time.monotonic(), time.process_time()
                self.update(batch)
                seconds = time.monotonic() - started
                progress.seconds += seconds
                progress.processor_seconds += self.group.all_reduce_sum(time.process_time() - busy)
                if not self.group.is_first:
                    continue
                report = Report(progress, self.learning_rate, batch.target_tokens / max(seconds, 1e-9), likelihood)
                yield report
                if self.diary.is_due(self.tokens_seen):
                    self.diary.write(self.average.eval(), self.tokens_seen, progress.loss, self.development)
                every, before = training.evaluate_pieces, progress.pieces - batch.target_tokens
                if progress.pieces // every > before // every:
                    self.evaluate()
                    yield replace(report, event="evaluated")
                if time.monotonic() - saved >= 60 * training.save_minutes:
                    self.save()
                    saved = time.monotonic()
                    yield replace(report, event="saved")
            self.save()
        finally:
            self._stop.clear()

    def schedule_cool_down(self, pieces: int, *, until: int | None = None) -> None:
        """Let the rate fall to zero, evenly, over that many target pieces, and end the run there: the last ones before
        `until`, target pieces of the whole run, or those to come. Raises TrainingError."""
        progress = self.progress
        if progress.cooling is not None:
            raise TrainingError(f"{self.folder} is cooling down already, to its end at {progress.cooling[1]:,} target "
                                "pieces; leave out --cool-down to go on with that")
        end = progress.pieces + pieces if until is None else until
        if end <= progress.pieces:
            raise TrainingError(f"{self.folder} has seen {progress.pieces:,} target pieces; it cannot have cooled down "
                                f"at {end:,}")
        progress.cooling = (max(progress.pieces, end - pieces), end)

    def request_stop(self) -> None:
        """Ask `run` to end after the update under way; safe from a signal handler or another thread."""
        self._stop.set()

    @contextmanager
    def stop_on_signals(self) -> Iterator[None]:
        """Ctrl-C, SIGTERM and a closed terminal end the run after the update under way; a Ctrl-C after one of these
        interrupts at once. Under nohup, which asks for it, a closed terminal ends nothing.

        An interrupted run loses what it did since the last save, and harms nothing. For the main thread only.
        """

        def handler(number: int, frame: FrameType | None) -> None:
            if self._stop.is_set() and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.request_stop()

        numbers = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGBREAK"):  # of Windows, where a window that is closed ends all at once
            numbers.append(signal.SIGBREAK)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # Windows has none
            numbers.append(signal.SIGHUP)
        before = {number: signal.signal(number, handler) for number in numbers}
        try:
            yield
        finally:
            for number, old in before.items():
                signal.signal(number, old)

    def compute_gradients(self, batch: Batch) -> float:
        """Put the batch's gradients, of all processes, into the parameters; returns its summed loss in nats."""
        self.network.train()
        if self.group.size == 1 and self.device.type == "cpu":
            for parameter in self.parameters:
                parameter.grad = None  # going backward leaves what it makes, where it else adds it to what is there
        else:
            if self._gradients is None:
                self._gradients = allocate_gradients(self.parameters)
            self._gradients.zero_()
        smoothing = self.recipe.training.label_smoothing
        loss = partial(self.kind.compute_loss, self.network, half=self.use_bfloat16, smoothing=smoothing)
        if self._recordings is None and self.device.type == "cuda" \
                and self.kind.can_capture_loss(self.network.config, smoothing):
            self._recordings = CudaGraphCache(loss, self.parameters)
        source, target = batch.select_rank_rows(self.group.rank, self.group.size)
        divisor = batch.target_tokens if self.recipe.optimiser.reduction == "mean" else 1
        total = self.parameters[0].new_zeros(())
        if len(source) and self._recordings is not None:
            total = self._recordings.compute_gradients(source, target, divisor)
        elif len(source):
            total = loss(*(torch.from_numpy(ids).to(self.device) for ids in (source, target)))
            (total / divisor).backward()
        return self.group.all_reduce_gradients(self._gradients, total.detach()).item()

    def update(self, batch: Batch) -> float:
        """One update on a batch; returns its mean loss a target piece in nats, smoothing and coverage loss included.
        Raises TrainingError."""
        settings, training, progress = self.recipe.optimiser, self.recipe.training, self.progress
        update = progress.updates + 1
        self.group.seed_dropout(training.seed, update)
        mean = self.compute_gradients(batch) / batch.target_tokens
        norm = nn.utils.get_total_norm([one.grad for one in self.parameters if one.grad is not None])
        if not (math.isfinite(mean) and math.isfinite(norm.item())):
            raise TrainingError(
                f"at update {update:,} the loss is {mean} a piece and its gradient's norm {norm.item()}; the last save "
                "stands, but with this recipe it will come to the same: lower optimiser.rate or optimiser.clip"
            )
        if norm.item() > settings.clip:  # multiplying by 1 would take as long
            nn.utils.clip_grads_with_norm_(self.parameters, settings.clip, norm)
        self.learning_rate = settings.rate_at(update) * progress.cool_down_factor()
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate
        self.optimiser.step()
        torch.autograd.graph.increment_version(self.parameters)  # by which search sees new weights; fused Adam does not
        progress.loss = mean if update == 1 else SHARE_LOGGED * progress.loss + (1 - SHARE_LOGGED) * mean
        progress.updates = update
        progress.pieces += batch.target_tokens
        progress.position = batch.position
        if update % training.average_every == 0 and self.average is not self.network:
            # Early averages forget quickly: the first weights are worth nothing.
            keep = min(training.average_decay, 1 - 1 / (update // training.average_every))
            with torch.no_grad():
                for average, parameter in zip(self.average.parameters(), self.parameters, strict=True):
                    average.lerp_(parameter, 1 - keep)
        return mean

    def evaluate(self) -> float:
        """Dev BLEU of the averaged weights; writes `best/` when it is the highest so far."""
        progress = self.progress
        network = self.average.eval()
        scores = self.development.compute_bleu(network)
        progress.curve.append({"pieces": progress.pieces, "updates": progress.updates, "loss": _rounded(progress.loss),
                               "dev_loss": _rounded(held_out_loss(network, self.kind, self._held_out(), self.device)),
                               "hours": round(progress.seconds / 3600, 3),
                               "processor_hours": round(progress.processor_seconds / 3600, 3), "bleu": scores})
        if scores["all"] > progress.best:
            progress.best = scores["all"]
            self.export(self.folder / "best")
        return scores["all"]

    def _held_out(self) -> list[tuple[list[int], list[int]]]:
        """The development set in pieces."""
        pairs = [pair for pairs in self.development.pairs.values() for pair in pairs]
        return [(self.vocabulary.encode(source), self.vocabulary.encode(target)) for source, target in pairs]

    def export(self, folder: Path) -> checkpoint.Card:
        """Write the averaged weights as a checkpoint whose card tells how they came about."""
        progress = self.progress
        return checkpoint.save_checkpoint(
            folder, self.average, self.vocabulary_path, name=self.plan.name, title=self.plan.title,
            languages=self.languages, longest_words=self.plan.longest_words, extra={DIARY: self.diary.to_bytes()},
            training={
                "recipe": self.recipe.to_dict(), "from": self.origin,
                "target_pieces": progress.pieces, "updates": progress.updates, "restarts": progress.restarts,
                "hours_in_updates": round(progress.seconds / 3600, 2),
                "processor_hours": round(progress.processor_seconds / 3600, 2), "cooling": progress.cooling,
                "machine": self.machine, "loss": _rounded(progress.loss),
                "dev": self.development.description, "curve": progress.curve,
                "written": datetime.now(UTC).isoformat(timespec="seconds"),
            },
        )  # fmt: skip


def _progress(saved: dict[str, Any]) -> Progress:
    """The counters that `save` wrote; the first states did not know of all of them."""
    cooling = saved.get("cooling")
    given = {"processor_seconds": saved["seconds"], **saved, "position": Position(**saved["position"])}
    return Progress(**{**given, "cooling": tuple(cooling) if cooling else None})


def make_optimiser(
    settings: OptimiserSettings, parameters: list[torch.Tensor], vocabulary: int
) -> torch.optim.Optimizer:
    """The recipe's optimiser over these parameters of a network for so many pieces."""
    if settings.momentum is not None:
        assert settings.betas is not None
        return Muon(parameters, vocabulary, lr=settings.rate, momentum=settings.momentum, betas=settings.betas,
                    eps=settings.epsilon)
    if settings.betas is not None:
        return torch.optim.Adam(parameters, lr=settings.rate, betas=settings.betas, eps=settings.epsilon, fused=True)
    assert settings.rho is not None
    return torch.optim.Adadelta(parameters, lr=settings.rate, rho=settings.rho, eps=settings.epsilon)


def _rounded(loss: float) -> float | None:
    """A loss as a card keeps it; none before the first update."""
    return round(loss, 4) if math.isfinite(loss) else None
