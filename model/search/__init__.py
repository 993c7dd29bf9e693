"""Search: from a network and source pieces to hypotheses. Torch is imported by the first search, not before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from model.search.hypothesis import Hypothesis
from model.search.settings import Settings, SettingsError

if TYPE_CHECKING:
    from model.translator import Translator

__all__ = ["Hypothesis", "Settings", "SettingsError", "search"]


def search(
    network: Translator, sources: Sequence[Sequence[int]], settings: Settings | None = None
) -> list[list[Hypothesis]]:
    """The n best hypotheses of each source sentence (piece ids, EOS last), best first; all are decoded as one batch.

    With `settings.detail` each sentence is decoded alone, so that no detail holds padding. Raises ValueError for a
    source that is empty, does not end in EOS or holds PAD, and for a network left in training.
    """
    import torch

    from model.search.beam import beam
    from model.search.greedy import greedy

    settings = settings or Settings()
    decode = greedy if settings.beam == 1 else beam
    size = 1 if settings.detail else max(1, len(sources))
    with torch.inference_mode():
        return [found for first in range(0, len(sources), size)
                for found in decode(network, sources[first : first + size], settings)]
