"""Check the lists of everyday sentences and what they accept."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from model.text.everyday_sentences import (
    DEFAULT_FILE,
    LISTS,
    EverydayError,
    EverydaySentence,
    expand_pattern,
    find_seen_sentences,
    read_everyday,
    record_unseen,
)


def test_patterns_are_expanded() -> None:
    assert expand_pattern("[Le|Un] chat [|gris ]dort") == ["Le chat dort", "Le chat gris dort", "Un chat dort",
                                                   "Un chat gris dort"]
    for broken in ("[Le|Un chat", "Le] chat", "[Le [petit|gros]|Un] chat"):
        with pytest.raises(EverydayError, match="must be paired and not nested"):
            expand_pattern(broken)


@pytest.mark.parametrize(("output", "is_accepted"), [
    ("Comment t'appelles-tu?", True),
    ("comment t\u2019appelles-tu", True),
    ("Comment vous appelez-vous...", True),
    ("Comment T'appelles-tu?", False),  # only the first letter's case is free
    ("Comment t'appelles-tu, Paul?", False),
])  # fmt: skip
def test_accepted_translations(output: str, is_accepted: bool) -> None:
    sentence = EverydaySentence("What is your name?", True, ("Comment [t'appelles-tu|vous appelez-vous]?",))
    assert sentence.accepts(output) is is_accepted


def write_corpora(folder: Path, **corpora: str) -> Path:
    (folder / "train").mkdir()
    for name, content in corpora.items():
        (folder / "train" / f"{name}.tsv.xz").write_bytes(lzma.compress(content.encode()))
    return folder


def test_sentences_in_the_training_text_are_found(tmp_path: Path) -> None:
    folder = write_corpora(tmp_path, one="The cat sleeps\tLe chat dort\nA dog.\tUn chien.\n",
                   two="i don\u2019t KNOW!\tJe ne sais pas.\nNothing\tA bird.\n")
    sentences = ["The cat sleeps.", "A dog.", "I don't know.", "A bird.", "The cat sleeps well."]
    seen_sentences, files = find_seen_sentences(folder, sentences)
    assert seen_sentences == {"The cat sleeps.", "A dog.", "I don't know."}  # "A bird." is only on the French side
    assert list(files) == ["one.tsv.xz", "two.tsv.xz"]
    (folder / "train" / "turned.fr-en.tsv").write_text("Un oiseau.\tA bird.\n", "utf-8")
    assert find_seen_sentences(folder, sentences)[0] == {"The cat sleeps.", "A dog.", "I don't know.", "A bird."}
    with pytest.raises(EverydayError, match="holds no training text"):
        find_seen_sentences(tmp_path / "train", sentences)


def test_unseen_sentences_are_marked_in_the_file(tmp_path: Path) -> None:
    assert [len(read_everyday(path)) for path in LISTS.values()] == [40, 60]
    copy = tmp_path / "everyday.json"
    copy.write_bytes(DEFAULT_FILE.read_bytes())
    old_sentences = read_everyday(copy)
    folder = write_corpora(tmp_path, all="".join(f"{item.source}\tquelque chose\n" for item in old_sentences[:7]))
    with copy.open("rb") as reading:
        assert record_unseen(folder, copy) == 33
        assert reading.read() == DEFAULT_FILE.read_bytes()  # atomic: an open file keeps its content
    new_sentences = read_everyday(copy)
    assert [item.unseen for item in new_sentences] == [False] * 7 + [True] * 33
    for new_sentence, old_sentence in zip(new_sentences, old_sentences, strict=True):
        assert (new_sentence.source, new_sentence.accepted) == (old_sentence.source, old_sentence.accepted)
    assert list(json.loads(copy.read_text(encoding="utf-8"))["training_text"]) == ["all.tsv.xz"]


@pytest.mark.parametrize("content", [
    "[]", "[" * 100_000, '{"schema": 2, "sentences": [{"source": "a", "accepted": ["b"], "unseen": true}]}',
    '{"schema": 1, "sentences": [{"source": "a", "accepted": [], "unseen": true}]}',
])  # fmt: skip
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "file.json").write_text(content)
    with pytest.raises(EverydayError, match=r"file\.json holds no everyday sentences of schema 1"):
        read_everyday(tmp_path / "file.json")
    with pytest.raises(EverydayError, match="cannot be read"):
        read_everyday(tmp_path / "missing.json")
