"""The mathematics of `model.networks.transformer` over whole sequences, for training: same parameters, same loss, less
time.

Attention is torch's own, which holds no weights; the logits of the vocabulary are held a chunk at a time, as for the
recurrent networks. With `half`, products take and give bfloat16 where torch's autocast has them so; what goes past the
sublayers, LayerNorm and the softmax of the output stay in the parameters' own precision.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.networks.base import shift_target
from model.networks.transformer import Transformer
from model.networks.transformer_layers import fused_attention
from model.text.vocabulary import PAD
from model.training.losses.common import OutputLoss, find_padding, select_target_tokens


def compute_loss(network: Transformer, source: Tensor, target: Tensor, *, half: bool = False, smoothing: float = 0.0) -> Tensor:
    """Summed negative log-likelihood (nats) of padded (batch, target) pieces given padded (batch, source) pieces.

    Equal to `network.loss`; dropout falls in the same places. The batch must be well formed (EOS last, padding right):
    nothing is checked.
    """
    mask = source != PAD
    present = None if find_padding(mask) is None else mask
    with torch.autocast(source.device.type, torch.bfloat16, enabled=half):
        h, _ = network.run_encoder(source, present, fused_attention)
        t, _ = network.run_decoder(
            shift_target(target), (), network.compute_cross_kv_caches(h), present, fused_attention
        )
    rows, pieces = select_target_tokens(target)
    nothing = network.embedding.new_zeros(len(network.embedding))  # the output layer has no bias
    found: Tensor = OutputLoss.apply(t.flatten(0, 1)[rows], network.embedding, nothing, pieces, half, smoothing)
    return found
