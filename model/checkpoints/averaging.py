"""Average the weights of checkpoints, such as those at the ends of several trainings that continue each other.

The mean of such weights often translates better than any of them: Vaswani et al. 2017, section 6.1, average the last
checkpoints of a training.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from model.checkpoints.checkpoint import (
    VOCABULARY,
    WEIGHTS,
    Card,
    CheckpointError,
    Model,
    load_model,
    save_checkpoint,
)
from model.networks.registry import CHANGEABLE_SETTINGS

_MEASUREMENT_KEYS = ("loss", "rounded")  # what a card's `training` says of its own weights


def average_checkpoints(names_or_folders: Sequence[str | os.PathLike[str]], folder: Path) -> Card:
    """Write a checkpoint with the mean of the weights of these checkpoints, and return its card.

    All else is that of the last one; its card also lists, under `averaged` in `training`, the weights and the target
    tokens of each, and not what was measured of the last one's weights. Raises CheckpointError for fewer than two
    checkpoints, another network or vocabulary, or a `folder` that exists.
    """
    if folder.exists():
        raise CheckpointError(f"{folder} exists already: name a new folder for the average")
    if len(names_or_folders) < 2:
        raise CheckpointError(f"an average takes two checkpoints or more: got {len(names_or_folders)}")
    models = [load_model(name) for name in names_or_folders]
    last = models[-1]
    for model in models:
        for part, value, last_value in (
            ("network", *map(_get_fixed_settings, (model, last))),
            ("vocabulary", model.card.sha256[VOCABULARY], last.card.sha256[VOCABULARY]),
        ):
            if value != last_value:
                raise CheckpointError(f"{model.card.folder} has another {part} than {last.card.folder}; "
                                      "average checkpoints of one network")
    states = [model.network.state_dict() for model in models]
    mean = {key: torch.stack([state[key].double() for state in states]).mean(0).float() for key in states[0]}
    last.network.load_state_dict(mean)
    card = last.card
    training = {key: value for key, value in card.training.items() if key not in _MEASUREMENT_KEYS}
    averaged = [{"fingerprint": model.card.fingerprint, "target_pieces": model.card.target_tokens} for model in models]
    extra = {file: (card.folder / file).read_bytes() for file in card.sha256 if file not in (WEIGHTS, VOCABULARY)}
    return save_checkpoint(
        folder, last.network, card.folder / VOCABULARY, name=card.name, title=card.title, languages=card.languages,
        longest_words=card.longest_words, training={**training, "averaged": averaged}, extra=extra,
    )  # fmt: skip


def _get_fixed_settings(model: Model) -> dict[str, Any]:
    return {key: value for key, value in model.card.network.items() if key not in CHANGEABLE_SETTINGS}
