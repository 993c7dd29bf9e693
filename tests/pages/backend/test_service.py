"""One server's models: loaded once, one decoding at a time and in order, results kept by the weights that made them."""

import threading
import time
import weakref
from concurrent.futures import Future, wait
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from model.analysis.lexicon import lexicon
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import NO_OVERRIDES, Overrides, RowOverride, SearchStopped, Settings, StopCallback
from model.decoding.fast.get_decoder import get_fast_decoder
from model.decoding.translate import SentenceError
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from pages.ui.backend import queue, service
from pages.ui.backend.service import Service
from tests.canonical import canonical
from tests.pages.traces import trace

GREEDY = Settings()


class Fake:
    """Stands for the model room: counts what is asked of it and how many decodings run at once."""

    def __init__(self) -> None:
        self.loads: list[str] = []
        self.decoded: list[str] = []
        self.together: list[list[str]] = []  # what was decoded at once
        self.changed: list[Overrides] = []
        self.most = self.running = 0
        self.gate = threading.Event()
        self.gate.set()

    def load(self, name: str) -> SimpleNamespace:
        self.loads.append(name)
        if name == "missing":
            raise CheckpointError("there is no model 'missing'")
        return SimpleNamespace(name=name, fingerprint=f"print of {name}")

    def decode(
        self, model: SimpleNamespace, text: str, settings: Settings, stopped: StopCallback, edits: Overrides
    ) -> object:
        self.changed.append(edits)
        self.running += 1
        self.most = max(self.most, self.running)
        self.gate.wait(5)
        self.decoded.append(text)
        self.running -= 1
        return (trace(source=text, target="chat", order=(0,), model=model.name, beam=settings.beam),)


    def decode_slice(
        self, model: SimpleNamespace, texts: list[str], settings: Settings, stopped: StopCallback
    ) -> list[object]:
        self.together.append(list(texts))
        if "ruinous" in texts:
            raise RuntimeError("a damaged network")
        return [SentenceError("pieces", 600, 500) if text == "too long"
                else self.decode(model, text, settings, stopped, NO_OVERRIDES) for text in texts]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = Fake()
    monkeypatch.setattr(service, "load_model", fake.load)
    monkeypatch.setattr(service, "translate_sentence", fake.decode)
    monkeypatch.setattr(service, "translate_slice", fake.decode_slice)
    return fake


def ask_while_another_runs(models: Service, fake: Fake, *asked: tuple[object, ...]) -> list[Future[service.Traces]]:
    """Ask for all of them while something else is being decoded, and wait until all are answered."""
    fake.gate.clear()
    first = models.request("one", normalise("keeps the thread"), GREEDY)
    while not first.running():
        time.sleep(0.001)
    futures = [models.request(*one) for one in asked]  # type: ignore[arg-type]
    fake.gate.set()
    assert not wait(futures, 5).not_done
    return futures


def test_a_model_is_loaded_once_and_a_result_is_kept(fake: Fake) -> None:
    models = Service()
    first = models.request("one", normalise("the cat"), GREEDY).result(5)
    assert models.request("one", normalise("  the   cat "), GREEDY).result(5) is first  # once it is normalised
    assert models.request("one", normalise("the cat"), Settings(beam=5)).result(5) is not first
    assert models.request("two", normalise("the cat"), GREEDY).result(5)[0].made_by.model == "two"
    assert fake.loads == ["one", "two"]
    assert fake.decoded == ["the cat"] * 3


def test_twenty_readers_are_served_one_at_a_time_in_their_order(fake: Fake) -> None:
    models = Service()
    fake.gate.clear()
    futures = [models.request("one", normalise(f"cat {number}"), GREEDY) for number in range(20)]
    fake.gate.set()
    results = [future.result(5)[0].source.text for future in futures]
    assert results == fake.decoded == [f"cat {number}" for number in range(20)]
    assert fake.most == 1


def test_whoever_gives_up_leaves_the_queue(fake: Fake) -> None:
    models = Service()
    fake.gate.clear()
    first = models.request("one", normalise("a"), GREEDY)
    while not first.running():  # alone: those who wait already go along with it
        time.sleep(0.001)
    second, third = (models.request("one", normalise(text), GREEDY) for text in ("b", "c"))
    assert second.cancel()
    fake.gate.set()
    wait([first, third], 5)
    assert fake.decoded == ["a", "c"]


