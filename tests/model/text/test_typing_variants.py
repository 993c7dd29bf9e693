"""Tests of typing variants."""

from pathlib import Path

import pytest

from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.text.typing_variants import (
    KOREAN_TYPING_VARIANTS,
    TYPING_VARIANTS,
    change_style,
    read_typed_sentences,
    toggle_contractions,
)


@pytest.mark.parametrize(("text", "expected"), [
    ("I don't know.", "I do not know."),
    ("They've gone; I'm glad we're alone.", "They have gone; I am glad we are alone."),
    ("We'll see. Let's go!", "We will see. Let us go!"),
    ("It is here, there is none.", "It's here, there's none."),
    ("I cannot, I will not.", "I can't, I won't."),
    ("Yes, I am.", "Yes, I am."),  # not at the end of a sentence
    ("She's gone, he'd like it.", "She's gone, he'd like it."),  # is or has, would or had
])  # fmt: skip
def test_contractions_are_toggled(text: str, expected: str) -> None:
    assert toggle_contractions(text) == expected


def test_typing_variants_of_a_sentence() -> None:
    text = "Don't wake Bob!"
    assert {name: vary(text) for name, vary in TYPING_VARIANTS.items()} == {
        "no final stop": "Don't wake Bob", "lower case": "don't wake bob!", "capitals": "DON'T WAKE BOB!",
        "contractions": "Do not wake Bob!", "typographic apostrophes": "Don’t wake Bob!",
        "doubled spaces": "Don't  wake  Bob!"}  # fmt: skip


def test_typing_variants_of_a_korean_sentence() -> None:
    text = "저는 학교에서 수영할 수 있습니다."
    varied = {name: vary(text) for name, vary in KOREAN_TYPING_VARIANTS.items()}
    assert normalise(varied.pop("decomposed letters")) == normalise(varied.pop("full-width signs")) == text
    assert varied == {
        "no final stop": "저는 학교에서 수영할 수 있습니다", "auxiliaries joined": "저는 학교에서 수영할수있습니다.",
        "particles separate": "저는 학교 에서 수영할 수 있습니다.", "no spaces": "저는학교에서수영할수있습니다.",
        "another style": "저는 학교에서 수영할 수 있어요."}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [
    ("나는 갔다.", "나는 갔습니다."), ("나는 갔습니다", "나는 갔어요"), ("저는 갔어요!", "저는 갔다!"),
    ("저는 학생입니다.", "저는 학생이다."), ("비가 온다.", "비가 온다."), ("가요?", "가요?"),
])  # fmt: skip
def test_style_is_changed(text: str, expected: str) -> None:
    assert change_style(text) == expected


def test_variants_apply_to_the_two_hundred_shipped_sentences() -> None:
    sentences = read_typed_sentences()
    assert len(sentences) == 200
    assert all(sum(vary(text) != text for text in sentences) >= 80 for vary in TYPING_VARIANTS.values())
    normalised_away = [name for name, vary in TYPING_VARIANTS.items()
                       if all(normalise(vary(text)) == text for text in sentences)]  # fmt: skip
    assert normalised_away == ["typographic apostrophes", "doubled spaces"]


@pytest.mark.parametrize("content", ["", "A cat.\nA cat.\n", "A  cat.\n", "A cat.\n\nA dog.\n"])
def test_invalid_sentence_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "typed.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CodecError, match=r"typed\.txt must hold sentences in canonical form"):
        read_typed_sentences(path)
