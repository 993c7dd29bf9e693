"""The diary of a training run: attention and translations at some forty moments, to show how they are learnt.

The moments are evenly spaced in the logarithm of the target tokens seen, those of earlier runs included. Each records
alpha (teacher-forced) and the greedy translation of eight probe pairs, the running loss, and the sums of BLEU by length
on a small fixed sample.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from model.decoding import Settings
from model.decoding.forced_decoding import force_decode
from model.networks.base import Translator
from model.serialization.codec import to_plain
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import NormalisedText, normalise
from model.text.vocabulary import Vocabulary
from model.trace import find_main_map
from model.training.development import BINS, DevelopmentSet, encode_pair, translate_greedily
from model.training.diary_record import SCHEMA, DiaryRecord, Moment, Probe, pack_alpha

MOMENT_TOKENS = [round(100_000 * 10 ** (step / 12)) for step in range(43)]  # 0.1 to 316 million

PROBES = tuple((normalise(source), normalise(target)) for source, target in (
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
))


class Diary:
    """The moments so far; `write` adds one. For languages other than English-French there are no probes."""

    def __init__(self, vocabulary: Vocabulary, languages: tuple[str, str] = DEFAULT_PAIR) -> None:
        self.vocabulary = vocabulary
        self.probes = PROBES if languages == DEFAULT_PAIR else ()
        self.moments: list[Moment] = []

    def is_due(self, tokens: int) -> bool:
        """Return whether a planned moment has passed since the last one written."""
        last = self.moments[-1].target_pieces if self.moments else 0
        return any(last < moment <= tokens for moment in MOMENT_TOKENS)

    def write(self, network: Translator, tokens: int, loss: float, development: DevelopmentSet) -> None:
        """Add a moment after `tokens` target tokens. Takes seconds, draws no random numbers."""
        counts = development.count_ngrams_by_length(network)
        translations = translate_greedily(network, self.vocabulary, [source for source, _ in self.probes])
        self.moments.append(Moment(
            target_pieces=tokens,
            loss=round(loss, 4) if math.isfinite(loss) else None,
            translations=tuple(translations),
            alpha=tuple(pack_alpha(alpha) for alpha in self._compute_alphas(network)),
            bleu_counts=tuple(map(tuple, counts)),
        ))  # fmt: skip

    def _compute_alphas(self, network: Translator) -> list[npt.NDArray[np.float32]]:
        """Return the teacher-forced alpha (target, source) of every probe; none without attention."""
        main_map = find_main_map(network.maps)
        if main_map is None:
            return []
        pairs = [encode_pair(network, self.vocabulary, pair) for pair in self.probes]
        outputs = force_decode(network, [source for source, _ in pairs], [target for _, target in pairs],
                       Settings(candidates=0))  # fmt: skip
        return [np.asarray(output.weights[main_map.key], np.float32) for output in outputs]

    def to_record(self) -> DiaryRecord:
        """Return the diary as a record."""
        probes = (Probe(source, target, self._split(source), self._split(target)) for source, target in self.probes)
        return DiaryRecord(SCHEMA, tuple(probes), BINS, tuple(self.moments))

    def _split(self, text: NormalisedText) -> tuple[str, ...]:
        return tuple(map(self.vocabulary.id_to_piece, self.vocabulary.encode(text)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for the training state."""
        return dict(to_plain(self.to_record()))

    def to_bytes(self) -> bytes:
        """Return the diary as JSON in UTF-8."""
        return (self.to_record().to_json() + "\n").encode()

    @classmethod
    def from_record(
        cls, vocabulary: Vocabulary, record: DiaryRecord, languages: tuple[str, str] = DEFAULT_PAIR
    ) -> Diary:
        """Return a diary that continues after the moments of `record`."""
        diary = cls(vocabulary, languages)
        diary.moments = list(record.moments)
        return diary
