"""Where models are looked for beside the shipped ones: in the folders of `--models DIR` and of an environment variable.

Such a folder is a checkpoint, a run (with its checkpoint in best/), or a folder of checkpoints or of runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

ENVIRONMENT_VARIABLE = "ALIGN_TRANSLATE_MODELS"
"""Names folders of models, several with the system's separator of paths between (":", in Windows ";")."""

OPTION = "--models"
BEST_FOLDER = "best"  # where a run keeps its checkpoint

_chosen: tuple[Path, ...] = ()


def set_extra_folders(folders: Iterable[str | os.PathLike[str]]) -> None:
    """Look for models in these folders too, until told otherwise."""
    global _chosen
    _chosen = tuple(map(Path, folders))


def parse_folder_options(arguments: Sequence[str]) -> list[Path]:
    """The folders that `--models DIR` or `--models=DIR`, as often as it stands there, names among these arguments."""
    found = [Path(one.partition("=")[2]) for one in arguments if one.startswith(f"{OPTION}=")]
    return found + [Path(value) for one, value in pairwise(arguments) if one == OPTION]


def list_model_folders() -> tuple[Path, ...]:
    """The folders in their order: those of `--models`, then those of the variable, each once."""
    named = [Path(part) for part in os.environ.get(ENVIRONMENT_VARIABLE, "").split(os.pathsep) if part]
    found: dict[str, Path] = {}
    for place in (*_chosen, *named):
        found.setdefault(_resolved(place), place)
    return tuple(found.values())


def list_checkpoint_folders(place: Path) -> list[Path]:
    """The folders under a place that may be checkpoints: itself, else its best/, else its folders or their best/."""
    if any(place.glob("card.json")):
        return [place]
    if has_best_checkpoint(place):
        return [place / BEST_FOLDER]
    inner = sorted({_plain(path) for path in place.glob("[!.]*") if path.is_dir()})
    return [path / BEST_FOLDER if has_best_checkpoint(path) else path for path in inner]


def has_best_checkpoint(folder: Path) -> bool:
    """Whether a run has a checkpoint, if only one that a stopped save left under another name."""
    return any(path.is_dir() for path in folder.glob(f"{BEST_FOLDER}*"))


def _plain(path: Path) -> Path:
    """The name of a checkpoint that a stopped save left under another one (model/serialization/files.py)."""
    return path.with_name(path.name.removesuffix(".new").removesuffix(".old"))


def _resolved(place: Path) -> str:
    return os.path.realpath(place)
