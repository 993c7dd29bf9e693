"""Compare queries, scores, copied probabilities and other temperatures with the float64 oracles in numpy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from model.analysis.probing import attention_forms
from model.analysis.probing.attention_record import TEMPERATURES, WINDOW_DISTANCES
from model.decoding import SearchStopped
from model.decoding.translate import SentenceError, prepare_source
from model.text.normalise import normalise
from model.text.vocabulary import EOS, Vocabulary
from tests.model import tiny, tiny_lstm
from tests.model.networks import lstm_oracle, oracle, test_coverage, tiny_networks
from tests.model.networks.test_coverage import run_oracle as run_coverage_oracle
from tests.model.networks.test_rnnsearch import get_oracle_weights
from tests.model.networks.tiny_networks import build_tiny_coverage_network, build_tiny_transformer

TEXT = normalise("The old dog runs.")
TARGET = (5, 9, 5, EOS)


def keep_running() -> bool:
    return False


@pytest.fixture
def wrap(tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a tiny network a vocabulary; its networks are built with as many tokens."""
    for module in (tiny, tiny_lstm, tiny_networks, test_coverage):
        monkeypatch.setattr(module, "V", len(tiny_vocabulary))
    return lambda network: SimpleNamespace(vocabulary=tiny_vocabulary, network=network, languages=("en", "fr"))


@pytest.mark.verdict
def test_retrieval_equals_the_oracle_at_every_temperature(wrap: Any) -> None:
    model = wrap(tiny.build_tiny_network("rnnsearch", "groundhog"))
    result = attention_forms.measure_retrieval(model, TEXT, keep_running)
    weights, source = get_oracle_weights(model.network), prepare_source(model, TEXT).ids
    expected = oracle.force_decode(weights, source, list(result.token_ids), "groundhog")
    np.testing.assert_allclose(result.energies, expected.energies, atol=1e-9)
    np.testing.assert_allclose(result.probabilities, np.exp([row[token] for row, token in
                                                             zip(expected.log_probs, result.token_ids, strict=True)]))
    np.testing.assert_allclose(result.queries, expected.attention_states, atol=1e-9)  # fewer units than blocks
    np.testing.assert_allclose(result.values, expected.annotations, atol=1e-9)
    np.testing.assert_allclose(result.keys, expected.annotations @ weights["U_a"].T, atol=1e-9)

    for step, (s, e) in enumerate(zip(expected.attention_states, expected.energies, strict=True)):
        y = weights["E_y"][result.token_ids[step - 1]] if step else np.zeros(tiny.M)
        for temperature, prediction in zip(TEMPERATURES, result.predictions[step], strict=True):
            alpha = np.exp((e - e.max()) / temperature) if temperature else (e == e.max()).astype(float)
            c = alpha / alpha.sum() @ expected.annotations
            probs = np.exp(oracle.compute_log_probs(weights, s, y, c))
            assert prediction == (model.vocabulary.id_to_piece(int(probs.argmax())), pytest.approx(probs.max()))


def test_concat_with_the_matrices_side_by_side_is_additive(wrap: Any) -> None:
    model = wrap(tiny.build_tiny_network("rnnsearch", "groundhog"))
    result = attention_forms.measure_additive_scores(model, TEXT, keep_running)
    np.testing.assert_allclose(result.scores["additive"], result.scores["concat"], atol=1e-12)


def test_scores_of_luong_equal_the_oracle_on_a_given_translation(wrap: Any) -> None:
    network = tiny_lstm.build_tiny_network("general", vocabulary=tiny_lstm.V)
    model = wrap(network)
    result = attention_forms.measure_luong_scores(model, TEXT, keep_running, TARGET)
    weights, settings = tiny_lstm.get_oracle_weights(network), tiny_lstm.get_settings("general")
    source = prepare_source(model, TEXT).ids
    states = [cell.h for cell in lstm_oracle.force_decode(weights, settings, source, TARGET).top_cells]
    annotations, _, _ = lstm_oracle.encode(weights, settings, source)
    assert list(result.scores) == ["dot", "scaled dot", "general"]
    for name, scores in result.scores.items():
        expected = [lstm_oracle.score(weights, {**settings, "score": name}, s, annotations) for s in states]
        np.testing.assert_allclose(scores, expected, atol=1e-9)
    assert result.token_ids == TARGET


