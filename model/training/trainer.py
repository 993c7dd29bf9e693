"""The trainer. A run that was stopped at any moment resumes bit for bit.

The folder of a run has `state.pt` (weights, their running average, optimiser, random state, position in the data,
counters and diary; replaced atomically) and `best/` (a checkpoint of the averaged weights with the highest dev BLEU,
and the diary). The running average of the weights is evaluated and shipped.
"""

from __future__ import annotations

import hashlib
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from model.checkpoints import checkpoint, model_folders
from model.networks.registry import CHANGEABLE_SETTINGS
from model.networks.unknown_words import extends_vocabulary, set_has_unk
from model.serialization.timestamps import format_current_time
from model.serialization.toml import read_section
from model.text.prepared import read_language_pair
from model.text.vocabulary import Vocabulary
from model.training.batches import Batches, DataError, Position, UnknownIds
from model.training.development import DevelopmentSet
from model.training.diary import Diary
from model.training.diary_record import DIARY, DiaryRecord
from model.training.distributed import join_process_group
from model.training.learner import Learner, Progress, TrainingError
from model.training.lock import lock_run_folder
from model.training.machine import describe_machine, limit_kernel_cache
from model.training.recipe import Plan, Recipe, SettingsFileError
from model.training.state import StateError, check_optimiser, check_origin, check_progress, read_state, write_state


@dataclass(frozen=True)
class Report:
    """The counters, learning rate and speed after an update."""

    progress: Progress
    learning_rate: float
    tokens_per_second: float
    is_likelihood_only: bool  # false with label smoothing or an auxiliary loss
    is_evaluated: bool = False  # just now


