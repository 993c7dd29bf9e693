"""Decode: turn source token ids into hypotheses by greedy search, beam search or sampling.

| question | file |
| --- | --- |
| Which settings are there, and how is a hypothesis scored? | `settings.py` |
| Where does a decoder step run, and where are the best tokens taken? | `batch_decoder.py` |
| Where is a beam pruned, and when does it stop? | `beam.py` |
| Where are attention weights computed? | `fast/rnnsearch.py`, `fast/transformer.py`, `networks/luong.py` |
| Where by kernels, on a CPU in float32? | `fast/search_kernels.py`, `fast/transformer_kernels.py` |
| Where are they overridden? | `attention_override.py`; rows and rules: `overrides.py`, `override_rules.py` |
| How does text become a Trace? | `translate.py`, `forced_decoding.py` |

Torch is imported by the first search (`batch_search.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from model.decoding.hypothesis import Hypothesis
from model.decoding.override_rules import OverrideError, OverrideRule
from model.decoding.overrides import NO_OVERRIDES, Overrides, RowOverride
from model.decoding.settings import Settings, SettingsError
from model.decoding.stop_callback import SearchStopped, StopCallback
from model.text.vocabulary import EOS, PAD

if TYPE_CHECKING:
    from model.networks.base import Translator

__all__ = [
    "NO_OVERRIDES", "Hypothesis", "OverrideError", "OverrideRule", "Overrides", "RowOverride", "SearchStopped",
    "Settings", "SettingsError", "StopCallback", "search",
]  # fmt: skip


def search(
    network: Translator,
    sources: Sequence[Sequence[int]],
    settings: Settings | None = None,
    prefixes: Sequence[Sequence[int]] | None = None,
    should_stop: StopCallback | None = None,
    overrides: Sequence[Overrides] | None = None,
    sample_indices: Sequence[int] | None = None,
) -> list[list[Hypothesis]]:
    """Return the n best hypotheses of each source, best first. All sources are decoded as one batch.

    sources: token ids, EOS last.
    prefixes: token ids that the translation of each source must begin with; those of `overrides` by default.
    should_stop: called before every step; the search ends in SearchStopped when it returns True.
    overrides: for each source, the attention weights to use instead of the network's.
    sample_indices: for sampling, a number for each source; different numbers make several draws of one source
        independent; 0 by default.

    With `settings.detail` each sentence is decoded alone, so that the detail holds no padding.

    Raises ValueError for a source that is empty, does not end in EOS or holds PAD; for a prefix that holds EOS or PAD
    or leaves nothing to search for; and for a network in training mode. Raises OverrideError for overrides that do not
    fit the network or a source; SettingsError for `beta` above 0 with a model without attention.
    """
    from model.decoding.batch_search import search_batch  # here: pages import this package, and torch takes seconds

    settings = settings or Settings()
    overrides = [NO_OVERRIDES] * len(sources) if overrides is None else list(overrides)
    if len(overrides) != len(sources):
        raise ValueError(f"Each source has its overrides: got {len(sources)} sources and {len(overrides)} overrides.")
    prefixes = [override.prefix for override in overrides] if prefixes is None else prefixes
    _check_prefixes(sources, prefixes, settings)
    results = []
    for part in split_batch(len(sources), settings):
        indices = None if sample_indices is None else sample_indices[part]
        results += search_batch(network, sources[part], settings, prefixes[part], should_stop, overrides[part], indices)
    return results


def split_batch(count: int, settings: Settings) -> list[slice]:
    """Return the sentences that are decoded together: all, or each alone with `settings.detail`."""
    if settings.detail:
        return [slice(index, index + 1) for index in range(count)]
    return [slice(count)]


def _check_prefixes(sources: Sequence[Sequence[int]], prefixes: Sequence[Sequence[int]], settings: Settings) -> None:
    if len(prefixes) != len(sources):
        raise ValueError(f"Each source has one prefix: got {len(sources)} sources and {len(prefixes)} prefixes.")
    for source, prefix in zip(sources, prefixes, strict=True):
        if PAD in prefix or EOS in prefix:
            raise ValueError(f"A prefix is a list of token ids without PAD ({PAD}) and EOS ({EOS}): "
                             f"got {list(prefix)[:20]}.")
        max_length = settings.compute_max_target_length(len(source))
        if len(prefix) >= max_length:
            raise ValueError(f"A prefix must leave something to search for: got {len(prefix)} tokens where a target "
                             f"may have {max_length}.")
