"""The results in a folder of measurements, as claims need them: of shipped models and of short runs."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import Evaluation, EvaluationError
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, load_evaluations, load_records
from model.analysis.paper.records import CLAIM_RECORD_KINDS, check_record
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from model.checkpoints.checkpoint import Card
from model.networks.registry import find_kind
from model.text.languages import DEFAULT_PAIR

MAX_EXTRA_HOURS_SHARE = 0.2  # equal hours: the longer training had at most a fifth more

Contender = Card | ShortRun
"""A shipped model, or a short run whose weights are not shipped."""


class ResultStore:
    """The measurements of these models' weights and of the short runs beside them, by data and model.

    Files of other weights count as missing. EvaluationError names an invalid file.
    """

    def __init__(self, cards: Iterable[Card], folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> None:
        self.cards = tuple(card for card in cards if card.languages == DEFAULT_PAIR)  # the pair of the claims
        self.runs = read_runs(folder)
        self._contenders: tuple[Contender, ...] = (*self.cards, *self.runs)
        self.fingerprints = {contender.name: contender.fingerprint for contender in self._contenders}
        if len(self.fingerprints) < len(self._contenders):
            duplicates = {run.name for run in self.runs} & {card.name for card in self.cards}
            raise EvaluationError(f"A short run has the name of a shipped model: {', '.join(sorted(duplicates))}; "
                                  "rename the run.")
        folders = Path(folder), Path(folder) / RUNS_FOLDER
        self._evaluations = {(evaluation.data.name, evaluation.model, evaluation.search.get("beam")): evaluation
                             for path in folders for evaluation in load_evaluations(path)
                             if self.fingerprints.get(evaluation.model) == evaluation.fingerprint}
        self._records = dict[tuple[str, str], dict[str, Any]]()
        for path in folders:
            for kind in CLAIM_RECORD_KINDS:
                for file, record in load_records(kind, path).items():
                    check_record(file, record)
                    if self.fingerprints.get(record["model"]) == record["fingerprint"]:
                        self._records[kind, record["model"]] = record

    def find_shipped_model(self, kind: str, longest: int, has_unk: bool = False) -> str:
        """Return the name of the shipped model of a kind and longest training sentence, or a title as a placeholder.

        The placeholder has no results, so that what is asked of it counts as missing. `has_unk`: of whole words.
        """
        key = kind, longest, has_unk
        names = (card.name for card in self.cards if (card.kind, card.longest_words, card.has_unk) == key)
        return next(names, f"{find_kind(kind).title}-{longest}")

    def find_nearest_hours(self, name: str, kind: str, longest: int, has_unk: bool = False) -> str:
        """Return the name of the model or short run of a kind and longest training sentence whose hours are closest to
        those of `name`.

        So little of a difference is due to training time. Falls back to `find_shipped_model` if hours are unknown.
        """
        (hours,) = self.get_hours(name) or (0.0,)
        contenders = [
            contender
            for contender in self._contenders
            if (contender.kind, contender.longest_words) == (kind, longest) and contender.hours
            and getattr(contender, "has_unk", False) == has_unk  # short runs are of subwords
        ]
        if not hours or not contenders:
            return self.find_shipped_model(kind, longest, has_unk)
        return min(contenders, key=lambda contender: abs(math.log(contender.hours / hours))).name

    def find_pair(self, kind: str, longest: int, key: str, first: Any, second: Any) -> tuple[str, str]:
        """Return the names of two models or short runs of a kind that differ in one setting of the network.

        `key` is `first` in the first and `second` in the second. Of several pairs, the longest trained with equal
        hours, else the pair with the closest hours. Without a pair, two names that state what is missing.
        """
        contenders = [
            contender for contender in self._contenders if (contender.kind, contender.longest_words) == (kind, longest)
        ]
        pairs = [(first_run, second_run) for first_run in contenders for second_run in contenders
                 if _has_setting(first_run.network, key, first) and _has_setting(second_run.network, key, second)
                 and _drop_setting(first_run.network, key) == _drop_setting(second_run.network, key)]
        if not pairs:
            title = f"{find_kind(kind).title}-{longest}"
            return f"{title} ({key} = {_format_setting(first)})", f"{title} ({key} = {_format_setting(second)})"
        first_run, second_run = max(pairs, key=lambda pair: _rank(pair[0].hours, pair[1].hours))
        return first_run.name, second_run.name

    def get_hours(self, *names: str) -> tuple[float, ...]:
        """Return the hours of training of these models; () if one of them is missing or unknown."""
        hours_by_name = {contender.name: contender.hours for contender in self._contenders}
        hours = tuple(hours_by_name.get(name, 0.0) for name in names)
        return hours if all(hours) else ()

    def get_evaluation(self, data: tuple[str, int], model: str) -> Evaluation | None:
        """Return the evaluation of a model or short run on the data with the beam, None if there is none."""
        return self._evaluations.get((data[0], model, data[1]))

    def get_record(self, kind: str, model: str) -> dict[str, Any] | None:
        """Return the record of another kind of a model or short run, None if there is none."""
        return self._records.get((kind, model))


def has_equal_hours(first: float, second: float) -> bool:
    """Return whether two trainings had equal hours, up to MAX_EXTRA_HOURS_SHARE."""
    return max(first, second) <= (1 + MAX_EXTRA_HOURS_SHARE) * min(first, second)


def _rank(first: float, second: float) -> tuple[bool, float]:
    min_hours, max_hours = sorted((first, second))
    if min_hours and has_equal_hours(first, second):
        return True, min_hours
    return False, min_hours / max_hours if max_hours else 0.0


def _has_setting(network: Mapping[str, Any], key: str, value: Any) -> bool:
    return key in network and type(network[key]) is type(value) and network[key] == value


def _drop_setting(network: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in network.items() if name != key}


def _format_setting(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
