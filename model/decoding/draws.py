"""Several translations of one sentence drawn at random, all decoded as one batch."""

from __future__ import annotations

from model.decoding import NO_OVERRIDES, Overrides, Settings, StopCallback
from model.decoding.translate import TranslationModel, build_trace, prepare_search
from model.text.normalise import Normalised
from model.trace import Trace

MAX_SAMPLES = 200  # translations at once


def sample_translations(model: TranslationModel, text: Normalised, settings: Settings, count: int, stopped: StopCallback | None = None,
          edits: Overrides = NO_OVERRIDES) -> list[Trace]:
    """`count` translations drawn as `settings` (a sampling) say, independently of one another, in the order drawn; the
    first is the one that search draws with the same seed.

    Raises as `model.decoding.translate.translate_best`; ValueError for a count out of 1 to MOST, and for another
    search.
    """
    import torch

    from model.decoding.sampling import sample

    if not 1 <= count <= MAX_SAMPLES:
        raise ValueError(f"From 1 to {MAX_SAMPLES} translations are drawn at once: got {count}.")
    if not settings.sample:
        raise ValueError(f"Translations are drawn by sampling: got {settings.method}.")
    sentence = prepare_search(model, text, (), settings, edits)
    several = [sentence.ids] * count
    with torch.inference_mode():
        found = sample(model.network, several, settings, [sentence.prefix] * count, stopped, [edits] * count,
                       list(range(count)))
    return [build_trace(model, sentence, one, settings) for (one,) in found]
