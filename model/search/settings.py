"""What a search is asked to do. Needs no torch, so that doors can check settings before a model is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

LengthPenalty = Literal["none", "length"]

BEAM_LIMIT = 100
LEAST_STEPS = 10  # a very short source may need more pieces than its ratio allows


@dataclass(frozen=True)
class Settings:
    """How to search, checked when made; raises SettingsError naming the setting, what was given and what is allowed.

    `beam`: how many hypotheses are carried along; 1 is greedy search.
    `n_best`: how many are returned, best first, at most `beam`.
    `max_ratio`: a target may have this many pieces for each source piece (and LEAST_STEPS at least), "</s>" counted on
        both sides; what has not ended by then is returned unfinished.
    `length_penalty`: what hypotheses are ranked by, "none" (the sum of the log-probabilities, which favours short
        targets) or "length" (that sum divided by the number of pieces, "</s>" counted).
    `candidates`: how many of the likeliest pieces are noted at each step; 0 for bulk work.
    `detail`: note what went on inside each step too; sentences are then decoded one at a time.
    """

    beam: int = 1
    n_best: int = 1
    max_ratio: float = 3.0
    length_penalty: LengthPenalty = "length"
    candidates: int = 10
    detail: bool = False

    def __post_init__(self) -> None:
        _check_whole("beam", self.beam, 1, BEAM_LIMIT)
        _check_whole("n_best", self.n_best, 1, self.beam, note=f" (the beam is {self.beam})")
        _check_whole("candidates", self.candidates, 0, 100)
        ratio = self.max_ratio
        if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 0 < ratio <= 100:
            raise SettingsError(f"max_ratio must be a number above 0 and up to 100: got {ratio!r}.")
        object.__setattr__(self, "max_ratio", float(ratio))
        if self.length_penalty not in get_args(LengthPenalty):
            allowed = " or ".join(f'"{name}"' for name in get_args(LengthPenalty))
            raise SettingsError(f"length_penalty must be {allowed}: got {self.length_penalty!r}.")
        if not isinstance(self.detail, bool):
            raise SettingsError(f"detail must be true or false: got {self.detail!r}.")

    @property
    def name(self) -> str:
        """The search's name: "greedy" or "beam"."""
        return "greedy" if self.beam == 1 else "beam"

    @property
    def deciding(self) -> dict[str, int | float | str | bool]:
        """The settings that decide which translation comes out (the others only decide what is noted of it)."""
        return {"beam": self.beam, "n_best": self.n_best, "max_ratio": self.max_ratio,
                "length_penalty": self.length_penalty}

    def longest(self, source_pieces: int) -> int:
        """The most pieces a target may have, "</s>" counted on both sides."""
        return max(LEAST_STEPS, math.ceil(self.max_ratio * source_pieces))

    def score(self, log_probability: float, pieces: int) -> float:
        """What a hypothesis of that many pieces ("</s>" counted) is ranked by; higher is better."""
        return log_probability / pieces if self.length_penalty == "length" else log_probability

    def best_possible(self, log_probability: float, longest: int) -> float:
        """A score that nothing growing out of a live hypothesis can beat.

        Each further piece adds a log-probability of at most 0, so that the sum can only fall: without a penalty it is
        the bound itself. Divided by the length, a sum below 0 looks best at the greatest length allowed, every further
        piece being certain.
        """
        return self.score(log_probability, longest)


class SettingsError(ValueError):
    """A setting out of its range; the message is one sentence for the reader."""


def _check_whole(name: str, value: object, least: int, most: int, note: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SettingsError(f"{name} must be a whole number from {least} to {most}{note}: got {value!r}.")
