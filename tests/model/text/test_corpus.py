"""From files to arrays: a small folder of corpora, prepared whole, and every way in which its files can be wrong."""

import dataclasses
import hashlib
import json
import lzma
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from model.text.cleaning import Limits
from model.text.control_file import ControlFile, CorpusSettings, load_control
from model.text.corpus import PreparationSummary, _open_pool, prepare_corpora
from model.text.pair_files import find_pair_files, match_pair_files, read_lines, read_pairs
from model.text.prepared import CorpusError, EncodedCorpus, encode_pairs
from model.text.vocabulary import EOS, Vocabulary, VocabularyError
from tests.canonical import normalise_all, normalise_pairs

Pairs = list[tuple[str, str]]
Stages = list[tuple[str, int, int]]


def shipped(held_out: int = 5) -> ControlFile:
    """The shipped control file with smaller sizes and nothing else changed."""
    control = load_control("shipped")
    replaced = dataclasses.replace
    corpora = {
        "tatoeba": replaced(control.corpora["tatoeba"], vocabulary_copies=1, held_out=held_out),
        "europarl": replaced(control.corpora["europarl"], vocabulary_pairs=40),
    }
    vocabulary = replaced(control.vocabulary, size=600)
    return replaced(control, corpora=corpora, vocabulary=vocabulary, limits=Limits(pieces=60))


CONTROL = shipped()
SEEN_IN_TEST = ("The two sentences of the test must not be learnt.", "Les deux phrases du test sont interdites.")


def write_lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(text) if path.suffix == ".xz" else text)


def format_lines(pairs: Pairs) -> list[str]:
    return ["\t".join(pair) for pair in pairs]


