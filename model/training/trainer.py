"""The trainer: batches in, checkpoints out; stopped at any moment, it goes on as if nothing had happened.

A run lives in a folder: `state.pt` (weights, their running average, optimiser, random state, place in the data,
counters; always a whole file), `best/` (a checkpoint like the shipped ones: the averaged weights with the highest
dev BLEU) and `diary.json`. What is evaluated and shipped is the running average of the weights.
"""

from __future__ import annotations

import copy
import os
import platform
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from model import checkpoint, fast
from model.measure.development import DevelopmentSet
from model.rnnsearch import RNNencdec, RNNsearch, build
from model.text.vocabulary import Vocabulary
from model.training.batches import Batch, Batches, Position
from model.training.diary import DIARY, Diary
from model.training.recipe import Recipe, RecipeError, parse_name

STATE = "state.pt"
SHARE_LOGGED = 0.98  # the running loss forgets this much of itself an update


@dataclass
class Progress:
    """Counters of a run; everything here is saved with it."""

    updates: int = 0
    pieces: int = 0  # target pieces seen, EOS included
    seconds: float = 0.0  # spent in updates
    restarts: int = 0
    position: Position = field(default_factory=Position)
    best: float = -1.0  # dev BLEU
    curve: list[dict[str, Any]] = field(default_factory=list)  # one entry a dev evaluation
    loss: float = float("nan")  # running mean a target piece, nats


@dataclass(frozen=True)
class Report:
    """What a listener is told after an update: counters, the rate and how fast it goes."""

    progress: Progress
    rate: float
    pieces_per_second: float
    limit: int | None  # target pieces at which the run ends
    event: str = ""  # "", "saved", "evaluated"


