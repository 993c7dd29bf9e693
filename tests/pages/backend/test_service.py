"""The translation service: models are loaded once, requests batched, results cached by model and weights."""

import threading
import time
import weakref
from concurrent.futures import Future, wait
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.checkpoints.checkpoint import CheckpointError
from model.decoding import NO_OVERRIDES, Overrides, RowOverride, Settings, StopCallback
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.translate import SentenceError
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.backend import fair_queue, service
from pages.ui.backend.service import Service
from tests.canonical import normalise_all
from tests.networks import build_network
from tests.traces import make_trace

GREEDY = Settings()


class FakeDecoder:
    """Replaces the loading of models and the decoding, and records both."""

    def __init__(self) -> None:
        self.loads: list[str] = []
        self.decoded: list[str] = []
        self.slices: list[list[str]] = []
        self.overrides: list[Overrides] = []
        self.gate = threading.Event()
        self.gate.set()

    def load_model(self, name: str) -> SimpleNamespace:
        self.loads.append(name)
        if name == "missing":
            raise CheckpointError("there is no model 'missing'")
        return SimpleNamespace(name=name, fingerprint=f"fingerprint of {name}")

    def translate_sentence(
        self, model: SimpleNamespace, text: str, settings: Settings, should_stop: StopCallback, overrides: Overrides
    ) -> object:
        self.overrides.append(overrides)
        self.gate.wait(5)
        self.decoded.append(text)
        return (make_trace(source=text, target="chat", order=(0,), model=model.name, beam=settings.beam),)

    def translate_slice(
        self, model: SimpleNamespace, texts: list[str], settings: Settings, should_stop: StopCallback
    ) -> list[object]:
        self.slices.append(list(texts))
        if "fails all" in texts:
            raise RuntimeError("a damaged network")
        return [SentenceError("pieces", 600, 500) if text == "too long"
                else self.translate_sentence(model, text, settings, should_stop, NO_OVERRIDES)
                for text in texts]  # fmt: skip


@pytest.fixture
def decoder(monkeypatch: pytest.MonkeyPatch) -> FakeDecoder:
    decoder = FakeDecoder()
    for name in ("load_model", "translate_sentence", "translate_slice"):
        monkeypatch.setattr(service, name, getattr(decoder, name))
    return decoder


def request_during_another(
    models: Service, decoder: FakeDecoder, *requests: tuple[object, ...]
) -> list[Future[service.Traces]]:
    """Make all requests while another one is decoded, and wait for their results."""
    decoder.gate.clear()
    first = models.request("one", normalise("first"), GREEDY)
    while not first.running():
        time.sleep(0.001)
    futures = [models.request(*request) for request in requests]  # type: ignore[arg-type]
    decoder.gate.set()
    assert not wait(futures, 5).not_done
    return futures


def test_models_are_loaded_once_and_results_cached(decoder: FakeDecoder) -> None:
    models = Service()
    first = models.request("one", normalise("the cat"), GREEDY).result(5)
    assert models.request("one", normalise("  the   cat "), GREEDY).result(5) is first  # once it is normalised
    assert models.request("one", normalise("the cat"), Settings(beam=5)).result(5) is not first
    assert models.request("two", normalise("the cat"), GREEDY).result(5)[0].provenance.model == "two"
    assert decoder.loads == ["one", "two"]
    assert decoder.decoded == ["the cat"] * 3
    decoder.gate.clear()
    futures = [models.request("one", normalise("the dog"), GREEDY) for _ in range(3)]
    decoder.gate.set()
    assert futures[0].result(5) is futures[1].result(5) is futures[2].result(5)
    assert decoder.decoded == [*["the cat"] * 3, "the dog"]


