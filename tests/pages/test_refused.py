"""What no model can take, by links: the page says so and goes on."""

from __future__ import annotations

from typing import get_args

import pytest

from model.decoding.translate import SentenceProblem
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets.present import describe_sentence_error
from tests.pages.test_many_maps import PAGES, SAY, list_drawn_data, open_page, transformer_model

__all__ = ["transformer_model"]  # the model that the app finds here


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(SentenceProblem))
def test_every_problem_of_a_sentence_has_its_words(kind: str, language: str) -> None:
    told = describe_sentence_error(kind, 7, 5, "en", load_messages(language))
    assert "{" not in told
    assert ("7" in told and "5" in told) or kind == "empty"


@pytest.mark.parametrize("page", PAGES)
def test_a_beginning_that_leaves_nothing_to_write_is_refused_and_the_sentence_translated(page: str) -> None:
    app = open_page(page, f"p{'.'.join(['5'] * 200)}")
    (alert,) = [node.proto.body for node in app.get("html") if node.proto.body.startswith('<p role="alert"')]
    assert "200" in alert
    assert list_drawn_data(app)
    app.run()
    assert not app.exception
    assert "edits" not in app.query_params
    assert not [node for node in app.get("html") if node.proto.body.startswith('<p role="alert"')]


def test_a_letter_that_is_blank_is_no_sentence_by_itself() -> None:
    app = open_page("translate", sentence="The cat sleeps.\n\u3164", apart="1")
    assert SAY("doubt.apart", count=2) not in "".join(node.proto.body for node in app.get("html"))


def test_a_sentence_that_begins_with_signs_alone_grows_from_its_first_word() -> None:
    (data,) = [
        one
        for one in list_drawn_data(open_page("compare", sentence="- - - - milk eggs bread butter", grown="1"))
        if "stages" in one
    ]
    assert len(data["stages"]) == 1
