"""Cards of models that do not exist."""

from __future__ import annotations

from pathlib import Path

from model.checkpoints.checkpoint import VOCABULARY, WEIGHTS, Card
from model.networks.registry import find_kind
from model.trace import MapDescription

ATTENTION = MapDescription("attention")


def build_card(name: str, kind: str = "rnnsearch", longest: int = 50, *, title: str = "", fingerprint: str = "0" * 12,
         languages: tuple[str, str] = ("en", "fr"), maps: tuple[MapDescription, ...] | None = None, pieces: int = 0,
         folder: Path = Path(), has_unk: bool = False) -> Card:
    """Return a card of a kind of network. By default it has the map "attention", except RNNencdec."""
    return Card(
        name=name,
        network={"kind": kind},
        parameters=1,
        sha256={WEIGHTS: fingerprint.ljust(64, "0"), VOCABULARY: "0" * 64},
        title=title,
        languages=languages,
        longest_words=longest,
        maps=(() if kind == "rnnencdec" else (ATTENTION,)) if maps is None else maps,
        training={"target_pieces": pieces},
        folder=folder,
        has_unk=has_unk,
    )


def build_named_card(name: str, fingerprint: str = "0" * 12) -> Card:
    """Return the card of a model that is named KIND-LONGEST, such as "rnnsearch-50"."""
    kind, _, longest = name.rpartition("-")
    return build_card(name, kind, int(longest), title=f"{find_kind(kind).title}-{longest}", fingerprint=fingerprint)
