"""What a search is asked to do. Needs no torch, so that doors can check settings before a model is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, get_args

LengthPenalty = Literal["none", "length", "gnmt"]
StopRule = Literal["exact", "beam"]

MAX_BEAM = 100
MAX_SEED = 2**63 - 1
MIN_TARGET_LIMIT = 10  # a very short source may need more pieces than its ratio allows
MAX_RATIO = 100  # of target pieces to source pieces that may be asked for


@dataclass(frozen=True)
class Settings:
    """How to search, checked when made; raises SettingsError naming the setting, what was given and what is allowed.

    `beam`: how many hypotheses are carried along; 1 is greedy search.
    `n_best`: how many are returned, best first, at most `beam`.
    `max_ratio`: a target may have this many pieces for each source piece (and LEAST_STEPS at least), "</s>" counted on
        both sides; what has not ended by then is returned unfinished.
    `length_penalty`: what hypotheses are ranked by, "none" (the sum of the log-probabilities, which favours short
        targets), "length" (that sum divided by the number of pieces, "</s>" counted) or "gnmt" (see `score`).
    `alpha`, `beta`: how strongly "gnmt" makes up for length, and rewards having looked at every source piece. A `beta`
        above 0 needs a model with attention.
    `stop`: when a beam search ends. "exact": once no live hypothesis can enter the n best any more, so that going on
        would change nothing (see `best_possible`). "beam": also once `beam` hypotheses have ended, as is usual. "beam"
        saves a third of the steps or more with "length", but favours short targets, because those end first, which is
        what dividing by the length is to prevent. With "none" and "gnmt" the two seldom differ. "exact" is the
        default; "beam" is for bulk work that cannot wait.
    `sample`: draw each piece at random instead of searching; `beam` must be 1. `temperature`: the pieces are drawn by
        the model's probabilities to the power of 1/temperature, so that near 0 it is greedy search. `top_k`: only the
        so many likeliest are drawn from, 0 for all; of these `top_p` keeps the fewest likeliest that have, at that
        temperature, at least so large a share together (Holtzman et al. 2020), 1 for all. `seed`: the same seed gives
        the same target for the same source, whatever else is in the batch.
    `candidates`: how many of the likeliest pieces are noted at each step; 0 for bulk work.
    `detail`: note what went on inside each step too; sentences are then decoded one at a time.
    `tree`: note every continuation the beam looked at, with the best hypothesis; `beam` times `beam` a step.
    """

    beam: int = 1
    n_best: int = 1
    max_ratio: float = 3.0
    length_penalty: LengthPenalty = "length"
    alpha: float = 0.6
    beta: float = 0.0
    stop: StopRule = "exact"
    sample: bool = False
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    candidates: int = 10
    detail: bool = False
    tree: bool = False

    def __post_init__(self) -> None:
        _check_whole("beam", self.beam, 1, MAX_BEAM)
        _check_whole("n_best", self.n_best, 1, self.beam, note=f" (the beam is {self.beam})")
        _check_whole("candidates", self.candidates, 0, 100)
        _check_whole("top_k", self.top_k, 0, 1_000_000)
        _check_whole("seed", self.seed, 0, MAX_SEED)
        self._check_number("max_ratio", MAX_RATIO, above_0=True)
        self._check_number("alpha", 10)
        self._check_number("beta", 10)
        self._check_number("temperature", 100, above_0=True)
        self._check_number("top_p", 1, above_0=True)
        for name, allowed in (("length_penalty", get_args(LengthPenalty)), ("stop", get_args(StopRule))):
            if getattr(self, name) not in allowed:
                listed = " or ".join(f'"{one}"' for one in allowed)
                raise SettingsError(f"{name} must be {listed}: got {getattr(self, name)!r}.")
        for name in ("sample", "detail", "tree"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} must be true or false: got {getattr(self, name)!r}.")
        if self.length_penalty != "gnmt":
            self._check_unused('length_penalty "gnmt"', "alpha", "beta")
        if not self.sample:
            self._check_unused("sample", "temperature", "top_k", "top_p", "seed")
        elif self.beam > 1 or self.tree:
            given = f"a beam of {self.beam}" if self.beam > 1 else "tree"
            raise SettingsError(f"sample follows one hypothesis and goes with no beam and no tree: got {given}.")

    def _check_number(self, name: str, most: float, above_0: bool = False) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (
                0 <= value <= most and (value > 0 or not above_0)):
            allowed = f"above 0 and up to {most}" if above_0 else f"from 0 to {most}"
            raise SettingsError(f"{name} must be a number {allowed}: got {value!r}.")
        object.__setattr__(self, name, float(value))

    def _check_unused(self, only_with: str, *names: str) -> None:
        """Refuse what would have no effect: who gives it expects one."""
        defaults = {field.name: field.default for field in fields(self)}
        for name in names:
            if getattr(self, name) != defaults[name]:
                raise SettingsError(f"{name} works only with {only_with}: got {name} {getattr(self, name)!r} without.")

    @property
    def method(self) -> str:
        """The search's name: "greedy", "beam" or "sampling"."""
        return "sampling" if self.sample else "greedy" if self.beam == 1 else "beam"

    @property
    def provenance(self) -> dict[str, int | float | str | bool]:
        """The settings that decide which translation comes out and how it is scored, the seed apart.

        The others only decide what is noted of it; those that have no part in this search are left out.
        """
        names = ["beam", "n_best", "max_ratio", "length_penalty"]
        names += ["alpha", "beta"] if self.length_penalty == "gnmt" else []
        names += ["stop"] if self.beam > 1 else []
        names += ["temperature", "top_k"] if self.sample else []
        names += ["top_p"] if self.top_p < 1 else []
        return {name: getattr(self, name) for name in names}

    def max_target_length(self, source_pieces: int) -> int:
        """The most pieces a target may have, "</s>" counted on both sides."""
        return max(MIN_TARGET_LIMIT, math.ceil(self.max_ratio * source_pieces))

    def score(self, log_probability: float, pieces: int, coverage: float = 0.0) -> float:
        """What a hypothesis of that many pieces is ranked by; higher is better. Its "</s>" counts among the pieces.

        "gnmt" (Wu et al. 2016, eq. 14): log p(y|x) / lp + beta * coverage with lp = ((5 + |y|) / 6)^alpha. `coverage`
        is sum_j log min(sum_i alpha_ij, 1), at most 0, over the source pieces j without the source's "</s>", which
        nothing needs to be written for (`hypothesis.coverage`).
        """
        if self.length_penalty == "length":
            return log_probability / pieces
        if self.length_penalty == "gnmt":
            return log_probability / ((5 + pieces) / 6) ** self.alpha + self.beta * coverage
        return log_probability

    def score_upper_bound(self, log_probability: float, longest: int) -> float:
        """A score that nothing growing out of a live hypothesis can beat.

        Each further piece adds a log-probability of at most 0, so that the sum can only fall: without a penalty it is
        the bound itself. Divided by a length, or by an lp that grows with it, a sum below 0 looks best at the greatest
        length allowed, every further piece being certain. What is covered stays covered, so that coverage only rises,
        to 0 at best. Knowing nothing of the network's next steps no bound can be lower: a network sure of each of them
        would reach this one. A lower `max_ratio` lowers it.
        """
        return self.score(log_probability, longest)


class SettingsError(ValueError):
    """A setting out of its range, or of no use here; the message is one sentence for the reader."""


def _check_whole(name: str, value: object, least: int, most: int, note: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SettingsError(f"{name} must be a whole number from {least} to {most}{note}: got {value!r}.")
