"""Dev BLEU while training: a fixed sample of the development files, translated greedily."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from model.decoding import Settings, search
from model.decoding.length_batches import map_by_length
from model.networks.base import Translator
from model.text import languages
from model.text.bleu import count_statistics, create_bleu_metric, get_bleu_signature
from model.text.normalise import Normalised
from model.text.pair_files import read_pairs
from model.text.prepared import read_language_pair, read_meta
from model.text.vocabulary import Vocabulary

SENTENCES = 250  # of each file, evenly spaced
BATCH = 64
BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60))  # source words
BIN_SIZE = 16
SETTINGS = Settings(max_ratio=2.0, candidates=0)  # an untrained network never ends: 2 pieces for each are plenty

Pair = tuple[Normalised, Normalised]


class DevelopmentSet:
    """The sample, read from a folder made by `python -m model data`: of its development files those that meta.json
    names as scored, all where it names none. Raises ValueError where there is no such file."""

    def __init__(self, folder: Path, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        _, self.language = read_language_pair(folder)
        files = {path.stem.removeprefix("dev-"): path for path in sorted(folder.glob("dev-*.tsv"))}
        if not files:
            raise ValueError(f"{folder} holds no development file (dev-*.tsv); make it: python -m model data FOLDER")
        meta = read_meta(folder)
        scored = [name for name in files if name in meta.get("scored", files)]
        binned_by = [name for name in files if name in meta.get("by_length", scored)]
        if not scored:
            raise ValueError(f"{folder} holds none of the development files that its meta.json names; make them anew: "
                             "python -m model data FOLDER")
        self.pairs = {name: _spaced(read_pairs(files[name]), SENTENCES) for name in scored}
        by_length = [pair for name in binned_by for pair in read_pairs(files[name])]
        words = languages.get_language(read_language_pair(folder)[0]).count_words
        binned = ([pair for pair in by_length if low <= words(pair[0]) <= high] for low, high in BINS)
        self.bins = [_spaced(pairs, BIN_SIZE) for pairs in binned]

    @property
    def description(self) -> str:
        parts = ", ".join(f"{len(pairs)} of {name}" for name, pairs in self.pairs.items())
        return f"{parts}; evenly spaced; greedy; {get_bleu_signature(self.language)}"

    def compute_bleu(self, network: Translator) -> dict[str, float]:
        """sacreBLEU of each file's sample and, under "all", of their union."""
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

    def count_ngrams_by_length(self, network: Translator) -> list[list[int]]:
        """For each of BINS, the sums BLEU is made of: 4 correct, 4 total n-grams, output and reference length."""
        pairs = [pair for group in self.bins for pair in group]
        outputs = iter(translate_greedily(network, self.vocabulary, [source for source, _ in pairs]))
        found = []
        for group in self.bins:
            references = [reference for _, reference in group]
            counts = count_statistics([next(outputs) for _ in group], references, self.language)
            found.append([int(number) for number in counts.sum(axis=0)])
        return found


def translate_greedily(network: Translator, vocabulary: Vocabulary, sources: Sequence[Normalised]) -> list[str]:
    """Translations in order by a network in evaluation mode; sentences of like length share a batch."""

    def decoded(batch: list[list[int]]) -> list[str]:
        return [vocabulary.decode(hypotheses[0].tokens) for hypotheses in search(network, batch, SETTINGS)]

    return list(map_by_length([vocabulary.encode(source) for source in sources], len, BATCH, decoded))


def _spaced(pairs: list[Pair], number: int) -> list[Pair]:
    """At most `number` pairs, evenly spaced, always the same."""
    return pairs if len(pairs) <= number else [pairs[index * len(pairs) // number] for index in range(number)]
