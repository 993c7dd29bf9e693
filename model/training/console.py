"""The output of a training run on the terminal, and shipping its best checkpoint."""

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
from model.text.prepared import read_language_pair
from model.training import DATA, RUNS
from model.training.development import DevelopmentSet
from model.training.trainer import Report, Trainer

LINE_SECONDS = 30.0  # between two lines if the output is not a terminal
SPEED_DECAY = 0.95  # of the running mean of the speed


class _RunConsole(Console):
    """The console of a run. If its pipe breaks, as with `| head`, the run ends as by Ctrl-C: saved."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__(quiet=not trainer.group.is_first, soft_wrap=True, markup=False, emoji=False, highlight=False)
        self._trainer = trainer

    def on_broken_pipe(self) -> None:
        """Request the end of the run; rich calls this, and its own method exits at once."""
        with contextlib.suppress(SystemExit):
            super().on_broken_pipe()
        self._trainer.request_stop()


def run_with_progress(trainer: Trainer, *, max_tokens: int | None, max_minutes: float | None) -> None:
    """Run the trainer and show its progress; Ctrl-C saves. Prints the command that continues the run."""
    console = _RunConsole(trainer)
    progress, end = trainer.progress, trainer.progress.compute_end_tokens(max_tokens)
    text = TextColumn("{task.fields[line]}", markup=False)
    columns = (text, BarColumn(20), TimeElapsedColumn(), TimeRemainingColumn())
    speed, last_line = math.nan, time.monotonic()
    console.print(f"{trainer.plan.name}: {sum(p.numel() for p in trainer.network.parameters()):,} parameters, "
                  f"{progress.target_tokens:,} target tokens seen, {trainer.recipe.name} recipe")
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar, trainer.stop_on_signals():
        task = bar.add_task("", total=end, completed=progress.target_tokens, line="starting")
        for report in trainer.run(max_tokens=max_tokens, max_minutes=max_minutes):
            speed = report.tokens_per_second if math.isnan(speed) else \
                SPEED_DECAY * speed + (1 - SPEED_DECAY) * report.tokens_per_second
            bar.update(task, completed=progress.target_tokens, line=format_progress(report, speed))
            if report.is_evaluated:
                console.print(format_evaluation(trainer))
            elif not console.is_terminal and time.monotonic() - last_line > LINE_SECONDS:
                last_line = time.monotonic()
                console.print(format_progress(report, speed))
    is_evaluated = bool(progress.curve) and progress.curve[-1]["pieces"] == progress.target_tokens
    if trainer.group.is_first and end and progress.target_tokens >= end and not is_evaluated:
        trainer.evaluate()
        trainer.save()
        console.print(format_evaluation(trainer))
    options = f"train --name {shlex.quote(trainer.folder.name)}"
    if progress.cooling and progress.target_tokens >= progress.cooling[1]:
        advice = f"ship its best weights with: python -m model {options} --ship{format_folder_options(trainer)}"
    else:
        advice = (f"continue with: {format_launch_command(trainer)} -m model {options} --resume"
                  f"{format_folder_options(trainer)}")
    console.print(f"saved in {trainer.folder} after {progress.target_tokens:,} target tokens; {advice}")


def format_launch_command(trainer: Trainer) -> str:
    """Return the command that starts as many processes as the run has now."""
    size = trainer.group.size
    return "python" if size == 1 else f"torchrun --standalone --nproc-per-node {size}"


def format_evaluation(trainer: Trainer) -> str:
    """Return the last dev evaluation on one line."""
    last = trainer.progress.curve[-1]
    scores = ", ".join(f"{name} {score:.1f}" for name, score in last["bleu"].items())
    return f"{last['pieces']:,} tokens: dev BLEU {scores}"


def format_folder_options(trainer: Trainer) -> str:
    """Return the folders of a run as command-line options, without the default ones."""
    folders = (("--runs", trainer.folder.parent, RUNS), ("--data", trainer.data, DATA))
    return "".join(f" {option} {shlex.quote(folder.as_posix())}" for option, folder, default in folders
                   if folder != default)  # fmt: skip


def format_progress(report: Report, speed: float) -> str:
    """Return loss, perplexity (if the loss is the likelihood), speed, updates and learning rate on one line."""
    progress = report.progress
    perplexity = math.exp(min(progress.loss, 700.0))  # the exponential of a larger loss overflows
    perplexity_text = f"perplexity {perplexity:.1f}, " if perplexity < 1e6 else f"perplexity {perplexity:.0e}, "
    return (
        f"{progress.target_tokens / 1e6:.2f} M tokens, loss {progress.loss:.3f}, "
        f"{perplexity_text if report.is_likelihood_only else ''}"
        f"{speed:,.0f} tokens/s, update {progress.updates:,}, rate {report.learning_rate:.1e}"
    )


def ship_best(run: Path, name: str, data: Path) -> str:
    """Copy a run's best checkpoint to the shipped models in eight bits.

    Returns the folder and the dev BLEU before and after. Raises CheckpointError if there is no best checkpoint.
    """
    if not model_folders.has_best_checkpoint(run):
        raise checkpoint.CheckpointError(f"{run} has no best weights yet; a run keeps them from its first evaluation "
                                         "on: let it train, or name another run with --name and --runs")
    best = checkpoint.find_checkpoint(run / model_folders.BEST_FOLDER)
    shipped = next((card for card in checkpoint.list_shipped_cards() if card.name == name), None)
    languages = checkpoint.read_card(best).languages
    if shipped is not None and shipped.languages != languages:
        raise checkpoint.CheckpointError(f"the shipped {name} translates {'-'.join(shipped.languages)} and this one "
                                         f"{'-'.join(languages)}: ship it from a run of another name, or use it from "
                                         "its folder with --models")
    data_languages = read_language_pair(data)
    if data_languages != languages:
        raise checkpoint.CheckpointError(f"the text in {data} is {'-'.join(data_languages)} and {run} translates "
                                         f"{'-'.join(languages)}: name the run's own data with --data")
    replaced = f", in place of the weights {shipped.fingerprint}" if shipped else ""
    rounded: dict[str, Any] = {"bits": 8}

    def measure_rounding(model: checkpoint.Model) -> dict[str, Any]:
        development = DevelopmentSet(data, model.vocabulary)
        rounded["bleu_before"] = development.compute_bleu(model.network)
        model.network.load_state_dict(dequantize_weights(quantize_weights(model.network.state_dict())))
        rounded.update(bleu=development.compute_bleu(model.network), dev=development.description)
        return {"rounded": rounded}

    folder = checkpoint.ship_checkpoint(best, name, measure_rounding)
    bleu_before, bleu_after = rounded["bleu_before"]["all"], rounded["bleu"]["all"]
    return f"{folder}{replaced}: dev BLEU {bleu_before:.2f} before and {bleu_after:.2f} after rounding to eight bits"
