"""What a live run reports, collected from the events of its process (`model.training.live.worker`). Needs no torch."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

FIXED_EXAMPLES = 3  # of a task; the next one is the reader's

State = Literal["waiting", "starting", "running", "paused", "done", "ended"]
Reason = Literal["", "left", "others", "time", "stopped", "memory", "diverged", "error"]
"""Why a process ended: its reader left, it made room for others, its time was over, the reader stopped it, memory ran
out, the loss was not finite, or an error; "" while it runs."""


class ExampleView(TypedDict):
    """What the network makes of one example: its own output, and α of the right target, as bytes of base64."""

    output: list[str]
    alpha: str


class Snapshot(TypedDict):
    """The state of a run at one moment. Norms are of the gradients since the previous snapshot, before clipping."""

    updates: int
    pairs: int
    seconds: float
    loss: float | None
    accuracy: float
    by_length: list[float]
    norm: float | None
    max_norm: float | None
    clipped: float | None
    examples: list[ExampleView]


class ExampleText(TypedDict):
    """An example: the tokens of its source, and of its right target; EOS is left out."""

    source: list[str]
    target: list[str]


class LengthScore(TypedDict):
    """The share of right outputs for sources of one length."""

    length: int
    accuracy: float


class SettingsRecord(TypedDict):
    """`model.training.live.settings.LiveSettings` as plain values."""

    task: str
    kind: str
    limit: int
    hidden: int
    score: str
    rate: float
    forcing: float
    clip: float
    seed: int
    seconds: float
    interval: float


class NetworkReport(TypedDict):
    """What one network has reported. `lengths`: source lengths that are trained on; `longer`: lengths beyond, in the
    exam only. `exam`: the scores when training last stopped. `problem`: the reason and the part of `TaskInputError` for
    the reader's last input; [] if it had an answer."""

    settings: SettingsRecord
    state: State
    reason: Reason
    parameters: int
    lengths: list[int]
    longer: list[int]
    examples: list[ExampleText]
    snapshots: list[Snapshot]
    exam: list[LengthScore]
    problem: list[str]


def start_report(settings: SettingsRecord) -> NetworkReport:
    """Return the report of a network that has not started."""
    return {"settings": settings, "state": "waiting", "reason": "", "parameters": 0, "lengths": [], "longer": [],
            "examples": [], "snapshots": [], "exam": [], "problem": []}  # fmt: skip


def end_report(report: NetworkReport, reason: Reason) -> None:
    """Note why a network's process ended; the first reason counts."""
    if report["state"] != "ended":
        report["state"], report["reason"] = "ended", reason


def store_event(report: NetworkReport, event: dict[str, Any]) -> None:
    """Add an event to the report; what a process sends after its end is ignored."""
    kind = event["event"]
    if kind in ("ended", "failed"):
        end_report(report, event.get("reason", "error"))
    elif report["state"] == "ended":
        return
    elif kind == "ready":
        report["parameters"], report["examples"] = event["parameters"], event["examples"]
        report["lengths"], report["longer"] = event["lengths"], event["longer"]
    elif kind == "snapshot":
        report["snapshots"].append(event["snapshot"])
    elif kind == "exam":
        report["exam"] = event["scores"]
    elif kind == "state":
        report["state"] = event["state"]
    elif kind == "input":
        report["problem"] = [event["reason"], event["part"]] if "reason" in event else []
        if not report["problem"]:
            report["examples"] = [*report["examples"][:FIXED_EXAMPLES], event["example"]]
            for snapshot, view in zip(report["snapshots"], event["views"], strict=False):
                snapshot["examples"] = [*snapshot["examples"][:FIXED_EXAMPLES], view]