def test_a_sentence_is_translated_while_a_measurement_rests(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradients of a long sentence take minutes; nobody who asks for a translation waits for them."""
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)
    models = Service()

    def work(model: object, stopped: StopCallback) -> str:
        while not stopped() and not fake.decoded:
            time.sleep(0.001)
        return f"went on after {fake.decoded}"

    measuring = models.measure("one", "key", work, "A")
    asked = models.request("two", normalise("the cat"), GREEDY, "B")
    assert asked.result(5)[0].made_by.model == "two"
    assert measuring.result(5) == "went on after ['the cat']"


def test_a_sentence_is_translated_while_a_long_text_is_decoded(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of text with a beam takes a Transformer most of a minute; nobody with a sentence waits for it."""
    monkeypatch.setattr(queue, "SLICE_SECONDS", 0.0)
    models = Service()
    order: list[str] = []

    def decode(
        model: SimpleNamespace, text: str, settings: Settings, stopped: StopCallback, edits: Overrides
    ) -> object:
        until = time.monotonic() + 3  # a test that fails is to end
        while len(text) > service.MAX_BRIEF_CHARACTERS and not stopped() and not order and time.monotonic() < until:
            time.sleep(0.001)
        order.append(text)
        return (trace(source=text, target="chat", order=(0,), model=model.name, beam=settings.beam),)

    monkeypatch.setattr(service, "translate_sentence", decode)
    long = normalise("the cat sleeps " * 50)
    waiting = models.request("one", long, GREEDY, "A")
    assert models.request("one", normalise("the cat"), GREEDY, "B").result(5)[0].source.text == "the cat"
    waiting.result(5)
    assert order == ["the cat", long]


def test_what_is_brief_depends_on_length_and_hypotheses() -> None:
    asked = [(600, 1), (601, 1), (480, 5), (481, 5), (24, 100), (25, 100)]
    assert [service.is_brief(Settings(beam=beam), "x" * length) for length, beam in asked] == [True, False] * 3


def test_who_asks_for_much_does_not_keep_others_waiting(fake: Fake) -> None:
    models = Service()
    fake.gate.clear()
    futures = [models.request("one", normalise(f"many {number}"), GREEDY, "A") for number in range(10)]
    futures.append(models.request("one", normalise("single"), GREEDY, "B"))
    fake.gate.set()
    wait(futures, 5)
    assert fake.decoded.index("single") <= 2
    assert len(fake.decoded) == 11


def test_a_long_decoding_is_stopped_when_its_reader_has_gone(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(model: SimpleNamespace, text: str, settings: Settings, stopped: StopCallback, *_: object) -> object:
        if text != "long":
            return fake.decode(model, text, settings, stopped, NO_OVERRIDES)
        begun.set()
        while not stopped():
            time.sleep(0.001)
        ended.set()
        raise SearchStopped

    monkeypatch.setattr(service, "translate_sentence", endless)
    models = Service()
    long = models.request("one", normalise("long"), GREEDY, "A")
    assert begun.wait(5)
    assert long.running()
    assert long.cancel()
    assert ended.wait(5)
    assert models.request("one", normalise("short"), GREEDY, "A").result(5)[0].source.text == "short"


def test_bulk_work_is_answered_sentence_by_sentence(
    tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 6, 6, 6, 4)).eval()
    model = SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                            languages=("en", "fr"))
    models = Service()
    monkeypatch.setattr(service, "load_model", lambda name: model)
    sentences = ["The cat sleeps.", " ", "The old dog runs in the garden.", "a " * 3000]
    first, empty, second, long = models.bulk("tiny", canonical(sentences), Settings(max_ratio=0.5), "A").result(20)
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    assert [first[0].source.text, second[0].source.text] == [sentences[0], sentences[2]]
    assert isinstance(empty, SentenceError)
    assert empty.kind == "empty"
    assert isinstance(long, SentenceError)
    assert long.kind == "pieces"


def test_slices_are_small() -> None:
    assert service.fits_slice(["a"] * service.MAX_SLICE_SENTENCES)
    assert not service.fits_slice(["a"] * (service.MAX_SLICE_SENTENCES + 1))
    assert service.fits_slice(["a" * 700, "b" * 500])
    assert not service.fits_slice(["a" * 700, "b" * 501])


def test_the_same_sentence_asked_twice_at_once_is_decoded_once(fake: Fake) -> None:
    models = Service()
    fake.gate.clear()
    futures = [models.request("one", normalise("the cat"), GREEDY) for _ in range(3)]
    fake.gate.set()
    assert futures[0].result(5) is futures[1].result(5) is futures[2].result(5)
    assert fake.decoded == ["the cat"]


