"""The interface uses the field's words: no text has one of the expressions that once stood for them."""

import re

import pytest

from pages.ui.i18n.messages import load_messages
from tests.pages.i18n.test_messages import get_raw_text

BANNED = {
    "en": r"\b(looks?|looked|looking) (at|back|away|where|mostly|along|as)\b|\blights? up\b|\bthe thread\b"
    r"|\bpieces?\b|\bthe family\b|\bgives? way\b|\bdice\b|\bdraw anew\b|\bchange places\b"
    r"|\bin the shares\b|\bpaper gr[ae]y\b|\bnowhere to\b|\bcan't be told\b|\bbeing born\b|\btaught\b|\blearnt\b",
    "ko": r"조각|지문|서명|의외성|보는 곳|본 곳|볼 곳|생산력|묻는 방법|되돌아보|켜집니다|켜진 채"
    r"|나란히 둘|맥락을 놓|논문 회색",
}


@pytest.mark.parametrize("language", BANNED)
def test_texts_use_the_terms_of_the_field(language: str) -> None:
    t, banned = load_messages(language), re.compile(BANNED[language], re.IGNORECASE)
    # A place such as {piece} is a name in the code.
    texts = {key: re.sub(r"\{[^}]+\}", "", get_raw_text(t, key)) for key in t}
    matches = {key: match[0] for key, text in texts.items() if (match := banned.search(text))}
    assert matches == {}
