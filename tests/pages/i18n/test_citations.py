"""Citations are written as the language of the interface writes them."""

import pytest

from pages.ui.i18n.citations import format_citation
from pages.ui.i18n.messages import load_messages


@pytest.mark.parametrize(("citation", "english", "korean"), [
    ("Cho et al. 2014, as in Bahdanau, Cho and Bengio 2015", "Cho et al. 2014, as in Bahdanau et al. 2015",
     "Cho 등 2014(Bahdanau 등 2015의 구성)"),
    ("Sutskever, Vinyals and Le 2014", "Sutskever et al. 2014", "Sutskever 등 2014"),
    ("Kudo and Richardson 2018", "Kudo and Richardson 2018", "Kudo·Richardson 2018"),
    ("Gage 1994", "Gage 1994", "Gage 1994"),
])  # fmt: skip
def test_authors_are_joined_by_the_words_of_the_language(citation: str, english: str, korean: str) -> None:
    assert [format_citation(citation, load_messages(language)) for language in ("en", "ko")] == [english, korean]
