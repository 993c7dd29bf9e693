"""Translations by small networks of each kind with random weights, for the tests of Step by step."""

from pathlib import Path
from typing import Any

import torch

from model.checkpoints import checkpoint
from model.decoding import Settings
from model.decoding.translate import translate_n_best
from model.networks import registry
from model.networks.equations.rnnsearch import StepEquations
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace

_LSTM = {"embedding": 16, "hidden": 24, "layers": 2, "reverse": True, "dropout": 0.0}
_LUONG = {**_LSTM, "directions": 1, "score": "general", "window": "global", "distance": 2, "places": 60,
          "feeding": True}  # fmt: skip
_GRU = {"embedding": 16, "hidden": 24, "alignment": 16, "readout": 16, "wiring": "groundhog", "dropout": 0.0}
_COVERING = {**_GRU, "coverage_size": 1, "fertility": 2, "coverage_loss": 0.0}
NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "rnnsearch": ("rnnsearch", _GRU),
    "rnnencdec": ("rnnencdec", _GRU),
    "seq2seq": ("seq2seq", _LSTM),
    "forwards": ("seq2seq", {**_LSTM, "reverse": False, "layers": 5}),
    "luong": ("luong", _LUONG),
    "two directions": ("luong", {**_LUONG, "directions": 2, "reverse": False}),
    "two directions, reversed": ("luong", {**_LUONG, "directions": 2}),
    "local-p": ("luong", {**_LUONG, "window": "local-p"}),
    "local-m": ("luong", {**_LUONG, "window": "local-m", "feeding": False}),
    "coverage": ("coverage", {**_COVERING, "coverage": "sum", "copying": False}),
    "copy": ("copy", {**_COVERING, "coverage": "linguistic", "copying": True}),
    "transformer": ("transformer", {"hidden": 16, "feed_forward": 24, "heads": 2, "layers": 2,
                                    "decoder_layers": 3, "norm": "pre", "dropout": 0.0}),
}  # fmt: skip
SENTENCE = normalise("My sister reads a green book in the garden.")


def translate_with_equations(name: str, vocabulary: Vocabulary, folder: Path) -> tuple[Trace, StepEquations]:
    """Translate SENTENCE by one of NETWORKS; return the Trace and the network's equations."""
    kind, network = NETWORKS[name]
    torch.manual_seed(5)
    config = registry.find_kind(kind).configure({"kind": kind, "vocabulary": len(vocabulary), **network})
    vocabulary.save(folder / "vocabulary.model")
    built_network = registry.find_kind(kind).build(config).eval()
    checkpoint.save_checkpoint(
        folder / name, built_network, folder / "vocabulary.model", name=name, title=name, training={}
    )
    model = checkpoint.load_model(folder / name)
    (trace,) = translate_n_best(model, SENTENCE, Settings(sample=True, seed=4, detail=True, max_ratio=0.8))
    equations: StepEquations = registry.find_kind(kind).build_equations(model.card.network)
    return trace, equations
