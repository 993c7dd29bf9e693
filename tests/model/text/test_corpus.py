"""Tests of data preparation: a small folder of corpora, and missing or invalid files."""

import dataclasses
import hashlib
import json
import lzma
import os
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from model.text.cleaning import PairLimits, make_match_key
from model.text.control_file import ControlFile, CorpusSettings, load_control
from model.text.corpus import PreparationSummary, open_pool, prepare_corpora
from model.text.pair_files import read_pairs
from model.text.prepared import CorpusError, EncodedCorpus, encode_pairs
from model.text.vocabulary import Vocabulary, VocabularyError
from tests.canonical import normalise_all, normalise_pairs

Pairs = list[tuple[str, str]]
Stages = list[tuple[str, int, int]]
PreparedCorpora = tuple[Path, PreparationSummary, Stages]


def build_small_shipped_control(held_out: int = 5) -> ControlFile:
    """Return the shipped control file with smaller sizes."""
    control = load_control("shipped")
    corpora = {
        "tatoeba": dataclasses.replace(control.corpora["tatoeba"], vocabulary_copies=1, held_out=held_out),
        "europarl": dataclasses.replace(control.corpora["europarl"], vocabulary_pairs=40),
    }
    vocabulary = dataclasses.replace(control.vocabulary, size=600)
    return dataclasses.replace(control, corpora=corpora, vocabulary=vocabulary, limits=PairLimits(pieces=60))


CONTROL = build_small_shipped_control()
TEST_PAIR = ("The two sentences of the test must not be learnt.", "Les deux phrases du test sont interdites.")


def write_lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(text) if path.suffix == ".xz" else text)


def format_lines(pairs: Pairs) -> list[str]:
    return ["\t".join(pair) for pair in pairs]


