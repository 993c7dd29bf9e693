"""The training corpora in the popover about the models."""

from dataclasses import replace

import pytest

from model.checkpoints.checkpoint import Card
from pages.ui.backend.cards import find_card
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets import controls


def build_trained_card(name: str, copies: object) -> Card:
    """Return a card of a model that was trained on corpora."""
    card = find_card(name)
    assert card is not None
    return replace(card, training={"recipe": {"data": {"copies": copies}}})


@pytest.mark.parametrize("language", LANGUAGES)
def test_models_with_the_same_corpora_share_a_paragraph(language: str) -> None:
    t = load_messages(language)
    corpora = {"europarl": 1, "mine": 1, "tatoeba-bare": 1, "tatoeba": 1, "names": 1, "places": 1}
    card = build_trained_card("rnnsearch-50", corpora)
    cards = [card, replace(card, title="Another")]
    names = ", ".join((t("corpus.europarl"), "mine", t("corpus.tatoeba"), t("corpus.synthetic")))
    assert controls.format_corpora(cards, t) == f"<p><small>{t('about.text_of_all', corpora=names)}</small></p>"
    paragraphs = controls.format_corpora([*cards, build_trained_card("rnnencdec-50", {"<b>": 1})], t)
    assert t("about.text", models=f"{card.title}, Another", corpora=names) in paragraphs
    assert "&lt;b&gt;" in paragraphs
    assert "<b>" not in paragraphs
    assert controls.format_corpora([build_trained_card("rnnencdec-50", {})], t) == ""