def test_sentences_interrupt_measurements_and_precede_slices(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "SLICE_SECONDS", 0.0)
    models, long_text = Service(), normalise("x " * 400)

    def work(model: object, should_stop: StopCallback) -> list[str]:
        while not should_stop() and not decoder.decoded:
            time.sleep(0.001)
        return list(decoder.decoded)

    measurement = models.measure("one", "key", work, "A")
    survey = models.measure("one", "survey", lambda *_: list(decoder.decoded), "C", is_bulk=True)
    part = models.request_slice("one", [normalise("of a file")], GREEDY, "B")
    for text in (long_text, normalise("the cat")):
        models.request("two", text, GREEDY, "B")
    assert measurement.result(5) == ["the cat"]
    assert all(isinstance(result, tuple) for result in part.result(5))  # the last one
    assert decoder.decoded == ["the cat", long_text, "of a file"]
    assert long_text in survey.result(5)


def test_limits_of_brief_requests_slices_and_batches() -> None:
    cases = [(600, 1), (601, 1), (480, 5), (481, 5), (24, 100), (25, 100)]
    assert [service.is_brief(Settings(beam=beam), "x" * length) for length, beam in cases] == [True, False] * 3
    assert service.fits_slice(["a"] * service.MAX_SLICE_SENTENCES)
    assert not service.fits_slice(["a"] * (service.MAX_SLICE_SENTENCES + 1))
    assert service.fits_slice(["a" * 700, "b" * 500])
    assert not service.fits_slice(["a" * 700, "b" * 501])
    assert service.fits_batch(Settings(beam=12), ["a"] * (service.MAX_BATCH_HYPOTHESES // 12))
    assert not service.fits_batch(Settings(beam=12), ["a"] * (service.MAX_BATCH_HYPOTHESES // 12 + 1))
    short = service.SHORT_CHARACTERS
    assert service.fits_batch(GREEDY, ["a", "b" * short])
    assert not service.fits_batch(GREEDY, ["a", "b" * (short + 1)])  # the first one would wait for it
    assert service.fits_batch(GREEDY, ["a" * short, "b" * 2 * short])


def test_a_slice_has_a_result_for_each_sentence(tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 6, 6, 6, 4)).eval()
    model = SimpleNamespace(
        name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network, languages=("en", "fr")
    )
    models = Service()
    monkeypatch.setattr(service, "load_model", lambda name: model)
    sentences = ["The cat sleeps.", " ", "The old dog runs in the garden.", "a " * 3000]
    texts, settings = normalise_all(sentences), Settings(beam=3, n_best=2, max_ratio=0.5)
    results = models.request_slice("tiny", texts, settings, "A").result(20)
    assert [result.kind for result in results if isinstance(result, SentenceError)] == ["empty", "pieces"]
    for index in (0, 2):
        result, expected = results[index], service.translate_sentence(model, texts[index], settings, lambda: False)  # type: ignore[arg-type]
        assert isinstance(result, tuple)
        assert [trace.target for trace in result] == [trace.target for trace in expected]
        assert [trace.score for trace in result] == pytest.approx([trace.score for trace in expected], abs=1e-4)


def test_cached_results_are_bounded_in_memory(decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_RESULT_BYTES", 1)
    models = Service()
    for text in ("a", "b", "b", "a"):
        models.request("one", normalise(text), GREEDY).result(5)
    assert decoder.decoded == ["a", "b", "a"]
    results = [models.measure("one", key, lambda *_: np.zeros(9), "A").result(5) for key in ("a", "b", "b", "a")]
    assert results[1] is results[2]
    assert results[0] is not results[3]


def test_a_measurement_that_is_not_kept_displaces_no_other_one(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_RESULTS", 1)
    models = Service()
    result, survey, repetition = (
        models.measure("one", key, lambda *_: object(), "A", should_cache=key == "kept").result(5)
        for key in ("kept", "survey", "kept")
    )
    assert repetition is result
    assert models.measure("one", "survey", lambda *_: object(), "A").result(5) is not survey


def test_least_recently_used_models_are_unloaded_and_their_results_stay(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_PARAMETERS", 25)
    monkeypatch.setattr(service, "count_parameters", {"one": 10, "two": 10, "three": 10, "large": 40}.get)
    models = Service()
    text, other_text = normalise("the cat"), normalise("the dog")
    result = models.request("one", text, GREEDY).result(5)
    models.request("two", text, GREEDY).result(5)
    models.request("one", other_text, GREEDY).result(5)
    models.request("three", text, GREEDY).result(5)  # unloads two
    assert models.is_loaded("one", "three")
    assert not models.is_loaded("two")
    models.request("large", text, GREEDY).result(5)  # larger than the limit, and loaded all the same
    assert models.is_loaded("large")
    assert not models.is_loaded("one")
    assert models.request("one", text, GREEDY).result(5) is result
    assert decoder.loads == ["one", "two", "three", "large"]
    models.request("one", normalise("a bird"), GREEDY).result(5)
    assert decoder.loads[-1] == "one"


def test_an_unloaded_model_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    references: list[weakref.ref[object]] = []

    def load(name: str) -> SimpleNamespace:
        network = build_network(RNNsearchConfig("rnnsearch", 20, 4, 6, 5, 3, "groundhog", 0.0)).eval()
        fast_decoder = get_fast_decoder(network)
        fast_decoder.start(fast_decoder.encode(torch.tensor([[5, 6, 2]])))
        references.extend(map(weakref.ref, (network, fast_decoder)))
        return SimpleNamespace(name=name, fingerprint=name, network=network)

    monkeypatch.setattr(service, "load_model", load)
    monkeypatch.setattr(service, "count_parameters", lambda name: service.MAX_PARAMETERS)
    monkeypatch.setattr(
        service, "translate_sentence", lambda model, text, *_: (make_trace(source=text, target="chat", order=(0,)),)
    )
    models = Service()
    models.request("one", normalise("the cat"), GREEDY).result(5)
    models.request("two", normalise("the cat"), GREEDY).result(5)
    assert [reference() is None for reference in references] == [True, True, False, False]


def test_a_model_with_new_weights_or_wiring_is_loaded_again(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, network = {"one": "old"}, {"wiring": "groundhog"}
    monkeypatch.setattr(service.cards, "find_card", lambda name: SimpleNamespace(
        parameters=1, sha256={"weights": weights[name]}, network=dict(network)))  # fmt: skip
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=weights[name]))
    models, text = Service(), normalise("the cat")

    def measure() -> str:
        return models.measure("one", "key", lambda model, _: f"{model.fingerprint} {network['wiring']}", "A").result(5)

    first = models.request("one", text, GREEDY).result(5)
    assert measure() == "old groundhog"
    weights["one"] = "new"
    assert models.find_cached("one", text, GREEDY) is None
    assert not models.is_loaded("one")
    assert models.request("one", text, GREEDY).result(5) is not first
    assert models.is_loaded("one")
    assert measure() == "new groundhog"
    network["wiring"] = "paper"  # weights of the same shapes
    assert models.find_cached("one", text, GREEDY) is None
    assert measure() == "new paper"


def test_a_result_of_weights_that_are_replaced_meanwhile_is_not_one_of_the_new_ones(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = [0]
    monkeypatch.setattr(service.cards, "find_card", lambda name: SimpleNamespace(
        parameters=1, sha256={"weights": weights[0]}, network={}))  # fmt: skip
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=str(weights[0])))
    models, text = Service(), normalise("the cat")

    def replace_weights() -> None:
        weights[0] += 1
        models._load("one")  # for a sentence that interrupts the work

    def measure(model: object, should_stop: StopCallback) -> str:
        replace_weights()
        return "old"

    def translate(model: SimpleNamespace, text: str, *_: object) -> service.Traces:
        replace_weights()
        return (make_trace(source=text, target="chat", order=(0,)),)

    monkeypatch.setattr(service, "translate_sentence", translate)
    assert models.measure("one", "key", measure, "A").result(5) == "old"
    assert models.measure("one", "key", lambda *_: "new", "A").result(5) == "new"
    models.request("one", text, GREEDY).result(5)
    assert models.find_cached("one", text, GREEDY) is None


def test_models_with_equal_weights_have_separate_results(decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint="the same"))
    models = Service()
    text = normalise("the cat")
    for name in ("one", "two", "one"):
        assert models.request(name, text, GREEDY).result(5)[0].provenance.model == name
        assert models.measure(name, "key", lambda model, _: model.name, "A").result(5) == name


def test_a_missing_model_is_tried_again_with_each_request(decoder: FakeDecoder) -> None:
    models = Service()
    for _ in range(2):
        with pytest.raises(CheckpointError):
            models.request("missing", normalise("the cat"), GREEDY).result(5)
    assert decoder.loads == ["missing", "missing"]
    assert models.request("one", normalise("the cat"), GREEDY).result(5)[0].source.text == "the cat"


def test_models_and_their_lexicon_are_prefetched_once_and_a_missing_model_is_skipped(
    decoder: FakeDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    preloaded: Future[tuple[str, ...]] = Future()
    monkeypatch.setattr(service, "PREFETCH_DELAY", 0.01)
    monkeypatch.setattr(service.cards, "get_languages", lambda name: ("en", "fr"))
    monkeypatch.setattr(service.lexicon, "preload_lexicon", lambda *languages: preloaded.set_result(languages))
    models = Service()
    assert not models.is_loaded("one")
    for _ in range(3):
        models.prefetch_models("missing", "one")
    assert preloaded.result(5) == ("en", "fr")
    assert models.is_loaded("one")
    assert decoder.loads == ["missing", "one"]


def test_overrides_are_part_of_the_request(decoder: FakeDecoder) -> None:
    models, text = Service(), normalise("the cat")
    cases = [NO_OVERRIDES, Overrides(prefix=(5,)), Overrides((RowOverride(1, "attention", (1.0, 0.0, 0.0)),))]
    first = [models.request("one", text, GREEDY, overrides=case).result(5) for case in cases]
    assert len(decoder.decoded) == 3
    assert decoder.overrides == cases
    for case, traces in zip(cases, first, strict=True):
        assert models.request("one", text, GREEDY, overrides=Overrides.from_text(case.to_text())).result(5) is traces
    assert len(decoder.decoded) == 3


def test_waiting_requests_for_one_model_and_search_are_decoded_together_and_cached(decoder: FakeDecoder) -> None:
    models, beam = Service(), Settings(beam=5)
    texts = [normalise(text) for text in ("a", "b", "c")]
    requests = [
        (name, text, settings, f"reader of {text}")
        for text in texts
        for name in ("one", "two")
        for settings in (GREEDY, beam)
    ]
    futures = request_during_another(models, decoder, *requests)
    assert [sorted(texts) for texts in decoder.slices] == [["a", "b", "c"]] * 4
    for (name, text, settings, _), future in zip(requests, futures, strict=True):
        (trace,) = future.result()
        assert (trace.source.text, trace.provenance.model) == (text, name)
        assert models.request(name, text, settings).result(5) is future.result()
    assert len(decoder.slices) == 4


def test_a_failure_of_one_sentence_of_a_batch_leaves_the_others(decoder: FakeDecoder) -> None:
    texts = [normalise(text) for text in ("a", "too long", "b")]
    good, bad, last = request_during_another(Service(), decoder, *(("one", text, GREEDY, text) for text in texts))
    assert (good.result()[0].source.text, last.result()[0].source.text) == ("a", "b")
    assert isinstance(bad.exception(), SentenceError)
    texts[1] = normalise("fails all")  # each is then translated alone
    futures = request_during_another(Service(), decoder, *(("one", text, GREEDY, text) for text in texts))
    assert [future.result()[0].source.text for future in futures] == ["a", "fails all", "b"]
    assert decoder.slices == [["a", "too long", "b"], ["a", "fails all", "b"]]


def test_requests_with_overrides_or_detail_are_not_batched(decoder: FakeDecoder) -> None:
    detailed = Settings(detail=True)
    requests = [("one", normalise(text), detailed, text) for text in "ab"]
    requests += [("one", normalise(text), GREEDY, text, Overrides(prefix=(5,))) for text in "ab"]  # type: ignore[misc]
    request_during_another(Service(), decoder, *requests)
    assert decoder.slices == []
    assert sorted(decoder.decoded) == ["a", "a", "b", "b", "first"]
