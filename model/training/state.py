"""The saved state of a run: always a whole file, and read with care."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import torch

from model.serialization.files import replace_file

STATE = "state.pt"
SCHEMA = 2
KEYS = ("plan", "recipe", "origin", "network", "average", "optimiser", "progress", "diary", "random", "random_cuda")


class StateError(ValueError):
    """A saved state that is damaged or of another version; the message says which and what to do."""


def write_state(folder: Path, state: dict[str, Any]) -> None:
    """Put a state in the old one's place: a kill or a full disk leaves one or the other. Raises StateError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / STATE, lambda file: torch.save({"schema": SCHEMA, **state}, file))
    except (OSError, RuntimeError) as error:  # RuntimeError: torch's writer, where a write of its own failed
        cause = error if isinstance(error, OSError) else error.__context__
        reason = cause.strerror if isinstance(cause, OSError) else None
        before = "the one before stands" if (folder / STATE).exists() else "there is none yet"
        raise StateError(f"the state cannot be saved in {folder} ({reason or 'writing failed'}); {before}; make room "
                         "on the disk, or see to it that the folder can be written, and go on with --resume") from error


def read_state(folder: Path) -> dict[str, Any]:
    """The state last written to a folder, every byte checked. Raises FileNotFoundError or StateError."""
    path = folder / STATE
    advice = f"go on from its best weights with --init {folder / 'best'}, or start anew"
    try:
        with zipfile.ZipFile(path) as archive:  # torch itself does not look at the checksums
            broken = archive.testzip()
        state = None if broken else torch.load(path, weights_only=True, map_location="cpu")
    except FileNotFoundError:
        raise
    except Exception as error:  # whatever a reader may trip over in a file that is not what it was written as
        raise StateError(f"the saved state {path} is damaged ({type(error).__name__}); {advice}") from error
    if not isinstance(state, dict):
        raise StateError(f"the saved state {path} is damaged (its checksums are not those of its content); {advice}")
    schema = state.get("schema", 1)  # the first ones did not say
    if schema == 1:
        state = _of_before(state)
    elif schema != SCHEMA:
        raise StateError(f"the saved state {path} has the schema {schema!r}, but {SCHEMA} is known here; {advice}")
    missing = [key for key in KEYS if key not in state]
    if missing or not isinstance(state["recipe"], dict) or not isinstance(state["plan"], dict):
        raise StateError(f"the saved state {path} lacks {', '.join(missing) or 'its recipe or its plan'}; {advice}")
    return state


def _of_before(state: dict[str, Any]) -> dict[str, Any]:
    """A state of schema 1 as one of today's: what is trained stood in its name alone, as KIND-LONGEST."""
    kind, _, longest = str(state.get("name", "")).rpartition("-")
    plan = {"kind": kind, "longest_words": int(longest) if longest.isascii() and longest.isdigit() else 0,
            "name": state.get("name", "")}  # fmt: skip
    return {key: value for key, value in state.items() if key not in ("name", "schema")} | {"plan": plan}
