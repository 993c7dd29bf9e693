"""The shipped evaluations (assets/evaluations), found by test set, search and model.

The index parses only the headers of the files. An evaluation is read in full when it is first displayed.
"""

import logging
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import KNOWN_WORDS_SUFFIX, Evaluation, EvaluationError, EvaluationHeader
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, EVERYDAY_PREFIX
from model.checkpoints import selection
from model.serialization.codec import CodecError, parse_json
from pages.ui.backend.cards import find_card, find_languages
from pages.ui.i18n.messages import Messages

MAIN_TEST_SET = "newstest2014"
KOREAN_TEST_SET = "tatoeba-en-ko"
_LONG_WORDS = 50  # words; the paper's longest training sentences

DamagedFile = tuple[str, str]
"""The name of a file, and why it cannot be used, as one sentence."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EvaluationSearch:
    """The search of an evaluation: the width of the beam (1 is greedy), or sampling."""

    beam: int
    is_sampled: bool = False

    @property
    def key(self) -> str:
        """The name of the search in links."""
        return "sample" if self.is_sampled else "greedy" if self.beam == 1 else f"beam{self.beam}"


@dataclass(frozen=True)
class IndexEntry:
    """The header of an evaluation's file."""

    path: Path
    model: str
    fingerprint: str
    data: str
    search: EvaluationSearch
    date: str
    num_long: int  # sentences of more than fifty words
    bleu: float = math.nan


