"""What search has compiled, in float32, against the networks themselves in float64 and against what torch makes."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.decoding import Settings, search
from model.decoding.batch_decoder import select_top_k
from model.decoding.fast import background_compile as behind
from model.decoding.fast import compiled_rnnsearch as quick_compiled
from model.decoding.fast import rnnsearch as quick
from model.decoding.fast import search_kernels, training_kernels
from model.decoding.fast.compilation import CompiledFunction
from model.decoding.fast.compiled_rnnsearch import compile_all
from model.decoding.fast.packed_linear import MAX_PACKED_ROWS, PackedLinear
from model.decoding.fast.rnnsearch import EmbeddingProjection, FastRNNsearch
from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig, Wiring
from tests.model.tiny import EOS, KINDS_AND_WIRINGS, PAD

every = pytest.mark.parametrize(("kind", "wiring"), KINDS_AND_WIRINGS)
ROWS = (1, 5, MAX_PACKED_ROWS + 1)  # one, some, and many
SIZE = 32


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def network_of(kind: str, wiring: Wiring, size: int = SIZE, seed: int = 0) -> GRUNetwork:
    """One in float32 whose weights are numbers of half precision, large enough for every nonlinearity to bend."""
    network = build_network(RNNsearchConfig(kind, 50, size, size, size, size, wiring, 0.0)).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            fan_in = parameter.shape[-1] if parameter.dim() == 2 and "embedding" not in name else 1
            parameter.normal_(0.0, (1.0 if name == "v_a" else 1.7) / fan_in**0.5, generator=generator)
    made: GRUNetwork = network.half().float()
    return made


def sentences(count: int) -> Tensor:
    """Padded sources of different lengths; one alone has no padding."""
    lengths = [1 + (5 * number) % 7 for number in range(count)]
    rows = [[2 + (3 * number + 7 * place) % 47 for place in range(length)] + [EOS] + [PAD] * (max(lengths) - length)
            for number, length in enumerate(lengths)]
    return torch.tensor(rows)


@every
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("size", [SIZE, 9])
@torch.no_grad()
def test_steps_are_those_of_the_network(kind: str, wiring: Wiring, rows: int, size: int) -> None:
    """Over a padded batch, with all that a step tells, after rows have been picked too; of sizes that vectors of
    the processor divide, and of others."""
    network = network_of(kind, wiring, size)
    exact, compiled = deepcopy(network).double(), FastRNNsearch(network)
    both: tuple[Any, Any] = exact, compiled
    source = sentences(rows)
    states: list[Any] = [one.start(one.encode(source)) for one in both]
    assert states[1].encoder_output.kernel_arrays is not None  # what is compiled is taken
    piece = torch.full((rows,), PAD)
    for step in range(4):
        own, ours = (one.step(state, piece, detail=True) for one, state in zip(both, states, strict=True))
        assert list(ours.weights) == list(own.weights)
        assert list(ours.detail) == list(own.detail)
        named = {"": (own.log_probs, ours.log_probs)}
        named |= {name: (own.weights[name], ours.weights[name]) for name in own.weights}
        named |= {name: (own.detail[name], ours.detail[name]) for name in own.detail}
        for name, (expected, found) in named.items():
            kept = source != PAD if name == "energies" else ...
            assert float((found[kept].double() - expected[kept]).abs().max()) < 1e-5, name
        states, piece = [own.state, ours.state], own.log_probs.argmax(1)
        if step == 1:
            order = torch.arange(rows).flip(0)[: max(1, rows - 2)]
            states, piece, source = [state.select(order) for state in states], piece[order], source[order]


@every
@torch.no_grad()
def test_a_wide_beam_finds_what_the_network_finds(kind: str, wiring: Wiring) -> None:
    """More rows than sentences, which trade places and share memories; one that outlives the others of its batch."""
    network = network_of(kind, wiring, seed=3)
    given_sources = [[*row[row > EOS].tolist(), EOS] for row in sentences(3)]
    for beam in (4, MAX_PACKED_ROWS + 1):
        settings = Settings(beam=beam, max_ratio=3.0)
        found = search(FastRNNsearch(network), given_sources, settings)
        expected = search(OwnStep(deepcopy(network).double()), given_sources, settings)
        assert [one.tokens for one, *_ in found] == [one.tokens for one, *_ in expected]


class OwnStep:
    """A network without its way for search."""

    def __init__(self, network: Any) -> None:
        self.maps = network.maps
        self.encode, self.start, self.encoder_attention_weights = (
            network.encode,
            network.start,
            network.encoder_attention_weights,
        )
        self.step = network.step


@pytest.mark.parametrize("rows", ROWS)
@torch.no_grad()
def test_changed_rows_are_looked_by(rows: int) -> None:
    """Weights in place of a network's own ones, and what a function makes of those, which it sees once a step."""
    network = network_of("rnnsearch", "groundhog")
    source, first = sentences(rows), torch.full((rows,), PAD)
    given_rows = torch.softmax(drawn(rows, source.shape[1]), 1)
    given_rows[-1] = torch.nan  # keeps its own
    seen: list[Tensor] = []

    def turned(own: Tensor) -> Tensor:
        seen.append(own)
        return own.flip(1)

    exact: Any = deepcopy(network).double()
    compiled: Any = FastRNNsearch(network)
    for changed in (given_rows, turned):
        own, ours = (one.step(one.start(one.encode(source)), first, overrides={"attention": changed})
                     for one in (exact, compiled))
        for found, expected in ((ours.weights["attention"], own.weights["attention"]),
                                (ours.log_probs, own.log_probs)):
            torch.testing.assert_close(found.double(), expected, rtol=0, atol=1e-5)
    assert len(seen) == 2
    torch.testing.assert_close(seen[1].double(), seen[0], rtol=0, atol=1e-6)


