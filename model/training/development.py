"""BLEU and loss on development data during training: a fixed sample of the development files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from model.decoding import Settings, search
from model.decoding.length_batches import map_by_length
from model.networks.base import Translator
from model.networks.registry import NetworkKind
from model.networks.unknown_words import find_copied_words
from model.text import languages
from model.text.bleu import count_statistics, create_bleu_metric, get_bleu_signature
from model.text.cleaning import Pair
from model.text.normalise import NormalisedText
from model.text.padding import pad_sequences
from model.text.pair_files import read_pairs
from model.text.prepared import read_language_pair, read_meta
from model.text.sampling import sample_evenly
from model.text.vocabulary import PAD, Vocabulary
from model.training.batches import DataError

MAX_SENTENCES = 250  # of each file, evenly spaced
BATCH = 64
BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60))  # source words
BIN_SIZE = 16
SETTINGS = Settings(max_ratio=2.0, candidates=0)  # an untrained network never ends: 2 target tokens per source token


class DevelopmentSet:
    """A sample of the development files in a folder made by `python -m model data`.

    The files are those that meta.json names as scored, or all. Raises DataError if there is no such file.
    """

    def __init__(self, folder: Path, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        source_language, self.language = read_language_pair(folder)
        files = {path.stem.removeprefix("dev-"): path for path in sorted(folder.glob("dev-*.tsv"))}
        if not files:
            raise DataError(f"{folder} holds no development file (dev-*.tsv); make it: python -m model data FOLDER")
        meta = read_meta(folder)
        scored = [name for name in files if name in meta.get("scored", files)]
        if not scored:
            raise DataError(f"{folder} holds none of the development files that its meta.json names; make them anew: "
                            "python -m model data FOLDER")
        self.pairs = {name: sample_evenly(read_pairs(files[name]), MAX_SENTENCES) for name in scored}
        binned = [pair for name in files if name in meta.get("by_length", scored) for pair in read_pairs(files[name])]
        count_words = languages.get_language(source_language).count_words
        self.bins = [sample_evenly([pair for pair in binned if low <= count_words(pair[0]) <= high], BIN_SIZE)
                     for low, high in BINS]

    @property
    def description(self) -> str:
        parts = ", ".join(f"{len(pairs)} of {name}" for name, pairs in self.pairs.items())
        return f"{parts}; evenly spaced; greedy; {get_bleu_signature(self.language)}"

    def compute_bleu(self, network: Translator) -> dict[str, float]:
        """Return the sacreBLEU of each file's sample and, under "all", of their union."""
        sources = [source for pairs in self.pairs.values() for source, _ in pairs]
        references = [reference for pairs in self.pairs.values() for _, reference in pairs]
        outputs = translate_greedily(network, self.vocabulary, sources)
        metric = create_bleu_metric(self.language)
        scores, start = {"all": round(metric.corpus_score(outputs, [references]).score, 2)}, 0
        for name, pairs in self.pairs.items():
            part = slice(start, start + len(pairs))
            scores[name] = round(metric.corpus_score(outputs[part], [references[part]]).score, 2)
            start += len(pairs)
        return scores

    @torch.no_grad()
    def compute_loss(self, network: Any, kind: NetworkKind, device: torch.device) -> float:
        """Return the mean negative log-likelihood of a target token, in nats, by a network in evaluation mode."""
        pairs = [encode_pair(network, self.vocabulary, pair) for pairs in self.pairs.values() for pair in pairs]
        pairs.sort(key=lambda pair: len(pair[1]))
        total, tokens = 0.0, 0
        for start in range(0, len(pairs), BATCH):
            source, target = (torch.from_numpy(pad_sequences(side)).to(device)
                              for side in zip(*pairs[start : start + BATCH], strict=True))
            total += float(kind.compute_loss(network, source, target))
            tokens += int((target != PAD).sum())
        return total / tokens

    def count_ngrams_by_length(self, network: Translator) -> list[list[int]]:
        """Return the sums of which BLEU is made, for each of BINS: 4 correct and 4 total n-grams, 2 lengths."""
        pairs = [pair for group in self.bins for pair in group]
        outputs = iter(translate_greedily(network, self.vocabulary, [source for source, _ in pairs]))
        counts_by_bin = []
        for group in self.bins:
            references = [reference for _, reference in group]
            counts = count_statistics([next(outputs) for _ in group], references, self.language)
            counts_by_bin.append([int(count) for count in counts.sum(axis=0)])
        return counts_by_bin


def encode_pair(network: Translator, vocabulary: Vocabulary, pair: Pair) -> tuple[list[int], list[int]]:
    """Return the token ids of both sides, in the extended vocabulary of the source if the network has one."""
    unknown_words = find_copied_words(network, vocabulary, pair[0])
    return vocabulary.encode(pair[0], unknown_words), vocabulary.encode(pair[1], unknown_words)


def translate_greedily(network: Translator, vocabulary: Vocabulary, sources: Sequence[NormalisedText]) -> list[str]:
    """Translate sentences by a network in evaluation mode; sentences of similar length share a batch."""
    unknown_words = [find_copied_words(network, vocabulary, source) for source in sources]
    encoded = [vocabulary.encode(source, words) for source, words in zip(sources, unknown_words, strict=True)]

    def translate(batch: list[list[int]]) -> list[tuple[int, ...]]:
        return [hypotheses[0].tokens for hypotheses in search(network, batch, SETTINGS)]

    outputs = map_by_length(encoded, len, BATCH, translate)
    return [vocabulary.decode(tokens, words) for tokens, words in zip(outputs, unknown_words, strict=True)]
