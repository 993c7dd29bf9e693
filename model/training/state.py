"""The saved state of a run: replaced atomically, and checked before use, because the file may come from anyone."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from model.serialization.files import replace_file
from model.serialization.messages import quote_value

STATE = "state.pt"
SCHEMA = 2
KEYS = ("plan", "recipe", "origin", "network", "average", "optimiser", "progress", "diary", "random", "random_cuda")
MAX_COUNT = 10**15


class StateError(ValueError):
    """A saved state is damaged, of another version, or could not be written."""


class InvalidStateError(ValueError):
    """A value in a saved state is impossible; the message names it and what is allowed."""


def write_state(folder: Path, state: dict[str, Any]) -> None:
    """Replace the state in a folder atomically. Raises StateError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / STATE, lambda file: torch.save({"schema": SCHEMA, **state}, file))
    except (OSError, RuntimeError) as error:  # torch.save raises RuntimeError if writing fails
        cause = error if isinstance(error, OSError) else error.__context__
        reason = cause.strerror if isinstance(cause, OSError) else None
        previous = "the previous state is kept" if (folder / STATE).exists() else "there is no previous state"
        raise StateError(f"the state cannot be saved in {folder} ({reason or 'writing failed'}); {previous}; make room "
                         "on the disk, or allow writing to the folder, and continue with --resume") from error


def read_state(folder: Path) -> dict[str, Any]:
    """Return the state in a folder after checking its checksums. Raises FileNotFoundError or StateError."""
    path = folder / STATE
    advice = f"continue from its best weights with --init {folder / 'best'}, or start anew"
    try:
        with zipfile.ZipFile(path) as archive:  # torch does not check the checksums
            damaged = archive.testzip()
        state = None if damaged else torch.load(path, weights_only=True, map_location="cpu")
    except FileNotFoundError:
        raise
    except PermissionError as error:
        raise StateError(f"the saved state {path} cannot be read ({error.strerror}); allow reading it, and continue "
                         "with --resume") from error
    except Exception as error:  # a damaged file can raise almost anything
        raise StateError(f"the saved state {path} is damaged ({type(error).__name__}); {advice}") from error
    if not isinstance(state, dict):
        raise StateError(f"the saved state {path} is damaged (its checksums do not match); {advice}")
    schema = state.get("schema", 1)
    if schema == 1:
        state = _upgrade_schema_1(state)
    elif schema != SCHEMA:
        raise StateError(f"the saved state {path} has the schema {schema!r}, but {SCHEMA} is known here; {advice}")
    progress = state.get("progress")
    if isinstance(progress, dict) and "pieces" in progress:  # the key's earlier name
        progress["target_tokens"] = progress.pop("pieces")
    missing = [key for key in KEYS if key not in state]
    if missing or not isinstance(state["recipe"], dict) or not isinstance(state["plan"], dict):
        raise StateError(f"the saved state {path} lacks {', '.join(missing) or 'its recipe or its plan'}; {advice}")
    return state


def _upgrade_schema_1(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state of schema 1, which named its plan KIND-LONGEST, as schema 2."""
    kind, _, longest = str(state.get("name", "")).rpartition("-")
    plan = {"kind": kind, "longest_words": int(longest) if longest.isascii() and longest.isdigit() else 0,
            "name": state.get("name", "")}  # fmt: skip
    return {key: value for key, value in state.items() if key not in ("name", "schema")} | {"plan": plan}


def check_progress(value: Any) -> None:
    """Raise InvalidStateError unless the value can be the saved `model.training.learner.Progress` of a run."""
    progress = _check_table("progress", value)
    for key in ("updates", "target_tokens", "restarts"):
        _check_count(f"progress.{key}", progress[key])
    _check_number("progress.seconds", progress["seconds"], 0)
    _check_number("progress.processor_seconds", progress.get("processor_seconds", 0.0), 0)
    cooling = progress.get("cooling")
    if cooling is not None:
        if not isinstance(cooling, list | tuple) or len(cooling) != 2:
            raise InvalidStateError(f"progress.cooling is {quote_value(cooling)}; it must be two numbers")
        for tokens in cooling:
            _check_count("progress.cooling", tokens)
        if cooling[0] >= cooling[1]:
            raise InvalidStateError(f"progress.cooling is {quote_value(cooling)}; it must end after it begins")
    _check_number("progress.best", progress["best"], -1, 100)
    if not isinstance(progress["loss"], float):  # NaN before the first update
        raise InvalidStateError(f"progress.loss is {quote_value(progress['loss'])}; it must be a number")
    position = _check_table("progress.position", progress["position"])
    for key in ("epoch", "pool", "batch"):
        _check_count(f"progress.position.{key}", position[key])
    if not isinstance(progress["curve"], list):
        raise InvalidStateError(f"progress.curve is {quote_value(progress['curve'])}; it must be a list")
    for number, entry in enumerate(progress["curve"]):
        name = f"progress.curve[{number}]"
        point = _check_table(name, entry)
        for key in ("pieces", "updates"):
            _check_count(f"{name}.{key}", point[key])
        _check_number(f"{name}.hours", point["hours"], 0)
        for metric, score in _check_table(f"{name}.bleu", point["bleu"]).items():
            _check_number(f"{name}.bleu.{metric}", score, 0, 100)
        _check_number(f"{name}.bleu.all", point["bleu"]["all"], 0, 100)


def check_origin(value: Any) -> None:
    """Raise InvalidStateError unless the value is None or describes the checkpoint from which a run started."""
    if value is None:
        return
    origin = _check_table("origin", value)
    for key in ("name", "fingerprint"):
        if not isinstance(origin[key], str):
            raise InvalidStateError(f"origin.{key} is {quote_value(origin[key])}; it must be a text")
    training: Any = origin["training"]
    name = "origin.training"
    while training:
        training = _check_table(name, training)
        _check_count(f"{name}.target_pieces", training.get("target_pieces", 0))
        name, parent = f"{name}.from", training.get("from")
        training = _check_table(name, parent).get("training") if parent else None


def check_optimiser(optimiser: torch.optim.Optimizer) -> None:
    """Raise InvalidStateError unless all state tensors are finite and scalars or of their parameter's shape."""
    for group in optimiser.param_groups:
        for parameter in group["params"]:
            for name, value in optimiser.state.get(parameter, {}).items():
                if not isinstance(value, torch.Tensor) or (value.ndim and value.shape != parameter.shape):
                    raise InvalidStateError(f"the optimiser's {name} is not of the shape {tuple(parameter.shape)}")
                if not bool(value.isfinite().all()):
                    raise InvalidStateError(f"the optimiser's {name} is not finite")


def _check_table(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidStateError(f"{name} is {quote_value(value)}; it must be a table")
    return value


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        raise InvalidStateError(f"{name} is {quote_value(value)}; it must be a whole number from 0 to {MAX_COUNT:,}")


def _check_number(name: str, value: Any, minimum: float, maximum: float = math.inf) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) \
            or not minimum <= value <= maximum:
        allowed = f"from {minimum} to {maximum}" if maximum < math.inf else f"of {minimum} or more"
        raise InvalidStateError(f"{name} is {quote_value(value)}; it must be a number {allowed}")
