"""What a folder of measurements holds, for claims to ask: of shipped models, and of the short runs beside them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import Evaluation, EvaluationError
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, load_evaluations, load_records
from model.analysis.paper.records import CHECKED, check_record
from model.analysis.paper.runs import RUNS_FOLDER, ShortRun, read_runs
from model.checkpoints.checkpoint import Card
from model.networks.registry import find_kind
from model.text.languages import DEFAULT_PAIR

MAX_HOURS_RATIO = 0.2  # equal hours: the longer of two trainings had at most a fifth more of them than the other

Contender = Card | ShortRun
"""A model, or a short run of which only facts are left."""


class ResultStore:
    """What a folder of measurements holds of these models' weights, asked for by data and model, and of the short runs
    that are kept beside them.

    Files of other weights count as missing. EvaluationError names a file that is none.
    """

    def __init__(self, cards: Iterable[Card], folder: str | os.PathLike[str] = EVALUATIONS_FOLDER) -> None:
        self.cards = tuple(
            card for card in cards if card.languages == DEFAULT_PAIR
        )  # the papers' claims are of no others
        self.runs = read_runs(folder)
        self._contenders: tuple[Contender, ...] = (*self.cards, *self.runs)
        self.fingerprints = {one.name: one.fingerprint for one in self._contenders}
        if len(self.fingerprints) < len(self._contenders):
            twice = {one.name for one in self.runs} & {card.name for card in self.cards}
            raise EvaluationError(f"A short run is called as a model is: {', '.join(sorted(twice))}; keep it under "
                                  "another name.")
        self._evaluations = {(one.data.name, one.model, one.search.get("beam")): one
                             for place in (Path(folder), Path(folder) / RUNS_FOLDER) for one in load_evaluations(place)
                             if self.fingerprints.get(one.model) == one.fingerprint}
        self._records = dict[tuple[str, str], dict[str, Any]]()
        for place in (Path(folder), Path(folder) / RUNS_FOLDER):
            for kind in CHECKED:
                for file, record in load_records(kind, place).items():
                    check_record(file, record)
                    if self.fingerprints.get(record["model"]) == record["fingerprint"]:
                        self._records[kind, record["model"]] = record

    def find_paper_model(self, kind: str, longest: int) -> str:
        """The name of the model that stands for the paper's of that kind, trained on sentences of up to so many words;
        the paper's own name, of which nothing was measured, where there is none."""
        found = (card.name for card in self.cards if (card.kind, card.longest_words) == (kind, longest))
        return next(found, f"{find_kind(kind).title}-{longest}")

    def find_nearest_hours(self, name: str, kind: str, longest: int) -> str:
        """The name of the model or short run of that kind, trained on sentences of up to so many words, whose hours
        come nearest to those of `name`, so that as little as can be of a difference is due to hours; as `ours` where
        hours are not known."""
        (spent,) = self.hours(name) or (0.0,)
        alike = [one for one in self._contenders if (one.kind, one.longest_words) == (kind, longest) and one.hours]
        if not spent or not alike:
            return self.find_paper_model(kind, longest)
        return min(alike, key=lambda one: abs(math.log(one.hours / spent))).name

    def find_pair(self, kind: str, longest: int, key: str, one: Any, other: Any) -> tuple[str, str]:
        """The names of two models or short runs of that kind which differ in one thing: `key` of the network is `one`
        in the first and `other` in the second. Of several such pairs, of equal hours the one that was trained longest;
        where none is of equal hours, the one that comes nearest to it. Names that say what is missing where there is no
        pair."""
        alike = [made for made in self._contenders if (made.kind, made.longest_words) == (kind, longest)]
        pairs = [(mine, others) for mine in alike for others in alike
                 if _is(mine.network, key, one) and _is(others.network, key, other)
                 and _without(mine.network, key) == _without(others.network, key)]
        if not pairs:
            title = f"{find_kind(kind).title}-{longest}"
            return f"{title} ({key} = {_written(one)})", f"{title} ({key} = {_written(other)})"
        mine, others = max(pairs, key=lambda pair: _rank(pair[0].hours, pair[1].hours))
        return mine.name, others.name

    def hours(self, *names: str) -> tuple[float, ...]:
        """The hours that these were trained for; none at all where one of them is not there, or says none."""
        known = {one.name: one.hours for one in self._contenders}
        found = tuple(known.get(name, 0.0) for name in names)
        return found if all(found) else ()

    def evaluation(self, data: tuple[str, int], model: str) -> Evaluation | None:
        """The evaluation of a model or a short run on the data of that name with that beam, None where there is
        none."""
        return self._evaluations.get((data[0], model, data[1]))

    def record(self, kind: str, model: str) -> dict[str, Any] | None:
        """The file of another kind of a model or a short run, None where there is none."""
        return self._records.get((kind, model))


def has_equal_hours(one: float, other: float) -> bool:
    """Whether two trainings took equal hours, as nearly as HOURS_APART asks."""
    return max(one, other) <= (1 + MAX_HOURS_RATIO) * min(one, other)


def _rank(one: float, other: float) -> tuple[bool, float]:
    less, more = sorted((one, other))
    return (True, less) if less and has_equal_hours(one, other) else (False, less / more if more else 0.0)


def _is(network: Mapping[str, Any], key: str, value: Any) -> bool:
    return key in network and type(network[key]) is type(value) and network[key] == value


def _without(network: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in network.items() if name != key}


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
