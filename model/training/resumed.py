"""What a saved state says about its run, checked before any of it is used: the file may be anybody's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch

from model.serialization.messages import quote_value

MOST = 10**15  # of anything that is counted


class InvalidStateError(ValueError):
    """A value that no run of ours has; the message names it and says what it must be."""


def check_progress(given: Any) -> None:
    """Raise Unfit unless these are the counters of a run, as the trainer saves them (`trainer.Progress`)."""
    progress = _table("progress", given)
    for key in ("updates", "pieces", "restarts"):
        _whole(f"progress.{key}", progress[key])
    _number("progress.seconds", progress["seconds"], 0)
    _number("progress.processor_seconds", progress.get("processor_seconds", 0.0), 0)
    cooling = progress.get("cooling")
    if cooling is not None:
        if not isinstance(cooling, list | tuple) or len(cooling) != 2:
            raise InvalidStateError(f"progress.cooling is {quote_value(cooling)}; it must be two numbers")
        for pieces in cooling:
            _whole("progress.cooling", pieces)
        if cooling[0] >= cooling[1]:
            raise InvalidStateError(f"progress.cooling is {quote_value(cooling)}; it must end after it begins")
    _number("progress.best", progress["best"], -1, 100)
    if not isinstance(progress["loss"], float):  # NaN before the first update
        raise InvalidStateError(f"progress.loss is {quote_value(progress['loss'])}; it must be a number")
    position = _table("progress.position", progress["position"])
    for key in ("epoch", "pool", "batch"):
        _whole(f"progress.position.{key}", position[key])
    if not isinstance(progress["curve"], list):
        raise InvalidStateError(f"progress.curve is {quote_value(progress['curve'])}; it must be a list")
    for number, entry in enumerate(progress["curve"]):
        where = f"progress.curve[{number}]"
        point = _table(where, entry)
        for key in ("pieces", "updates"):
            _whole(f"{where}.{key}", point[key])
        _number(f"{where}.hours", point["hours"], 0)
        for name, score in _table(f"{where}.bleu", point["bleu"]).items():
            _number(f"{where}.bleu.{name}", score, 0, 100)
        _number(f"{where}.bleu.all", point["bleu"]["all"], 0, 100)


def check_origin(given: Any) -> None:
    """Raise Unfit unless this is None or says which checkpoint a run went on from."""
    if given is None:
        return
    origin = _table("origin", given)
    for key in ("name", "fingerprint"):
        if not isinstance(origin[key], str):
            raise InvalidStateError(f"origin.{key} is {quote_value(origin[key])}; it must be a text")
    training: Any = origin["training"]
    where = "origin.training"
    while training:
        training = _table(where, training)
        _whole(f"{where}.target_pieces", training.get("target_pieces", 0))
        where, before = f"{where}.from", training.get("from")
        training = _table(where, before).get("training") if before else None


def check_optimiser(optimiser: torch.optim.Optimizer) -> None:
    """Raise Unfit unless what it remembers of every parameter has the parameter's shape and is finite, or counts."""
    for group in optimiser.param_groups:
        for parameter in group["params"]:
            for name, value in optimiser.state.get(parameter, {}).items():
                if not isinstance(value, torch.Tensor) or (value.ndim and value.shape != parameter.shape):
                    raise InvalidStateError(f"the optimiser's {name} is not of the shape {tuple(parameter.shape)}")
                if not bool(value.isfinite().all()):
                    raise InvalidStateError(f"the optimiser's {name} is not finite")


def _table(name: str, given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidStateError(f"{name} is {quote_value(given)}; it must be a table")
    return given


def _whole(name: str, given: Any) -> None:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= MOST:
        raise InvalidStateError(f"{name} is {quote_value(given)}; it must be a whole number from 0 to {MOST:,}")


def _number(name: str, given: Any, least: float, most: float = math.inf) -> None:
    if not isinstance(given, int | float) or isinstance(given, bool) or not math.isfinite(given) \
            or not least <= given <= most:
        allowed = f"from {least} to {most}" if most < math.inf else f"from {least} on"
        raise InvalidStateError(f"{name} is {quote_value(given)}; it must be a number {allowed}")