def test_a_product_of_one_row_is_exact() -> None:
    for width, out in ((1, 1), (7, 5), (64, 90)):
        matrix, bias, x = drawn(width, out), drawn(out, seed=1), drawn(1, width, seed=2)
        found = np.empty((1, out), np.float32)
        search_kernels.matmul(x.numpy(), matrix.numpy(), bias.numpy(), found)
        expected = x.double() @ matrix.double() + bias.double()
        np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=4e-6)


numbers = st.floats(-4, 4, width=16) | st.sampled_from([-np.inf, 0.0, 1.0])


@given(st.data(), st.integers(1, 3), st.integers(1, 200), st.integers(1, 20))
def test_the_likeliest_are_those_of_a_stable_sort(data: st.DataObject, rows: int, size: int, count: int) -> None:
    scores = torch.tensor(data.draw(st.lists(st.lists(numbers, min_size=size, max_size=size), min_size=rows,
                                             max_size=rows)), dtype=torch.float32)
    count = min(count, size)
    values, columns = select_top_k(scores, count)
    expected, places = scores.sort(dim=1, descending=True, stable=True)
    assert torch.equal(values, expected[:, :count])
    assert torch.equal(columns, places[:, :count])


def test_among_the_likeliest_what_is_no_number_comes_first() -> None:
    for place in (0, 63, 64, 129):
        scores = drawn(2, 130)
        scores[1, place] = torch.nan
        values, columns = select_top_k(scores, 3)
        assert values[1, 0].isnan()
        assert columns[1, 0] == place
        assert columns[0].tolist() == scores[0].argsort(descending=True)[:3].tolist()


@pytest.mark.parametrize("size", [1, 64, 100, 8000])
def test_log_softmax(size: int) -> None:
    logits = 5 * drawn(3, size)
    logits[1] += 80  # of which e to the power of is none in float32
    found = logits.clone().numpy()
    search_kernels.log_softmax(found)
    np.testing.assert_allclose(found, torch.log_softmax(logits.double(), 1).numpy(), rtol=0, atol=2e-5)


def test_log_softmax_of_what_is_no_number() -> None:
    found = np.zeros((3, 100), np.float32)
    found[0, 70], found[1, 70], found[2, 70] = np.nan, np.inf, -np.inf
    search_kernels.log_softmax(found)
    assert np.isnan(found[0]).all()
    assert np.isnan(found[1, 70])
    assert found[2, 70] == -np.inf
    np.testing.assert_allclose(np.delete(found[2], 70), -np.log(99), rtol=1e-6)


def test_what_is_no_number_stays_in_the_readout() -> None:
    table, t = np.zeros((1, 3 + 4), np.float32), np.zeros((1, 2), np.float32)
    table[0, 3:] = [np.nan, 1, 0, np.nan]
    search_kernels.maxout(
        table, np.zeros(1, np.int64), np.zeros((1, 7), np.float32), np.zeros((1, 6), np.float32), 1, 0, t
    )
    assert np.isnan(t).all()


def test_a_table_makes_the_rows_it_is_asked_for() -> None:
    embedding, matrix, bias = drawn(40, 8), drawn(12, 8, seed=1), drawn(12, seed=2)
    made: list[int] = []

    class Counted(PackedLinear):
        def __call__(self, x: Tensor) -> Tensor:
            made.append(len(x))
            return super().__call__(x)

    table = EmbeddingProjection(Counted([matrix], bias), embedding)
    for pieces in (torch.tensor(one) for one in ([[3, 5, 3]], [[5, 3, 3]], [[5, 6], [7, 3]])):
        torch.testing.assert_close(table.get_table(pieces)[pieces], embedding[pieces] @ matrix.T + bias)
    assert made == [2, 2]