def test_kept_results_are_bounded(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_RESULTS", 3)
    models = Service()
    for text in ("a", "b", "c", "a", "d"):  # "a" was asked for again, so "b" is the oldest
        models.request("one", normalise(text), GREEDY).result(5)
    models.request("one", normalise("a"), GREEDY).result(5)
    assert fake.decoded == ["a", "b", "c", "d"]
    models.request("one", normalise("b"), GREEDY).result(5)
    assert fake.decoded == ["a", "b", "c", "d", "b"]


def test_kept_results_take_no_more_memory_than_they_may(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_RESULT_BYTES", 1)
    models = Service()
    for text in ("a", "b", "b", "a"):
        models.request("one", normalise(text), GREEDY).result(5)
    assert fake.decoded == ["a", "b", "a"]
    made = [models.measure("one", key, lambda *_: np.zeros(9), "A").result(5) for key in ("a", "b", "b", "a")]
    assert made[1] is made[2]
    assert made[0] is not made[3]


def test_models_not_used_for_longest_go_for_others_and_their_results_stay(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_PARAMETERS", 25)
    monkeypatch.setattr(service, "count_parameters", {"one": 10, "two": 10, "three": 10, "large": 40}.get)
    models = Service()
    text, other = normalise("the cat"), normalise("the dog")
    kept = models.request("one", text, GREEDY).result(5)
    models.request("two", text, GREEDY).result(5)
    models.request("one", other, GREEDY).result(5)
    models.request("three", text, GREEDY).result(5)  # two was not used for longest
    assert models.ready("one", "three")
    assert not models.ready("two")
    models.request("large", text, GREEDY).result(5)  # too large for company, and loaded all the same
    assert models.ready("large")
    assert not models.ready("one")
    assert models.request("one", text, GREEDY).result(5) is kept
    assert fake.loads == ["one", "two", "three", "large"]
    models.request("one", normalise("a bird"), GREEDY).result(5)
    assert fake.loads[-1] == "one"


def test_a_model_that_went_leaves_nothing_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the network nor what search has made of it."""
    seen: list[weakref.ref[object]] = []

    def load(name: str) -> SimpleNamespace:
        network = build_network(RNNsearchConfig("rnnsearch", 20, 4, 6, 5, 3, "groundhog", 0.0)).eval()
        prepared = get_fast_decoder(network)
        prepared.start(prepared.encode(torch.tensor([[5, 6, 2]])))
        seen.extend(map(weakref.ref, (network, prepared)))
        return SimpleNamespace(name=name, fingerprint=name, network=network)

    monkeypatch.setattr(service, "load_model", load)
    monkeypatch.setattr(service, "count_parameters", lambda name: service.MAX_PARAMETERS)
    monkeypatch.setattr(
        service, "translate_sentence", lambda model, text, *_: (trace(source=text, target="chat", order=(0,)),)
    )
    models = Service()
    models.request("one", normalise("the cat"), GREEDY).result(5)
    models.request("two", normalise("the cat"), GREEDY).result(5)
    assert [one() is None for one in seen] == [True, True, False, False]


def test_a_model_that_others_were_put_in_the_place_of_is_loaded_anew(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the folder of a training is looked at, which saves better weights now and then."""
    now, wiring = {"one": "old"}, {"wiring": "groundhog"}
    monkeypatch.setattr(service.cards, "find_card", lambda name: SimpleNamespace(
        parameters=1, sha256={"weights": now[name]}, network=dict(wiring)))  # fmt: skip
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=now[name]))
    models = Service()
    text = normalise("the cat")
    first = models.request("one", text, GREEDY).result(5)
    work = lambda model, _: model.fingerprint  # noqa: E731
    assert models.measure("one", "key", work, "A").result(5) == "old"
    now["one"] = "new"
    assert models.kept("one", text, GREEDY) is None
    assert not models.ready("one")
    assert models.request("one", text, GREEDY).result(5) is not first
    assert models.measure("one", "key", work, "A").result(5) == "new"
    assert models.ready("one")
    now["one"] = "old"
    assert models.measure("one", "key", work, "A").result(5) == "old"
    wiring["wiring"] = "paper"  # of the same shapes
    assert models.kept("one", text, GREEDY) is None
    assert not models.ready("one")
    before = models.request("one", text, GREEDY).result(5)
    assert models.kept("one", text, GREEDY) is before
    assert models.measure("one", "key", lambda model, _: "anew", "A").result(5) == "anew"


def test_what_one_model_said_is_not_taken_for_another_s_of_the_same_weights(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of a model may be wired otherwise, and has a name of its own at any rate."""
    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint="the same"))
    models = Service()
    text = normalise("the cat")
    for name in ("one", "two", "one"):
        assert models.request(name, text, GREEDY).result(5)[0].made_by.model == name
        assert models.measure(name, "key", lambda model, _: model.name, "A").result(5) == name


def test_a_missing_model_is_an_error_of_its_request_and_is_looked_for_again(fake: Fake) -> None:
    models = Service()
    for _ in range(2):
        with pytest.raises(CheckpointError):
            models.request("missing", normalise("the cat"), GREEDY).result(5)
    assert fake.loads == ["missing", "missing"]
    assert models.request("one", normalise("the cat"), GREEDY).result(5)[0].source.text == "the cat"


def test_warming_loads_behind_the_page_and_only_once(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PREFETCH_DELAY", 0.01)
    models = Service()
    assert not models.ready("one", "two")
    for _ in range(3):
        models.warm("one", "two")
    deadline = time.monotonic() + 5
    while not models.ready("one", "two") and time.monotonic() < deadline:
        time.sleep(0.005)
    assert models.ready("one", "two")
    assert fake.loads == ["one", "two"]


def test_warming_prepares_the_lexicon_of_the_models_languages(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PREFETCH_DELAY", 0.0)
    monkeypatch.setattr(service.cards, "get_languages", lambda name: ("en", "fr"))
    found = lexicon.load_lexicon("en", "fr")
    assert found is not None
    for made in ("lines", "_words"):
        found.__dict__.pop(made, None)
    models = Service()
    models.warm("one")
    deadline = time.monotonic() + 5
    while "_words" not in found.__dict__ and time.monotonic() < deadline:
        time.sleep(0.005)
    assert {"lines", "_words"} <= found.__dict__.keys()  # the first mark waits for neither


def test_a_broken_model_does_not_end_the_warming(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PREFETCH_DELAY", 0.0)
    models = Service()
    models.warm("missing", "one")
    deadline = time.monotonic() + 5
    while not models.ready("one") and time.monotonic() < deadline:
        time.sleep(0.005)
    assert models.ready("one")


def test_a_changed_question_is_another_one(fake: Fake) -> None:
    models, text = Service(), normalise("the cat")
    edits = [NO_OVERRIDES, Overrides(prefix=(5,)), Overrides((RowOverride(1, "attention", (1.0, 0.0, 0.0)),))]
    first = [models.request("one", text, GREEDY, edits=one).result(5) for one in edits]
    assert len(fake.decoded) == 3
    assert fake.changed == edits
    for one, made in zip(edits, first, strict=True):
        assert models.request("one", text, GREEDY, edits=Overrides.from_text(one.to_text())).result(5) is made
    assert len(fake.decoded) == 3


def test_waiting_questions_of_one_model_and_search_are_decoded_together_and_kept(fake: Fake) -> None:
    models, beam = Service(), Settings(beam=5)
    texts = [normalise(text) for text in ("a", "b", "c")]
    asked = [(name, text, settings, f"reader of {text}")
             for text in texts for name in ("one", "two") for settings in (GREEDY, beam)]
    futures = ask_while_another_runs(models, fake, *asked)
    assert [sorted(texts) for texts in fake.together] == [["a", "b", "c"]] * 4
    for (name, text, settings, _), future in zip(asked, futures, strict=True):
        (made,) = future.result()
        assert (made.source.text, made.made_by.model) == (text, name)
        assert models.request(name, text, settings).result(5) is future.result()
    assert len(fake.together) == 4


def test_one_bad_question_does_not_spoil_the_others(fake: Fake) -> None:
    texts = [normalise(text) for text in ("a", "too long", "b")]
    good, bad, last = ask_while_another_runs(Service(), fake, *(("one", text, GREEDY, text) for text in texts))
    assert fake.together == [["a", "too long", "b"]]
    assert (good.result()[0].source.text, last.result()[0].source.text) == ("a", "b")
    assert isinstance(bad.exception(), SentenceError)


def test_where_all_fail_together_each_is_tried_alone(fake: Fake) -> None:
    texts = [normalise(text) for text in ("a", "ruinous", "b")]
    futures = ask_while_another_runs(Service(), fake, *(("one", text, GREEDY, text) for text in texts))
    assert fake.together == [["a", "ruinous", "b"]]
    assert [future.result()[0].source.text for future in futures] == ["a", "ruinous", "b"]


def test_a_missing_model_is_told_to_all_who_asked_for_it(fake: Fake) -> None:
    futures = ask_while_another_runs(Service(), fake, *(("missing", normalise(text), GREEDY, text) for text in "ab"))
    assert all(isinstance(future.exception(), CheckpointError) for future in futures)


def test_changed_questions_and_detail_are_decoded_alone(fake: Fake) -> None:
    detailed = Settings(detail=True)
    asked = [("one", normalise(text), detailed, text) for text in "ab"]
    asked += [("one", normalise(text), GREEDY, text, Overrides(prefix=(5,))) for text in "ab"]  # type: ignore[misc]
    ask_while_another_runs(Service(), fake, *asked)
    assert fake.together == []
    assert sorted(fake.decoded) == ["a", "a", "b", "b", "keeps the thread"]


def test_no_more_go_together_than_are_decoded_in_about_a_second() -> None:
    assert service.fits_batch(GREEDY, ["a"] * service.MAX_BATCH_HYPOTHESES)
    assert not service.fits_batch(GREEDY, ["a"] * (service.MAX_BATCH_HYPOTHESES + 1))
    assert service.fits_batch(Settings(beam=12), ["a"] * 8)
    assert not service.fits_batch(Settings(beam=12), ["a"] * 9)
    assert service.fits_batch(GREEDY, ["a", "b" * service.SHORT_CHARACTERS])
    assert not service.fits_batch(
        GREEDY, ["a", "b" * (service.SHORT_CHARACTERS + 1)]
    )  # nobody waits for a much longer one
    assert service.fits_batch(GREEDY, ["a" * service.SHORT_CHARACTERS, "b" * 2 * service.SHORT_CHARACTERS])


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("settings", [GREEDY, Settings(beam=3, n_best=2, tree=True), Settings(sample=True, seed=5)])
def test_what_is_decoded_together_is_what_is_decoded_alone(
    kind: str, settings: Settings, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(3)  # of some networks with weights so large a rounding is seen in the ninth digit
    network = build_network(RNNsearchConfig(kind, len(tiny_vocabulary), 6, 6, 6, 4)).double().eval()
    for parameter in network.parameters():
        parameter.detach().mul_(40)  # for every piece to say something else
    model = SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                            languages=("en", "fr"))
    gate, together = threading.Event(), service.translate_slice
    slices: list[int] = []

    def noted(model: object, texts: list[str], *rest: object) -> list[object]:
        slices.append(len(texts))
        return together(model, texts, *rest)  # type: ignore[arg-type, return-value]

    monkeypatch.setattr(service, "load_model", lambda name: gate.wait(5) and model)
    monkeypatch.setattr(service, "translate_slice", noted)
    texts = canonical(["The cat sleeps.", "A dog.", "The old dog runs in the garden.", "The cat and the dog sleep."])
    models = Service()
    futures = [models.request("tiny", text, settings, text) for text in ("first", *texts)]  # type: ignore[arg-type]
    gate.set()
    for text, future in zip(texts, futures[1:], strict=True):
        alone = service.translate_sentence(model, text, settings, lambda: False)  # type: ignore[arg-type]
        assert [same(one, other) for one, other in zip(future.result(20), alone, strict=True)] == [True] * len(alone)
    assert slices == [len(texts)]


def same(one: Trace, other: Trace) -> bool:
    """Whether two Traces are the same but for rounding."""
    assert one.made_by == other.made_by
    assert one.log_probability == pytest.approx(other.log_probability, abs=1e-9)
    for mine, its in zip(one.steps, other.steps, strict=True):
        assert [(given.id, given.log_probability) for given in mine.candidates] == [
            (given.id, pytest.approx(given.log_probability, abs=1e-9)) for given in its.candidates
        ]
    assert all(np.allclose(mine.values, its.values, atol=1e-6) for mine, its in zip(one.maps, other.maps, strict=True))
    assert (one.tree is None) is (other.tree is None)
    assert one.tree is None or other.tree is None or one.tree.ids == other.tree.ids
    return (one.source, one.target, one.finished) == (other.source, other.target, other.finished)
