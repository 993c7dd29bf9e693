"""Training as a person sees it: a line of progress, what was evaluated and saved, and how to go on."""

from __future__ import annotations

import contextlib
import math
import shlex
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from model.checkpoints import checkpoint, model_folders
from model.checkpoints.quantization import dequantize_weights, quantize_weights
from model.training import DATA, RUNS
from model.training.development import DevelopmentSet
from model.training.trainer import Report, Trainer

LINE_EVERY = 30.0  # seconds between two lines where there is no terminal to keep one line up to date
PLAIN_RATE = 0.05  # how much of the speed shown is the last update's


class _Told(Console):
    """Where a run is told of. Where nobody reads any more, as in `| head`, it ends as Ctrl-C ends it: saved."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__(quiet=not trainer.group.is_first, soft_wrap=True)  # of several processes one speaks
        self._trainer = trainer

    def on_broken_pipe(self) -> None:
        """Asked by rich, which would end the process at once."""
        with contextlib.suppress(SystemExit):
            super().on_broken_pipe()
        self._trainer.request_stop()


def run_with_progress(trainer: Trainer, *, pieces: int | None, minutes: float | None) -> None:
    """Run the trainer and show how it goes; Ctrl-C saves. Prints how to go on."""
    console = _Told(trainer)
    began, end = trainer.progress.pieces, trainer.progress.end_tokens(pieces)
    text = TextColumn("{task.fields[line]}", markup=False)
    columns = (text, BarColumn(20), TimeElapsedColumn(), TimeRemainingColumn())
    speed, spoken = math.nan, time.monotonic()
    console.print(f"{trainer.plan.name}: {sum(p.numel() for p in trainer.network.parameters()):,} parameters, "
                  f"{began:,} target pieces seen, {trainer.recipe.name} recipe")
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar, trainer.stop_on_signals():
        task = bar.add_task("", total=end, completed=began, line="starting")
        for report in trainer.run(max_tokens=pieces, max_minutes=minutes):
            speed = report.tokens_per_second if math.isnan(speed) else \
                (1 - PLAIN_RATE) * speed + PLAIN_RATE * report.tokens_per_second
            bar.update(task, completed=report.progress.pieces, line=format_progress(report, speed))
            if report.event == "evaluated":
                console.print(evaluated(trainer))
            elif not console.is_terminal and time.monotonic() - spoken > LINE_EVERY:
                spoken = time.monotonic()
                console.print(format_progress(report, speed))
    if trainer.group.is_first and end and trainer.progress.pieces >= end and not _just_evaluated(trainer):
        trainer.evaluate()  # a course that is over ends with its score
        trainer.save()
        console.print(evaluated(trainer))
    again = f"train --name {shlex.quote(trainer.folder.name)} --resume{options(trainer)}"
    console.print(f"saved in {trainer.folder} after {trainer.progress.pieces:,} target pieces; go on with: "
                  f"{launch_command(trainer)} -m model {again}")


def launch_command(trainer: Trainer) -> str:
    """What starts as many processes as the run has now."""
    size = trainer.group.size
    return "python" if size == 1 else f"torchrun --standalone --nproc-per-node {size}"


def evaluated(trainer: Trainer) -> str:
    """The last dev evaluation on one line."""
    last = trainer.progress.curve[-1]
    scores = ", ".join(f"{name} {score:.1f}" for name, score in last["bleu"].items())
    return f"{last['pieces']:,} pieces: dev BLEU {scores}"


def _just_evaluated(trainer: Trainer) -> bool:
    curve = trainer.progress.curve
    return bool(curve) and curve[-1]["pieces"] == trainer.progress.pieces


def options(trainer: Trainer) -> str:
    """The folders of a run, as options of the command line, where they are not the usual ones."""
    given = (("--runs", trainer.folder.parent, RUNS), ("--data", trainer.data, DATA))
    return "".join(f" {option} {shlex.quote(folder.as_posix())}" for option, folder, usual in given if folder != usual)


def format_progress(report: Report, speed: float) -> str:
    """Loss, perplexity where the loss is that of likelihood alone, speed, updates and the learning rate on one line."""
    progress = report.progress
    perplexity = math.exp(min(progress.loss, 700.0))  # a run gone astray may pass what a float can hold
    told = f"perplexity {perplexity:.1f}, " if perplexity < 1e6 else f"perplexity {perplexity:.0e}, "
    return (
        f"{progress.pieces / 1e6:.2f} M pieces, loss {progress.loss:.3f}, {told if report.is_likelihood_only else ''}"
        f"{speed:,.0f} pieces/s, update {progress.updates:,}, rate {report.learning_rate:.1e}"
    )


def ship_best(run: Path, name: str, data: Path) -> str:
    """Put a run's best checkpoint among the shipped models, in eight bits; returns where, and the dev BLEU before and
    after. Raises CheckpointError where there is none."""
    if not model_folders.has_best_checkpoint(run):
        raise checkpoint.CheckpointError(f"{run} has no best weights yet; a run keeps them from its first evaluation "
                                         "on: let it train, or name another run with --name and --runs")
    best = checkpoint.find_checkpoint(run / "best")
    before_it = next((card for card in checkpoint.list_shipped_cards() if card.name == name), None)
    spoken = checkpoint.read_card(best).languages
    if before_it is not None and before_it.languages != spoken:
        raise checkpoint.CheckpointError(f"the shipped {name} translates {'-'.join(before_it.languages)} and this one "
                                         f"{'-'.join(spoken)}: ship it from a run of another name, or show it from "
                                         "where it is with --models")
    standing = before_it.fingerprint if before_it else ""
    rounded: dict[str, Any] = {"bits": 8}

    def measured(model: checkpoint.Model) -> dict[str, Any]:
        development = DevelopmentSet(data, model.vocabulary)
        rounded["bleu_before"] = development.compute_bleu(model.network)
        model.network.load_state_dict(dequantize_weights(quantize_weights(model.network.state_dict())))
        rounded.update(bleu=development.compute_bleu(model.network), dev=development.description)
        return {"rounded": rounded}

    folder = checkpoint.ship_checkpoint(best, name, measured)
    replaced = f", in the place of the weights {standing}" if standing else ""
    before, after = rounded["bleu_before"]["all"], rounded["bleu"]["all"]
    return f"{folder}{replaced}: dev BLEU {before:.2f} before and {after:.2f} after rounding to eight bits"
