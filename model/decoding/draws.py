"""Several translations of one sentence drawn at random, all decoded as one batch."""

from __future__ import annotations

from model.decoding import NO_OVERRIDES, Overrides, Settings, Stopped
from model.decoding.translate import Model, begun, trace
from model.text.normalise import Normalised
from model.trace import Trace

MOST = 200  # translations at once


def draws(model: Model, text: Normalised, settings: Settings, count: int, stopped: Stopped | None = None,
          edits: Overrides = NO_OVERRIDES) -> list[Trace]:
    """`count` translations drawn as `settings` (a sampling) say, independently of one another, in the order drawn; the
    first is the one that search draws with the same seed.

    Raises as `model.decoding.translate.translate_best`; ValueError for a count out of 1 to MOST, and for another
    search.
    """
    import torch

    from model.decoding.sampling import sample

    if not 1 <= count <= MOST:
        raise ValueError(f"From 1 to {MOST} translations are drawn at once: got {count}.")
    if not settings.sample:
        raise ValueError(f"Translations are drawn by sampling: got {settings.name}.")
    sentence = begun(model, text, (), settings, edits)
    several = [sentence.ids] * count
    with torch.inference_mode():
        found = sample(model.network, several, settings, [sentence.prefix] * count, stopped, [edits] * count,
                       list(range(count)))
    return [trace(model, sentence, one, settings) for (one,) in found]