class Trainer(Learner):
    """A training run in `folder`.

    Before anything is written, it raises SettingsFileError, DataError, CheckpointError, or SizeError if the machine has
    too little memory.

    plan: the kind of network and its names. data: a folder made by `python -m model data`. initial: a checkpoint with
    the first weights. threads: of the CPU (default: all). Under torchrun every process creates and runs a Trainer; the
    one with `group.is_first` saves, evaluates and reports.
    """

    def __init__(self, folder: Path, recipe: Recipe, plan: Plan, data: Path, *, initial: str | None = None,
                 threads: int | None = None) -> None:
        limit_kernel_cache()
        if threads:
            torch.set_num_threads(threads)
        self.folder, self.plan, self.data = folder, plan, data
        self.languages = read_language_pair(data)
        self.vocabulary_path = data / checkpoint.VOCABULARY
        if not self.vocabulary_path.exists():
            raise DataError(f"{data} holds no prepared text: make it first, python -m model data FOLDER --out {data}")
        self.vocabulary = Vocabulary.load(self.vocabulary_path)
        requirement = recipe.vocabulary
        if (self.vocabulary.kind, len(self.vocabulary)) != (requirement.kind, requirement.size):
            raise SettingsFileError(
                f"the recipe {recipe.name} wants a vocabulary of kind {requirement.kind} with {requirement.size:,} "
                f"pieces, but that of {data} is of kind {self.vocabulary.kind} with {len(self.vocabulary):,}; prepare "
                f"such data (python -m model data DIR --kind {requirement.kind} --vocabulary {requirement.size}), or "
                f'train by a recipe of your own, a file NAME.toml with the lines extends = "{recipe.name}", '
                f'[vocabulary], size = {len(self.vocabulary)} and kind = "{self.vocabulary.kind}"'
            )
        super().__init__(recipe, plan.kind, len(self.vocabulary), join_process_group(), plan.name)
        self.origin: dict[str, Any] | None = None
        self.diary = Diary(self.vocabulary, self.languages)
        if initial is not None:
            self._load_initial_weights(initial)
        self.prepare()
        for network in (self.network, self.average):
            set_has_unk(network, self.vocabulary)
        unknown_ids: UnknownIds = "refused"
        if self.vocabulary.kind == "word":
            unknown_ids = "kept" if extends_vocabulary(self.network) else "UNK"
        if unknown_ids == "kept" and recipe.training.label_smoothing:
            raise SettingsFileError(f"training.label_smoothing is {recipe.training.label_smoothing}; a network that "
                                    "copies unknown words gives absent ones the probability 0, so that the smoothed "
                                    "loss is infinite: set it to 0")
        alpha = recipe.data.sampling
        segment = partial(self.vocabulary.sample_segmentations, alpha=alpha) if alpha else None
        self.batches = Batches(data, recipe.data, plan.longest_words, recipe.training.seed,
                               vocabulary=len(self.vocabulary), unknown_ids=unknown_ids, segment=segment)
        self.development = DevelopmentSet(data, self.vocabulary)
        self._stop_requested = threading.Event()

    def _load_initial_weights(self, initial: str) -> None:
        """Load the weights of a checkpoint with the same vocabulary and configuration; dropout may differ."""
        model = checkpoint.load_model(initial)
        if model.vocabulary.model_bytes != self.vocabulary.model_bytes:
            raise SettingsFileError(f"the checkpoint {initial} has another vocabulary than {self.vocabulary_path}; "
                                    "start from one that was trained on this data, or without --init")
        ours, theirs = asdict(self.network.config), asdict(model.network.config)
        is_extended = theirs["kind"] == self.kind.warm_start_kind  # our kind adds settings and weights to theirs
        ignored = {*CHANGEABLE_SETTINGS, "kind"} if is_extended else {*CHANGEABLE_SETTINGS}
        differing = [key for key in (theirs if is_extended else ours)
                     if key not in ignored and ours[key] != theirs.get(key)]
        if differing:
            parts = "; ".join(f"{key} is {theirs.get(key, 'absent')} there and {ours[key]} here" for key in differing)
            raise SettingsFileError(f"the checkpoint {initial} is another network: {parts}; make recipe and name match")
        self.network.load_state_dict(self.network.state_dict() | model.network.state_dict())
        self.origin = {"name": model.name, "fingerprint": model.fingerprint, "training": model.card.training}
        if (model.card.folder / DIARY).exists() and model.languages == self.languages:  # continued
            record = DiaryRecord.from_json((model.card.folder / DIARY).read_bytes())
            self.diary = Diary.from_record(self.vocabulary, record, self.languages)

    @property
    def machine(self) -> str:
        """The description of the hardware."""
        return describe_machine(self.device, self.use_bfloat16, self.group.size)

    @property
    def tokens_seen(self) -> int:
        """The target tokens that the weights have seen, in this run and in those before it."""
        earlier = checkpoint.count_target_tokens(self.origin["training"]) if self.origin else 0
        return self.progress.target_tokens + earlier

    @classmethod
    def resume(cls, folder: Path, data: Path, *, threads: int | None = None) -> Trainer:
        """Resume the run of a folder exactly from its last save.

        Raises as the class does; also SettingsFileError if there is no run, StateError if it is damaged and DataError
        if the data differ.
        """
        try:
            state = read_state(folder)
        except FileNotFoundError as error:
            advice = "start one: python -m model train RECIPE"
            raise SettingsFileError(f"there is no run to resume in {folder}; {advice}") from error
        trainer = cls(folder, Recipe.from_dict(state["recipe"]), read_section(Plan, "plan", state["plan"]), data,
                      threads=threads)
        trainer._restore(state)
        return trainer

    def _restore(self, state: dict[str, Any]) -> None:
        """Restore the state that `save` wrote."""
        data = state.get("data", self._describe_data())  # missing in the oldest states
        if data != self._describe_data():
            raise DataError(f"the run in {self.folder} was trained on other data than {self.data} holds; continue "
                            "with that data, or start a new run from its weights with --init")
        try:
            check_progress(state["progress"])
            check_origin(state["origin"])
            self.batches.check_position(Position(**state["progress"]["position"]))
            self.network.load_state_dict(state["network"])
            self.average.load_state_dict(state["average"])
            saved = state["optimiser"]
            for optimiser, values in zip(self.optimisers, saved if isinstance(saved, list) else [saved], strict=True):
                optimiser.load_state_dict(values)
                check_optimiser(optimiser)
            self.origin = state["origin"]
            self.diary = Diary.from_record(self.vocabulary, DiaryRecord.from_plain(state["diary"]), self.languages)
            self.progress = _restore_progress(state["progress"])
            self.progress.restarts += 1
            torch.set_rng_state(state["random"])
            if self.device.type == "cuda" and state["random_cuda"] is not None:
                torch.cuda.set_rng_state(state["random_cuda"])
        except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, OverflowError) as error:
            message = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            reason = " ".join(message.split())[:200]
            raise StateError(f"what {self.folder} saved does not fit its own recipe ({reason}); start anew") from error

    def save(self) -> None:
        """Replace the saved state; a kill leaves the previous one. Only the first process writes."""
        if self.group.is_first:
            write_state(self.folder, {
                "plan": asdict(self.plan), "recipe": self.recipe.to_dict(), "origin": self.origin,
                "data": self._describe_data(),
                "network": self.network.state_dict(), "average": self.average.state_dict(),
                "optimiser": self._optimiser_state(), "progress": asdict(self.progress), "diary": self.diary.to_dict(),
                "random": torch.get_rng_state(),
                "random_cuda": torch.cuda.get_rng_state() if self.device.type == "cuda" else None,
            })  # fmt: skip

    def _optimiser_state(self) -> Any:
        """Return the state of the optimiser, or a list of two states with Muon."""
        states = [optimiser.state_dict() for optimiser in self.optimisers]
        return states[0] if len(states) == 1 else states

    def _describe_data(self) -> dict[str, Any]:
        """Return what identifies the prepared data of a run."""
        vocabulary = hashlib.sha256(self.vocabulary.model_bytes).hexdigest()
        return {"vocabulary": vocabulary, "corpora": self.batches.corpus_sizes}

    def run(self, *, max_tokens: int | None = None, max_minutes: float | None = None,
            max_updates: int | None = None) -> Iterator[Report]:
        """Train until a limit or until `request_stop()`; yield a Report after every update, and save at the end.

        max_tokens: target tokens of the whole run. max_minutes: of this call. max_updates: of the whole run. The end of
        a cool-down is a limit too. Raises TrainingError if the loss or its gradient is not finite, and RunLockedError
        if another process trains in the folder.
        """
        with lock_run_folder(self.folder) if self.group.is_first else nullcontext():
            yield from self._run_updates(self.progress.compute_end_tokens(max_tokens), max_minutes, max_updates)

    def _run_updates(self, max_tokens: int | None, max_minutes: float | None,
                     max_updates: int | None) -> Iterator[Report]:
        training, progress = self.recipe.training, self.progress
        start = saved = time.monotonic()
        has_auxiliary_loss = bool(getattr(self.network.config, "coverage_loss", 0.0))
        is_likelihood_only = not (training.label_smoothing or has_auxiliary_loss)
        try:
            for batch in self.batches.iterate_from(progress.position):
                is_time_over = max_minutes is not None and time.monotonic() - start >= 60 * max_minutes
                if self.group.all_reduce_any(is_time_over or self._stop_requested.is_set()) \
                        or (max_tokens is not None and progress.target_tokens >= max_tokens) \
                        or (max_updates is not None and progress.updates >= max_updates):
                    break
                update_start, processor_start = time.monotonic(), time.process_time()
                self.update(batch)
                seconds = time.monotonic() - update_start
                progress.seconds += seconds
                progress.processor_seconds += self.group.all_reduce_sum(time.process_time() - processor_start)
                if not self.group.is_first:
                    continue
                report = Report(progress, self.learning_rate, batch.target_tokens / max(seconds, 1e-9),
                                is_likelihood_only)
                yield report
                if self.diary.is_due(self.tokens_seen):
                    self.diary.write(self.average.eval(), self.tokens_seen, progress.loss, self.development)
                interval, previous = training.evaluate_pieces, progress.target_tokens - batch.target_tokens
                if progress.target_tokens // interval > previous // interval:
                    self.evaluate()
                    yield replace(report, is_evaluated=True)
                if time.monotonic() - saved >= 60 * training.save_minutes:
                    self.save()
                    saved = time.monotonic()
            self.save()
        finally:
            self._stop_requested.clear()

    def schedule_cool_down(self, tokens: int, *, max_tokens: int | None = None) -> None:
        """Let the learning rate fall linearly to zero over this many target tokens, and end the run there.

        max_tokens: the target tokens of the whole run at the end (default: the cool-down begins now). Raises
        TrainingError.
        """
        progress = self.progress
        if progress.cooling is not None:
            raise TrainingError(f"{self.folder} is cooling down already, until {progress.cooling[1]:,} target tokens; "
                                "leave out --cool-down to continue it")
        end = progress.target_tokens + tokens if max_tokens is None else max_tokens
        if end <= progress.target_tokens:
            raise TrainingError(f"{self.folder} has seen {progress.target_tokens:,} target tokens; it cannot have "
                                f"cooled down at {end:,}")
        progress.cooling = (max(progress.target_tokens, end - tokens), end)

    def request_stop(self) -> None:
        """Let `run` end after the current update. May be called by a signal handler or another thread."""
        self._stop_requested.set()

    @contextmanager
    def stop_on_signals(self) -> Iterator[None]:
        """End the run after the current update on Ctrl-C, SIGTERM or SIGHUP (unless nohup ignores it).

        A second Ctrl-C interrupts at once; then only the updates since the last save are lost. For the main thread.
        """

        def handler(number: int, frame: FrameType | None) -> None:
            if self._stop_requested.is_set() and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.request_stop()

        numbers = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGBREAK"):  # Windows: the window is closed
            numbers.append(signal.SIGBREAK)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            numbers.append(signal.SIGHUP)
        previous = {number: signal.signal(number, handler) for number in numbers}
        try:
            yield
        finally:
            for number, previous_handler in previous.items():
                signal.signal(number, previous_handler)

    def evaluate(self) -> float:
        """Return the dev BLEU of the averaged weights; write `best/` if it is the highest so far."""
        progress = self.progress
        network = self.average.eval()
        scores = self.development.compute_bleu(network)
        dev_loss = self.development.compute_loss(network, self.kind, self.device)
        progress.curve.append({"pieces": progress.target_tokens, "updates": progress.updates,
                               "loss": _round_loss(progress.loss), "dev_loss": _round_loss(dev_loss),
                               "hours": round(progress.seconds / 3600, 3),
                               "processor_hours": round(progress.processor_seconds / 3600, 3), "bleu": scores})
        if scores["all"] > progress.best:
            progress.best = scores["all"]
            self.export(self.folder / model_folders.BEST_FOLDER)
        return scores["all"]

    def export(self, folder: Path) -> checkpoint.Card:
        """Write the averaged weights as a checkpoint whose card describes their training."""
        progress = self.progress
        return checkpoint.save_checkpoint(
            folder, self.average, self.vocabulary_path, name=self.plan.name, title=self.plan.title,
            languages=self.languages, longest_words=self.plan.longest_words, extra={DIARY: self.diary.to_bytes()},
            training={
                "recipe": self.recipe.to_dict(), "from": self.origin,
                "target_pieces": progress.target_tokens, "updates": progress.updates, "restarts": progress.restarts,
                "hours_in_updates": round(progress.seconds / 3600, 2),
                "processor_hours": round(progress.processor_seconds / 3600, 2), "cooling": progress.cooling,
                "machine": self.machine, "loss": _round_loss(progress.loss),
                "dev": self.development.description, "curve": progress.curve,
                "written": format_current_time(),
            },
        )  # fmt: skip


def _restore_progress(saved: dict[str, Any]) -> Progress:
    """Return the counters that `save` wrote; older states have fewer."""
    cooling = saved.get("cooling")
    values = {"processor_seconds": saved["seconds"], **saved, "position": Position(**saved["position"])}
    return Progress(**{**values, "cooling": tuple(cooling) if cooling else None})


def _round_loss(loss: float) -> float | None:
    """Round a loss for a card; None before the first update."""
    return round(loss, 4) if math.isfinite(loss) else None
