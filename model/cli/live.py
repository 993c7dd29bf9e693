"""The command `live`: networks that learn a toy task while one watches."""

from __future__ import annotations

import json
import os
import queue
import sys
import time
from datetime import date
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any

import typer

from model.cli.shared import print_line
from model.serialization.files import replace_file
from model.training.live.records import NetworkReport, start_report, store_event
from model.training.live.settings import CLIPS, FORCING, HIDDEN, KINDS, RATES, SCORES, LiveSettings, LiveSettingsError
from model.training.live.tasks import TASKS
from model.training.live.worker_process import WorkerProcess


def live(
    task: Annotated[str, typer.Argument(help=f"The task: {', '.join(TASKS)}.")] = "reverse",
    kinds: Annotated[str, typer.Option(help=f"Kinds of networks, joined by commas: {', '.join(KINDS)}.")] = ",".join(
        KINDS[:2]),
    limit: Annotated[int, typer.Option(help="The longest source to train on (0: the task's default).")] = 0,
    hidden: Annotated[int, typer.Option(help=f"Hidden size: {', '.join(map(str, sorted(HIDDEN)))}.")] = HIDDEN[0],
    score: Annotated[str, typer.Option(help=f"Luong's score: {', '.join(SCORES)}.")] = SCORES[0],
    rate: Annotated[float, typer.Option(help="Learning rate.")] = RATES[0],
    forcing: Annotated[float, typer.Option(help="Share of teacher forcing, from 0 to 1.")] = FORCING[0],
    clip: Annotated[float, typer.Option(help="Largest norm of the gradient.")] = CLIPS[0],
    seeds: Annotated[str, typer.Option(help="Seeds, joined by commas; one run after the other.")] = "1",
    seconds: Annotated[float, typer.Option(help="Seconds of training.")] = 60.0,
    every: Annotated[float, typer.Option(help="Seconds between lines.")] = 5.0,
    save: Annotated[Path | None, typer.Option(help="Write what the last run reports to this JSON file.")] = None,
) -> None:
    """Train small networks on a toy task for a minute, side by side, each in a process of its own.

    The last lines give exact accuracy on up to 50 sources of each length, held out from three tokens on, and on lengths
    beyond training.
    """
    if limit and task in TASKS and not TASKS[task].limits:
        raise typer.BadParameter(f"the task {task} has no choice of the longest source: leave out --limit")
    if score != SCORES[0] and "luong" not in kinds.split(","):
        raise typer.BadParameter("--score is of luong: leave it out, or add luong to --kinds")
    if save and not save.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {save.absolute().parent}: make it, or give another --save")
    medians: dict[str, list[float]] = {}
    for seed in seeds.split(","):
        try:
            settings = [
                LiveSettings(task, kind, limit or (TASKS[task].limits or (0,))[0] if task in TASKS else 0, hidden,
                             score, rate, forcing, clip, int(seed), seconds, every)
                for kind in kinds.split(",")
            ]  # fmt: skip
        except LiveSettingsError as error:
            raise typer.BadParameter(str(error)) from error
        except ValueError as error:
            raise typer.BadParameter(f"the seed {seed!r} is no number") from error
        print_line(f"{task}, seed {seed}, {os.cpu_count()} cores")
        reports = _train(settings)
        for report in reports:
            medians.setdefault(report["settings"]["kind"], []).append(_get_accuracy(report))
        if save:
            facts = {"command": " ".join(["python -m model", *sys.argv[1:]]), "date": f"{date.today()}",
                     "machine": f"{os.cpu_count()} cores"}  # fmt: skip
            replace_file(save, json.dumps({**facts, "networks": reports}, ensure_ascii=False).encode())
    for kind, values in medians.items():
        print_line(f"{kind}: median {100 * median(values):.1f} % of {len(values)} "
                   f"({', '.join(f'{100 * value:.1f}' for value in values)})")


def _train(settings: list[LiveSettings]) -> list[NetworkReport]:
    """Train the networks side by side, print how they fare, and return their reports."""
    events: queue.SimpleQueue[tuple[int, dict[str, Any]]] = queue.SimpleQueue()

    def start_worker(number: int) -> WorkerProcess:
        return WorkerProcess(settings[number], lambda event: events.put((number, event)))

    start = time.monotonic()
    reports = [start_report(one.to_dict()) for one in settings]
    workers = [start_worker(number) for number in range(len(settings))]
    try:
        while not all(report["exam"] for report in reports):
            number, event = events.get()
            report, kind = reports[number], settings[number].kind
            store_event(report, event)
            if report["state"] == "ended":
                raise typer.BadParameter(f"{kind} ended: {report['reason']}")
            if event["event"] == "snapshot":
                print_line(f"{kind:12}" + _format_snapshot(event["snapshot"], time.monotonic() - start))
            elif event["event"] == "exam":
                scores = [f"{score['length']}: {100 * score['accuracy']:.0f}" for score in event["scores"]]
                print_line(f"{kind:12}exact {100 * _get_accuracy(report):.1f} %, by length {' '.join(scores)}")
    finally:
        for worker in workers:
            worker.kill()
    return reports


def _get_accuracy(report: NetworkReport) -> float:
    """Return the mean over the lengths that were trained on."""
    return mean(score["accuracy"] for score in report["exam"] if score["length"] in report["lengths"])


def _format_snapshot(snapshot: dict[str, Any], wall: float) -> str:
    loss, norm = (f"{snapshot[key]:.3f}" if snapshot[key] is not None else "-" for key in ("loss", "norm"))
    return (f"{snapshot['seconds']:6.1f} s ({wall:5.1f} since the start), {snapshot['updates']:5,} updates, "
            f"loss {loss}, gradient {norm}, exact {100 * snapshot['accuracy']:5.1f} %, "
            f"longest {100 * snapshot['by_length'][-1]:5.1f} %")  # fmt: skip
