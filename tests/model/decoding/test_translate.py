"""From text to Traces: order, laziness, limits, and Traces that hold together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding import Overrides, Settings, search
from model.decoding import translate as module
from model.decoding.overrides import RowOverride
from model.decoding.translate import (
    MAX_CHARACTERS,
    MAX_SOURCE_PIECES,
    SentenceError,
    prepare_source,
    translate,
    translate_n_best,
    translate_sentence,
)
from model.networks.registry import build_network
from model.networks.rnnsearch import GRUNetwork, RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from tests.canonical import normalise_all

TEXTS = ["A heron stands in the shallow river.", "Yes.", "Who painted the blue door ?", "the the the the",
         "It rained  for nine days,\u00a0and nobody minded.", "Non.", "Herons don't mind the rain."]


@dataclass(frozen=True)
class Model:
    network: GRUNetwork
    vocabulary: Vocabulary
    name: str = "tiny"
    fingerprint: str = "0123456789ab"
    languages: tuple[str, str] = ("en", "fr")


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    path: Path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.model"
    lines = [*TEXTS, "Le héron ne bouge pas.", "Qui a peint la porte bleue ?", "Il a plu neuf jours."]
    return Vocabulary.train(lines, 320, path)


def a_model(vocabulary: Vocabulary, kind: str = "rnnsearch") -> Model:
    torch.manual_seed(4)
    network = build_network(RNNsearchConfig(kind, len(vocabulary), 6, 7, 5, 4)).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(60.0)  # far from uniform, so that nothing is decided by rounding
    return Model(network, vocabulary)


@pytest.fixture(scope="module")
def model(vocabulary: Vocabulary) -> Model:
    return a_model(vocabulary)


def alike(one: Trace, other: Trace) -> bool:
    """Equal but for rounding in float64."""
    maps = all(np.allclose(a.values, b.values, atol=1e-6) for a, b in zip(one.maps, other.maps, strict=True))
    return maps and (one.source, one.target, one.finished) == (other.source, other.target, other.finished) and (
        abs(one.score - other.score) < 1e-9)


def test_one_sentence_gives_a_whole_trace(model: Model) -> None:
    trace = translate_sentence(model, normalise(TEXTS[0]))
    assert trace.source.text == TEXTS[0]
    assert trace.source.words == ("A", "heron", "stands", "in", "the", "shallow", "river", ".")
    assert [len(step.candidates) for step in trace.steps] == [10] * len(trace.steps)
    assert all(step.candidates[0].id == step.id for step in trace.steps)  # greedy: the likeliest was chosen
    assert trace.get_map("attention").values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    assert trace.made_by.model == "tiny"
    assert trace.made_by.fingerprint == "0123456789ab"
    assert trace.made_by.search == "greedy"
    assert trace.made_by.settings["beam"] == 1
    assert trace.detail is None
    assert Trace.from_json(trace.to_json()) == trace


def test_a_model_without_attention_has_no_map(vocabulary: Vocabulary) -> None:
    assert translate_sentence(a_model(vocabulary, "rnnencdec"), normalise(TEXTS[0])).maps == ()


def test_the_trace_says_what_search_found(model: Model) -> None:
    settings = Settings(beam=4, n_best=3)
    found = search(model.network, [model.vocabulary.encode(normalise(TEXTS[2]))], settings)[0]
    (traces,) = translate(model, [normalise(TEXTS[2])], settings)
    assert len(traces) == 3
    for trace, one in zip(traces, found, strict=True):
        assert tuple(step.id for step in trace.steps) == one.tokens
        assert tuple(step.log_probability for step in trace.steps) == one.log_probs
        assert (trace.log_probability, trace.score, trace.finished) == (one.total_log_prob, one.score, one.is_finished)
        np.testing.assert_allclose(trace.get_map("attention").values, one.weights["attention"], atol=1e-7)
        assert trace.made_by.search == "beam"
    assert alike(traces[0], translate_sentence(model, normalise(TEXTS[2]), settings))


def test_detail_comes_when_asked_for(model: Model) -> None:
    trace = translate_sentence(model, normalise(TEXTS[1]), Settings(detail=True))
    assert trace.detail is not None
    assert trace.detail["energies"].shape == trace.get_map("attention").values.shape
    assert Trace.from_json(trace.to_json()) == trace


def test_settings_that_note_nothing_change_nothing(model: Model) -> None:
    bare = translate_sentence(model, normalise(TEXTS[0]), Settings(candidates=0))
    assert all(step.candidates == () for step in bare.steps)
    full = translate_sentence(model, normalise(TEXTS[0]))
    assert bare == replace(full, steps=tuple(replace(step, candidates=()) for step in full.steps))


@pytest.mark.parametrize(("batch_size", "chunk"), [(1, None), (2, None), (3, 5), (4, 2), (64, None)])
@pytest.mark.parametrize("beam", [1, 3])
def test_many_sentences_come_in_order_whatever_the_batches(
    model: Model, batch_size: int, chunk: int | None, beam: int
) -> None:
    settings = Settings(beam=beam, max_ratio=1.0)
    results = list(translate(model, map(normalise, iter(TEXTS)), settings, batch_size, chunk))
    assert len(results) == len(TEXTS)
    for text, (trace,) in zip(TEXTS, results, strict=True):
        assert alike(trace, translate_sentence(model, normalise(text), settings))


def read(texts: Iterable[str], taken: list[str]) -> Iterator[str]:
    for text in texts:
        taken.append(text)
        yield text


def test_sentences_are_read_only_when_needed(model: Model) -> None:
    taken: list[str] = []
    results = translate(model, map(normalise, read(TEXTS * 3, taken)), batch_size=2, chunk=6)
    assert taken == []
    next(results)
    assert len(taken) == 2  # the first chunk is one batch, so that something is seen soon
    next(results)
    next(results)
    assert len(taken) == 8


def test_a_batch_size_of_one_answers_line_by_line(model: Model) -> None:
    taken: list[str] = []
    for number, _ in enumerate(translate(model, map(normalise, read(TEXTS, taken)), batch_size=1), 1):
        assert len(taken) == number


def test_sentences_of_like_length_are_decoded_together(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[list[int]] = []

    def noted(network: GRUNetwork, sources: list[list[int]], *rest: Any) -> object:
        batches.append([len(source) for source in sources])
        return search(network, sources, *rest)

    monkeypatch.setattr(module, "search", noted)
    list(translate(model, normalise_all(TEXTS), batch_size=2, chunk=7))
    first, *rest = batches  # the first chunk is a batch by itself
    assert len(first) == 2
    lengths = [length for batch in rest for length in batch]
    assert lengths == sorted(lengths)
    assert len(rest) == 3


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b\u00ad", "\t\u2028 "])
def test_an_empty_sentence_is_told(model: Model, text: str) -> None:
    with pytest.raises(SentenceError, match="The sentence is empty: give at least one word") as caught:
        translate_sentence(model, normalise(text))
    assert caught.value.kind == "empty"


def test_a_sentence_that_is_too_long_is_told_with_both_numbers(model: Model) -> None:
    text = " ".join(["heron"] * 600)
    pieces = len(model.vocabulary.encode(normalise(text))) - 1
    with pytest.raises(SentenceError, match=f"has {pieces:,} pieces, and at most {MAX_SOURCE_PIECES} can be") as caught:
        translate_sentence(model, normalise(text))
    assert (caught.value.kind, caught.value.size, caught.value.limit) == ("pieces", pieces, MAX_SOURCE_PIECES)
    with pytest.raises(SentenceError, match=r"has 5,000,000 characters, and at most 20,000"):
        translate_sentence(model, normalise("a" * 5_000_000))


def test_the_limits_themselves_are_allowed(model: Model) -> None:
    unit = len(model.vocabulary.encode(normalise("the"))) - 1
    assert MAX_SOURCE_PIECES % unit == 0
    longest = " ".join(["the"] * (MAX_SOURCE_PIECES // unit))
    assert len(prepare_source(model, normalise(longest)).ids) == MAX_SOURCE_PIECES + 1
    with pytest.raises(SentenceError):
        prepare_source(model, normalise(longest + " the"))
    for characters, kind in ((MAX_CHARACTERS, "pieces"), (MAX_CHARACTERS + 1, "characters")):
        with pytest.raises(SentenceError) as caught:
            prepare_source(model, normalise("a" * characters))
        assert caught.value.kind == kind


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_a_bad_sentence_is_told_by_its_number_after_all_before_it(model: Model, batch_size: int) -> None:
    results = translate(model, normalise_all([*TEXTS[:3], " ", *TEXTS[3:]]), batch_size=batch_size)
    first = [prepare_source(model, text).side.text for text in normalise_all(TEXTS[:3])]
    assert [next(results)[0].source.text for _ in range(3)] == first
    with pytest.raises(SentenceError, match="Sentence 4 is empty") as caught:
        next(results)
    assert caught.value.number == 4


@pytest.mark.verdict
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("beam", [1, 3])
def test_symbols_go_past_the_model_and_change_nothing_else(vocabulary: Vocabulary, kind: str, beam: int) -> None:
    model, settings = a_model(vocabulary, kind), Settings(beam=beam, max_ratio=1.0)
    texts = ["A heron 🐦 stands in the shallow river.", "Yes. 👍🏽👍🏽", "🌧️ It rained for nine days."]
    bare = ["A heron stands in the shallow river.", "Yes.", "It rained for nine days."]
    found = translate(model, normalise_all(texts), settings, batch_size=2)
    for text, (trace,), (plain,) in zip(texts, found, translate(model, normalise_all(bare), settings, batch_size=2),
                                        strict=True):  # fmt: skip
        copied = [symbol.text for symbol in trace.source.symbols]
        assert trace.source.text == text
        assert replace(trace, source=plain.source, target=plain.target) == plain
        assert trace.target.words == plain.target.words
        assert [symbol.text for symbol in trace.target.symbols] == copied
        assert len(copied) == 1
        assert trace.target.text.replace(copied[0], "").replace(" ", "") == plain.target.text.replace(" ", "")
        assert Trace.from_json(trace.to_json()) == trace
        assert '"symbols"' in trace.to_json()
        assert '"symbols"' not in plain.to_json()


def test_changed_rows_and_given_beginnings_belong_to_the_same_pieces_with_symbols(model: Model) -> None:
    pieces = len(model.vocabulary.encode(normalise("A heron stands.")))
    edits = Overrides((RowOverride(2, "attention", (1.0, *[0.0] * (pieces - 1))),), prefix=(40, 41))
    plain, trace = (translate_n_best(model, normalise(text), overrides=edits)[0]
                    for text in ("A heron stands.", "A heron 🐦 stands → 🐦."))  # fmt: skip
    assert replace(trace, source=plain.source, target=plain.target) == plain
    assert trace.source.words == plain.source.words


@pytest.mark.parametrize(("batch_size", "chunk"), [(0, None), (2, 0), (-1, None)])
def test_sizes_below_one_are_refused_at_once(model: Model, batch_size: int, chunk: int | None) -> None:
    with pytest.raises(ValueError, match="must be 1 or more: got"):
        translate(model, normalise_all(TEXTS), batch_size=batch_size, chunk=chunk)
