"""What a reader may choose for a network that learns live, and the recipe that these choices make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, cast

from model.training.live.records import SettingsRecord
from model.training.live.tasks import TASKS
from model.training.recipe import DataSettings, OptimiserSettings, Recipe, TrainingSettings

KINDS = ("rnnsearch", "rnnencdec", "luong", "seq2seq", "transformer")
SCORES = ("general", "dot", "scaled dot", "concat", "location")
"""Of Luong's attention; RNNsearch has its own."""
HIDDEN = (32, 48, 64, 128)
RATES = (0.01, 0.001, 0.003, 0.03)
FORCING = (1.0, 0.75, 0.5, 0.25, 0.0)
CLIPS = (1.0, 0.1, 5.0, 1000.0)
MAX_SEED = 9999
MAX_SECONDS = 300.0

BATCH_PAIRS = 64
SNAPSHOT_PAIRS = 10  # of each length, whose outputs a snapshot counts
EXAM_PAIRS = 50  # the same when training stands still
WARM_UP, HOLD = 50, 300  # updates
AVERAGE_DECAY = 0.98  # of the weights that are evaluated
HEADS = 4


class LiveSettingsError(ValueError):
    """A setting out of range; the message names it."""


@dataclass(frozen=True)
class LiveSettings:
    """One network and its training. The first of each list above is the default. Raises LiveSettingsError.

    limit: the longest source that is trained on. forcing: the share of steps at which the decoder reads the right
    token instead of its own (Bengio et al. 2015, scheduled sampling). clip: the largest norm of the gradient. seconds:
    of training. interval: seconds between snapshots; 0 for one after every update.
    """

    task: str = "reverse"
    kind: str = KINDS[0]
    limit: int = 12
    hidden: int = HIDDEN[0]
    score: str = SCORES[0]
    rate: float = RATES[0]
    forcing: float = FORCING[0]
    clip: float = CLIPS[0]
    seed: int = 1
    seconds: float = 60.0
    interval: float = 1.0

    def __post_init__(self) -> None:
        for name, allowed in (("task", TASKS), ("kind", KINDS), ("score", SCORES), ("hidden", HIDDEN)):
            if getattr(self, name) not in allowed:
                raise LiveSettingsError(f"{name} is {getattr(self, name)!r}; allowed: {', '.join(map(str, allowed))}")
        for name in ("limit", "hidden", "seed"):
            if type(getattr(self, name)) is not int:
                raise LiveSettingsError(f"{name} is {getattr(self, name)!r}; it must be a whole number")
        for name, low, high in (("rate", 1e-5, 1.0), ("forcing", 0.0, 1.0), ("clip", 1e-3, 1000.0),
                                ("seed", 1, MAX_SEED), ("seconds", 0.0, MAX_SECONDS), ("interval", 0.0, MAX_SECONDS)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) \
                    or not low <= value <= high:  # fmt: skip
                raise LiveSettingsError(f"{name} is {value!r}; it must be from {low:g} to {high:g}")
        limits = TASKS[self.task].limits
        if limits and self.limit not in limits:
            raise LiveSettingsError(f"limit is {self.limit!r}; {self.task} has {', '.join(map(str, sorted(limits)))}")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LiveSettings:
        """Read the result of `to_dict`. Raises LiveSettingsError."""
        names = {field.name for field in fields(cls)}
        if set(values) - names:
            raise LiveSettingsError(f"unknown settings; known are {', '.join(sorted(names))}")
        return cls(**values)

    def to_dict(self) -> SettingsRecord:
        return cast("SettingsRecord", asdict(self))

    def build_recipe(self) -> Recipe:
        """Return the recipe: one layer, no dropout, a gated or LSTM recurrence that reads from left to right."""
        n = self.hidden
        networks: dict[str, dict[str, Any]] = {
            "rnnsearch": {"embedding": n // 2, "alignment": n, "readout": n // 2, "wiring": "groundhog"},
            "rnnencdec": {"embedding": n // 2, "alignment": n, "readout": n // 2, "wiring": "groundhog"},
            "seq2seq": {"embedding": n // 2, "layers": 1, "reverse": False},
            # Without input feeding all scores have a fused loss.
            "luong": {"embedding": n // 2, "layers": 1, "directions": 2, "reverse": False, "score": self.score,
                      "window": "global", "distance": 10, "places": 100, "feeding": False},
            "transformer": {"layers": 1, "heads": HEADS, "feed_forward": 4 * n, "norm": "pre"},
        }  # fmt: skip
        return Recipe(
            name="live",
            network={"hidden": n, "dropout": 0.0, **networks[self.kind]},
            data=DataSettings(copies={self.task: 1}, longest_pieces=100, pool=BATCH_PAIRS, batch_pieces=0,
                              batch_pairs=BATCH_PAIRS),
            optimiser=OptimiserSettings("adam", self.rate, 1e-8, self.clip, "mean", warm_up=WARM_UP, hold=HOLD,
                                        betas=(0.9, 0.98)),
            training=TrainingSettings(seed=self.seed, average_every=1, average_decay=AVERAGE_DECAY,
                                      evaluate_pieces=10**9, save_minutes=1e6),
        )  # fmt: skip
