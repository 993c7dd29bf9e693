"""Compile the kernels of search before the first translation needs them."""

from __future__ import annotations

from model.decoding import Settings, search
from model.decoding.fast.transformer import MAX_COMPILED_ROWS
from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.networks.transformer import Transformer
from model.networks.transformer_layers import TransformerConfig
from model.text.vocabulary import EOS


def compile_all() -> None:
    """Compile all kernels of search by searching with tiny networks, with few rows and with many."""
    for network in (RNNsearch(RNNsearchConfig("rnnsearch", 64, 32, 32, 32, 32)),
                    RNNencdec(RNNsearchConfig("rnnencdec", 64, 32, 32, 32, 32)),
                    Transformer(TransformerConfig("transformer", 64, 32, 64, heads=2, layers=1))):
        network = network.half().float().eval()
        row_count = MAX_COMPILED_ROWS + 1
        for beam, sources in ((1, [[3, EOS]]), (row_count, [[3, EOS]]), (1, [[3, EOS], *[[3, 4, EOS]] * row_count])):
            search(network, sources, Settings(beam=beam, max_ratio=2.0))
