"""Checkpoints: a folder of half-precision weights, the vocabulary and a card, checked by their checksums on loading.

`weights.safetensors` cannot run code. `card.json` says what the model is, how it was trained and what it scores; reading
cards needs no torch. The fingerprint, the first twelve hexadecimal digits of the weights' SHA-256, names the weights
wherever a number or a Trace was made with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.rnnsearch import RNNencdec, RNNsearch
    from model.text.vocabulary import Vocabulary

SHIPPED = Path(__file__).resolve().parents[1] / "assets" / "checkpoints"
WEIGHTS, VOCABULARY, CARD = "weights.safetensors", "vocabulary.model", "card.json"
FINGERPRINT_DIGITS = 12


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged or not ours; the message says which and what to do."""


@dataclass(frozen=True)
class Card:
    """What card.json holds. `network` is a model.rnnsearch.Configuration, `training` what the trainer reports."""

    name: str
    network: dict[str, Any]
    parameters: int
    sha256: dict[str, str]  # of the files beside the card
    training: dict[str, Any] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    folder: Path = field(default=Path(), compare=False)  # where it was read; not in the file

    @property
    def fingerprint(self) -> str:
        return self.sha256[WEIGHTS][:FINGERPRINT_DIGITS]


@dataclass(frozen=True)
class Model:
    """A loaded model: the network in float32 and evaluation mode, its vocabulary and its card."""

    network: RNNsearch | RNNencdec
    vocabulary: Vocabulary
    card: Card

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def fingerprint(self) -> str:
        return self.card.fingerprint


def save(folder: Path, network: RNNsearch | RNNencdec, vocabulary: Path, *, name: str, training: dict[str, Any],
         scores: list[dict[str, Any]] | None = None, extra: dict[str, bytes] | None = None) -> Card:
    """Write a checkpoint so that a reader finds the old one or the new one, never a mixture. Returns its card.

    `extra` holds further files by name, such as the training diary; their checksums join the card.
    """
    import torch
    from safetensors.torch import save_file

    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    weights = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in network.state_dict().items()}
    save_file(weights, fresh / WEIGHTS, metadata={"format": "pt"})
    shutil.copyfile(vocabulary, fresh / VOCABULARY)
    for file, content in (extra or {}).items():
        (fresh / file).write_bytes(content)
    card = Card(
        name=name,
        network=asdict(network.configuration),
        parameters=sum(value.numel() for value in weights.values()),
        sha256={file.name: _sha256(file) for file in sorted(fresh.iterdir())},
        training=training,
        scores=scores or [],
    )
    write_card(fresh, card)
    if folder.exists():
        old = folder.with_name(folder.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old)
    else:
        fresh.rename(folder)
    return card


def write_card(folder: Path, card: Card) -> None:
    """Replace the card of a checkpoint, in one step."""
    content = {key: value for key, value in asdict(card).items() if key != "folder"}
    partial = folder / (CARD + ".part")
    partial.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    partial.replace(folder / CARD)


def find(name_or_folder: str | os.PathLike[str]) -> Path:
    """The folder of a shipped model by name, or any checkpoint by path. Raises CheckpointError naming what there is."""
    named = SHIPPED / name_or_folder
    for folder in (named, Path(name_or_folder)):
        if (folder / CARD).is_file():
            return folder
    known = ", ".join(card.name for card in available()) or "none"
    raise CheckpointError(
        f"there is no model {str(name_or_folder)[:100]!r}; shipped models: {known}; or give the path of a checkpoint's folder"
    )


def read_card(folder: Path) -> Card:
    """The card of a checkpoint, without loading its weights. Raises CheckpointError."""
    try:
        content = json.loads((folder / CARD).read_text(encoding="utf-8"))
        card = Card(**content, folder=folder)
        if not isinstance(card.sha256[WEIGHTS], str) or not isinstance(card.name, str):
            raise TypeError("sha256 and name must be text")
    except OSError as error:
        raise CheckpointError(f"{folder} holds no readable card ({error.strerror}); it is not a checkpoint") from error
    except (ValueError, TypeError, KeyError) as error:
        raise CheckpointError(f"the card of {folder} is damaged ({error}); restore the checkpoint") from error
    return card


def available() -> list[Card]:
    """The cards of the shipped models, by name. Damaged ones are left out here and reported by `load`."""
    cards = []
    for path in sorted(SHIPPED.glob(f"*/{CARD}")):
        try:
            cards.append(read_card(path.parent))
        except CheckpointError:
            continue
    return cards


def load(name_or_folder: str | os.PathLike[str]) -> Model:
    """Load a checkpoint, its checksums verified; the network computes in float32. Raises CheckpointError."""
    folder = find(name_or_folder)
    card = read_card(folder)
    for file, expected in card.sha256.items():
        if Path(file).name != file:
            raise CheckpointError(f"the card of {folder} names the file {file!r}, which lies outside its folder")
        try:
            found = _sha256(folder / file)
        except OSError as error:
            raise CheckpointError(f"the checkpoint {folder} lacks {file}; restore it") from error
        if found != expected:
            raise CheckpointError(
                f"{file} of the checkpoint {folder} is damaged: its SHA-256 begins with {found[:12]}, "
                f"the card says {expected[:12]}; restore it"
            )
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from model.rnnsearch import Configuration, build
    from model.text.vocabulary import Vocabulary

    vocabulary = Vocabulary.load(folder / VOCABULARY)
    try:
        network = build(Configuration.from_dict(card.network))
        network.load_state_dict({key: value.float() for key, value in load_file(folder / WEIGHTS).items()})
    except (SafetensorError, RuntimeError, ValueError) as error:
        raise CheckpointError(f"the weights of {folder} do not fit their card: {str(error).splitlines()[0]}") from error
    if len(vocabulary) != network.configuration.vocabulary:
        raise CheckpointError(
            f"{folder}: the network knows {network.configuration.vocabulary} pieces, its vocabulary has {len(vocabulary)}"
        )
    return Model(network.eval(), vocabulary, card)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
