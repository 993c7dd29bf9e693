"""The shipped evaluations (assets/evaluations): listed and read safely, found by test set, search and model.

A list of what there is needs only the heads of the files; an evaluation is read in full when it is shown, and once.
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import Evaluation, EvaluationError, EvaluationHeader
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, EVERYDAY_PREFIX
from model.checkpoints import selection
from model.serialization.codec import CodecError, parse_json
from pages.ui.backend.cards import find_card
from pages.ui.i18n.messages import Messages

_LONG_WORDS = 50  # words; the paper's longest training sentences

DamagedFile = tuple[str, str]
"""The name of a file, and why it cannot be used, in one sentence."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Search:
    """How the translations of an evaluation were searched for: `beam` 1 is greedy, `drawn` at random."""

    beam: int
    is_sampled: bool = False

    @property
    def key(self) -> str:
        """What a link calls it."""
        return "sample" if self.is_sampled else "greedy" if self.beam == 1 else f"beam{self.beam}"


@dataclass(frozen=True)
class IndexEntry:
    """What the head of an evaluation's file says: of which model, on what, how searched for, when."""

    path: Path
    model: str
    fingerprint: str
    data: str
    search: Search
    date: str
    sentences: int
    long: int  # sentences of more than fifty words


@dataclass(frozen=True)
class EvaluationIndex:
    """What stands in the folder, and the files that hold no evaluation."""

    entries: tuple[IndexEntry, ...]
    damaged: tuple[DamagedFile, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that was evaluated: those with attention first, the kinds in the order of the years, of a kind
        the one for long sentences first, and last what has no card any more."""
        return tuple(sorted({entry.model for entry in self.entries}, key=_get_sort_key))

    @cached_property
    def test_sets(self) -> tuple[str, ...]:
        """Every test set, by its whole name: those with the most long sentences first, on which length shows best."""
        long = {entry.data: entry.long for entry in self.entries}
        return tuple(sorted(long, key=lambda name: (-long[name], name)))

    @cached_property
    def searches(self) -> tuple[Search, ...]:
        """Every search, the one with the most evaluations first, of equals the narrowest."""
        made = [entry.search for entry in self.entries]
        return tuple(sorted(set(made), key=lambda search: (-made.count(search), search.is_sampled, search.beam)))

    def find_entry(self, data: str, model: str, search: Search) -> IndexEntry | None:
        """The evaluation of `model` on the set `data` with that search; of several, the last one made."""
        found = [one for one in self.entries if (one.data, one.model, one.search) == (data, model, search)]
        return max(found, key=lambda one: one.date, default=None)

    def load_evaluations(self, data: str, models: Iterable[str], search: Search) -> tuple[tuple[Evaluation, ...], tuple[DamagedFile, ...]]:
        """The evaluations of those of `models` that have one, in their order, and those whose files are damaged."""
        evaluations: list[Evaluation] = []
        damaged: list[DamagedFile] = []
        for entry in filter(None, (self.find_entry(data, model, search) for model in models)):
            try:
                evaluations.append(load_evaluation(entry.path))
            except CodecError as error:
                damaged.append((entry.path.name, str(error)))
        return tuple(evaluations), tuple(damaged)


@cache
def load_index(folder: Path = EVALUATIONS_FOLDER) -> EvaluationIndex:
    """What stands in the folder, read once a server. Measurements of other kinds are not spoken of; a file that says
    it is an evaluation, or that says nothing, and cannot be used is left out, named and logged."""
    entries: list[IndexEntry] = []
    damaged: list[DamagedFile] = []
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith(EVERYDAY_PREFIX):
            continue
        try:
            entry = _read_entry(path)
        except CodecError as error:
            _log.warning("%s is left out: %s", path.name, error)
            damaged.append((path.name, str(error)))
            continue
        if entry is not None:
            entries.append(entry)
    return EvaluationIndex(tuple(entries), tuple(damaged))


@lru_cache(maxsize=64)
def load_evaluation(path: Path) -> Evaluation:
    """A whole evaluation, checked. Raises CodecError, in one sentence, where the file cannot be used."""
    try:
        return Evaluation.from_json(path.read_bytes())
    except OSError as error:
        raise EvaluationError(f"The file cannot be read: {error.strerror}.") from error


def _read_entry(path: Path) -> IndexEntry | None:
    """What the head of an evaluation says; None for a measurement of another kind. Raises CodecError."""
    heading = read_header(path)
    if heading is None:
        return None
    long = sum(point.sentences for point in heading.by_length if point.first > _LONG_WORDS)
    search, data = _parse_search(heading.search), heading.data
    return IndexEntry(path, heading.model, heading.fingerprint, data.name, search, heading.date, data.sentences, long)


def read_header(path: Path) -> EvaluationHeader | None:
    """The head of an evaluation, without its counts; None for a measurement of another kind. Raises CodecError."""
    try:
        head, counts, _ = path.read_bytes().partition(b'\n"counts":')
        content = parse_json(head.rstrip().rstrip(b",") + b"}" if counts else head, "an evaluation")
    except OSError as error:
        raise EvaluationError(f"The file cannot be read: {error.strerror}.") from error
    if "kind" in content:
        return None
    return EvaluationHeader.from_plain(content)


def get_search(evaluation: Evaluation) -> Search:
    """How its translations were searched for."""
    return _parse_search(evaluation.search)


def _parse_search(given: dict[str, Any]) -> Search:
    beam = given.get("beam", 1)
    return Search(beam if isinstance(beam, int) else 1, is_sampled="seed" in given)


def slugify(data: str) -> str:
    """A test set's name as links and files carry it."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", data).strip("-")


def describe_search(search: Search, t: Messages) -> str:
    """A search's name for the screen."""
    if search.is_sampled:
        return t("length.sample")
    return t("length.greedy") if search.beam == 1 else t("length.beam", width=search.beam)


def describe_test_set(data: str, t: Messages, among: Iterable[str] = (), *, sent: bool = False) -> str:
    """A test set's name for the screen, with its terms where it is `sent` to a component; what part of the set it is,
    only where another part is `among` the sets."""
    whole, _, part = data.partition(", ")
    key = whole.replace("-", "_")
    name = whole
    if f"set.{key}" in t:
        name = t.format_for_component(f"set.{key}") if sent else t(f"set.{key}")
    shared = sum(other.partition(", ")[0] == whole for other in among) > 1
    even = re.fullmatch("([0-9]+) a bin", part)
    part = t("set.even", count=even[1]) if even else part
    return f"{name} ({part})" if shared and part else name


def _get_sort_key(model: str) -> tuple[bool, bool, int, int, str]:
    """Where a model stands among the others, by its card."""
    card = find_card(model)
    if card is None:
        return True, True, 0, 0, model
    return False, not card.has_attention, selection.get_year_rank(card), -card.longest_words, model
