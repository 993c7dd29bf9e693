"""The measurements of a folder: evaluations of test sets, and records of other kinds.

A record has its kind in its JSON under "kind" (RECORD_KINDS). Reports on everyday sentences are recognised by file
name. Needs no torch.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import Evaluation, EvaluationError
from model.checkpoints import checkpoint
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.serialization.codec import CodecError, parse_json
from model.serialization.timestamps import format_current_time

EVALUATIONS_FOLDER = checkpoint.SHIPPED.parent / "evaluations"

RECORD_KINDS = ("alignment-error", "beam-sizes", "endings", "claims", "robustness", "copying", "ablation",
                "coverage", "joined", "run", "word-order")  # fmt: skip
EVERYDAY_PREFIX = "everyday-"
RECORD_ERRORS = (AttributeError, LookupError, TypeError, ValueError)
"""What reading a damaged record raises."""


def name_evaluation_file(data: str, model: str, beam: int) -> str:
    """Return the file name of an evaluation."""
    return f"{data.replace(', ', '-').replace(' ', '-')}-{model}-{'greedy' if beam == 1 else f'beam{beam}'}.json"


def build_record_head(
    kind: str, schema: int, model: TranslationModel, data: dict[str, Any], settings: Settings | None = None
) -> dict[str, Any]:
    """Return the first part of a measurement's record: kind, weights, data, and the search if there is one."""
    search = {"search": settings.search_record} if settings else {}
    return {"schema": schema, "kind": kind, "model": model.name, "fingerprint": model.fingerprint, "data": data,
            **search}


def build_date_and_command(command: str) -> dict[str, str]:
    """Return the part of a record that says when it was made, now in UTC, and by which command."""
    return {"date": format_current_time(), "command": command}


def load_evaluations(folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> list[Evaluation]:
    """Load the evaluations of a folder in the order of file names; [] for a missing folder. Other records are skipped.

    EvaluationError names an unreadable file. A full evaluation has 25,000 sentences: keep only what you need.
    """
    evaluations = []
    for path in _list_files(folder):
        content = _read(path)
        if not path.name.startswith(EVERYDAY_PREFIX) and "kind" not in content:
            try:
                evaluations.append(Evaluation.from_plain(content))
            except CodecError as error:
                raise EvaluationError(f"{path.name}: {error}") from error
    return evaluations


def load_records(kind: str, folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, dict[str, Any]]:
    """Load the records of one of RECORD_KINDS from a folder, by file name.

    Raises EvaluationError for an unknown kind and for an unreadable file.
    """
    if kind not in RECORD_KINDS:
        raise EvaluationError(f"A kind of measurement is one of {', '.join(RECORD_KINDS)}: got {kind[:40]!r}.")
    return {path.name: _read(path) for path in _list_files(folder) if _get_kind(path) == kind}


def load_record(name: str, folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, Any] | None:
    """Load one record by file name, None if there is none. Faster than searching the folder.

    Raises EvaluationError if it cannot be read.
    """
    path = Path(folder) / name
    return _read(path) if path.is_file() else None


def load_fingerprints(folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, dict[str, str]]:
    """Return, for each file of a folder, the models it is about with the fingerprints of their weights.

    Raises EvaluationError for a file without them.
    """
    fingerprints = {}
    for path in _list_files(folder):
        content = _read(path)
        if isinstance(content.get("models"), dict) \
                and all(isinstance(fingerprint, str) for fingerprint in content["models"].values()):
            fingerprints[path.name] = dict(content["models"])
        elif isinstance(content.get("model"), str) and isinstance(content.get("fingerprint"), str):
            fingerprints[path.name] = {content["model"]: content["fingerprint"]}
        else:
            raise EvaluationError(f"{path.name} doesn't say which weights it was made with; make it again.")
    return fingerprints


def _list_files(folder: str | os.PathLike[str]) -> list[Path]:
    return sorted(Path(folder).glob("*.json"))


def _get_kind(path: Path) -> object:
    """Return the kind of a file, None for an evaluation. Cached, because pages ask for several kinds at every rerun."""
    try:
        status = path.stat()
    except OSError as error:
        raise EvaluationError(f"{path.name} can't be read: {error.strerror}.") from error
    return _read_kind(path, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _read_kind(path: Path, inode: int, modified: int, size: int) -> object:
    """Return the kind of one version of a file."""
    return _read(path).get("kind")


def _read(path: Path) -> dict[str, Any]:
    try:
        return parse_json(path.read_bytes(), "a measurement")
    except OSError as error:
        raise EvaluationError(f"{path.name} can't be read: {error.strerror}.") from error
    except CodecError as error:
        raise EvaluationError(f"{path.name}: {error} Make it again.") from error
