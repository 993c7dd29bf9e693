"""The detail of a Trace: norms, means and block means of what the network said, and nothing larger."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.decoding import Settings, search
from model.decoding.detail import BLOCKS, summarize_detail, summarize_source
from model.decoding.translate import translate_sentence
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import EOS
from model.trace import ANNOTATIONS, Trace
from tests.model.decoding.test_translate import TEXTS, Model, a_model, model, vocabulary
from tests.model.decoding.toy import random_toy

__all__ = ["model", "vocabulary"]  # fixtures

SOURCE = [5, 9, 7, 4, EOS]


def test_blocks_means_and_norms_by_hand() -> None:
    state = np.arange(48.0).reshape(2, 24)
    kept = summarize_detail({"state": state, "energies": state})
    assert sorted(kept) == ["energies", "state", "state mean", "state norm"]
    assert kept["energies"] is state
    assert kept["state"].tolist() == [[2 * k + 0.5 for k in range(12)], [2 * k + 24.5 for k in range(12)]]
    assert kept["state mean"].tolist() == [11.5, 35.5]
    assert kept["state norm"][0] == pytest.approx(sum(k * k for k in range(24)) ** 0.5)


def test_fewer_units_than_blocks_stay_single() -> None:
    assert summarize_detail({"state": np.array([[3.0, 4.0]])})["state"].tolist() == [[3.0, 4.0]]
    assert summarize_detail({"state": np.array([[3.0, 4.0]])})["state norm"].tolist() == [5.0]


def test_the_blocks_of_annotations_are_the_forward_and_then_the_backward_half() -> None:
    network = build_network(RNNsearchConfig("rnnsearch", 12, 5, 12, 4, 3)).double().eval()
    with torch.no_grad():
        network.initialise(torch.Generator().manual_seed(3))
        for parameter in network.parameters():
            parameter.mul_(50.0)
    kept = summarize_source(network, SOURCE)
    assert kept is not None
    h = network.encode(torch.tensor([SOURCE])).annotations[0].detach().numpy()
    assert kept[ANNOTATIONS].shape == (len(SOURCE), BLOCKS)
    np.testing.assert_allclose(kept[ANNOTATIONS][:, 0], h[:, :2].mean(axis=1))
    np.testing.assert_allclose(kept[ANNOTATIONS][:, 6], h[:, 12:14].mean(axis=1))
    np.testing.assert_allclose(kept[f"{ANNOTATIONS} norm"], np.linalg.norm(h, axis=1))


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_traces_hold_the_summaries_of_what_the_search_saw(vocabulary: object, kind: str) -> None:
    model = a_model(vocabulary, kind)  # type: ignore[arg-type]
    trace = translate_sentence(model, normalise(TEXTS[0]), Settings(detail=True))
    ids = model.vocabulary.encode(normalise(TEXTS[0]))
    (found,) = search(model.network, [ids], Settings(detail=True))[0]
    assert trace.detail is not None
    assert trace.source_detail is not None
    assert found.detail is not None
    for name in ("state", "context", "update", "reset"):
        np.testing.assert_allclose(trace.detail[f"{name} norm"], np.linalg.norm(found.detail[name], axis=1), rtol=1e-5)
        np.testing.assert_allclose(trace.detail[f"{name} mean"], found.detail[name].mean(axis=1), rtol=1e-4, atol=1e-6)
    assert ("energies" in trace.detail) == (kind == "rnnsearch")
    assert len(trace.source_detail[ANNOTATIONS]) == len(trace.source.pieces)
    if kind == "rnnsearch":  # the context is what the weights make of the annotations, in every block of units
        mixed = trace.get_map().values @ summarize_source(model.network, ids)[f"{ANNOTATIONS} mean"]  # type: ignore[index]
        np.testing.assert_allclose(trace.detail["context mean"], mixed, rtol=1e-4, atol=1e-6)
    else:  # one vector, the encoder's last state, at every step
        last = trace.source_detail[f"{ANNOTATIONS} norm"][-1]
        np.testing.assert_allclose(trace.detail["context norm"], [last] * len(trace.steps), rtol=1e-6)
    assert Trace.from_json(trace.to_json()) == trace


def test_a_trace_with_detail_stays_small(model: Model) -> None:
    trace = translate_sentence(model, normalise(TEXTS[0]), Settings(detail=True))
    cells = sum(values.size for values in (trace.detail or {}).values())
    steps, source = len(trace.steps), len(trace.source.pieces)
    assert cells <= steps * (source + 4 * (BLOCKS + 2))


def test_without_detail_there_is_none_and_other_networks_need_not_annotate(model: Model) -> None:
    assert translate_sentence(model, normalise(TEXTS[0])).source_detail is None
    assert summarize_source(random_toy(1), SOURCE) is None
