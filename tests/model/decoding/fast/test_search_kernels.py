"""Numba kernels of search in float32, compared with the networks in float64, and when they are used."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding import Settings, search
from model.decoding.fast import background_compile, search_kernels, training_kernels, transformer_kernels, warm_up
from model.decoding.fast.compilation import CompiledFunction
from model.decoding.fast.rnnsearch import FastRNNsearch
from model.decoding.fast.transformer import MAX_COMPILED_ROWS
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from model.networks.transformer import Transformer
from model.networks.transformer_layers import TransformerConfig
from model.paths import ROOT
from tests.model.tiny import EOS, KINDS_AND_WIRINGS, PAD, cycle_values
from tests.networks import build_network

ROWS = (1, 5, MAX_COMPILED_ROWS + 1)


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def build_fp16_network(kind: str, wiring: Wiring, size: int = 32, seed: int = 0) -> GRUNetwork:
    """Build a float32 network with weights that are exact in fp16 and large enough to be far from linear."""
    network = build_network(RNNsearchConfig(kind, 50, size, size, size, size, wiring, 0.0)).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 1
            parameter.normal_(0.0, (1.0 if name == "v_a" else 1.7) / fan_in**0.5, generator=generator)
    rounded: GRUNetwork = network.half().float()
    return rounded


def build_sources(count: int) -> list[list[int]]:
    lengths = [1 + (5 * number) % 7 for number in range(count)]
    return [[2 + (3 * number + 7 * position) % 47 for position in range(length)] + [EOS]
            for number, length in enumerate(lengths)]


def build_padded_sources(count: int) -> Tensor:
    sources = build_sources(count)
    return torch.tensor([source + [PAD] * (max(map(len, sources)) - len(source)) for source in sources])


@pytest.mark.parametrize(("kind", "wiring", "rows", "size"), cycle_values(
    sorted(KINDS_AND_WIRINGS * len(ROWS)), ROWS, [32, 9]))
@torch.no_grad()
def test_steps_equal_the_network(kind: str, wiring: Wiring, rows: int, size: int) -> None:
    """Compare steps of a padded batch with detail, and select rows in between.

    Vector instructions divide one of the sizes evenly.
    """
    network = build_fp16_network(kind, wiring, size)
    decoders: tuple[Any, Any] = deepcopy(network).double(), FastRNNsearch(network)
    source = build_padded_sources(rows)
    states: list[Any] = [decoder.start(decoder.encode(source)) for decoder in decoders]
    assert states[1].encoder_output.kernel_arrays is not None  # the kernels are used
    tokens = torch.full((rows,), PAD)
    for step in range(4):
        expected, actual = (decoder.step(state, tokens, detail=True)
                            for decoder, state in zip(decoders, states, strict=True))
        assert list(actual.weights) == list(expected.weights)
        assert list(actual.detail) == list(expected.detail)
        expected_values, actual_values = ({"": result.log_probs, **result.weights, **result.detail}
                                          for result in (expected, actual))
        for name, values in expected_values.items():
            compared = source != PAD if name == "energies" else ...
            assert float((actual_values[name][compared].double() - values[compared]).abs().max()) < 1e-5, name
        states, tokens = [expected.state, actual.state], expected.log_probs.argmax(1)
        if step == 1:
            order = torch.arange(rows).flip(0)[: max(1, rows - 2)]
            states, tokens, source = [state.select(order) for state in states], tokens[order], source[order]


@torch.no_grad()
def test_torch_attends_to_keys_that_are_too_large_for_the_kernels() -> None:
    """tanh(W_a s + U_a h) of two large numbers of opposite signs."""
    network: Any = build_fp16_network("rnnsearch", "groundhog")
    network.U_a.mul_(100.0)
    network.W_a.mul_(-100.0)
    source, tokens = build_padded_sources(2), torch.full((2,), PAD)
    decoders: tuple[Any, Any] = deepcopy(network).double(), FastRNNsearch(network)
    states: list[Any] = [decoder.start(decoder.encode(source)) for decoder in decoders]
    assert states[1].encoder_output.keys.abs().max() > 43
    expected, actual = (decoder.step(state, tokens) for decoder, state in zip(decoders, states, strict=True))
    torch.testing.assert_close(actual.weights["attention"].double(), expected.weights["attention"], rtol=0, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 5])
@torch.no_grad()
def test_attention_overrides(rows: int) -> None:
    """Overrides are given rows or a function, which is called once per step."""
    network = build_fp16_network("rnnsearch", "groundhog")
    source, tokens = build_padded_sources(rows), torch.full((rows,), PAD)
    given_rows = torch.softmax(draw(rows, source.shape[1]), 1)
    given_rows[-1] = torch.nan  # keeps its own weights
    calls: list[Tensor] = []

    def flip(weights: Tensor) -> Tensor:
        calls.append(weights)
        return weights.flip(1)

    decoders: tuple[Any, Any] = deepcopy(network).double(), FastRNNsearch(network)
    for override in (given_rows, flip):
        expected, actual = (
            decoder.step(decoder.start(decoder.encode(source)), tokens, overrides={"attention": override})
            for decoder in decoders)
        for actual_values, values in ((actual.weights["attention"], expected.weights["attention"]),
                                      (actual.log_probs, expected.log_probs)):
            torch.testing.assert_close(actual_values.double(), values, rtol=0, atol=1e-5)
    assert len(calls) == 2
    torch.testing.assert_close(calls[1].double(), calls[0], rtol=0, atol=1e-6)


# ---- single kernels ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "rows"), [(1, 1), (9, 2), (200, 3), (9, 5), (1, 6), (200, 7), (130, 12)])
def test_matmul_reads_every_fp16_number(size: int, rows: int) -> None:
    """Zeros, subnormal numbers and the largest of both signs among them."""
    x, bias, products = draw(rows, size).numpy(), draw(64).numpy(), np.empty((rows, 64), np.float32)
    bits = np.random.default_rng(size).integers(-(2**15), 2**15, (size, 64)).astype(np.int16)
    bits[:, :4] = 0, -(2**15), 1, 0x7BFF  # 0, -0, the smallest and the largest
    bits[~np.isfinite(bits.view(np.float16))] = 0x3C00  # one
    matrix = bits.view(np.float16).astype(np.float64)
    search_kernels.matmul(x, bits, bias, products)
    error = np.abs(products - (x.astype(np.float64) @ matrix + bias))
    assert (error <= 1e-6 * (np.abs(x) @ np.abs(matrix) + np.abs(bias))).all()


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
@torch.no_grad()
def test_weights_that_fp16_would_change_are_kept(kind: str) -> None:
    network = build_fp16_network(kind, "groundhog")
    for parameter in network.parameters():
        parameter.mul_(1 + 2.0**-12)
    source, tokens = build_padded_sources(1), torch.full((1,), PAD)
    decoders: tuple[Any, Any] = deepcopy(network).double(), FastRNNsearch(network)
    expected, actual = (decoder.step(decoder.start(decoder.encode(source)), tokens) for decoder in decoders)
    torch.testing.assert_close(actual.log_probs.double(), expected.log_probs, rtol=0, atol=1e-5)


@pytest.mark.parametrize("size", [1, 100])
def test_log_softmax(size: int) -> None:
    logits = 5 * draw(3, size)
    logits[1] += 80  # e^x overflows in float32
    log_probs = logits.clone().numpy()
    search_kernels.log_softmax(log_probs)
    np.testing.assert_allclose(log_probs, torch.log_softmax(logits.double(), 1).numpy(), rtol=0, atol=2e-5)


def test_nan_and_infinity_are_kept() -> None:
    logits = np.zeros((3, 100), np.float32)
    logits[0, 70], logits[1, 70], logits[2, 70] = np.nan, np.inf, -np.inf
    search_kernels.log_softmax(logits)
    assert np.isnan(logits[0]).all()
    assert np.isnan(logits[1, 70])
    assert logits[2, 70] == -np.inf
    np.testing.assert_allclose(np.delete(logits[2], 70), -np.log(99), rtol=1e-6)
    table, t = np.zeros((1, 3 + 4), np.float32), np.zeros((1, 2), np.float32)
    table[0, 3:] = [np.nan, 1, 0, np.nan]
    search_kernels.maxout(table, np.zeros(1, np.int64), np.zeros((1, 7), np.float32), np.zeros((1, 6), np.float32), 1,
                          0, t)
    assert np.isnan(t).all()


# ---- when kernels are used ---------------------------------------------------------------------------------------


def test_compile_all_compiles_everything_that_search_uses() -> None:
    """No translation waits for numba afterwards. In a new process, where no other test has compiled anything."""
    program = f"from {__name__} import check_compile_all; check_compile_all()"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


@torch.no_grad()
def check_compile_all() -> None:
    warm_up.compile_all()
    modules = search_kernels, training_kernels, transformer_kernels
    functions = [value for module in modules for value in vars(module).values()
                 if isinstance(value, CompiledFunction)]
    signature_counts = [len(function.dispatcher.signatures) for function in functions]
    transformer = Transformer(TransformerConfig("transformer", 50, 32, 32, heads=2, layers=2)).half().float().eval()
    networks: list[Any] = [*(build_fp16_network(kind, wiring) for kind, wiring in KINDS_AND_WIRINGS), transformer]
    for network in networks:
        for rows in ROWS:
            for settings in (Settings(), Settings(beam=3), Settings(candidates=5), Settings(sample=True)):
                search(network, build_sources(rows), settings)
        for settings in (Settings(detail=True), Settings(beam=2 * MAX_COMPILED_ROWS)):
            search(network, build_sources(1), settings)
    assert [len(function.dispatcher.signatures) for function in functions] == signature_counts


@torch.no_grad()
def test_search_uses_torch_while_kernels_compile_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    may_finish, kernels = threading.Event(), []

    def compile_slowly() -> None:
        may_finish.wait(30)
        kernels.append(background_compile.get_decoding_kernels(draw(1)))

    monkeypatch.setattr(background_compile, "_thread", None)
    monkeypatch.setattr(warm_up, "compile_all", compile_slowly)
    network, source = build_fp16_network("rnnsearch", "groundhog"), build_padded_sources(1)
    decoder = FastRNNsearch(network)
    try:
        background_compile.compile_in_background()
        thread = next(thread for thread in threading.enumerate() if thread.name == "compiling")
        background_compile.compile_in_background()  # does nothing the second time
        assert [thread.name for thread in threading.enumerate()].count("compiling") == 1
        output = decoder.encode(source)
        assert decoder.compiled is None
        assert output.kernel_arrays is None
    finally:
        may_finish.set()
    thread.join()
    assert kernels == [search_kernels]  # the compiling thread itself uses them
    assert decoder.compiled is not None
    tokens = torch.tensor([PAD])  # a sentence that began with torch goes on with torch
    actual, expected = (decoder.step(decoder.start(encoder_output), tokens)
                        for encoder_output in (output, decoder.encode(source)))
    torch.testing.assert_close(actual.log_probs, expected.log_probs)


@torch.no_grad()
def test_search_uses_torch_if_compilation_in_the_background_fails(monkeypatch: pytest.MonkeyPatch,
                                                                  caplog: pytest.LogCaptureFixture) -> None:
    def raise_compile_error() -> None:
        raise RuntimeError("several lines\nof\nnumba's")

    monkeypatch.setattr(background_compile, "_thread", None)
    monkeypatch.setattr(background_compile, "_has_failed", False)
    monkeypatch.setattr(warm_up, "compile_all", raise_compile_error)
    background_compile.compile_in_background()
    for thread in threading.enumerate():
        if thread.name == "compiling":
            thread.join()
    (message,) = caplog.messages
    assert message.endswith("RuntimeError: several lines of numba's")
    assert FastRNNsearch(build_fp16_network("rnnsearch", "groundhog")).compiled is None


@torch.no_grad()
def test_kernels_are_for_float32_on_a_cpu_and_can_be_disabled() -> None:
    assert background_compile.get_decoding_kernels(draw(1)) is search_kernels
    assert background_compile.get_decoding_kernels(draw(1).double()) is None
    assert background_compile.get_decoding_kernels(torch.empty(1, device="meta")) is None
    network = build_fp16_network("rnnsearch", "groundhog")
    with background_compile.disable_kernels():
        decoder = FastRNNsearch(network)
        assert decoder.encode(build_padded_sources(1)).kernel_arrays is None
    assert FastRNNsearch(network).encode(build_padded_sources(1)).kernel_arrays is not None
    assert FastRNNsearch(network.double()).compiled is None


@torch.no_grad()
def test_fast_decoder_is_freed_without_garbage_collection() -> None:
    """Training builds a large one at every evaluation."""
    network = build_fp16_network("rnnsearch", "groundhog")
    decoder = FastRNNsearch(network)
    search(decoder, [[3, EOS]])
    assert decoder.compiled is not None
    reference = weakref.ref(decoder)
    gc.disable()
    try:
        del decoder
        assert reference() is None
    finally:
        gc.enable()
