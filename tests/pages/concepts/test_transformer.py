"""Payloads of the concepts about the Transformer."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.analysis.probing.transformer_internals import StackInternals, Sublayer
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.concepts import layers, outlook
from pages.ui.url_state import params, state
from tests.model.networks.tiny_networks import build_tiny_transformer


def test_shares_of_the_last_state_sum_to_one() -> None:
    rng = np.random.default_rng(3)
    outputs = rng.normal(size=(3, 4, 6))  # embedding, self-attention, feed-forward; tokens; units
    stack = StackInternals(outputs[0].astype(np.float32), (
        Sublayer(1, "self_attention", outputs[1].astype(np.float32)),
        Sublayer(1, "feed_forward", outputs[2].astype(np.float32), active_share=np.full(4, 0.25, np.float32)),
    ))  # fmt: skip
    data = layers.build_stream(stack, list("abcd"), "en")
    for token in range(4):
        vectors = outputs[:, token]
        last = vectors.sum(axis=0)
        shares = [float(vector @ last / (last @ last)) for vector in vectors]
        np.testing.assert_allclose([row[token] for row in data["shares"]], shares, rtol=1e-3)
        np.testing.assert_allclose(
            [row[token] for row in data["stream_norms"]],
            [np.linalg.norm(vectors[: count + 1].sum(axis=0)) for count in range(3)],
            rtol=1e-3,
        )
        assert sum(shares) == pytest.approx(1)
    assert data["kinds"] == ["self_attention", "feed_forward"]
    assert data["active"] == [[0.25] * 4]


def test_strongest_head_from_pronoun_to_noun_has_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = cards.load_vocabulary("transformer-50")
    assert isinstance(vocabulary, Vocabulary)
    network = build_tiny_transformer("pre").float()
    rows = torch.randn(len(vocabulary), network.embedding.shape[1], generator=torch.Generator().manual_seed(8))
    network.embedding = torch.nn.Parameter(rows)
    monkeypatch.setattr(network, "config", network.config.__class__(**{
        **vars(network.config), "vocabulary": len(vocabulary)}))  # fmt: skip
    model = SimpleNamespace(network=network, vocabulary=vocabulary, languages=("en", "ko"))
    # With this seed another head is the strongest in the changed sentence.
    coreference = outlook.measure_coreference(model, lambda: False)  # type: ignore[arg-type]
    assert coreference is not None
    ids = vocabulary.encode(normalise(outlook.SENTENCE))
    pieces = vocabulary.build_side(ids, "en").pieces
    with torch.no_grad():
        weights = network.encode(torch.tensor([ids])).self_attention_weights
    expected = {(layer, head): float(values[0, head - 1, pieces.index("▁it"), pieces.index("▁soup")])
                for layer, values in enumerate(weights, 1) for head in range(1, values.shape[1] + 1)}  # fmt: skip
    assert coreference["weight"] == pytest.approx(max(expected.values()))
    assert expected[coreference["layer"], coreference["head"]] == coreference["weight"]
    query = dict(part.split("=") for part in coreference["link"].partition("?")[2].split("&"))
    assert query[params.PAIR.name] == "en-ko"
    assert (query[params.LAYER.name], query[params.HEAD.name]) == (str(coreference["layer"]), str(coreference["head"]))


def test_link_keeps_the_language_of_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "read_link_param", lambda *_, **__: "ko")
    assert outlook.add_language("concepts?idea=self_attention") == "concepts?idea=self_attention&lang=ko"
