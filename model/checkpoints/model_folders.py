"""Extra folders of models, besides the shipped ones: from `--models DIR` and from an environment variable.

Such a folder is a checkpoint, a run (with its checkpoint in best/), or a folder of checkpoints or runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from model.serialization.files import NEW_SUFFIX, OLD_SUFFIX

ENVIRONMENT_VARIABLE = "ALIGN_TRANSLATE_MODELS"
"""Names folders of models, separated like a search path (":", on Windows ";")."""

OPTION = "--models"
BEST_FOLDER = "best"  # of a run, with its checkpoint

_extra_folders: tuple[Path, ...] = ()


def set_extra_folders(folders: Iterable[str | os.PathLike[str]]) -> None:
    """Set the folders of `--models`, replacing the earlier ones."""
    global _extra_folders
    _extra_folders = tuple(map(Path, folders))


def parse_folder_options(arguments: Sequence[str]) -> list[Path]:
    """Return the folders in all options `--models DIR` and `--models=DIR` of a command line."""
    folders = [Path(argument.partition("=")[2]) for argument in arguments if argument.startswith(f"{OPTION}=")]
    return folders + [Path(value) for option, value in pairwise(arguments) if option == OPTION]


def list_model_folders() -> tuple[Path, ...]:
    """Return the folders of `--models`, then those of the environment variable, each once."""
    from_environment = [Path(part) for part in os.environ.get(ENVIRONMENT_VARIABLE, "").split(os.pathsep) if part]
    folders: dict[str, Path] = {}
    for folder in (*_extra_folders, *from_environment):
        folders.setdefault(os.path.realpath(folder), folder)
    return tuple(folders.values())


def list_checkpoint_folders(folder: Path) -> list[Path]:
    """Return the folders that may be checkpoints: the folder itself, or its best/, or its subfolders or their best/."""
    if os.path.isfile(folder / "card.json"):  # False for a folder that cannot be read
        return [folder]
    if has_best_checkpoint(folder):
        return [folder / BEST_FOLDER]
    # An interrupted save leaves a checkpoint as NAME.new.part or NAME.old.part (`model.serialization.files`).
    subfolders = sorted({path.with_name(path.name.removesuffix(NEW_SUFFIX).removesuffix(OLD_SUFFIX))
                         for path in folder.glob("[!.]*") if path.is_dir()})  # fmt: skip
    return [path / BEST_FOLDER if has_best_checkpoint(path) else path for path in subfolders]


def has_best_checkpoint(folder: Path) -> bool:
    """Return whether a run has a checkpoint, possibly under the temporary name of an interrupted save."""
    return any(os.path.isdir(folder / f"{BEST_FOLDER}{suffix}") for suffix in ("", NEW_SUFFIX, OLD_SUFFIX))
