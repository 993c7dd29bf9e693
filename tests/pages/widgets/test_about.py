"""What the popover says that models learnt from."""

from dataclasses import replace

import pytest

from model.checkpoints.checkpoint import Card, list_corpora
from pages.ui.backend.cards import find_card
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets import controls


def card(name: str, *copies: object) -> Card:
    """A card of a model that had a course on each of some corpora, the last one first."""
    found = find_card(name)
    assert found is not None
    training: dict[str, object] = {}
    for one in copies:
        training = {"recipe": {"data": {"copies": one}}, "from": {"training": training}}
    return replace(found, training=training)


def test_corpora_are_those_of_every_course_the_first_ones_first() -> None:
    made = card("rnnsearch-50", {"europarl": 1, "tatoeba": 4}, {"news-dev": 1, "europarl": 1})
    assert list_corpora(made.training) == ["europarl", "tatoeba", "news-dev"]
    assert list_corpora({}) == list_corpora({"recipe": []}) == list_corpora({"recipe": {"data": {"copies": [1]}}}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_models_with_the_same_text_are_told_of_together(language: str) -> None:
    t = load_messages(language)
    same = [card("rnnsearch-50", {"europarl": 1, "mine": 1, "tatoeba-bare": 1, "tatoeba": 1, "names": 1, "places": 1})]
    same.append(replace(same[0], title="Another"))
    told = controls._render_corpora(same, t)
    names = ", ".join((t("corpus.europarl"), "mine", t("corpus.tatoeba"), t("corpus.made")))
    assert told == f"<p><small>{t('about.text_of_all', corpora=names)}</small></p>"
    apart = controls._render_corpora([*same, card("rnnencdec-50", {"<b>": 1})], t)
    assert t("about.text", models=f"{same[0].title}, Another", corpora=names) in apart
    assert "&lt;b&gt;" in apart
    assert "<b>" not in apart
    assert controls._render_corpora([card("rnnencdec-50")], t) == ""