@pytest.fixture(scope="module")
def folder(sentences: Pairs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the real one: Tatoeba is the sixty pairs, Europarl two of them a line, with some bad lines."""
    folder = tmp_path_factory.mktemp("data")
    two = [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(sentences, sentences[1:] + sentences[:1], strict=True)]
    development = [(f"{a} Yes, {c}", f"{b} Oui, {d}") for (a, b), (c, d) in zip(sentences, sentences[7:], strict=False)]
    write_lines(folder / "train/tatoeba.en-fr.tsv.xz", format_lines([*sentences, *sentences[:2]]))
    write_lines(
        folder / "train/europarl.en-fr.tsv.xz",
        [
            *format_lines(two[:50]),
            "- (FR) Mr President, the cat sleeps.\tMonsieur le Président, le chat dort.",
            *(f"{SEEN_IN_TEST[0].upper()}!\t{SEEN_IN_TEST[1]}", "\t".join(development[0])),
            "Thank you.\tMerci.",  # in the test file too, but a phrase anyone says
            *("no tab", "\tvide", f"{'cat ' * 81}\tchat", "a\t" + "b " * 7, "42\t42", "x" * 100 + "\ty"),
            *format_lines(two[:1]),
        ],
    )
    for number, name in enumerate(("europarl-2000q4", "newstest2012", "newstest2013")):
        write_lines(folder / f"dev/{name}.en-fr.tsv", format_lines(development[number * 4 : number * 4 + 4]))
    write_lines(folder / "test/newstest2014.en-fr.tsv", ["\t".join(SEEN_IN_TEST), "Thank you.\tMerci."])
    write_lines(folder / "test/other.en-fr.tsv.xz", ["One more sentence that is in a test.\tEncore une."])
    return folder


@pytest.fixture(scope="module")
def prepared(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PreparationSummary, Stages]:
    out = tmp_path_factory.mktemp("out") / "new"
    seen: Stages = []
    summary = prepare_corpora(folder, out, CONTROL, progress=lambda *stage: seen.append(stage))
    return out, summary, seen


def read_prepared(out: Path, name: str) -> Pairs:
    """The pairs of a prepared corpus, decoded."""
    vocabulary, encoded = Vocabulary.load(out / "vocabulary.model"), EncodedCorpus.load(out / f"{name}.npz")
    sides: list[list[str]] = []
    for ids, offsets in ((encoded.source, encoded.source_offsets), (encoded.target, encoded.target_offsets)):
        sides.append([vocabulary.decode(ids[start:end]) for start, end in pairwise(offsets)])
    return list(zip(*sides, strict=True))


def test_what_is_written(prepared: tuple[Path, PreparationSummary, object]) -> None:
    out, summary, _ = prepared
    corpora = {"europarl.npz", "tatoeba.npz", "tatoeba-bare.npz"}
    development = {f"dev-{name}.tsv" for name in ("europarl", "tatoeba", "newstest2012", "newstest2013")}
    assert {path.name for path in out.iterdir()} == corpora | development | {"vocabulary.model", "meta.json"}
    assert summary.vocabulary == len(Vocabulary.load(out / "vocabulary.model")) == 600
    assert summary.development == {"europarl": 4, "newstest2012": 4, "newstest2013": 4, "tatoeba": 5}
    assert summary.missing == ()


BEFORE = {
    "dev-europarl.tsv": "1ec48f33760e", "dev-newstest2012.tsv": "97a75e0ffe15", "dev-newstest2013.tsv": "61d02a63b688",
    "dev-tatoeba.tsv": "1ca19abfd381", "europarl.npz": "9d62df9eeea0", "tatoeba-bare.npz": "a7c363ec192f",
    "tatoeba.npz": "f8cf01a389ec", "vocabulary.model": "686623ac9c26",
}  # fmt: skip
"""Checksums of what the program of commit a230b8a, which had no control files, made of this folder."""


def test_the_control_file_makes_what_was_made_before_there_were_any(
    prepared: tuple[Path, PreparationSummary, object],
) -> None:
    out, _, _ = prepared
    made = {name: hashlib.sha256((out / name).read_bytes()).hexdigest()[:12] for name in BEFORE}
    assert made == BEFORE


def test_the_arrays_hold_the_sentences(prepared: tuple[Path, PreparationSummary, object], sentences: Pairs) -> None:
    out, summary, _ = prepared
    held_out = read_pairs(out / "dev-tatoeba.tsv")
    assert read_prepared(out, "tatoeba") == [pair for pair in sentences if pair not in held_out]
    encoded = EncodedCorpus.load(out / "tatoeba.npz")
    assert len(encoded) == 55 == summary.corpora["tatoeba"].kept
    assert (encoded.source.dtype, encoded.source_offsets.dtype, encoded.source_words.dtype) == (
        np.uint16, np.int64, np.uint16,
    )  # fmt: skip
    assert (encoded.source[encoded.source_offsets[1:] - 1] == EOS).all()
    assert (encoded.target[encoded.target_offsets[1:] - 1] == EOS).all()
    assert (encoded.source == EOS).sum() == (encoded.target == EOS).sum() == 55
    assert list(encoded.source_words) == [len(source.split()) for source, _ in read_prepared(out, "tatoeba")]
    assert list(encoded.target_words) == [len(target.split()) for _, target in read_prepared(out, "tatoeba")]


def test_every_refusal_is_counted(prepared: tuple[Path, PreparationSummary, object]) -> None:
    _, summary, _ = prepared
    europarl = summary.corpora["europarl"]
    assert europarl.refused == {
        "not two fields": 1, "empty": 1, "too many words": 1, "lengths too unlike": 1, "mostly not letters": 1,
        "too many pieces": 1, "duplicate": 1, "in a development or test file": 2,
    }  # fmt: skip
    assert (europarl.read, europarl.kept) == (61, 52)
    for corpus in summary.corpora.values():
        assert corpus.read == corpus.kept + sum(corpus.refused.values())
    assert summary.corpora["tatoeba"].read == 62
    assert sum(summary.corpora["tatoeba"].refused.values()) == 7


def test_nothing_of_development_and_test_is_learnt(prepared: tuple[Path, PreparationSummary, object]) -> None:
    out, _, _ = prepared
    learnt = {source.casefold().rstrip("!.") for name in ("tatoeba", "europarl") for source, _ in read_prepared(out, name)}
    assert SEEN_IN_TEST[0].casefold().rstrip(".") not in learnt
    for path in out.glob("dev-*.tsv"):
        for source, _ in read_pairs(path):
            assert source.casefold().rstrip("!.") not in learnt
    assert ("Thank you.", "Merci.") in read_prepared(out, "europarl")
    assert ("Mr President, the cat sleeps.", "Monsieur le Président, le chat dort.") in read_prepared(out, "europarl")


def test_held_out_sentences_leave_with_all_their_translations(sentences: Pairs, folder: Path, tmp_path: Path) -> None:
    for part in ("dev", "test"):
        (tmp_path / part).symlink_to(folder / part)
    again = [(source, f"{target} Voilà.") for source, target in sentences]
    write_lines(tmp_path / "train/tatoeba.en-fr.tsv.xz", format_lines([*sentences, *again]))
    write_lines(tmp_path / "train/europarl.en-fr.tsv.xz", format_lines(sentences))
    prepare_corpora(tmp_path, tmp_path / "out", shipped(held_out=20))
    held_out = read_pairs(tmp_path / "out/dev-tatoeba.tsv")
    assert len(held_out) == 20
    assert set(held_out) < set(sentences), "the first translation of each"
    hidden = {source for source, _ in held_out}
    learnt = {source for source, _ in read_prepared(tmp_path / "out", "tatoeba")}
    assert learnt == {source for source, _ in sentences} - hidden
    long = {source for source in hidden if len(source.split()) > 5}
    assert long, "the hash must have chosen some"
    assert long < hidden
    assert {source for source, _ in read_prepared(tmp_path / "out", "europarl")} == {source for source, _ in sentences} - long


def test_bare_is_the_same_pairs_typed_in_haste(prepared: tuple[Path, PreparationSummary, object]) -> None:
    out, _, _ = prepared
    full, haste = read_prepared(out, "tatoeba"), read_prepared(out, "tatoeba-bare")
    assert len(full) == len(haste)
    for before, after in zip(full, haste, strict=True):
        for side in (0, 1):
            assert after[side].casefold() == before[side].removesuffix(".").casefold()
    assert any(source.startswith("the ") for source, _ in haste)
    assert not any(source.startswith("i ") for source, _ in haste)


def test_meta_says_what_was_done(prepared: tuple[Path, PreparationSummary, object], folder: Path) -> None:
    out, summary, _ = prepared
    meta = json.loads((out / "meta.json").read_text(encoding="utf-8"))
    assert meta["control"]["limits"] == dataclasses.asdict(CONTROL.limits)
    assert meta["corpora"]["europarl"]["kept"] == 52
    assert len(meta["inputs"]) == 7
    for name, digest in meta["inputs"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert meta["vocabulary_sha256"] == hashlib.sha256((out / "vocabulary.model").read_bytes()).hexdigest()
    assert not any(str(path) in json.dumps(meta) for path in (folder, out))
    assert summary.inputs == meta["inputs"]


def test_progress_reaches_the_end_of_every_stage(prepared: tuple[Path, PreparationSummary, Stages]) -> None:
    last = {stage: (done, total) for stage, done, total in prepared[2]}
    assert list(last) == ["cleaning tatoeba", "cleaning europarl", "training the vocabulary", "encoding"]
    assert all(done == total > 0 for done, total in last.values())


def test_the_result_does_not_depend_on_the_number_of_workers(
    prepared: tuple[Path, PreparationSummary, object], folder: Path, tmp_path: Path
) -> None:
    prepare_corpora(folder, tmp_path, CONTROL, workers=2)
    for path in prepared[0].iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_missing_files_are_all_named(folder: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "train/europarl.en-fr.tsv.xz", [])
    message = r"lacks train/tatoeba\.en-fr\.tsv, dev/europarl.*, dev/newstest2012.*, dev/newstest2013"
    with pytest.raises(CorpusError, match=message):
        prepare_corpora(tmp_path, tmp_path / "out", CONTROL)
    assert not (tmp_path / "out").exists()


def test_missing_test_files_are_said(folder: Path, tmp_path: Path) -> None:
    for part in ("train", "dev"):
        (tmp_path / part).symlink_to(folder / part)
    summary = prepare_corpora(tmp_path, tmp_path / "out", CONTROL)
    assert summary.missing == ("test/*.en-fr.tsv",)
    assert summary.corpora["europarl"].refused["in a development or test file"] == 1


def test_each_missing_test_file_is_said(folder: Path, tmp_path: Path) -> None:
    asked = dataclasses.replace(CONTROL, avoid=("test/newstest*", "test/elsewhere*"))
    assert prepare_corpora(folder, tmp_path / "out", asked).missing == ("test/elsewhere*.en-fr.tsv",)


def test_sentences_without_spaces_are_kept_out_and_counted_as_long_ones_are(sentences: Pairs, tmp_path: Path) -> None:
    """In Japanese two letters count as a word, for what is held out and for the longest sentence of a training."""
    pairs = [("".join(chr(0x3042 + ord(sign) % 32) for sign in a if sign.isalpha()), b) for a, b in sentences]
    phrase = ("はい", "Oui.")
    write_lines(tmp_path / "train/mine.ja-fr.tsv", format_lines([*pairs, phrase]))
    write_lines(tmp_path / "test/any.ja-fr.tsv", format_lines([pairs[3], pairs[9], phrase]))
    small = dataclasses.replace(CONTROL.vocabulary, size=420, alphabet=False)
    control = ControlFile({"mine": CorpusSettings()}, vocabulary=small, limits=Limits(ratio=9.0))
    summary = prepare_corpora(tmp_path, tmp_path / "out", control)
    assert summary.corpora["mine"].refused == {"in a development or test file": 2, "too many pieces": 0}
    kept = [*pairs[:3], *pairs[4:9], *pairs[10:], phrase]
    assert read_prepared(tmp_path / "out", "mine") == kept
    encoded = EncodedCorpus.load(tmp_path / "out/mine.npz")
    assert list(encoded.source_words) == [(len(source) + 1) // 2 for source, _ in kept]
    assert list(encoded.target_words) == [len(target.split()) for _, target in kept]


def test_whole_words_of_a_language_without_spaces_are_refused(sentences: Pairs, tmp_path: Path) -> None:
    """What stands between its signs would be a word, and nearly all of it unknown."""
    write_lines(tmp_path / "train/mine.en-zh.tsv", [f"{source}\t老师说学生们在学校学习中文。" for source, _ in sentences])
    with pytest.raises(VocabularyError, match="no spaces tell the words of zh apart"):
        prepare_corpora(tmp_path, tmp_path / "out", vocabulary_kind="word", vocabulary_size=400)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"caf\xe9\tcat\n", r"a\.tsv is not UTF-8 text: line 1 holds the byte 0xE9"),
        ("a.tsv", b"a\tb\n" * 9000 + b"c\tcaf\xe9\n", r"is not UTF-8 text: line 9,001 holds the byte 0xE9"),
        ("a.tsv.xz", lzma.compress(b"a\tb\n" * 9000 + b"c\tcaf\xe9\n"), r"line 9,001 holds the byte 0xE9"),
        ("a.tsv.xz", b"not compressed", "cannot be read"),
        ("a.tsv.xz", lzma.compress(b"a\tb\n" * 1000)[:-20], "cannot be read"),
        ("a.tsv", b"a\tb\nno tab\n", r"a\.tsv has another number of columns at line 2 \(1\)"),
        ("a.tsv", b"a\tb\tc\n", r"a\.tsv has 3 columns"),
    ],
)
def test_files_that_cannot_be_read_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_pairs(path)


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.tsv", ["one\u2028two\x0c\x85\tun\rdeux", "three\ttrois\r"])
    assert len(list(read_lines(tmp_path / "a.tsv"))) == 2
    assert read_pairs(tmp_path / "a.tsv") == [("one two", "un deux"), ("three", "trois")]
    with pytest.raises(CorpusError, match=r"none\.tsv is missing"):
        list(read_lines(tmp_path / "none.tsv"))


def test_the_mark_that_a_file_may_begin_with_is_no_part_of_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf1-1 2p2\n\xef\xbb\xbfa\n")
    assert list(read_lines(tmp_path / "a.txt")) == ["1-1 2p2\n", "\ufeffa\n"]


def test_pairs_with_too_many_pieces_are_left_out(
    tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [("a cat", "un chat"), ("😀" * 30, "un"), ("un", "😀" * 30), ("The cat", "Le chat")]
    encoded, too_long = encode_pairs(tiny_vocabulary, normalise_pairs(pairs), max_length=20)
    assert (len(encoded), too_long) == (2, 2)
    kept = normalise_all(["a cat", "The cat"])
    assert encoded.source.tolist() == [index for text in kept for index in tiny_vocabulary.encode(text)]
    monkeypatch.setattr("model.text.prepared.PAIRS_PER_CHUNK", 2)
    again, left_out = encode_pairs(tiny_vocabulary, normalise_pairs(pairs), max_length=20)
    assert left_out == too_long
    for name, values in vars(encoded).items():
        np.testing.assert_array_equal(getattr(again, name), values)
        assert getattr(again, name).dtype == values.dtype
    nothing, _ = encode_pairs(tiny_vocabulary, [], max_length=20)
    assert len(nothing) == 0


def test_arrays_that_contradict_each_other_are_refused(tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    encoded, _ = encode_pairs(
        tiny_vocabulary, normalise_pairs([("a cat", "un chat"), ("a dog", "un chien")]), max_length=20
    )
    with pytest.raises(CorpusError, match="2 pairs need as many target lengths, but there are 1"):
        dataclasses.replace(encoded, target_words=encoded.target_words[:1])
    with pytest.raises(CorpusError, match="source offsets do not divide the 1 ids"):
        dataclasses.replace(encoded, source=encoded.source[:1])
    encoded.save(tmp_path / "a.npz")
    again = EncodedCorpus.load(tmp_path / "a.npz")
    assert all((getattr(again, name) == array).all() for name, array in vars(encoded).items())
    with pytest.raises(CorpusError, match=r"none\.npz cannot be read; prepare it first"):
        EncodedCorpus.load(tmp_path / "none.npz")
    for number, content in enumerate((b"", b"PK\x03\x04broken", b"\x93NUMPY", b"cos\nsystem\n(S'id'\ntR.")):
        path = tmp_path / f"{number}.npz"
        path.write_bytes(content)
        with pytest.raises(CorpusError, match="not a prepared corpus"):
            EncodedCorpus.load(path)
    np.savez(tmp_path / "other.npz", source=np.zeros(3))
    with pytest.raises(CorpusError, match="not a prepared corpus"):
        EncodedCorpus.load(tmp_path / "other.npz")


def _ended(chunk: object) -> object:
    os._exit(1)


def test_a_worker_that_is_ended_is_said() -> None:
    with pytest.raises(CorpusError, match="one of the 2 processes that clean was ended"), _open_pool(2) as mapped:
        list(mapped(_ended, [1, 2, 3]))


def test_what_macos_puts_beside_files_of_other_disks_is_no_corpus(tmp_path: Path) -> None:
    for name in ("mine.en-fr.tsv", "yours.en-fr.tsv.xz"):
        write_lines(tmp_path / "train" / name, ["A cat.\tUn chat."])
        (tmp_path / "train" / f"._{name}").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X")
    assert {pair.path.name for pair in match_pair_files(tmp_path, ["train/*"], ("en", "fr"))} == {
        "mine.en-fr.tsv", "yours.en-fr.tsv.xz"}  # fmt: skip
    assert find_pair_files(tmp_path, "train", ("en", "fr")).keys() == {"mine", "yours"}