@dataclass(frozen=True)
class EvaluationIndex:
    """The evaluations in a folder, and the damaged files."""

    entries: tuple[IndexEntry, ...]
    damaged_files: tuple[DamagedFile, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The evaluated models: with attention first, then by the year of their kind, then longer sentences first.
        Models that have no card any more come last."""
        return tuple(sorted({entry.model for entry in self.entries}, key=_get_sort_key))

    @cached_property
    def test_sets(self) -> tuple[str, ...]:
        """The full names of the test sets, those with the most long sentences first."""
        num_long = {entry.data: entry.num_long for entry in self.entries if not entry.data.endswith(KNOWN_WORDS_SUFFIX)}
        return tuple(sorted(num_long, key=lambda name: (-num_long[name], name)))

    @cached_property
    def searches(self) -> tuple[EvaluationSearch, ...]:
        """The searches, the one with the most evaluations first, then the narrowest."""
        counts = Counter(entry.search for entry in self.entries if not entry.data.endswith(KNOWN_WORDS_SUFFIX))
        return tuple(sorted(counts, key=lambda search: (-counts[search], search.is_sampled, search.beam)))

    def find_entry(self, data: str, model: str, search: EvaluationSearch) -> IndexEntry | None:
        """Return the newest evaluation of `model` on the test set `data` with this search."""
        matches = [entry for entry in self.entries if (entry.data, entry.model, entry.search) == (data, model, search)]
        return max(matches, key=lambda entry: entry.date, default=None)

    def load_evaluations(
        self, data: str, models: Iterable[str], search: EvaluationSearch
    ) -> tuple[tuple[Evaluation, ...], tuple[DamagedFile, ...]]:
        """Return the evaluations of those of `models` that have one, in their order, and the damaged files."""
        evaluations: list[Evaluation] = []
        damaged_files: list[DamagedFile] = []
        for entry in filter(None, (self.find_entry(data, model, search) for model in models)):
            try:
                evaluations.append(load_evaluation(entry.path))
            except CodecError as error:
                damaged_files.append((entry.path.name, str(error)))
        return tuple(evaluations), tuple(damaged_files)


@cache
def load_index(folder: Path = EVALUATIONS_FOLDER) -> EvaluationIndex:
    """Return the index of a folder, read once per server. Measurements of other kinds are skipped; damaged files are
    listed and logged."""
    entries: list[IndexEntry] = []
    damaged_files: list[DamagedFile] = []
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith(EVERYDAY_PREFIX):
            continue
        try:
            entry = _read_entry(path)
        except CodecError as error:
            _log.warning("%s is skipped: %s", path.name, error)
            damaged_files.append((path.name, str(error)))
            continue
        if entry is not None:
            entries.append(entry)
    return EvaluationIndex(tuple(entries), tuple(damaged_files))


def load_pair_index(pair: str) -> EvaluationIndex:
    """Return the index of the evaluations of a pair's models, such as "ko-en"; of all if it has none."""
    index = load_index()
    entries = tuple(entry for entry in index.entries if _get_pair(entry.model) == pair)
    return EvaluationIndex(entries, index.damaged_files) if entries else index


def has_evaluations(pair: str) -> bool:
    """Return whether a model of this pair was evaluated."""
    return any(_get_pair(entry.model) == pair for entry in load_index().entries)


def _get_pair(model: str) -> str:
    """Return the pair of a model; the default pair for one that has no card any more."""
    return "-".join(find_languages([model]))


def get_main_test_set(languages: tuple[str, ...]) -> str:
    """Return the test set by which models of these languages are compared in one number."""
    return KOREAN_TEST_SET if "ko" in languages else MAIN_TEST_SET


def choose_main_test_set(test_sets: Sequence[str]) -> str:
    """Return the main one of these test sets, else the first; "" without any."""
    main_sets = (name for name in (MAIN_TEST_SET, KOREAN_TEST_SET) if name in test_sets)
    return next(main_sets, next(iter(test_sets), ""))


@lru_cache(maxsize=64)
def load_evaluation(path: Path) -> Evaluation:
    """Load and check an evaluation. Raises CodecError."""
    try:
        return Evaluation.from_json(path.read_bytes())
    except OSError as error:
        raise EvaluationError(f"The file cannot be read: {error.strerror}.") from error


def _read_entry(path: Path) -> IndexEntry | None:
    """Return the entry of an evaluation's file; None for a measurement of another kind. Raises CodecError."""
    header = read_header(path)
    if header is None:
        return None
    long = sum(point.sentences for point in header.by_length if point.first > _LONG_WORDS)
    search, bleu = _parse_search(header.search), header.scores.get("bleu", math.nan)
    return IndexEntry(path, header.model, header.fingerprint, header.data.name, search, header.date, long, bleu)


def read_header(path: Path) -> EvaluationHeader | None:
    """Read an evaluation without its counts; None for a measurement of another kind. Raises CodecError."""
    try:
        head, counts, _ = path.read_bytes().partition(b'\n"counts":')
        content = parse_json(head.rstrip().rstrip(b",") + b"}" if counts else head, "an evaluation")
    except OSError as error:
        raise EvaluationError(f"The file cannot be read: {error.strerror}.") from error
    if "kind" in content:
        return None
    return EvaluationHeader.from_plain(content)


def parse_evaluation_search(evaluation: Evaluation) -> EvaluationSearch:
    """Return the search of an evaluation."""
    return _parse_search(evaluation.search)


def _parse_search(settings: dict[str, Any]) -> EvaluationSearch:
    beam = settings.get("beam", 1)
    return EvaluationSearch(beam if isinstance(beam, int) else 1, is_sampled="seed" in settings)


def slugify(data: str) -> str:
    """Return the name of a test set for links and file names."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", data).strip("-")


def describe_search(search: EvaluationSearch, t: Messages) -> str:
    """Return the displayed name of a search."""
    if search.is_sampled:
        return t("length.sample")
    return t("length.greedy") if search.beam == 1 else t("length.beam", width=search.beam)


def describe_test_set(
    data: str, t: Messages, displayed_sets: Iterable[str] = (), *, is_for_component: bool = False
) -> str:
    """Return the displayed name of a test set.

    The part of the set ("500 a bin") is added if `displayed_sets` has another part of it. `is_for_component`: for a
    browser component, which draws glossary terms.
    """
    set_name, _, part_name = data.partition(", ")
    key = set_name.replace("-", "_")
    name = set_name
    if f"set.{key}" in t:
        name = t.format_for_component(f"set.{key}") if is_for_component else t(f"set.{key}")
    has_other_parts = sum(displayed_set.partition(", ")[0] == set_name for displayed_set in displayed_sets) > 1
    bin_match = re.fullmatch("([0-9]+) a bin", part_name)
    part_name = t("set.even", count=bin_match[1]) if bin_match else part_name
    return f"{name} ({part_name})" if has_other_parts and part_name else name


def _get_sort_key(model: str) -> tuple[bool, bool, int, int, str]:
    """Return the sort key of a model, by its card."""
    card = find_card(model)
    if card is None:
        return True, True, 0, 0, model
    return False, not card.has_attention, selection.get_year_rank(card), -card.longest_words, model
