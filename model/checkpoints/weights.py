"""Weights of checkpoints as safetensors, and networks built from them.

Needs torch: `model.checkpoints.checkpoint` imports it on first use, so that cards can be read without.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from model.checkpoints.quantization import dequantize_weights, quantize_weights
from model.networks import registry


def convert_to_half(network: Any) -> dict[str, Tensor]:
    """Return a network's weights in half precision. Raises ValueError if one is not finite there."""
    weights = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in network.state_dict().items()}
    for key, value in weights.items():
        if not bool(value.isfinite().all()):
            raise ValueError(f"{key} has weights that are not finite in half precision")
    return weights


def encode_weights(weights: dict[str, Tensor]) -> bytes:
    """Return the content of a weights file."""
    return save(weights, metadata={"format": "pt"})


def encode_quantized_weights(network: Any) -> bytes:
    """Return the content of a weights file in eight bits."""
    return encode_weights(quantize_weights(network.state_dict()))


def load_network(network_config: Mapping[str, Any], content: bytes) -> Any:
    """Build the network of a card's config and load the content of a weights file. Raises ValueError in one line."""
    try:
        # Weights loaded in inference mode would not support gradients.
        with torch.inference_mode(False):
            kind = registry.find_kind(network_config.get("kind"))
            config = kind.configure(network_config)
            weights = dequantize_weights(load(content))
            _check_shapes(kind, config, {key: tuple(value.shape) for key, value in weights.items()})
            network = kind.build(config)
            network.load_state_dict(weights)
    except (SafetensorError, RuntimeError, ValueError, TypeError) as error:
        raise ValueError(" ".join(line.strip() for line in str(error).splitlines()[:2])[:200]) from error
    return network.eval()


def _check_shapes(kind: registry.NetworkKind, config: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    """Raise an error unless the weights fit the config, before memory is allocated: a card may hold any sizes."""
    layers = max(getattr(config, "layers", 1), getattr(config, "decoder_layers", 1))
    if layers > len(shapes):  # modules take memory too; every layer has weights
        raise ValueError(f"the card has {layers:,} layers, but there are {len(shapes)} weights")
    with torch.device("meta"):  # tensors without memory
        network = kind.build(config)
    network.load_state_dict({key: torch.empty(shape, device="meta") for key, shape in shapes.items()})
