"""Whole-word models: UNK is written, replaced or avoided, and copying networks write unknown source words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoints import checkpoint
from model.decoding import Settings
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.settings import UnkRule
from model.decoding.translate import sample_translations, translate, translate_n_best, translate_sentence
from model.networks.unknown_words import set_has_unk
from model.text.dictionary import load_dictionary, translate_or_copy
from model.text.normalise import normalise
from model.text.vocabulary import UNK, Vocabulary
from model.trace import UNK_PIECE, Trace
from tests import word_models
from tests.canonical import normalise_all
from tests.model.decoding.helpers import TinyModel, are_close_traces, build_tiny_model
from tests.word_models import build_copying_network, build_unsure_network, save_word_model, train_word_vocabulary

TEXT = normalise(word_models.TEXT)


@pytest.fixture(scope="module")
def words(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return train_word_vocabulary(sentences, tmp_path_factory.mktemp("words"))


@pytest.fixture(scope="module")
def unsure(words: Vocabulary) -> TinyModel:
    return TinyModel(build_unsure_network(words).double(), words)


@pytest.fixture(scope="module")
def copier(words: Vocabulary) -> TinyModel:
    return TinyModel(build_copying_network(words).double(), words)


def find_unk_steps(trace: Trace) -> list[int]:
    return [number for number, step in enumerate(trace.steps) if step.id == UNK]


def test_unk_is_shown_avoided_or_replaced(unsure: TinyModel) -> None:
    plain_trace = translate_sentence(unsure, TEXT)
    assert (plain_trace.source.text, plain_trace.source.pieces[0]) == (TEXT, UNK_PIECE)
    assert 0 < plain_trace.target.words.count("UNK") == len(find_unk_steps(plain_trace))
    assert "unk" not in plain_trace.provenance.settings
    assert find_unk_steps(translate_sentence(unsure, TEXT, Settings(unk="avoid"))) == []
    replaced_trace = translate_sentence(unsure, TEXT, Settings(unk="replace"))
    assert replaced_trace.provenance.settings["unk"] == "replace"
    assert (replaced_trace.steps, replaced_trace.target.pieces) == (plain_trace.steps, plain_trace.target.pieces)
    dictionary = load_dictionary("en", "fr")
    for step in find_unk_steps(replaced_trace):
        position = int(replaced_trace.get_map().values[step, :-2].argmax())  # without the full stop and "</s>"
        word = TEXT.replace(".", "").replace("'s", " Zyzzyva").split()[position]
        assert replaced_trace.target.words[replaced_trace.target.word_of[step]] == translate_or_copy(
            word, dictionary, is_first=position == 0)
    assert replaced_trace.target.unknown_words == plain_trace.target.unknown_words
    assert Trace.from_json(replaced_trace.to_json()) == replaced_trace
    sampled = sample_translations(unsure, TEXT, Settings(sample=True, unk="avoid"), 3)
    assert not any(map(find_unk_steps, sampled))


def test_first_word_may_follow_a_quotation_mark(unsure: TinyModel) -> None:
    trace = translate_sentence(unsure, normalise('"Squirrel.'), Settings(unk="replace"))
    assert "écureuil" in trace.target.words
    assert "Écureuil" not in trace.target.words


def test_spacing_mark_of_the_vocabulary_is_copied_like_any_sign(unsure: TinyModel) -> None:
    trace = translate_sentence(unsure, normalise("\uffed"), Settings(unk="replace"))
    assert "\uffed" in trace.target.words
    assert "UNK" not in trace.target.words


@pytest.mark.parametrize("unk", ["show", "replace", "avoid"])
def test_typed_prefix_keeps_its_words(unsure: TinyModel, unk: UnkRule) -> None:
    trace = translate_sentence(unsure, TEXT, Settings(unk=unk), prefix=normalise("Rauma, Oulu et Rauma"))
    assert trace.target.text.startswith("Rauma, Oulu et Rauma")
    assert find_unk_steps(trace)[:3] == [0, 2, 4]
    assert trace.target.pieces[0] == UNK_PIECE
    assert ("UNK" in trace.target.words) == (unk == "show")


def test_dictionary_translates_what_the_lexicon_knows() -> None:
    dictionary = load_dictionary("en-GB", "fr")
    assert translate_or_copy("squirrel", dictionary, is_first=False) == "écureuil"
    assert translate_or_copy("Squirrel's", dictionary, is_first=True) == "écureuil"
    assert translate_or_copy("Germany", dictionary, is_first=False) == "Allemagne"
    assert translate_or_copy("Schmidhuber", dictionary, is_first=True) == "Schmidhuber"
    assert load_dictionary("xx", "fr") == {}


def test_subword_model_never_writes_unk(tiny_vocabulary: Vocabulary) -> None:
    model = build_tiny_model(tiny_vocabulary)
    set_has_unk(model.network, tiny_vocabulary)
    with torch.no_grad():
        model.network.b_w[UNK] += 1000.0
    assert find_unk_steps(translate_sentence(model, TEXT)) == []


@pytest.mark.verdict
def test_unknown_words_are_copied_alone_and_in_batches(copier: TinyModel) -> None:
    """Every sentence numbers its unknown words for itself."""
    texts = normalise_all(["Kuopio reads Oulu.", TEXT, "The cat sleeps.", "Turku and Vaasa and Turku!!!!"])
    for settings in (Settings(), Settings(beam=3, n_best=2), Settings(sample=True, seed=2)):
        single_traces = [translate_n_best(copier, text, settings) for text in texts]
        batch_traces = list(translate(copier, texts, settings, batch_size=4))
        assert all(are_close_traces(*pair) for pairs in zip(single_traces, batch_traces, strict=True)
                   for pair in zip(*pairs, strict=True))  # fmt: skip
    size, copied = len(copier.vocabulary), 0
    for text, (trace,) in zip(texts, [translate_n_best(copier, text) for text in texts], strict=True):
        assert trace.source.text == text
        unknown = copier.vocabulary.find_unknown_words(text)
        expected_words = {word for step, word in zip(trace.steps, trace.target.word_of, strict=True) if step.id >= size}
        assert trace.copied_words == expected_words
        for step, word in zip(trace.steps, trace.target.word_of, strict=True):
            if step.id >= size:
                copied += 1
                assert trace.target.words[word].startswith(unknown[step.id - size])
                assert step.piece.removeprefix("\u2581") == unknown[step.id - size]
        assert Trace.from_json(trace.to_json()) == trace
    assert copied > 3


def test_given_translation_with_an_unknown_source_word(copier: TinyModel) -> None:
    """It is the copied word where the source has it; another unknown word is UNK and keeps its text."""
    trace = build_forced_trace(copier, TEXT, normalise("Oulu lit Rauma."))
    size = len(copier.vocabulary)
    assert trace.steps[0].id >= size
    assert (trace.steps[2].id, trace.target.words[2]) == (UNK, "Rauma")
    searched = translate_n_best(copier, TEXT, Settings(), prefix=normalise("Oulu"))[0]
    assert (searched.steps[0].id, searched.target.words[0]) == (trace.steps[0].id, "Oulu")
    np.testing.assert_allclose(searched.steps[0].log_probability, trace.steps[0].log_probability)


def test_word_model_is_saved_as_one(words: Vocabulary, tmp_path: Path) -> None:
    assert save_word_model(tmp_path / "one", build_unsure_network(words), words).has_unk
    loaded = checkpoint.load_model(tmp_path / "one")
    assert loaded.card.has_unk
    assert find_unk_steps(translate_sentence(loaded, TEXT))
