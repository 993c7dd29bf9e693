"""Payloads of the concepts about the Transformer."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from streamlit.proto.WidgetStates_pb2 import WidgetStates

from model.analysis.probing.transformer_internals import StackInternals, Sublayer
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.concepts import layers, outlook
from pages.ui.concepts.context import IdeaContext
from tests.model.networks.tiny_networks import build_tiny_transformer
from tests.pages.components import create_event, open_page


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


def test_strongest_head_from_pronoun_to_noun_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_the_strongest_head_is_opened_in_the_same_session(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"sentence": outlook.SENTENCE, "layer": 2, "head": 3, "weight": 0.5,
             "changed_sentence": outlook.CHANGED_SENTENCE, "changed_weight": 0.1}  # fmt: skip
    monkeypatch.setattr(IdeaContext, "measure", lambda _, name, key, *__: found if key[0] == "coreference" else None)
    app = open_page("concepts", idea="outlook", present="1", pair="en-ko", sentence="I am a student.")
    (node,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith("outlook")]
    app._run(WidgetStates(widgets=[create_event(node, "open", True)]))
    assert not app.exception
    expected = {"idea": "self_attention", "sentence": outlook.SENTENCE, "layer": "2", "layer-head": "3", "present": "1"}
    assert expected.items() <= dict(app.query_params).items()
    assert app.session_state["pair"] == cards.get_pair(cards.find_card_of_kind("transformer").name)  # type: ignore[union-attr]
