"""From text to Traces: order, laziness, limits, symbols, prefixes, seeds and trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from model.decoding import OverrideError, Overrides, Settings, search
from model.decoding.translate import (
    MAX_CHARACTERS,
    MAX_SOURCE_TOKENS,
    Prefix,
    SentenceError,
    prepare_source,
    sample_translations,
    translate,
    translate_n_best,
    translate_sentence,
)
from model.text.normalise import NormalisedText, normalise
from model.text.vocabulary import EOS, PAD, UNK, Vocabulary
from model.trace import Trace
from tests.canonical import normalise_all
from tests.model.decoding.helpers import TinyModel, are_close_traces, build_tiny_model

TEXTS = ["A heron stands in the shallow river.", "Yes.", "Who painted the blue door ?", "the the the the",
         "It rained  for nine days,\u00a0and nobody minded.", "Non.", "Herons don't mind the rain."]
TEXT = normalise(TEXTS[0])


def test_trace_of_one_sentence(model: TinyModel) -> None:
    trace = translate_sentence(model, TEXT)
    assert trace.source.text == TEXTS[0]
    assert trace.source.words == ("A", "heron", "stands", "in", "the", "shallow", "river", ".")
    assert [len(step.candidates) for step in trace.steps] == [10] * len(trace.steps)
    assert all(step.candidates[0].id == step.id for step in trace.steps)  # greedy search takes the most probable
    assert trace.get_map("attention").values.shape == (len(trace.target.pieces), len(trace.source.pieces))
    provenance = trace.provenance
    assert (provenance.model, provenance.fingerprint, provenance.search) == ("tiny", "0123456789ab", "greedy")
    assert (provenance.settings, provenance.seed) == (Settings().trace_settings, None)
    assert Trace.from_json(trace.to_json()) == trace
    bare = translate_sentence(model, TEXT, Settings(candidates=0))
    assert bare == replace(trace, steps=tuple(replace(step, candidates=()) for step in trace.steps))


def test_traces_hold_what_search_found(model: TinyModel) -> None:
    settings, text = Settings(beam=4, n_best=3, tree=True), normalise(TEXTS[2])
    hypotheses = search(model.network, [model.vocabulary.encode(text)], settings)[0]
    (traces,) = translate(model, [text], settings)
    tree, nodes = traces[0].tree, hypotheses[0].tree
    assert tree is not None
    assert nodes is not None
    for trace, hypothesis in zip(traces, hypotheses, strict=True):
        assert tuple(step.id for step in trace.steps) == hypothesis.tokens
        assert tuple(step.log_probability for step in trace.steps) == hypothesis.log_probs
        assert (trace.log_probability, trace.score, trace.is_finished) == (
            hypothesis.total_log_prob, hypothesis.score, hypothesis.is_finished)
        np.testing.assert_allclose(trace.get_map("attention").values, hypothesis.weights["attention"], atol=1e-7)
        assert (trace.provenance.search, trace.provenance.seed) == ("beam", None)
    assert [trace.tree for trace in traces[1:]] == [None, None]
    assert [(tree.parents[k], tree.ids[k], tree.log_probabilities[k], tree.get_fate(k)) for k in range(len(tree))] == [
        (node.parent, node.token, node.log_prob, node.fate) for node in nodes]
    assert tree.pieces == tuple(map(model.vocabulary.id_to_piece, tree.ids))
    assert Trace.from_json(traces[0].to_json()) == traces[0]


# ---- streams -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("batch_size", "beam"), [(1, 3), (3, 3), (2, 1)])
def test_stream_keeps_the_order_of_the_texts(model: TinyModel, batch_size: int, beam: int) -> None:
    settings = Settings(beam=beam, max_ratio=1.0)
    results = list(translate(model, map(normalise, iter(TEXTS)), settings, batch_size))
    for text, (trace,) in zip(TEXTS, results, strict=True):
        assert are_close_traces(trace, translate_sentence(model, normalise(text), settings))


def test_texts_are_read_only_when_needed(model: TinyModel) -> None:
    read: list[str] = []

    def read_texts() -> Iterator[NormalisedText]:
        for text in TEXTS * 3:
            read.append(text)
            yield normalise(text)

    results = translate(model, read_texts(), batch_size=2)
    assert read == []
    next(results)
    assert len(read) == 2  # the first chunk is one batch, so that a result is there soon
    next(results)
    next(results)
    assert len(read) == 10


@pytest.mark.parametrize("batch_size", [1, 32])
def test_invalid_sentence_is_named_by_number_after_all_earlier_results(model: TinyModel, batch_size: int) -> None:
    results = translate(model, normalise_all([*TEXTS[:3], " ", *TEXTS[3:]]), batch_size=batch_size)
    assert [next(results)[0].source.text for _ in range(3)] == [
        prepare_source(model, text).side.text for text in normalise_all(TEXTS[:3])]
    with pytest.raises(SentenceError, match="Sentence 4 is empty") as caught:
        next(results)
    assert caught.value.number == 4
    with pytest.raises(ValueError, match="must be 1 or more: got"):
        translate(model, normalise_all(TEXTS), None, 0)


# ---- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\u200b\u00ad", "\t\u2028 "])
def test_empty_sentence_is_refused(model: TinyModel, text: str) -> None:
    with pytest.raises(SentenceError, match="The sentence is empty: give at least one word") as caught:
        translate_sentence(model, normalise(text))
    assert caught.value.kind == "empty"


def test_length_limits(model: TinyModel) -> None:
    pieces_per_word = len(model.vocabulary.encode(normalise("the"))) - 1
    assert MAX_SOURCE_TOKENS % pieces_per_word == 0
    longest = " ".join(["the"] * (MAX_SOURCE_TOKENS // pieces_per_word))
    assert len(prepare_source(model, normalise(longest)).ids) == MAX_SOURCE_TOKENS + 1
    size = MAX_SOURCE_TOKENS + pieces_per_word
    with pytest.raises(SentenceError, match=f"has {size:,} tokens, and at most {MAX_SOURCE_TOKENS} can be") as caught:
        translate_sentence(model, normalise(longest + " the"))
    assert (caught.value.kind, caught.value.size, caught.value.limit) == ("pieces", size, MAX_SOURCE_TOKENS)
    for characters, kind in ((MAX_CHARACTERS, "pieces"), (MAX_CHARACTERS + 1, "characters")):
        with pytest.raises(SentenceError) as caught:
            prepare_source(model, normalise("a" * characters))
        assert caught.value.kind == kind


# ---- symbols -----------------------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize(("kind", "beam"), [("rnnsearch", 1), ("rnnsearch", 3), ("rnnencdec", 1)])
def test_symbols_are_copied_and_change_nothing_else(tiny_vocabulary: Vocabulary, kind: str, beam: int) -> None:
    model, settings = build_tiny_model(tiny_vocabulary, kind), Settings(beam=beam, max_ratio=1.0)
    texts = ["A heron 🐦 stands in the shallow river.", "Yes. 👍🏽👍🏽", "🌧️ It rained for nine days."]
    bare = ["A heron stands in the shallow river.", "Yes.", "It rained for nine days."]
    results, plain_results = (translate(model, normalise_all(part), settings, batch_size=2) for part in (texts, bare))
    for text, (trace,), (plain,) in zip(texts, results, plain_results, strict=True):
        copied = [symbol.text for symbol in trace.source.symbols]
        assert trace.source.text == text
        assert replace(trace, source=plain.source, target=plain.target) == plain
        assert trace.target.words == plain.target.words
        assert [symbol.text for symbol in trace.target.symbols] == copied
        assert trace.target.text.replace(copied[0], "").replace(" ", "") == plain.target.text.replace(" ", "")
        assert Trace.from_json(trace.to_json()) == trace
        assert '"symbols"' not in plain.to_json()
        assert bool(trace.maps) == (kind == "rnnsearch")


# ---- prefixes and seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [Settings(), Settings(beam=3), Settings(sample=True, seed=2)])
def test_prefix_is_text_or_token_ids(model: TinyModel, settings: Settings) -> None:
    text = normalise("Le  chat gris")
    ids = model.vocabulary.encode(text)[:-1]
    trace = translate_sentence(model, TEXT, settings, text)
    assert [step.id for step in trace.steps[: len(ids)]] == ids
    assert trace.target.text.startswith("Le chat gris")
    assert trace.get_map("attention").values.shape[0] == len(trace.steps) > len(ids)
    assert trace.provenance.settings == settings.trace_settings | {"prefix": len(ids)}
    assert translate_sentence(model, TEXT, settings, ids) == trace
    assert Trace.from_json(trace.to_json()) == trace
    empty_prefixes: list[Prefix] = [normalise(" \u200b"), []]
    for prefix in empty_prefixes:
        assert translate_sentence(model, TEXT, settings, prefix) == translate_sentence(model, TEXT, settings)


def test_prefix_must_leave_something_to_search_for(model: TinyModel) -> None:
    text = normalise("Yes.")
    limit = Settings().compute_max_target_length(len(model.vocabulary.encode(text))) - 1
    assert len(translate_sentence(model, text, None, [9] * limit).steps) == limit + 1
    with pytest.raises(SentenceError, match=f"is to be translated with a beginning of {limit + 1} tokens, and at "
                                            f"most {limit} are possible: shorten the") as caught:
        translate_sentence(model, text, None, [9] * (limit + 1))
    assert (caught.value.kind, caught.value.size, caught.value.limit) == ("prefix", limit + 1, limit)
    with pytest.raises(SentenceError, match="is to be translated with a beginning"):
        translate_sentence(model, text, None, normalise("a" * 20_001))


def test_prefix_of_overrides_must_be_in_the_vocabulary(model: TinyModel) -> None:
    """A link that was made for another model may hold other token ids."""
    size, settings = len(model.vocabulary), Settings(sample=True, seed=2)
    for token in (UNK, size - 1):
        trace = translate_n_best(model, TEXT, overrides=Overrides(prefix=(9, token)))[0]
        assert [step.id for step in trace.steps[:2]] == [9, token]
    for token in (PAD, EOS, size, 10**9 - 1):
        overrides, message = Overrides(prefix=(9, token)), f"whose ids are 2 to {size - 1}: got {token:,}"
        with pytest.raises(OverrideError, match=message):
            translate_n_best(model, TEXT, overrides=overrides)
        with pytest.raises(OverrideError, match=message):
            sample_translations(model, TEXT, settings, 2, overrides=overrides)
    with pytest.raises(OverrideError, match="has one beginning"):
        translate_n_best(model, TEXT, prefix=normalise("Le"), overrides=Overrides(prefix=(9,)))


@pytest.mark.parametrize("batch_size", [1, 3])
def test_every_text_of_a_stream_has_its_prefix(model: TinyModel, batch_size: int) -> None:
    prefixes: list[Prefix] = [*normalise_all(["Le", "", "Qui donc"]), [9, 10], *normalise_all(["", "Non", "Un"])]
    results = list(translate(model, normalise_all(TEXTS), Settings(beam=2), batch_size, prefixes=iter(prefixes)))
    for text, prefix, (trace,) in zip(TEXTS, prefixes, results, strict=True):
        assert are_close_traces(trace, translate_sentence(model, normalise(text), Settings(beam=2), prefix))
    with pytest.raises(SentenceError, match="Sentence 2 is to be translated with a beginning of 400 tokens"):
        list(translate(model, normalise_all(TEXTS[:2]), None, batch_size, prefixes=[normalise("Le"), [9] * 400]))
    for wrong_prefixes in (["Le"], ["Le", "", "Un"]):
        with pytest.raises(ValueError, match="argument 2 is"):
            list(translate(model, normalise_all(TEXTS[:2]), None, batch_size, prefixes=normalise_all(wrong_prefixes)))