@pytest.fixture(scope="module")
def folder(sentences: Pairs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder like the shipped data: Tatoeba has the sixty pairs, Europarl two in each line and bad lines."""
    folder = tmp_path_factory.mktemp("data")
    double = [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(sentences, sentences[1:] + sentences[:1], strict=True)]
    development = [(f"{a} Yes, {c}", f"{b} Oui, {d}") for (a, b), (c, d) in zip(sentences, sentences[7:], strict=False)]
    write_lines(folder / "train/tatoeba.en-fr.tsv.xz", format_lines([*sentences, *sentences[:2]]))
    write_lines(
        folder / "train/europarl.en-fr.tsv.xz",
        [
            *format_lines(double[:50]),
            "- (FR) Mr President, the cat sleeps.\tMonsieur le Président, le chat dort.",
            *(f"{TEST_PAIR[0].upper()}!\t{TEST_PAIR[1]}", "\t".join(development[0])),
            "Thank you.\tMerci.",  # in the test file too, but short enough
            *("no tab", "\tvide", f"{'cat ' * 81}\tchat", "a\t" + "b " * 7, "42\t42", "x" * 100 + "\ty"),
            *format_lines(double[:1]),
        ],
    )
    for number, name in enumerate(("europarl-2000q4", "newstest2012", "newstest2013")):
        write_lines(folder / f"dev/{name}.en-fr.tsv", format_lines(development[number * 4 : number * 4 + 4]))
    write_lines(folder / "test/newstest2014.en-fr.tsv", ["\t".join(TEST_PAIR), "Thank you.\tMerci."])
    write_lines(folder / "test/other.en-fr.tsv.xz", ["One more sentence that is in a test.\tEncore une."])
    return folder


@pytest.fixture(scope="module")
def prepared_corpora(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> PreparedCorpora:
    out_dir = tmp_path_factory.mktemp("out") / "new"
    stages: Stages = []
    summary = prepare_corpora(folder, out_dir, CONTROL, progress=lambda *stage: stages.append(stage))
    return out_dir, summary, stages


def read_prepared(out_dir: Path, name: str) -> Pairs:
    """Return the decoded pairs of a prepared corpus."""
    vocabulary, encoded = Vocabulary.load(out_dir / "vocabulary.model"), EncodedCorpus.load(out_dir / f"{name}.npz")
    sides: list[list[str]] = []
    for ids, offsets in ((encoded.source, encoded.source_offsets), (encoded.target, encoded.target_offsets)):
        sides.append([vocabulary.decode(ids[start:end]) for start, end in pairwise(offsets)])
    return list(zip(*sides, strict=True))


def read_sources(out_dir: Path, name: str) -> set[str]:
    return {source for source, _ in read_prepared(out_dir, name)}


@pytest.mark.verdict
def test_files_are_described(prepared_corpora: PreparedCorpora, folder: Path) -> None:
    out_dir, summary, stages = prepared_corpora
    assert {path.name for path in out_dir.iterdir()} == {
        "dev-europarl.tsv", "dev-newstest2012.tsv", "dev-newstest2013.tsv", "dev-tatoeba.tsv", "europarl.npz",
        "tatoeba-bare.npz", "tatoeba.npz", "vocabulary.model", "meta.json"}  # fmt: skip
    assert summary.development == {"europarl": 4, "newstest2012": 4, "newstest2013": 4, "tatoeba": 5}
    assert summary.missing == ()
    meta = json.loads((out_dir / "meta.json").read_text(encoding="utf-8"))
    assert meta["control"]["limits"] == dataclasses.asdict(CONTROL.limits)
    assert meta["corpora"]["europarl"]["kept"] == 52
    assert meta["inputs"] == {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in meta["inputs"]}
    assert len(meta["inputs"]) == 7
    assert meta["vocabulary_sha256"] == hashlib.sha256((out_dir / "vocabulary.model").read_bytes()).hexdigest()
    assert not any(str(path) in json.dumps(meta) for path in (folder, out_dir))
    last_progress = {stage: (finished_count, total) for stage, finished_count, total in stages}
    assert list(last_progress) == ["cleaning tatoeba", "cleaning europarl", "training the vocabulary", "encoding"]
    assert all(finished_count == total > 0 for finished_count, total in last_progress.values())


def test_arrays_hold_the_sentences(prepared_corpora: PreparedCorpora, sentences: Pairs) -> None:
    out_dir, summary, _ = prepared_corpora
    held_out = read_pairs(out_dir / "dev-tatoeba.tsv")
    pairs = read_prepared(out_dir, "tatoeba")
    assert pairs == [pair for pair in sentences if pair not in held_out]
    encoded = EncodedCorpus.load(out_dir / "tatoeba.npz")
    assert len(encoded) == 55 == summary.corpora["tatoeba"].kept
    assert list(encoded.source_words) == [len(source.split()) for source, _ in pairs]
    assert list(encoded.target_words) == [len(target.split()) for _, target in pairs]


def test_rejected_pairs_are_counted_by_reason(prepared_corpora: PreparedCorpora) -> None:
    corpora = prepared_corpora[1].corpora
    assert corpora["europarl"].rejected == {
        "not two fields": 1, "empty": 1, "too many words": 1, "lengths too unlike": 1, "mostly not letters": 1,
        "too many tokens": 1, "duplicate": 1, "in a development or test file": 2,
    }  # fmt: skip
    assert (corpora["europarl"].read, corpora["europarl"].kept, corpora["tatoeba"].read) == (61, 52, 62)
    assert {"Thank you.", "Mr President, the cat sleeps."} <= read_sources(prepared_corpora[0], "europarl")


def test_held_out_sources_leave_with_all_their_translations(sentences: Pairs, folder: Path, tmp_path: Path) -> None:
    for part in ("dev", "test"):
        (tmp_path / part).symlink_to(folder / part)
    second_translations = [(source, f"{target} Voilà.") for source, target in sentences]
    write_lines(tmp_path / "train/tatoeba.en-fr.tsv.xz", format_lines([*sentences, *second_translations]))
    write_lines(tmp_path / "train/europarl.en-fr.tsv.xz", format_lines(sentences))
    prepare_corpora(tmp_path, tmp_path / "out", build_small_shipped_control(held_out=20))
    held_out = read_pairs(tmp_path / "out/dev-tatoeba.tsv")
    assert len(held_out) == 20
    assert set(held_out) < set(sentences)  # the first translation of each
    sources, held_out_sources = {source for source, _ in sentences}, {source for source, _ in held_out}
    assert read_sources(tmp_path / "out", "tatoeba") == sources - held_out_sources
    long = {source for source in held_out_sources if len(source.split()) > 5}
    assert set() < long < held_out_sources
    assert read_sources(tmp_path / "out", "europarl") == sources - long


def test_bare_corpus_has_the_same_pairs_without_capitals_and_stops(prepared_corpora: PreparedCorpora) -> None:
    pairs, bare_pairs = (read_prepared(prepared_corpora[0], name) for name in ("tatoeba", "tatoeba-bare"))
    for pair, bare in zip(pairs, bare_pairs, strict=True):
        assert [side.casefold() for side in bare] == [side.removesuffix(".").casefold() for side in pair]
    assert any(source.startswith("the ") for source, _ in bare_pairs)
    assert not any(source.startswith("i ") for source, _ in bare_pairs)


def test_vocabulary_reads_as_many_bare_pairs_at_most(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(lines: Iterable[str], *_: object, **__: object) -> None:
        raise VocabularyError(f"read {len(list(lines))} lines")

    monkeypatch.setattr(Vocabulary, "train", train)
    tatoeba = dataclasses.replace(CONTROL.corpora["tatoeba"], vocabulary_pairs=10)
    control = dataclasses.replace(CONTROL, corpora={**CONTROL.corpora, "tatoeba": tatoeba})
    with pytest.raises(VocabularyError, match=f"read {2 * (10 + 10 + 40)} lines"):
        prepare_corpora(folder, tmp_path / "out", control)


def test_result_is_independent_of_workers(prepared_corpora: PreparedCorpora, folder: Path, tmp_path: Path) -> None:
    prepare_corpora(folder, tmp_path, CONTROL, workers=2)
    for path in prepared_corpora[0].iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize(("size", "has_hint"), [(500, True), (60_000, False)])
def test_hint_about_the_alphabet_is_given_where_it_helps(size: int, has_hint: bool, folder: Path, tmp_path: Path
                                                         ) -> None:  # fmt: skip
    with pytest.raises(VocabularyError) as caught:
        prepare_corpora(folder, tmp_path, CONTROL, vocabulary_size=size)
    assert ("vocabulary.alphabet" in str(caught.value)) == has_hint


def test_missing_files_are_named(folder: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "a/train/europarl.en-fr.tsv.xz", [])
    message = r"lacks train/tatoeba\.en-fr\.tsv, dev/europarl.*, dev/newstest2012.*, dev/newstest2013"
    with pytest.raises(CorpusError, match=message):
        prepare_corpora(tmp_path / "a", tmp_path / "out", CONTROL)
    assert not (tmp_path / "out").exists()
    control = dataclasses.replace(CONTROL, avoid=("test/newstest*", "test/elsewhere*"))
    assert prepare_corpora(folder, tmp_path / "out", control).missing == ("test/elsewhere*.en-fr.tsv",)


def test_back_translated_text_has_no_target_of_a_test_file(sentences: Pairs, tmp_path: Path) -> None:
    pairs = [(f"written by a model {number}", b) for number, (_, b) in enumerate(sentences)]
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(pairs))
    write_lines(tmp_path / "test/any.en-fr.tsv", format_lines([("never", pairs[2][1].upper()), ("met", pairs[5][1])]))
    vocabulary = dataclasses.replace(CONTROL.vocabulary, size=420, alphabet=False)
    control = ControlFile({"mine": CorpusSettings(back_translated=True)}, vocabulary=vocabulary)
    test_keys = {make_match_key(pairs[number][1]) for number in (2, 5)}
    prepare_corpora(tmp_path, tmp_path / "out", control)
    expected_pairs = [pair for pair in pairs if make_match_key(pair[1]) not in test_keys]
    assert read_prepared(tmp_path / "out", "mine") == expected_pairs


def test_languages_without_spaces_count_two_characters_as_a_word(sentences: Pairs, tmp_path: Path) -> None:
    pairs = [("".join(chr(0x3042 + ord(sign) % 32) for sign in a if sign.isalpha()), b) for a, b in sentences]
    phrase = ("はい", "Oui.")
    write_lines(tmp_path / "train/mine.ja-fr.tsv", format_lines([*pairs, phrase]))
    write_lines(tmp_path / "test/any.ja-fr.tsv", format_lines([pairs[3], pairs[9], phrase]))
    vocabulary = dataclasses.replace(CONTROL.vocabulary, size=420, alphabet=False)
    control = ControlFile({"mine": CorpusSettings()}, vocabulary=vocabulary, limits=PairLimits(ratio=9.0))
    summary = prepare_corpora(tmp_path, tmp_path / "out", control)
    assert summary.corpora["mine"].rejected == {"in a development or test file": 2, "too many tokens": 0}
    expected_pairs = [*pairs[:3], *pairs[4:9], *pairs[10:], phrase]
    assert read_prepared(tmp_path / "out", "mine") == expected_pairs
    encoded = EncodedCorpus.load(tmp_path / "out/mine.npz")
    assert list(encoded.source_words) == [(len(source) + 1) // 2 for source, _ in expected_pairs]
    assert list(encoded.target_words) == [len(target.split()) for _, target in expected_pairs]
    with pytest.raises(VocabularyError, match="ja has no spaces"):
        prepare_corpora(tmp_path, tmp_path / "words", control, vocabulary_kind="word")


def test_long_pairs_are_left_out_in_chunks_of_any_size(
    tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = normalise_pairs([("a cat", "un chat"), ("😀" * 30, "un"), ("un", "😀" * 30), ("The cat", "Le chat")])
    encoded, too_long = encode_pairs(tiny_vocabulary, pairs, max_length=20)
    assert (len(encoded), too_long) == (2, 2)
    short_sources = normalise_all(["a cat", "The cat"])
    assert encoded.source.tolist() == [index for text in short_sources for index in tiny_vocabulary.encode(text)]
    monkeypatch.setattr("model.text.prepared.PAIRS_PER_CHUNK", 2)
    chunked, chunked_too_long = encode_pairs(tiny_vocabulary, pairs, max_length=20)
    assert chunked_too_long == too_long
    for name, values in vars(encoded).items():
        np.testing.assert_array_equal(getattr(chunked, name), values)


def test_saved_corpus_is_validated(tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    pairs = normalise_pairs([("a cat", "un chat"), ("a dog", "un chien")])
    encoded, _ = encode_pairs(tiny_vocabulary, pairs, max_length=20)
    with pytest.raises(CorpusError, match=r"2 pairs need as many target sentences and word counts, .* are 2 and 1"):
        dataclasses.replace(encoded, target_words=encoded.target_words[:1])
    with pytest.raises(CorpusError, match="source offsets do not divide the 1 ids"):
        dataclasses.replace(encoded, source=encoded.source[:1])
    encoded.save(tmp_path / "a.npz")
    loaded = EncodedCorpus.load(tmp_path / "a.npz")
    assert all((getattr(loaded, name) == array).all() for name, array in vars(encoded).items())
    with pytest.raises(CorpusError, match=r"none\.npz cannot be read; prepare it first"):
        EncodedCorpus.load(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", source=np.zeros(3))
    other_archive = (tmp_path / "other.npz").read_bytes()
    for content in (other_archive, b"", b"PK\x03\x04broken", b"cos\nsystem\n(S'id'\ntR."):
        (tmp_path / "b.npz").write_bytes(content)
        with pytest.raises(CorpusError, match="not a prepared corpus"):
            EncodedCorpus.load(tmp_path / "b.npz")


def _exit_worker(chunk: object) -> object:
    os._exit(1)


def test_dead_worker_is_reported() -> None:
    with pytest.raises(CorpusError, match="one of the 2 worker processes died"), open_pool(2) as map_chunks:
        list(map_chunks(_exit_worker, [1, 2, 3]))
