"""The record of an evaluation: how well one model translates one test set, as scores and as counts for every sentence.

It holds no text, so that it can be shipped whatever the licence of the data. From the counts follow BLEU of any subset,
bootstrap bands, and paired differences between models. Needs no torch.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from model.analysis.metrics.length_curve import (
    BINS,
    BleuDifference,
    LengthBin,
    assign_bins,
    compute_paired_bleu_difference,
)
from model.serialization.codec import (
    CodecError,
    check_schema,
    dump_each_entry,
    get_schema,
    mark_as_columns,
    parse_json,
    read_record,
    to_plain,
)
from model.text import languages
from model.text.bleu import NGRAM_ORDERS, Counts, compute_bleu, count_ngrams
from model.text.cleaning import Pair
from model.text.languages import DEFAULT_PAIR
from model.text.pair_files import extract_pairs, parse_file_name, read_pair_table
from model.text.sampling import sample_evenly
from model.text.vocabulary import Vocabulary
from model.trace.trace import Setting

SCHEMA = 1
COLUMNS = ("source_words", "correct_1", "correct_2", "correct_3", "correct_4", "output_tokens", "reference_tokens",
           "reference_pieces", "reference_millinats", "outcome")
"""What is counted for each sentence; JSON keys.

- `source_words`: words of the source, separated by white space where the language has spaces.
- `correct_1` … `correct_4`, `output_tokens`, `reference_tokens`: the sums that sacreBLEU is made of.
- `reference_pieces`: tokens of the reference with "</s>", 0 if it was not scored. `reference_millinats`: -1000 ln
  p(reference | source).
- `outcome`: FINISHED, UNFINISHED or UNTRANSLATED.
"""

FINISHED, UNFINISHED, UNTRANSLATED = 0, 1, 2
SCORES = ("bleu", "bleu_low", "bleu_high", "bleu_moses", "chrf", "perplexity")
"""`bleu_low` and `bleu_high` bound the middle 95 % of the bootstrap; perplexity is per token, "</s>" included."""

KNOWN_WORDS_SUFFIX = ", known words"
"""Ends the name of a test set that was cut to the sentences without unknown words of a model."""
MAX_COUNT = 2**40  # far above any count, far below what int64 sums can hold


class EvaluationError(CodecError):
    """Raised for an evaluation that cannot be made, used or compared; the message is one sentence for the user."""


@dataclass(frozen=True)
class ParallelText:
    """Sentence pairs with reference translations.

    Attributes:
        name: the name of the file.
        sha256: of the file.
        pairs: normalised pairs.
        languages: source and target, if the name of the file states them.
        notes: remarks on how the file was read.
    """

    name: str
    sha256: str
    pairs: tuple[Pair, ...]
    languages: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.pairs:
            raise EvaluationError(f"{self.name} holds no sentence pair: give lines of source, a tab, target.")

    @classmethod
    def read(cls, path: str | os.PathLike[str], languages: tuple[str, str] | None = None) -> ParallelText:
        """Read the pairs of a NAME.SRC-TGT.tsv, .tsv.xz or another table.

        The text is called NAME, with its languages unless they are English-French. `languages` are those that a header
        may name if the file name has none. Raises CorpusError or EvaluationError.
        """
        table = read_pair_table(path, languages)
        pairs = tuple(extract_pairs(table, path))
        parts = parse_file_name(Path(path).name)
        name, languages_of_file = (parts[0], parts[1:]) if parts else (Path(path).name.split(".")[0], None)
        if languages_of_file not in (None, DEFAULT_PAIR):
            name = "-".join((name, *languages_of_file))
        with Path(path).open("rb") as file:
            return cls(name, hashlib.file_digest(file, "sha256").hexdigest(), pairs, languages_of_file, table.remarks)

    def describe(self) -> DataDescription:
        """Return what the record of a measurement says about the text."""
        return DataDescription(self.name, self.sha256, len(self.pairs))

    def orient_for(self, model: str, languages: tuple[str, str]) -> ParallelText:
        """Return the text in the direction of a model, sides swapped if the file name states the reverse.

        Raises EvaluationError if it states other languages.
        """
        if self.languages is None:
            return replace(self, languages=languages)
        if self.languages == languages:
            return self
        if self.languages != languages[::-1]:
            raise EvaluationError(f"{self.name} is of {'-'.join(self.languages)}, as its name says, and {model} "
                                  f"translates {'-'.join(languages)}: name another model, or another file.")
        return replace(self, pairs=tuple((target, source) for source, target in self.pairs), languages=languages)

    def sample_evenly(self, count: int) -> ParallelText:
        """Return at most `count` evenly spaced pairs, always the same; the name says so."""
        if count < 1:
            raise EvaluationError(f"A sample has at least 1 pair: got {count}.")
        if count >= len(self.pairs):
            return self
        sampled_pairs = tuple(sample_evenly(self.pairs, count))
        return replace(self, name=f"{self.name}, {count} evenly spaced", pairs=sampled_pairs)

    def select_known_words(self, vocabulary: Vocabulary) -> ParallelText:
        """Return the pairs whose words are all in a vocabulary of whole words, as for "No UNK" in the paper's Table 1;
        the name says so. Raises EvaluationError if there is none.
        """
        pairs = tuple(pair for pair in self.pairs if not any(map(vocabulary.find_unknown_words, pair)))
        if not pairs:
            raise EvaluationError(f"Every pair of {self.name} has a word that the vocabulary lacks: leave out "
                                  "--known-words.")
        return replace(self, name=f"{self.name}{KNOWN_WORDS_SUFFIX}", pairs=pairs)

    def sample_by_length(self, count: int) -> ParallelText:
        """Return at most `count` evenly spaced pairs of each length bin, always the same; the name says so.

        Raises EvaluationError for a count below 1.
        """
        if count < 1:
            raise EvaluationError(f"A sample has at least 1 pair a bin: got {count}.")
        words = languages.get_language((self.languages or DEFAULT_PAIR)[0]).count_words
        numbers = assign_bins([words(source) for source, _ in self.pairs])
        sampled_rows: list[int] = []
        for number in range(len(BINS)):
            sampled_rows += sample_evenly(np.flatnonzero(numbers == number).tolist(), count)
        sampled_pairs = tuple(self.pairs[row] for row in sorted(sampled_rows))
        return replace(self, name=f"{self.name}, {count} a bin", pairs=sampled_pairs)


def get_column(counts: Counts, name: str) -> Counts:
    """Return a writable view of one of COLUMNS, (sentences,)."""
    values: Counts = counts[:, COLUMNS.index(name)]
    return values


@dataclass(frozen=True)
class DataDescription:
    """What was translated: the name, the file's SHA-256, and how many sentences."""

    name: str
    sha256: str
    sentences: int


