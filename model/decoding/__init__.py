"""Search: from a network and source pieces to hypotheses. Torch is imported by the first search, not before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from model.decoding.hypothesis import Hypothesis
from model.decoding.override_rules import OverrideRule
from model.decoding.overrides import NO_OVERRIDES, OverrideError, Overrides, RowOverride
from model.decoding.settings import Settings, SettingsError
from model.decoding.stop_callback import SearchStopped, StopCallback
from model.text.vocabulary import EOS, PAD

if TYPE_CHECKING:
    from model.networks.base import Translator

__all__ = [
    "NO_OVERRIDES", "Overrides", "OverrideError", "Hypothesis", "RowOverride", "OverrideRule", "SearchStopped", "Settings", "SettingsError",
    "StopCallback", "search",
]  # fmt: skip


def search(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings | None = None,
    prefixes: Sequence[Sequence[int]] | None = None,
    stopped: StopCallback | None = None,
    edits: Sequence[Overrides] | None = None,
) -> list[list[Hypothesis]]:
    """The n best hypotheses of each source sentence (piece ids, EOS last), best first; all are decoded as one batch.

    Each begins with its sentence's prefix (piece ids, none for an empty one), if `prefixes` are given: their
    log-probabilities and weights are those of the forced pieces, and search goes on from there. `edits`, if given, has
    for each sentence the rows of attention that are to be used in place of the network's own, and its prefix where no
    `prefixes` are given. With `settings.detail`
    each sentence is decoded alone, so that no detail holds padding. `stopped` is asked before every step; once it says
    True the search ends in SearchStopped. Raises ValueError for a source that is empty, does
    not end in EOS or holds PAD, for a prefix that holds either or leaves nothing to search for, and for a network left
    in training; SettingsError for coverage asked of a model without attention.
    """
    import torch

    from model.decoding.beam import beam_search
    from model.decoding.greedy import greedy_search
    from model.decoding.sampling import sample

    settings = settings or Settings()
    changed = [NO_OVERRIDES] * len(sources) if edits is None else list(edits)
    if len(changed) != len(sources):
        raise ValueError(f"Each source has its edits: got {len(sources)} sources and {len(changed)} edits.")
    given = [one.prefix for one in changed] if prefixes is None else prefixes
    _check(sources, given, settings)
    # A beam of 1 is greedy search, to the last bit; it is only slower.
    decode = sample if settings.sample else greedy_search if settings.beam == 1 and not settings.tree else beam_search
    size = 1 if settings.detail else max(1, len(sources))
    with torch.inference_mode():
        return [found for first in range(0, len(sources), size)
                for found in decode(network, sources[first : first + size], settings, given[first : first + size],
                                    stopped, changed[first : first + size])]


def _check(sources: Sequence[Sequence[int]], prefixes: Sequence[Sequence[int]], settings: Settings) -> None:
    if len(prefixes) != len(sources):
        raise ValueError(f"Each source has one prefix: got {len(sources)} sources and {len(prefixes)} prefixes.")
    for source, prefix in zip(sources, prefixes, strict=True):
        if PAD in prefix or EOS in prefix:
            raise ValueError(f"A prefix is a list of piece ids without PAD ({PAD}) and EOS ({EOS}): "
                             f"got {list(prefix)[:20]}.")
        if len(prefix) >= settings.max_target_length(len(source)):
            raise ValueError(f"A prefix must leave something to search for: got {len(prefix)} pieces where a target "
                             f"may have {settings.max_target_length(len(source))}.")
