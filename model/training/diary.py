"""The diary of a training run: what a model saw and said at some forty moments, so that learning can be shown later.

At each moment, spaced evenly in the logarithm of the target pieces seen (in earlier runs too, where the weights come
from one), it keeps for eight probe pairs the teacher-forced alpha (one byte a weight, compressed) and the greedy
translation, and beside them the running loss and, on a small fixed sample, the sums that BLEU by length is made of. It
cannot be made afterwards.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from model.measure.evaluation.development import BINS, DevelopmentSet, greedy_translations
from model.rnnsearch import RNNencdec, RNNsearch
from model.text.vocabulary import Vocabulary

DIARY = "diary.json"
SCHEMA = 1
MOMENTS = [round(100_000 * 10 ** (step / 12)) for step in range(43)]  # 0.1 to 316 million target pieces

PROBES = (
    ("I am a student.", "Je suis étudiant."),
    ("The small grey cat sleeps on the warm roof of the old house.",
     "Le petit chat gris dort sur le toit chaud de la vieille maison."),
    ("She has never seen the blue sea.", "Elle n'a jamais vu la mer bleue."),
    ("Do you want to drink a cup of coffee with us?", "Voulez-vous boire une tasse de café avec nous ?"),
    ("The European Parliament adopted a common agricultural policy.",
     "Le Parlement européen a adopté une politique agricole commune."),
    ("I would like to thank the members of the committee for their excellent work.",
     "Je voudrais remercier les membres de la commission pour leur excellent travail."),
    ("We must not forget that the economic situation in these countries remains very difficult.",
     "Nous ne devons pas oublier que la situation économique de ces pays reste très difficile."),
    ("When my brother came home yesterday evening, he told me that he had lost his keys on the train.",
     "Quand mon frère est rentré hier soir, il m'a dit qu'il avait perdu ses clés dans le train."),
)


class Diary:
    """The moments so far; `write` adds one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.moments: list[dict[str, Any]] = []

    def due(self, pieces: int) -> bool:
        """Whether a planned moment has passed since the last one written."""
        last = self.moments[-1]["target_pieces"] if self.moments else 0
        return any(last < moment <= pieces for moment in MOMENTS)

    def write(self, network: RNNsearch | RNNencdec, pieces: int, loss: float, development: DevelopmentSet) -> None:
        """Add the moment at which `pieces` target pieces have been seen; takes seconds, draws no random numbers."""
        by_length = development.counts_by_length(network)
        self.moments.append({
            "target_pieces": pieces,
            "loss": round(loss, 4),
            "translations": greedy_translations(network, self.vocabulary, [source for source, _ in PROBES]),
            "alpha": [pack(alpha) for alpha in self._alphas(network)],
            "bleu_counts": by_length,
        })  # fmt: skip

    def _alphas(self, network: RNNsearch | RNNencdec) -> list[npt.NDArray[np.float32]]:
        """Teacher-forced alpha (target, source) of every probe pair; none for RNNencdec."""
        device, alphas = network.W_s.device, []
        with torch.inference_mode():
            for source, target in PROBES:
                pair = [torch.tensor([self.vocabulary.encode(text)], device=device) for text in (source, target)]
                weights = network(*pair).weights
                if "attention" in weights:
                    alphas.append(weights["attention"][0].float().cpu().numpy())
        return alphas

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the probes with their pieces, the bins of `bleu_counts`, and the moments."""
        probes = [{
            "source": source, "target": target,
            "source_pieces": [self.vocabulary.piece(piece) for piece in self.vocabulary.encode(source)],
            "target_pieces": [self.vocabulary.piece(piece) for piece in self.vocabulary.encode(target)],
        } for source, target in PROBES]  # fmt: skip
        return {"schema": SCHEMA, "probes": probes, "bins": [list(limits) for limits in BINS], "moments": self.moments}

    def to_bytes(self) -> bytes:
        """The diary as JSON in UTF-8."""
        return (json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n").encode()

    @classmethod
    def from_dict(cls, vocabulary: Vocabulary, given: dict[str, Any]) -> Diary:
        """The diary `to_dict` gave; raises ValueError for another schema."""
        if given.get("schema") != SCHEMA:
            raise ValueError(f"this diary has the schema {given.get('schema')!r}; {SCHEMA} is known here")
        diary = cls(vocabulary)
        diary.moments = list(given["moments"])
        return diary


def pack(alpha: npt.NDArray[np.float32]) -> str:
    """Weights (target, source) as bytes, 255 for 1, compressed, in base64; `unpack` takes them back within 1/510."""
    return base64.b64encode(zlib.compress(np.rint(alpha * 255).astype(np.uint8).tobytes(), 9)).decode("ascii")


def unpack(packed: str, target: int, source: int) -> npt.NDArray[np.float32]:
    """The weights `pack` was given, (target, source), within 1/510."""
    content = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.uint8)
    return content.reshape(target, source).astype(np.float32) / np.float32(255)
