"""Tests of files of sentence pairs: names, forms, encodings and invalid files."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from model.text.corpus import prepare_corpora
from model.text.pair_files import PairFile, find_language_pair, find_pair_files, read_lines, read_pairs
from model.text.prepared import CorpusError
from tests.model.text.test_corpus import write_lines


def test_plain_training_text_is_read_line_by_line_and_other_tables_whole(tmp_path: Path) -> None:
    path = tmp_path / "plain.en-fr.tsv"
    path.write_bytes(b'"Hi" he said.\t"Salut" dit-il.\nno tab\n\na\tb\tc\n')
    lines = ['"Hi" he said.\t"Salut" dit-il.\n', "no tab\n", "\n", "a\tb\tc\n"]
    assert PairFile(path).read_lines_and_note() == (lines, "")
    for encoding in ("utf-8", "utf-16"):
        path = tmp_path / f"{encoding}.en-fr.tsv"
        path.write_bytes('fr\ten\r\n"Un ""chat"".\nDeux."\tA cat.\r\n\r\nVa.\tGo.\r\n'.encode(encoding))
        lines, note = PairFile(path).read_lines_and_note()
        assert lines == ['A cat.\tUn "chat". Deux.\n', "Go.\tVa.\n", "\n"]
        assert "separated by tabs, first line taken as header" in note
        assert read_pairs(path) == [("A cat.", 'Un "chat". Deux.'), ("Go.", "Va.")]
    compressed = tmp_path / "c.en-fr.tsv.xz"
    compressed.write_bytes(lzma.compress(b"It rains.\tIl pleut.\tCC-BY 2.0\n"))
    assert PairFile(compressed).read_lines_and_note()[0] == ["It rains.\tIl pleut.\n"]


def test_only_line_feeds_end_lines_and_hidden_files_are_ignored(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.tsv", ["one\u2028two\x0c\x85\tun\rdeux", "three\ttrois\r"])
    assert len(list(read_lines(tmp_path / "a.tsv"))) == 2
    assert read_pairs(tmp_path / "a.tsv") == [("one two", "un deux"), ("three", "trois")]
    (tmp_path / "marked.txt").write_bytes(b"\xef\xbb\xbf1-1 2p2\n\xef\xbb\xbfa\n")  # byte order mark
    assert list(read_lines(tmp_path / "marked.txt")) == ["1-1 2p2\n", "\ufeffa\n"]
    (tmp_path / "latin.tsv").write_bytes(b"a\tb\nc\tcaf\xe9\n")
    with pytest.raises(CorpusError, match=r"line 2 of .*latin\.tsv is not UTF-8 \(byte 6\)"):
        list(read_lines(tmp_path / "latin.tsv"))
    with pytest.raises(CorpusError, match=r"none\.tsv is missing"):
        list(read_lines(tmp_path / "none.tsv"))
    write_lines(tmp_path / "train/mine.en-fr.tsv", ["A cat.\tUn chat."])
    (tmp_path / "train/._mine.en-fr.tsv").write_bytes(b"\x00\x05Mac OS X")  # a hidden file of macOS
    assert find_pair_files(tmp_path, "train", ("en", "fr")).keys() == {"mine"}


@pytest.mark.parametrize(("name", "content", "message"), [
    ("a.tsv", b"a\tb\n" * 9000 + b"c\tcaf\xe9\n", r"a\.tsv is not UTF-8 text: line 9,001 holds the byte 0xE9"),
    ("a.tsv.xz", lzma.compress(b"a\tb\n" * 1000)[:-20], "cannot be read"),
])  # fmt: skip
def test_unreadable_file_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_pairs(path)


def test_empty_files_and_translations_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("\n")
    (tmp_path / "lacking.tsv").write_text("A cat.\tUn chat.\nA dog.\t \n")
    with pytest.raises(CorpusError, match=r"line 2 of .*lacking\.tsv has an empty translation; give one, or leave"):
        read_pairs(tmp_path / "lacking.tsv")
    with pytest.raises(CorpusError, match=r"empty\.tsv holds no sentence"):
        read_pairs(tmp_path / "empty.tsv")


@pytest.mark.parametrize("pair", [("zh-Hant-TW", "en"), ("en", "es-419"), ("sr-latn", "en-gb")])
def test_file_names_may_have_any_language_codes_and_brackets(pair: tuple[str, str], tmp_path: Path) -> None:
    write_lines(tmp_path / f"train/my.own[1].{'-'.join(pair)}.tsv", ["a\tb"])
    assert find_language_pair(tmp_path) == pair
    assert find_pair_files(tmp_path, "train", pair).keys() == {"my.own[1]"}


def test_folder_must_have_one_language_pair(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"holds no corpus: put its pairs, .* into train/NAME\.SRC-TGT\.tsv"):
        prepare_corpora(tmp_path, tmp_path / "out")
    for pair in ("en-fr", "en-ko"):
        write_lines(tmp_path / f"train/mine.{pair}.tsv", ["a\tb"])
    with pytest.raises(CorpusError, match=r"several pairs of languages \(en-fr, en-ko\); choose one with --languages"):
        prepare_corpora(tmp_path, tmp_path / "out")
    write_lines(tmp_path / "train/mine.fr-en.tsv", ["a\tb"])
    with pytest.raises(CorpusError, match=r"has both mine\.en-fr\.tsv and mine\.fr-en\.tsv; remove one of them"):
        prepare_corpora(tmp_path, tmp_path / "out", language_pair=("en", "fr"))