def test_windows_equal_the_oracle(wrap: Any) -> None:
    network = tiny_lstm.build_tiny_network("general", vocabulary=tiny_lstm.V)
    model = wrap(network)
    result = attention_forms.translate_in_windows(model, TEXT, keep_running)
    weights, source = tiny_lstm.get_oracle_weights(network), prepare_source(model, TEXT).ids
    settings = {**tiny_lstm.get_settings("general"), "window": "local-m"}
    ids = {model.vocabulary.id_to_piece(index): index for index in range(len(model.vocabulary))}
    for distance, side in zip(WINDOW_DISTANCES, result.local_m, strict=True):
        token_ids = [ids[piece] for piece in side.pieces]
        forced = lstm_oracle.force_decode(weights, {**settings, "distance": distance}, source, token_ids)
        assert token_ids == forced.log_probs.argmax(axis=1).tolist()

    alpha = np.random.default_rng(4).dirichlet(np.ones(6), size=2)
    limited = attention_forms.limit_to_windows(torch.tensor(alpha), torch.tensor([2, 5]), torch.tensor([1, 2]),
                                               torch.tensor([False, True])).numpy()  # fmt: skip
    np.testing.assert_allclose(limited[0], [*alpha[0, :3] / alpha[0, :3].sum(), 0, 0, 0])
    gauss = np.exp(-((np.arange(3, 7) - 5) ** 2) / 2)  # the standard deviation is D/2 = 1
    np.testing.assert_allclose(limited[1], [0, 0, *alpha[1, 2:] / alpha[1, 2:].sum() * gauss])


def test_without_feeding_a_step_reads_zeros_for_the_attentional_vector(wrap: Any) -> None:
    network = tiny_lstm.build_tiny_network("general", vocabulary=tiny_lstm.V)
    result = attention_forms.translate_without_feeding(wrap(network), TEXT, keep_running)
    weights = tiny_lstm.get_oracle_weights(network)
    for gate in "ifog":  # the columns that read s~ removed, and the oracle's input feeding off
        weights[f"decoder.0.W_{gate}"] = weights[f"decoder.0.W_{gate}"][:, : tiny_lstm.M]
    settings = {**tiny_lstm.get_settings("general"), "feeding": False}
    expected = lstm_oracle.force_decode(weights, settings, prepare_source(wrap(network), TEXT).ids, result.token_ids)
    assert result.token_ids == tuple(expected.log_probs.argmax(axis=1))
    np.testing.assert_allclose(result.probabilities, np.exp(expected.log_probs.max(axis=1)), atol=1e-9)


def test_copied_and_generated_parts_equal_the_oracle(wrap: Any) -> None:
    model = wrap(build_tiny_coverage_network("none", True))
    result = attention_forms.split_copying(model, TEXT, keep_running)
    source = prepare_source(model, TEXT).ids
    expected = run_coverage_oracle(model.network, source, list(result.token_ids))
    np.testing.assert_allclose(result.p_gen, expected.p_gen, atol=1e-9)
    for step, token in enumerate(result.token_ids):
        attended = sum(expected.alphas[step][j] for j, other in enumerate(source) if other == token)
        assert result.copied[step] == pytest.approx((1 - expected.p_gen[step]) * attended, abs=1e-9)
        assert result.probabilities[step] == pytest.approx(np.exp(expected.log_probs[step][token]))


def test_head_weights_are_those_of_teacher_forcing(wrap: Any) -> None:
    model = wrap(build_tiny_transformer("pre"))
    result = attention_forms.measure_head_weights(model, TEXT, keep_running, TARGET)
    with torch.no_grad():
        output = model.network(torch.tensor([prepare_source(model, TEXT).ids]), torch.tensor([TARGET]))
    for head, weights in result.items():
        key = attention_forms.describe_cross_map(model.network.main_layer, head).key
        np.testing.assert_allclose(weights, output.weights[key][0].numpy(), atol=1e-9)


def test_long_sentences_are_refused_and_a_stop_is_obeyed(wrap: Any) -> None:
    model = wrap(tiny.build_tiny_network("rnnsearch", "groundhog"))
    with pytest.raises(SentenceError, match="tokens"):
        attention_forms.measure_retrieval(model, normalise("dog " * 70), keep_running)
    with pytest.raises(SearchStopped):
        attention_forms.measure_retrieval(model, TEXT, lambda: True)


@pytest.mark.parametrize(("measure", "network"), [
    (attention_forms.measure_retrieval, lambda: tiny.build_tiny_network("rnnsearch", "groundhog")),
    (attention_forms.translate_in_windows, lambda: tiny_lstm.build_tiny_network("general", vocabulary=tiny_lstm.V)),
])  # fmt: skip
def test_tensors_are_created_on_the_device_of_the_network(wrap: Any, measure: Any, network: Any) -> None:
    model = wrap(network())
    with torch.device("meta"):  # of tensors that name none
        measure(model, TEXT, keep_running)
