"""What lies in a folder of measurements: evaluations of test sets, and measurements of other kinds beside them.

A file of another kind says so in its JSON, under "kind" (KINDS); the reports on everyday sentences are known by their
name. Needs no torch.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import Evaluation, EvaluationError
from model.checkpoints import checkpoint
from model.serialization.codec import CodecError, parse_json

EVALUATIONS_FOLDER = checkpoint.SHIPPED.parent / "evaluations"

RECORD_KINDS = ("alignment-error", "beam-sizes", "endings", "claims", "robustness", "copied", "attention-need", "looking",
         "run")
EVERYDAY_PREFIX = "everyday-"


def evaluation_file_name(data: str, model: str, beam: int) -> str:
    """What the file of an evaluation is called, by the name of its data."""
    return f"{data.replace(', ', '-').replace(' ', '-')}-{model}-{'greedy' if beam == 1 else f'beam{beam}'}.json"


def load_evaluations(folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> list[Evaluation]:
    """The evaluations in a folder, in the order of their files' names; all other kinds of files there are skipped.

    Whoever shows or compares evaluations reads them through this. A missing folder holds none. EvaluationError names
    the file that can't be read. A full evaluation has 25,000 sentences: keep what you need of it.
    """
    found = []
    for path in _files(folder):
        content = _read(path)
        if not path.name.startswith(EVERYDAY_PREFIX) and "kind" not in content:
            try:
                found.append(Evaluation.from_plain(content))
            except CodecError as error:
                raise EvaluationError(f"{path.name}: {error}") from error
    return found


def load_records(kind: str, folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, dict[str, Any]]:
    """The measurements of another kind (one of KINDS) in a folder, by the file's name.

    Raises EvaluationError for a kind there is not, and naming a file that can't be read.
    """
    if kind not in RECORD_KINDS:
        raise EvaluationError(f"A kind of measurement is one of {', '.join(RECORD_KINDS)}: got {kind[:40]!r}.")
    return {path.name: _read(path) for path in _files(folder) if _kind(path) == kind}


def load_record(name: str, folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, Any] | None:
    """One measurement by its file's name, None where there is none: sooner than looking through all of them.

    Raises EvaluationError where it can't be read.
    """
    path = Path(folder) / name
    return _read(path) if path.is_file() else None


def load_fingerprints(folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> dict[str, dict[str, str]]:
    """For each file in a folder the models it is about, with the fingerprints of the weights it was made with.

    Raises EvaluationError where a file says neither.
    """
    found = {}
    for path in _files(folder):
        content = _read(path)
        if isinstance(content.get("models"), dict) \
                and all(isinstance(one, str) for one in content["models"].values()):
            found[path.name] = dict(content["models"])
        elif isinstance(content.get("model"), str) and isinstance(content.get("fingerprint"), str):
            found[path.name] = {content["model"]: content["fingerprint"]}
        else:
            raise EvaluationError(f"{path.name} doesn't say which weights it was made with; make it again.")
    return found


def _files(folder: str | os.PathLike[str]) -> list[Path]:
    return sorted(Path(folder).glob("*.json"))


def _kind(path: Path) -> object:
    """What kind of measurement a file says it is, None for an evaluation: pages ask for three kinds at every click, and
    the largest files are of none of them."""
    try:
        status = path.stat()
    except OSError as error:
        raise EvaluationError(f"{path.name} can't be read: {error.strerror}.") from error
    return _kind_at(path, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _kind_at(path: Path, inode: int, modified: int, size: int) -> object:
    """The kind of a file as it was written last."""
    return _read(path).get("kind")


def _read(path: Path) -> dict[str, Any]:
    try:
        return parse_json(path.read_bytes(), "a measurement")
    except OSError as error:
        raise EvaluationError(f"{path.name} can't be read: {error.strerror}.") from error
    except CodecError as error:
        raise EvaluationError(f"{path.name}: {error} Make it again.") from error