class Trainer:
    """One training run in `folder`. Raises RecipeError, DataError or CheckpointError before anything is written."""

    def __init__(self, folder: Path, recipe: Recipe, name: str, data: Path, *, initial: str | None = None,
                 threads: int | None = None) -> None:
        if threads:
            torch.set_num_threads(threads)
        self.folder, self.recipe, self.name, self.data = folder, recipe, name, data
        kind, self.longest_words = parse_name(name)
        self.vocabulary_path = data / checkpoint.VOCABULARY
        self.vocabulary = Vocabulary.load(self.vocabulary_path)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.half = self.device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        torch.manual_seed(recipe.training.seed)
        self.network = build(recipe.configuration(kind, len(self.vocabulary)))
        self.origin: dict[str, Any] | None = None
        if initial is not None:
            self._start_from(initial)
        self.network.to(self.device)
        self.average: RNNsearch | RNNencdec = copy.deepcopy(self.network).eval()
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=recipe.optimiser.rate, betas=recipe.optimiser.betas,
                                          eps=recipe.optimiser.epsilon, fused=True)
        self.batches = Batches(data, recipe.data, self.longest_words, recipe.training.seed)
        self.development = DevelopmentSet(data, self.vocabulary)
        self.diary = Diary(self.vocabulary)
        self.progress = Progress()
        self._stop = threading.Event()

    def _start_from(self, initial: str) -> None:
        """Weights alone, from a checkpoint; the vocabulary and the sizes must be the same."""
        model = checkpoint.load(initial)
        if model.vocabulary.bytes != self.vocabulary.bytes:
            raise RecipeError(f"the checkpoint {initial} has another vocabulary than {self.vocabulary_path}")
        if model.network.configuration != self.network.configuration:
            raise RecipeError(f"the checkpoint {initial} is another network ({model.network.configuration}) "
                              f"than the recipe's ({self.network.configuration})")
        self.network.load_state_dict(model.network.state_dict())
        self.origin = {"name": model.name, "fingerprint": model.fingerprint, "training": model.card.training}

    @classmethod
    def resume(cls, folder: Path, data: Path, *, threads: int | None = None) -> Trainer:
        """The run of a folder, exactly where its last save left it. Raises RecipeError where there is none."""
        try:
            state = torch.load(folder / STATE, weights_only=True, map_location="cpu")
        except OSError as error:
            raise RecipeError(f"there is no run to resume in {folder}; start one: python -m model train RECIPE") from error
        trainer = cls(folder, Recipe.from_dict(state["recipe"]), state["name"], data, threads=threads)
        trainer.network.load_state_dict(state["network"])
        trainer.average.load_state_dict(state["average"])
        trainer.optimiser.load_state_dict(state["optimiser"])
        trainer.origin = state["origin"]
        trainer.diary = Diary.from_dict(trainer.vocabulary, state["diary"])
        progress = {**state["progress"], "position": Position(**state["progress"]["position"])}
        trainer.progress = Progress(**progress)
        trainer.progress.restarts += 1
        torch.set_rng_state(state["random"])
        if trainer.device.type == "cuda" and state["random_cuda"] is not None:
            torch.cuda.set_rng_state(state["random_cuda"])
        return trainer

    def save(self) -> None:
        """Write the whole state to a new file, then put it in the old one's place: a kill leaves one or the other."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "name": self.name, "recipe": self.recipe.to_dict(), "origin": self.origin,
            "network": self.network.state_dict(), "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(), "progress": asdict(self.progress), "diary": self.diary.to_dict(),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state() if self.device.type == "cuda" else None,
        }  # fmt: skip
        partial = self.folder / (STATE + ".part")
        with partial.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.folder / STATE)

    def run(self, *, pieces: int | None = None, minutes: float | None = None, updates: int | None = None) -> Iterator[Report]:
        """Train until a limit or until `stop()`; yields a Report after every update, and saves at the end.

        pieces: target pieces of the whole run; minutes: of this call; updates: of the whole run.
        """
        course, progress = self.recipe.training, self.progress
        began = saved = time.monotonic()
        self._stop.clear()
        for batch in self.batches.stream(progress.position):
            if self._stop.is_set() or (pieces is not None and progress.pieces >= pieces) \
                    or (updates is not None and progress.updates >= updates) \
                    or (minutes is not None and time.monotonic() - began >= 60 * minutes):
                break
            started = time.monotonic()
            self._update(batch)
            seconds = time.monotonic() - started
            progress.seconds += seconds
            report = Report(progress, self.rate, batch.pieces / seconds, pieces)
            yield report
            if self.diary.due(progress.pieces):
                self.diary.write(self.average, progress.pieces, progress.loss, self.development)
            if progress.pieces // course.evaluate_pieces > (progress.pieces - batch.pieces) // course.evaluate_pieces:
                self.evaluate()
                yield Report(progress, self.rate, report.pieces_per_second, pieces, "evaluated")
            if time.monotonic() - saved >= 60 * course.save_minutes:
                self.save()
                saved = time.monotonic()
                yield Report(progress, self.rate, report.pieces_per_second, pieces, "saved")
        self.save()

    def stop(self) -> None:
        """Ask `run` to end after the update under way; safe from a signal handler or another thread."""
        self._stop.set()

    @contextmanager
    def stopping_on_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM end the run after the update under way; a second Ctrl-C interrupts at once."""

        def handler(number: int, frame: FrameType | None) -> None:
            if self._stop.is_set():
                raise KeyboardInterrupt
            self.stop()

        before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, old in before.items():
                signal.signal(number, old)

    def _update(self, batch: Batch) -> None:
        settings, progress = self.recipe.optimiser, self.progress
        self.network.train()
        progress.updates += 1
        self.rate = settings.rate_at(progress.updates)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        self.optimiser.zero_grad(set_to_none=False)
        source, target = (torch.from_numpy(ids).to(self.device) for ids in (batch.source, batch.target))
        total = fast.loss(self.network, source, target, half=self.half)
        (total / batch.pieces if settings.reduction == "mean" else total).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.clip)
        self.optimiser.step()
        mean = total.item() / batch.pieces
        progress.loss = mean if progress.updates == 1 else SHARE_LOGGED * progress.loss + (1 - SHARE_LOGGED) * mean
        progress.pieces += batch.pieces
        progress.position = batch.position
        if progress.updates % self.recipe.training.average_every == 0:
            # Early averages forget quickly, spanning the last tenth of the run: the first weights are worth nothing.
            steps = progress.updates // self.recipe.training.average_every
            keep = min(self.recipe.training.average_decay, (1 + steps) / (10 + steps))
            with torch.no_grad():
                torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), 1 - keep)

    def evaluate(self) -> float:
        """Dev BLEU of the averaged weights; writes `best/` when it is the highest so far."""
        progress = self.progress
        scores = self.development.bleu(self.average)
        progress.curve.append({"pieces": progress.pieces, "updates": progress.updates, "loss": round(progress.loss, 4),
                               "hours": round(progress.seconds / 3600, 3), "bleu": scores})
        if scores["all"] > progress.best:
            progress.best = scores["all"]
            self.export(self.folder / "best")
        return scores["all"]

    def export(self, folder: Path) -> checkpoint.Card:
        """Write the averaged weights as a checkpoint whose card tells how they came about."""
        progress = self.progress
        return checkpoint.save(
            folder, self.average, self.vocabulary_path, name=self.name, extra={DIARY: self.diary.to_bytes()},
            training={
                "recipe": self.recipe.to_dict(), "from": self.origin, "longest_words": self.longest_words,
                "target_pieces": progress.pieces, "updates": progress.updates, "restarts": progress.restarts,
                "hours_in_updates": round(progress.seconds / 3600, 2), "machine": describe_machine(self.device, self.half),
                "loss": round(progress.loss, 4), "dev": self.development.description, "curve": progress.curve,
                "written": datetime.now(UTC).isoformat(timespec="seconds"),
            },
        )  # fmt: skip


def describe_machine(device: torch.device, half: bool) -> str:
    """One line on what computed, for cards and benchmarks."""
    products = "bfloat16 matrix products" if half else "float32"
    if device.type == "cuda":
        return f"{torch.cuda.get_device_name(device)}, {products}, torch {torch.__version__}"
    return (f"{_processor()}, {torch.get_num_threads()} of {os.cpu_count()} cores, {products}, torch {torch.__version__}")


def _processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
