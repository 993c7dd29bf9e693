"""Tiny networks of each kind for the tests of probing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from model.networks import seq2seq
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.networks import build_network


@pytest.fixture(params=["rnnsearch", "rnnencdec", "seq2seq", "seq2seq, forwards"])
def model(request: pytest.FixtureRequest, tiny_vocabulary: Vocabulary) -> SimpleNamespace:
    torch.manual_seed(3)
    size = len(tiny_vocabulary)
    config = (seq2seq.Seq2SeqConfig("seq2seq", size, 6, 6, 2, request.param == "seq2seq")
              if request.param.startswith("seq2seq") else RNNsearchConfig(request.param, size, 6, 6, 6, 4))
    network = build_network(config).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0, 0.9)
    return SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                           languages=("en", "fr"))
