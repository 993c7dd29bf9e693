"""Tests of the style of Korean sentences and the tags for it."""

from __future__ import annotations

import pytest

from model.text.normalise import normalise
from model.text.politeness import STYLES, add_tag, find_style, split_tag, tag_pair


@pytest.mark.parametrize(("korean", "style"), [
    ("나는 학생이다.", "plain"), ("비가 온다", "plain"), ("그는 어디에 갔는가?", "plain"),
    ("나는 학생이야.", "casual"), ("어디 가?", "casual"), ("뛰지 마.", "casual"), ("내일 만나자", "casual"),
    ("저는 학생이에요.", "polite"), ("그렇죠?", "polite"), ('"네, 좋아요."', "polite"), ("앉으세요!", "polite"),
    ("저는 학생입니다.", "formal"), ("어디에 갑니까?", "formal"), ("기다려 주십시오.", "formal"),
    ("갑시다!", "formal"), ("안녕하세요. 저는 민수예요.", "polite"), ("안녕하세요. 저는 민수입니다.", None),
    ("나는 학생이 아니다.", "plain"), ("학생이 아닙니다.", "formal"), ("비가 오니까.", "casual"),
    ("네.", "polite"), ("네!", "polite"), ("네. 감사합니다.", "formal"), ("아, 네.", "polite"),
    ("비가 오네.", "casual"), ("네. 비가 온다.", "plain"), ("노란 우산", None), ("", None), ("KTX", None),
])  # fmt: skip
def test_style_is_found_in_the_ending(korean: str, style: str | None) -> None:
    assert find_style(normalise(korean)) == style


def test_sources_are_tagged_with_the_style_of_the_target() -> None:
    pairs = [(normalise(f"I have {number} books."), normalise(f"책이 {number}권 있어요.")) for number in range(400)]
    tagged = [tag_pair(pair) for pair in pairs]
    assert {source for source, _ in tagged} <= {text for source, _ in pairs for text in (source, f"<polite> {source}")}
    assert 0.8 < sum(source.startswith("<polite> ") for source, _ in tagged) / len(tagged) < 0.9
    assert [target for _, target in tagged] == [target for _, target in pairs]
    assert tag_pair((normalise("A yellow umbrella"), normalise("노란 우산")))[0] == "A yellow umbrella"
    assert [add_tag(normalise("Yes."), style) for style in STYLES] == [
        "<plain> Yes.", "<casual> Yes.", "<polite> Yes.", "<formal> Yes."]  # fmt: skip


def test_tag_is_split_off() -> None:
    for style in STYLES:
        assert split_tag(add_tag(normalise("I read."), style)) == (style, "I read.")
    assert split_tag("<loud> I read.") == ("", "<loud> I read.")
