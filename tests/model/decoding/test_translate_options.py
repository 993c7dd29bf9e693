"""From text to Traces with a given beginning, a seed or a tree: what the Trace says of them."""

from __future__ import annotations

import pytest

from model.decoding import OverrideError, Overrides, Settings, search
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.translate import (
    Prefix,
    SentenceError,
    sample_translations,
    translate,
    translate_n_best,
    translate_sentence,
)
from model.text.normalise import normalise
from model.text.vocabulary import EOS, PAD, UNK, Vocabulary
from model.trace import Trace
from tests.canonical import normalise_all
from tests.model.decoding.test_translate import TEXTS, Model, a_model, alike


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary) -> Model:
    return a_model(tiny_vocabulary)


def test_a_beginning_is_text_or_pieces(model: Model) -> None:
    ids = model.vocabulary.encode(normalise("Le  chat gris"))[:-1]
    for settings in (Settings(), Settings(beam=3), Settings(sample=True, seed=2)):
        trace = translate_sentence(model, normalise(TEXTS[0]), settings, normalise("Le  chat gris"))
        assert [step.id for step in trace.steps[: len(ids)]] == ids
        assert trace.target.text.startswith("Le chat gris")
        assert len(trace.steps) > len(ids)
        assert trace.get_map("attention").values.shape[0] == len(trace.steps)
        assert trace.made_by.settings == settings.provenance | {"prefix": len(ids)}
        assert translate_sentence(model, normalise(TEXTS[0]), settings, ids) == trace
        assert Trace.from_json(trace.to_json()) == trace


def test_without_a_beginning_nothing_is_said_of_one(model: Model) -> None:
    nothing: list[Prefix] = [normalise(""), normalise(" \u200b"), []]
    for prefix in nothing:
        trace = translate_sentence(model, normalise(TEXTS[0]), None, prefix)
        assert trace == translate_sentence(model, normalise(TEXTS[0]))
        assert trace.made_by.settings == Settings().provenance


def test_a_beginning_that_leaves_nothing_is_told(model: Model) -> None:
    ids = model.vocabulary.encode(normalise("Yes."))
    most = Settings().max_target_length(len(ids)) - 1
    assert len(translate_sentence(model, normalise("Yes."), None, [9] * most).steps) == most + 1
    with pytest.raises(SentenceError, match=f"has a given beginning of its translation of {most + 1} pieces, and at "
                                            f"most {most} can be given: shorten it") as caught:
        translate_sentence(model, normalise("Yes."), None, [9] * (most + 1))
    assert (caught.value.kind, caught.value.size, caught.value.limit) == ("prefix", most + 1, most)
    with pytest.raises(SentenceError, match="20,001 characters"):
        translate_sentence(model, normalise("Yes."), None, normalise("a" * 20_001))


@pytest.mark.parametrize("settings", [Settings(), Settings(beam=2), Settings(sample=True, seed=2)])
def test_a_changed_beginning_has_pieces_of_the_vocabulary(model: Model, settings: Settings) -> None:
    """One that nobody could write is told as changes that do not fit, as of a link that was made for another model."""
    size = len(model.vocabulary)
    text = normalise(TEXTS[0])
    for last in (UNK, size - 1):
        trace = translate_n_best(model, text, settings, overrides=Overrides(prefix=(9, last)))[0]
        assert [step.id for step in trace.steps[:2]] == [9, last]
    for piece in (PAD, EOS, size, 10**9 - 1):
        edits = Overrides(prefix=(9, piece))
        with pytest.raises(OverrideError, match=f"have the numbers 2 to {size - 1}: got {piece:,}"):
            translate_n_best(model, text, settings, overrides=edits)
        if settings.sample:
            with pytest.raises(OverrideError):
                sample_translations(model, text, settings, 2, overrides=edits)


@pytest.mark.parametrize("batch_size", [1, 3, 32])
def test_many_sentences_have_each_its_beginning(model: Model, batch_size: int) -> None:
    prefixes: list[Prefix] = [*normalise_all(["Le", "", "Qui donc"]), [9, 10], *normalise_all(["", "Non", "Un"])]
    results = list(translate(model, normalise_all(TEXTS), Settings(beam=2), batch_size, prefixes=iter(prefixes)))
    assert len(results) == len(TEXTS)
    for text, prefix, (trace,) in zip(TEXTS, prefixes, results, strict=True):
        assert alike(trace, translate_sentence(model, normalise(text), Settings(beam=2), prefix))
    with pytest.raises(SentenceError, match="Sentence 2 has a given beginning of its translation of 400 pieces"):
        list(translate(model, normalise_all(TEXTS[:2]), None, batch_size, prefixes=[normalise("Le"), [9] * 400]))


@pytest.mark.parametrize("prefixes", [["Le"], ["Le", "", "Un"]])
def test_texts_and_beginnings_come_in_pairs(model: Model, prefixes: list[str]) -> None:
    with pytest.raises(ValueError, match="argument 2 is"):
        list(translate(model, normalise_all(TEXTS[:2]), prefixes=normalise_all(prefixes)))


def test_the_seed_is_recorded_and_draws_the_same_again(model: Model) -> None:
    settings = Settings(sample=True, temperature=1.5, top_k=40, seed=11)
    trace = translate_sentence(model, normalise(TEXTS[0]), settings)
    assert (trace.made_by.search, trace.made_by.seed) == ("sampling", 11)
    assert trace.made_by.settings == {"beam": 1, "n_best": 1, "max_ratio": 3.0, "length_penalty": "length",
                                      "temperature": 1.5, "top_k": 40}
    assert translate_sentence(model, normalise(TEXTS[0]), settings) == trace
    together = [traces[0] for traces in translate(model, normalise_all(TEXTS), settings)]
    assert alike(together[0], trace)
    assert len({one.target.text for one in together}) > 1
    assert translate_sentence(model, normalise(TEXTS[0])).made_by.seed is None
    assert translate_sentence(model, normalise(TEXTS[0]), Settings(beam=2)).made_by.seed is None


def test_the_tree_comes_with_the_best_and_holds_all_n(model: Model) -> None:
    settings = Settings(beam=4, n_best=3, tree=True)
    first, *others = next(translate(model, normalise_all(TEXTS[1:2]), settings))
    assert [one.tree for one in others] == [None, None]
    tree = first.tree
    assert tree is not None
    for one in (first, *others):
        path = tree.find_path([step.id for step in one.steps])
        assert path is not None
        assert tree.cumulative_log_probs[path[-1]] == pytest.approx(one.log_probability)
        assert tree.scores[path[-1]] == one.score
    (hypothesis, *_), = search(model.network, [model.vocabulary.encode(normalise(TEXTS[1]))], settings)
    assert hypothesis.tree is not None
    assert [(tree.parents[k], tree.ids[k], tree.log_probabilities[k], tree.get_fate(k)) for k in range(len(tree))] == [
        (node.parent, node.token, node.log_prob, node.fate) for node in hypothesis.tree]
    assert tree.pieces == tuple(model.vocabulary.id_to_piece(index) for index in tree.ids)
    text = first.to_json()
    assert Trace.from_json(text) == first
    assert len(text) - len(others[0].to_json()) < 100 * len(tree)


def test_a_forced_target_has_no_tree_and_no_seed(model: Model) -> None:
    for settings in (Settings(beam=3, tree=True), Settings(sample=True, seed=4)):
        trace = build_forced_trace(model, normalise(TEXTS[1]), normalise("Oui."), settings)
        assert (trace.tree, trace.made_by.seed, trace.made_by.settings) == (None, None, {})