@torch.no_grad()
def test_what_was_tried_out_is_all_that_is_compiled() -> None:
    """No reader waits for numba: whatever search asks for is compiled by `try_out`."""
    compile_all()
    functions = {f"{module.__name__}.{name}": one for module in (search_kernels, training_kernels) for name, one in
                 vars(module).items() if isinstance(one, CompiledFunction)}
    before = {name: len(one.dispatcher.signatures) for name, one in functions.items()}
    for kind, wiring in KINDS_AND_WIRINGS:
        network = network_of(kind, wiring)
        for rows in ROWS:
            given_sources = [[*row[row > EOS].tolist(), EOS] for row in sentences(rows)]
            for settings in (Settings(), Settings(beam=3), Settings(candidates=5), Settings(sample=True)):
                search(FastRNNsearch(network), given_sources, settings)
        search(FastRNNsearch(network), given_sources[:1], Settings(detail=True))
        search(FastRNNsearch(network), given_sources[:1], Settings(beam=2 * MAX_PACKED_ROWS))
    assert {name: len(one.dispatcher.signatures) for name, one in functions.items()} == before


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A process that has compiled nothing behind; what it compiles waits for the event."""
    go = threading.Event()
    monkeypatch.setattr(behind, "_thread", None)
    monkeypatch.setattr(behind, "_compile", lambda: go.wait(30))
    yield go
    go.set()


@torch.no_grad()
def test_while_it_is_compiled_behind_search_does_without(fresh: threading.Event) -> None:
    network = network_of("rnnsearch", "groundhog")
    before, source = FastRNNsearch(network), sentences(1)
    behind.compile_in_background()
    thread = behind._thread
    behind.compile_in_background()
    assert behind._thread is thread  # once
    assert thread is not None
    memory = before.encode(source)
    assert before.compiled is None
    assert memory.kernel_arrays is None
    fresh.set()
    thread.join()
    assert before.compiled is not None
    first = torch.tensor([PAD])  # a sentence that began without goes on without
    found, expected = (before.step(before.start(one), first) for one in (memory, before.encode(source)))
    torch.testing.assert_close(found.log_probs, expected.log_probs)


@torch.no_grad()
def test_if_compiling_in_the_background_fails_search_does_without(monkeypatch: pytest.MonkeyPatch,
                                                                  caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("several lines\nof\nnumba's")

    monkeypatch.setattr(behind, "_thread", None)
    monkeypatch.setattr(behind, "_has_failed", False)
    monkeypatch.setattr(quick_compiled, "compile_all", fail)
    behind.compile_in_background()
    assert behind._thread is not None
    behind._thread.join()
    (message,) = caplog.messages
    assert message.endswith("RuntimeError: several lines of numba's")
    network = network_of("rnnsearch", "groundhog")
    compiled = FastRNNsearch(network)
    (found,) = search(compiled, [[5, 7, EOS]], Settings())
    (expected,) = search(OwnStep(deepcopy(network).double()), [[5, 7, EOS]], Settings())
    assert compiled.compiled is None
    assert found[0].tokens == expected[0].tokens


def test_the_thread_that_compiles_takes_what_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(behind, "_thread", None)
    monkeypatch.setattr(behind, "_compile", lambda: seen.append(behind.get_kernels(drawn(1))))
    behind.compile_in_background()
    assert behind._thread is not None
    behind._thread.join()
    assert seen == [search_kernels]


def test_what_cannot_be_taken_is_not() -> None:
    assert behind.get_kernels(drawn(1)) is search_kernels
    assert behind.get_kernels(drawn(1).double()) is None
    assert behind.get_kernels(torch.empty(1, device="meta")) is None
    assert quick.FastRNNsearch(network_of("rnnsearch", "groundhog").double()).compiled is None


@torch.no_grad()
def test_kinds_are_compared_without() -> None:
    network = network_of("rnnsearch", "groundhog")
    with behind.disable_kernels():
        one = FastRNNsearch(network)
        assert one.encode(sentences(1)).kernel_arrays is None
    assert FastRNNsearch(network).encode(sentences(1)).kernel_arrays is not None


@torch.no_grad()
def test_what_is_compiled_goes_with_its_network() -> None:
    """At once: trainings make it anew at every evaluation, and it is large."""
    network = network_of("rnnsearch", "groundhog")
    one = FastRNNsearch(network)
    search(one, [[3, EOS]])
    assert one.compiled is not None
    gone = weakref.ref(one)
    gc.disable()
    try:
        del one
        assert gone() is None
    finally:
        gc.enable()
