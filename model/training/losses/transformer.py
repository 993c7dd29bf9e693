"""The fused loss of `model.networks.transformer`.

Attention is torch's scaled_dot_product_attention, which stores no weights; the output loss is computed a chunk at a
time. With `use_bfloat16`, matrix products are in bfloat16 by torch's autocast; residuals, LayerNorm and the softmax of
the output keep the precision of the parameters.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.networks.base import shift_target
from model.networks.transformer import Transformer
from model.networks.transformer_layers import attend_fused
from model.text.vocabulary import PAD
from model.training.losses.common import OutputLoss, find_padding, select_target_tokens


def compute_loss(
    network: Transformer, source: Tensor, target: Tensor, *, use_bfloat16: bool = False, smoothing: float = 0.0,
    previous: Tensor | None = None,
) -> Tensor:
    """Return the summed negative log-likelihood (nats) of padded (batch, target) given padded (batch, source) tokens.

    Equal to `network.loss` without dropout. Dropout is applied in the same places.
    The batch is not checked: EOS must be last, padding on the right. `smoothing` is label smoothing.
    `previous` (batch, target): the tokens that the decoder reads in place of the right ones, PAD first.
    """
    mask = source != PAD
    attention_mask = None if find_padding(mask) is None else mask
    with torch.autocast(source.device.type, torch.bfloat16, enabled=use_bfloat16):
        h, _ = network.run_encoder(source, attention_mask, attend_fused)
        t, _ = network.run_decoder(
            shift_target(target) if previous is None else previous, (), network.compute_cross_kv_caches(h),
            attention_mask, attend_fused,
        )
    rows, tokens = select_target_tokens(target)
    no_bias = network.embedding.new_zeros(len(network.embedding))
    loss: Tensor = OutputLoss.apply(t.flatten(0, 1)[rows], network.embedding, no_bias, tokens, use_bfloat16, smoothing)
    return loss
