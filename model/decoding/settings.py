"""The settings of a search. Needs no torch, so that settings can be checked before a model is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, get_args

LengthPenalty = Literal["none", "length", "gnmt"]
StopRule = Literal["exact", "beam"]
UnkRule = Literal["show", "replace", "avoid"]

MAX_BEAM = 100
MAX_SEED = 2**63 - 1
MIN_TARGET_LIMIT = 10  # a very short source may need more tokens than `max_ratio` allows
MAX_RATIO = 100  # the greatest `max_ratio`


@dataclass(frozen=True)
class Settings:
    """How to search. Raises SettingsError for a value out of range or without effect.

    beam: number of live hypotheses; 1 is greedy search.
    n_best: number of hypotheses returned, at most `beam`.
    max_ratio: target tokens allowed per source token, at least MIN_TARGET_LIMIT in all. "</s>" counts on both sides.
        A hypothesis that has not ended by then is returned unfinished.
    length_penalty: how hypotheses are ranked. "none": by the sum of log-probabilities, which favours short targets.
        "length": by that sum divided by the number of tokens. "gnmt": see `score`.
    alpha, beta: strength of the length penalty and of the coverage penalty of "gnmt". `beta` above 0 needs attention.
    stop: when a beam search ends. "exact": once no live hypothesis can enter the n best, so that the result is that of
        a full search (`compute_score_upper_bound`). "beam": also once `beam` hypotheses have finished, as is usual.
        With "length" this saves a third of the steps or more but favours short targets, because those finish first.
    sample: draw each token at random; `beam` must be 1.
    temperature: draw from the probabilities to the power of 1/temperature; near 0 this is greedy search.
    top_k: draw from the `top_k` most probable tokens; 0 for all.
    top_p: of these, keep the fewest tokens whose share of the probability is at least `top_p`, at this temperature
        (Holtzman et al. 2020); 1 for all.
    seed: the same seed draws the same target for the same source, whatever else is in the batch.
    unk: what becomes of UNK, which models of whole words write for unknown words. "show": it is written. "replace": it
        is written, and then replaced by a translation or copy of the source word with the most attention. "avoid":
        search never writes it.
    candidates: number of most probable tokens recorded at each step; 0 for bulk work.
    detail: record the numbers inside each step; sentences are then decoded one at a time.
    tree: record all continuations the beam considered, at most `beam` * `beam` per step, with the best hypothesis.
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
    unk: UnkRule = "show"
    candidates: int = 10
    detail: bool = False
    tree: bool = False

    def __post_init__(self) -> None:
        self._check_whole_number("beam", 1, MAX_BEAM)
        self._check_whole_number("n_best", 1, self.beam, note=f" (the beam is {self.beam})")
        self._check_whole_number("candidates", 0, 100)
        self._check_whole_number("top_k", 0, 1_000_000)
        self._check_whole_number("seed", 0, MAX_SEED)
        self._check_number("max_ratio", MAX_RATIO, is_positive=True)
        self._check_number("alpha", 10)
        self._check_number("beta", 10)
        self._check_number("temperature", 100, is_positive=True)
        self._check_number("top_p", 1, is_positive=True)
        for name, allowed in (("length_penalty", get_args(LengthPenalty)), ("stop", get_args(StopRule)),
                              ("unk", get_args(UnkRule))):
            if getattr(self, name) not in allowed:
                choices = " or ".join(f'"{value}"' for value in allowed)
                raise SettingsError(f"{name} must be {choices}: got {getattr(self, name)!r}.")
        for name in ("sample", "detail", "tree"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} must be true or false: got {getattr(self, name)!r}.")
        if self.length_penalty != "gnmt":
            self._check_defaults('length_penalty "gnmt"', "alpha", "beta")
        if not self.sample:
            self._check_defaults("sample", "temperature", "top_k", "top_p", "seed")
        elif self.beam > 1 or self.tree:
            conflict = f"a beam of {self.beam}" if self.beam > 1 else "tree"
            raise SettingsError(f"sample follows one hypothesis and goes with no beam and no tree: got {conflict}.")

    def _check_whole_number(self, name: str, minimum: int, maximum: int, note: str = "") -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            raise SettingsError(f"{name} must be a whole number from {minimum} to {maximum}{note}: got {value!r}.")

    def _check_number(self, name: str, maximum: float, is_positive: bool = False) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (
                0 <= value <= maximum and (value > 0 or not is_positive)):
            allowed = f"above 0 and up to {maximum}" if is_positive else f"from 0 to {maximum}"
            raise SettingsError(f"{name} must be a number {allowed}: got {value!r}.")
        object.__setattr__(self, name, float(value))

    def _check_defaults(self, condition: str, *names: str) -> None:
        """Refuse settings that would have no effect."""
        defaults = {field.name: field.default for field in fields(self)}
        for name in names:
            value = getattr(self, name)
            if value != defaults[name]:
                raise SettingsError(f"{name} works only with {condition}: got {name} {value!r} without.")

    @property
    def method(self) -> str:
        """The search method: "greedy", "beam" or "sampling"."""
        return "sampling" if self.sample else "greedy" if self.beam == 1 else "beam"

    @property
    def trace_settings(self) -> dict[str, int | float | str | bool]:
        """The settings that a Trace records: those that influence the translation or its score, without the seed."""
        names = ["beam", "n_best", "max_ratio", "length_penalty"]
        names += ["alpha", "beta"] if self.length_penalty == "gnmt" else []
        names += ["stop"] if self.beam > 1 else []
        names += ["temperature", "top_k"] if self.sample else []
        names += ["top_p"] if self.top_p < 1 else []
        names += ["unk"] if self.unk != "show" else []
        return {name: getattr(self, name) for name in names}

    @property
    def search_record(self) -> dict[str, int | float | str | bool]:
        """The search as the file of a measurement records it: its method and settings, with the seed of sampling."""
        return {"name": self.method, **self.trace_settings, **({"seed": self.seed} if self.sample else {})}

    def compute_max_target_length(self, source_length: int) -> int:
        """Return the most tokens a target may have. "</s>" counts on both sides."""
        return max(MIN_TARGET_LIMIT, math.ceil(self.max_ratio * source_length))

    def score(self, log_prob: float, length: int, coverage_penalty: float = 0.0) -> float:
        """Return the score a hypothesis is ranked by; higher is better. "</s>" counts in its length.

        "gnmt" (Wu et al. 2016, eq. 14): log p(y|x) / lp + beta * coverage_penalty with lp = ((5 + |y|) / 6)^alpha.
        `coverage_penalty` is sum_j log min(sum_i alpha_ij, 1), at most 0 (`hypothesis.compute_coverage_penalty`).
        """
        if self.length_penalty == "length":
            return log_prob / length
        if self.length_penalty == "gnmt":
            return log_prob / ((5 + length) / 6) ** self.alpha + self.beta * coverage_penalty
        return log_prob

    def compute_score_upper_bound(self, log_prob: float, max_length: int) -> float:
        """Return an upper bound of the score of every continuation of a live hypothesis.

        Each further token adds at most 0 to the sum of log-probabilities. A negative sum divided by a length, or by
        lp, is greatest at the maximal length. Coverage only rises, to 0 at most. A network that is certain of all
        further tokens reaches the bound, so no tighter bound holds in general.
        """
        return self.score(log_prob, max_length)


class SettingsError(ValueError):
    """A setting is out of range or has no effect. The message is one sentence for users."""