@dataclass(frozen=True, kw_only=True)
class EvaluationHeader:
    """An evaluation without its counts, as it stands before them in a file: for lists of what there is.

    `fingerprint`: the first twelve hexadecimal digits of the weights' SHA-256; `search`: its name and settings;
    `scores`: see SCORES; `signatures`: how each was computed; `by_length`: the curve; `unfinished`: outputs cut off at
    the greatest length; `untranslated`: sources empty or too long for the search, counted as empty outputs;
    `unscored`: references without a perplexity; `date`: of the end, UTC. Raises EvaluationError.
    """

    schema: int = SCHEMA
    model: str
    fingerprint: str
    data: DataDescription
    search: dict[str, Setting]
    scores: dict[str, float]
    signatures: dict[str, str]
    by_length: tuple[LengthBin, ...]
    unfinished: int
    untranslated: int
    unscored: int
    date: str
    command: str

    def __post_init__(self) -> None:
        check_schema(self.schema, SCHEMA, "evaluations", EvaluationError)
        for label, value, form in (("fingerprint", self.fingerprint, "[0-9a-f]{12}"),
                                   ("checksum of the data", self.data.sha256, "[0-9a-f]{64}")):
            if not re.fullmatch(form, value):
                raise EvaluationError(f"The {label} must be lower hexadecimal digits ({form}): got {value[:80]!r}.")
        name, beam = self.search.get("name"), self.search.get("beam")
        if type(name) is not str or type(beam) is not int or beam < 1:
            raise EvaluationError('The search must have a "name", a text, and a "beam", a whole number from 1 up.')

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a record from untrusted JSON. Raises CodecError with a message of one sentence."""
        return cls.from_plain(parse_json(text, "an evaluation"))

    @classmethod
    def from_plain(cls, value: dict[str, Any]) -> Self:
        """Read a record from a parsed JSON object. Raises CodecError."""
        check_schema(get_schema(value, "an evaluation"), SCHEMA, "evaluations", EvaluationError)
        return read_record(cls, value, "evaluation")


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation(EvaluationHeader):
    """How well one model translates one test set. The fields are JSON keys.

    `counts` is (sentences, COLUMNS), read-only. Scores and curve must agree with the counts. Raises EvaluationError.
    """

    counts: Counts = field(metadata=mark_as_columns(COLUMNS))

    def __post_init__(self) -> None:
        super().__post_init__()
        counts = np.array(self.counts, dtype=np.int64)
        counts.setflags(write=False)
        object.__setattr__(self, "counts", counts)
        self._check_counts()
        self._check_scores()

    def _check_counts(self) -> None:
        expected = (self.data.sentences, len(COLUMNS))
        if self.counts.shape != expected or not len(self.counts):
            raise EvaluationError(f"The counts of {self.data.sentences} sentences have the shape {expected}: "
                                  f"got {self.counts.shape}.")
        outcome = self.get_column("outcome")
        if self.counts.min() < 0 or outcome.max() > UNTRANSLATED:
            raise EvaluationError(f"Counts are at least 0 and outcomes at most {UNTRANSLATED}: got {self.counts.min()} "
                                  f"and {outcome.max()}.")
        if self.counts.max() >= MAX_COUNT:
            raise EvaluationError(f"Counts stay below {MAX_COUNT:,}: got {self.counts.max()}.")
        statistics = self.statistics
        if (statistics[:, :NGRAM_ORDERS] > statistics[:, NGRAM_ORDERS : 2 * NGRAM_ORDERS]).any():
            raise EvaluationError("The counts contradict themselves: more n-grams are correct than there are.")
        masks = {"unfinished": outcome == UNFINISHED, "untranslated": outcome == UNTRANSLATED,
                 "unscored": self.get_column("reference_pieces") == 0}
        for name, sentences in masks.items():
            if getattr(self, name) != sentences.sum():
                raise EvaluationError(f"The counts have {sentences.sum()} sentences {name}: got {getattr(self, name)}.")
        if masks["unscored"].all():
            raise EvaluationError("At least one reference must have been scored: got none.")

    def _check_scores(self) -> None:
        if set(self.scores) != set(SCORES) or not all(map(math.isfinite, self.scores.values())):
            raise EvaluationError(f"The scores are finite numbers named {', '.join(SCORES)}: got {self.scores}.")
        self._check_score("BLEU", self.scores["bleu"], compute_bleu(self.statistics.sum(axis=0)))
        self._check_score("perplexity", self.scores["perplexity"], compute_perplexity(self.counts))
        if tuple((point.first, point.last) for point in self.by_length) != BINS:
            raise EvaluationError(f"The curve has the bins {', '.join(_format_labels())}: got "
                                  f"{', '.join(point.label for point in self.by_length)}.")
        numbers = assign_bins(self.get_column("source_words"))
        for number, point in enumerate(self.by_length):
            members = self.statistics[numbers == number]
            if point.sentences != len(members):
                raise EvaluationError(f"The counts have {len(members)} sentences of {point.label} words: "
                                      f"got {point.sentences}.")
            reported = (point.bleu, point.low, point.high)
            if not all((value is None) == (not len(members)) and math.isfinite(value or 0.0) for value in reported):
                raise EvaluationError(f"A bin has a BLEU and a band exactly if it has sentences: {point.label} words, "
                                      f"with {len(members)}, have {reported}.")
            if point.bleu is not None:
                self._check_score(f"BLEU of {point.label} words", point.bleu, compute_bleu(members.sum(axis=0)))

    def _check_score(self, name: str, reported_score: float, counted_score: float) -> None:
        if not math.isclose(reported_score, counted_score, rel_tol=1e-9, abs_tol=1e-9):
            raise EvaluationError(f"The {name} does not follow from the counts, which give {counted_score:.4f}: "
                                  f"got {reported_score:.4f}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        own_fields, other_fields = ({name: value for name, value in vars(one).items() if name != "counts"}
                                    for one in (self, other))
        return own_fields == other_fields and np.array_equal(self.counts, other.counts)

    def get_column(self, name: str) -> Counts:
        """Return one column of COLUMNS, (sentences,)."""
        return get_column(self.counts, name)

    @property
    def statistics(self) -> Counts:
        """The statistics of corpus BLEU, (sentences, 10), as from `model.text.bleu.count_statistics`."""
        correct = self.counts[:, 1 : 1 + NGRAM_ORDERS]
        lengths = self.counts[:, 1 + NGRAM_ORDERS : 3 + NGRAM_ORDERS]
        return np.concatenate([correct, count_ngrams(lengths[:, 0]), lengths], axis=1)

    def to_json(self) -> str:
        """Return JSON with one column per line, which `from_json` restores exactly."""
        value = to_plain(self)
        counts = value.pop("counts")
        head, columns = (",\n".join(dump_each_entry(entries)) for entries in (value, counts))
        return f'{{\n{head},\n"counts":{{\n{columns}\n}}}}'


def compare_bleu(first: Evaluation, second: Evaluation) -> BleuDifference:
    """Return the paired BLEU difference of two evaluations of the same data. Raises EvaluationError for different data.
    """
    lengths, second_lengths = (evaluation.get_column("source_words") for evaluation in (first, second))
    if first.data != second.data or not np.array_equal(lengths, second_lengths):
        raise EvaluationError(f"Only evaluations of the same sentences can be compared: got {first.data.sentences} of "
                              f"{first.data.name} (SHA-256 {first.data.sha256[:12]}) and {second.data.sentences} of "
                              f"{second.data.name} ({second.data.sha256[:12]}).")
    if first.signatures.get("bleu") != second.signatures.get("bleu"):
        raise EvaluationError(f"The BLEU scores were computed differently: {first.signatures.get('bleu')} and "
                              f"{second.signatures.get('bleu')}.")
    return compute_paired_bleu_difference(first.statistics, second.statistics)


def compute_perplexity(counts: Counts) -> float:
    """Return the perplexity per reference token, of counts (sentences, COLUMNS); unscored sentences do not count."""
    pieces = int(counts[:, COLUMNS.index("reference_pieces")].sum())
    nats = int(counts[:, COLUMNS.index("reference_millinats")].sum()) / 1000
    return math.exp(min(nats / pieces, 700.0))  # avoid overflow for a diverged network


def _format_labels() -> list[str]:
    return [LengthBin(first, last, 0, None, None, None).label for first, last in BINS]
