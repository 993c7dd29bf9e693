"""The detail of a Trace: norms, means and block means of what the network computed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.decoding import Settings, search
from model.decoding.detail import BLOCKS, summarise_detail, summarise_source
from model.decoding.translate import translate_sentence
from model.text.normalise import normalise
from model.text.vocabulary import EOS, Vocabulary
from model.trace import ANNOTATIONS, Trace
from tests.model.decoding.helpers import TinyModel, build_tiny_model
from tests.model.decoding.toy import random_toy

TEXT = normalise("The grey cat sleeps on the chair.")


def test_blocks_means_and_norms() -> None:
    state = np.arange(48.0).reshape(2, 24)
    summary = summarise_detail({"state": state, "energies": state})
    assert sorted(summary) == ["energies", "state", "state mean", "state norm"]
    assert summary["energies"] is state
    assert summary["state"].tolist() == [[2 * k + 0.5 for k in range(12)], [2 * k + 24.5 for k in range(12)]]
    assert summary["state mean"].tolist() == [11.5, 35.5]
    assert summary["state norm"][0] == pytest.approx(sum(k * k for k in range(24)) ** 0.5)
    short = summarise_detail({"state": np.array([[3.0, 4.0]])})  # fewer units than blocks
    assert (short["state"].tolist(), short["state norm"].tolist()) == ([[3.0, 4.0]], [5.0])


def test_network_without_annotations_has_no_summary() -> None:
    assert summarise_source(random_toy(1), [5, 9, EOS]) is None


def test_source_is_annotated_on_the_device_of_the_network() -> None:
    class MetaNetwork(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.empty(1, device="meta"))

        def annotate(self, source: Tensor) -> tuple[Tensor, Tensor]:
            self.source = source
            return source > 0, torch.zeros(1, 3, 4)

    network = MetaNetwork()
    summarise_source(network, [5, 9, EOS])
    assert (network.source.device.type, network.source.shape) == ("meta", (1, 3))


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_trace_holds_summaries_of_the_search(tiny_vocabulary: Vocabulary, kind: str) -> None:
    model: TinyModel = build_tiny_model(tiny_vocabulary, kind)
    trace = translate_sentence(model, TEXT, Settings(detail=True))
    ids = model.vocabulary.encode(TEXT)
    (hypothesis,) = search(model.network, [ids], Settings(detail=True))[0]
    assert trace.detail is not None
    assert trace.source_detail is not None
    assert hypothesis.detail is not None
    for name in ("state", "context", "update", "reset"):
        values = hypothesis.detail[name]
        np.testing.assert_allclose(trace.detail[f"{name} norm"], np.linalg.norm(values, axis=1), rtol=1e-5)
        np.testing.assert_allclose(trace.detail[f"{name} mean"], values.mean(axis=1), rtol=1e-4, atol=1e-6)
    h = model.network.encode(torch.tensor([ids])).annotations[0].detach().numpy()
    if kind == "rnnsearch":  # the context is the weighted sum of the annotations
        assert trace.detail["energies"].shape == trace.get_map("attention").values.shape
        np.testing.assert_allclose(trace.source_detail[ANNOTATIONS][:, 0], h[:, :2].mean(axis=1), rtol=1e-5)
        np.testing.assert_allclose(trace.source_detail[f"{ANNOTATIONS} norm"], np.linalg.norm(h, axis=1), rtol=1e-5)
        mean = trace.get_map().values @ trace.source_detail[f"{ANNOTATIONS} mean"]
        np.testing.assert_allclose(trace.detail["context mean"], mean, rtol=1e-4, atol=1e-6)
    else:  # the context is the last encoder state at every step
        assert "energies" not in trace.detail
        norm = trace.source_detail[f"{ANNOTATIONS} norm"][-1]
        np.testing.assert_allclose(trace.detail["context norm"], [norm] * len(trace.steps), rtol=1e-6)
    assert sum(values.size for values in trace.detail.values()) <= len(trace.steps) * (len(ids) + 4 * (BLOCKS + 2))
    assert Trace.from_json(trace.to_json()) == trace
    plain_trace = translate_sentence(model, TEXT)
    assert (plain_trace.detail, plain_trace.source_detail) == (None, None)
