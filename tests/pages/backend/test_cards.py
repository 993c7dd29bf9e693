"""The cards that pages use: read again when a file changes, the models that charts open on, styles of Korean."""

from dataclasses import replace
from pathlib import Path

import pytest

from model.checkpoints import model_folders
from model.checkpoints.checkpoint import save_checkpoint
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from tests.cards import build_card
from tests.networks import build_network


def test_a_model_that_is_trained_again_has_its_new_card(
    tiny_vocabulary: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(model_folders.ENVIRONMENT_VARIABLE, str(tmp_path))
    vocabulary = tmp_path / "vocabulary.model"
    tiny_vocabulary.save(vocabulary)
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 6, 6, 6, 4))
    for title in ("Old", "New"):
        save_checkpoint(tmp_path / "own", network, vocabulary, name="own", title=title, training={})
        assert cards.get_title("own") == title


def test_charts_open_on_the_models_of_subwords_of_the_default_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = [build_card("a", pieces=1), build_card("b"), build_card("c", "rnnencdec"), build_card("d", "rnnencdec")]
    other_cards = [build_card("e", "transformer"), replace(build_card("f"), has_unk=True)]
    monkeypatch.setattr(cards, "list_cards", lambda: (*other_cards, *defaults))
    assert cards.select_models_of_default_kinds([*"abcdef"]) == [*"abcd"]
    assert cards.select_models_of_default_kinds(["e"]) == ["e"]


def test_models_that_were_trained_with_style_tags_are_known_by_their_vocabulary() -> None:
    assert cards.has_style_tags("rnnsearch-en-ko")
    assert not cards.has_style_tags("rnnsearch-50")
    assert not cards.has_style_tags("unknown")


def test_the_models_of_the_paper_are_of_its_kinds_and_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    all_cards = (*cards.list_cards(), build_card("rnnsearch-korean", languages=("ko", "en")))
    monkeypatch.setattr(cards, "list_cards", lambda: all_cards)
    names = ["rnnencdec-50", "rnnsearch-50", "rnnsearch-korean", "transformer-50"]
    assert cards.select_paper_models(names) == ["rnnencdec-50", "rnnsearch-50"]
