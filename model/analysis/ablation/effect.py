"""What edits change of each step, the same words being written: a model without them and with them, side by side.

Two free translations part at the first word that flips, and from there on their steps cannot be compared. So both are
made to write one translation, piece by piece: what the edits change of a step is then told apart from what other words
before it would have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.decoding import NO_EDITS, Edits, Settings, Stopped
from model.decoding.stop_callback import go_on
from model.decoding.translate import Model, prepare
from model.text.normalise import Normalised
from model.text.vocabulary import EOS, PAD


@dataclass(frozen=True)
class Effect:
    """For each piece of a translation its log-probability in nats without the edits (`before`) and with them
    (`after`), `divergence`: the Kullback-Leibler divergence in nats of the distributions over the next piece,
    KL(without || with), at least 0; and `first`: whether the piece is the likeliest with them."""

    log_probs_before: tuple[float, ...]
    log_probs_after: tuple[float, ...]
    kl_divergence: tuple[float, ...]
    is_most_likely: tuple[bool, ...]

    @property
    def log_prob_changes(self) -> tuple[float, ...]:
        """By how much each piece became likelier, in nats."""
        return tuple(now - was for was, now in zip(self.log_probs_before, self.log_probs_after, strict=True))


def measure_effects(model: Model, text: Normalised, pieces: Sequence[int], edits: Sequence[Edits],
            stopped: Stopped | None = None) -> list[Effect]:
    """What each of some edits changes of a translation (piece ids, EOS last or not at all) of a text, all measured as
    one batch; forced words among them have no part in it.

    Raises SentenceError for a text that cannot be translated, EditsError where edits do not fit, ValueError for pieces
    that are none of a translation or that the model holds to be impossible; SearchStopped once `stopped` says so.
    """
    import torch

    from model.decoding.batch_decoder import Decoding, values_of

    if not pieces or PAD in pieces or EOS in pieces[:-1]:
        raise ValueError(f"A translation is a list of piece ids without PAD ({PAD}), with EOS ({EOS}) at its end or "
                         f"not at all: got {list(pieces)[:20]}.")
    rows = 1 + len(edits)
    ids = prepare(model, text).ids
    changed = [NO_EDITS, *(Edits(one.rows, (), one.rules) for one in edits)]
    logs: list[list[float]] = [[] for _ in range(rows)]
    divergences: list[list[float]] = [[] for _ in edits]
    first: list[list[bool]] = [[] for _ in edits]
    with torch.inference_mode():
        decoding = Decoding(model.network, [ids] * rows, Settings(candidates=0), changed)
        for step, (last, piece) in enumerate(zip([PAD, *pieces[:-1]], pieces, strict=True), 1):
            go_on(stopped)
            result, seen = decoding.take([last] * rows, range(rows))
            for one, likeliest in zip(first, seen.pieces[1:], strict=True):
                one.append(likeliest[0] == piece)
            for row, value in values_of(result, dict.fromkeys(range(rows), piece), step).items():
                logs[row].append(value)
            without, *others = result.log_probs.double()
            possible = without > -torch.inf
            without = without[possible]
            for found, other in zip(divergences, others, strict=True):
                found.append(max(0.0, float((without.exp() * (without - other[possible])).sum())))  # a hair below 0: 0
    return [Effect(tuple(logs[0]), tuple(after), tuple(found), tuple(likeliest))
            for after, found, likeliest in zip(logs[1:], divergences, first, strict=True)]


def measure_effect(model: Model, text: Normalised, pieces: Sequence[int], edits: Edits,
           stopped: Stopped | None = None) -> Effect:
    """As `effects`, for one of them."""
    return measure_effects(model, text, pieces, [edits], stopped)[0]
