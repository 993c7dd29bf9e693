"""Get the fast decoder of a network, built once for its weights."""

from __future__ import annotations

import weakref
from typing import Any, cast

import torch
from torch import nn

from model.networks.base import Translator
from model.networks.registry import KINDS

_cache: weakref.WeakKeyDictionary[nn.Module, tuple[object, Translator]] = weakref.WeakKeyDictionary()


def get_fast_decoder(network: Translator) -> Translator:
    """Return the fast decoder that the registry names for this kind of network, or the network itself if it names none.

    The decoder is built once for each network, and again after the network's weights have changed.
    """
    kind = KINDS.get(getattr(getattr(network, "config", None), "kind", ""))
    if kind is None or kind.fast_decoder_class is None:
        return network
    module = cast("nn.Module", network)
    weights = _identify_weights(module)
    cached = _cache.get(module)
    if cached is None or cached[0] != weights:
        with torch.inference_mode(False), torch.no_grad():
            cached = _cache[module] = weights, kind.fast_decoder_class(network)
    return cached[1]


def _identify_weights(network: nn.Module) -> list[tuple[Any, ...]]:
    """Return a key that changes when a parameter is replaced or changed in place."""
    return [(parameter.data_ptr(), parameter.dtype, 0 if parameter.is_inference() else parameter._version)
            for parameter in network.parameters()]
