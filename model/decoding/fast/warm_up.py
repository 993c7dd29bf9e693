"""Compile the kernels of search before the first translation needs them."""

from __future__ import annotations

from model.decoding import Settings, search
from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.text.vocabulary import EOS


def compile_all() -> None:
    """Compile all kernels of search by searching with tiny networks, with one row and with more."""
    for network_class in (RNNsearch, RNNencdec):
        config = RNNsearchConfig(network_class.__name__.lower(), 64, embedding=32, hidden=32, alignment=32, readout=32)
        network = network_class(config).half().float().eval()
        for beam, sources in ((1, [[3, EOS]]), (2, [[3, EOS]]), (1, [[3, EOS], [3, 4, EOS]])):
            search(network, sources, Settings(beam=beam, max_ratio=2.0))
