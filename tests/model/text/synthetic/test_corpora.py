"""A folder prepared with corpora made by rule: what is in them, what is kept out, and whose vocabulary they have."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from model.text.cleaning import Limits, make_match_key
from model.text.control_file import (
    ControlFile,
    CorpusSettings,
    DevelopmentSettings,
    SyntheticSettings,
    VocabularySettings,
)
from model.text.corpus import PreparationSummary, prepare_corpora
from model.text.encoded import CorpusError
from model.text.everyday_sentences import LISTS, collect_excluded_keys, read_everyday
from model.text.pair_files import read_pairs
from model.text.prepared import read_meta
from model.text.vocabulary import Vocabulary
from tests.model.text.test_corpus import tabbed, texts, write

Pairs = list[tuple[str, str]]

ASKED = [one.source for one in read_everyday(LISTS["everyday-60"])]
SEEN, UNSEEN = "How are you?", "I love you."  # as the list of forty notes
CONTROL = ControlFile(
    {"mine": CorpusSettings(held_out=5, held_out_as="both"), "more": CorpusSettings(held_out=4, held_out_as="both", bare=True)},
    VocabularySettings(size=500, alphabet=False),
    DevelopmentSettings({"any": "dev/any"}),
    Limits(pieces=100),
    keep_out={"everyday": "unseen", "everyday-60": "all"},
    made=SyntheticSettings(names=("mine",), names_copies=3, capitals={"mine": 7, "more": 2},
              templates={"everyday": 200, "calendar": 50}, greetings=True),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(sentences: Pairs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    asked = [(one.upper().rstrip("."), one) for one in (*ASKED, SEEN, UNSEEN)]
    write(folder / "train/mine.en-fr.tsv", tabbed([*sentences, *asked, ("Tom and Mary eat.", "Tom et Marie mangent.")]))
    write(folder / "train/more.en-fr.tsv", tabbed([(f"{a} Yes, {c}", f"{b} Oui, {d}") for (a, b), (c, d) in
                                                   zip(sentences, sentences[7:], strict=False)]))  # fmt: skip
    asked_too = made_sentence()
    write(folder / "dev/any.en-fr.tsv", tabbed([(*asked_too,), *sentences[:1]]))
    return folder


def made_sentence() -> tuple[str, str]:
    """A sentence that the templates make with the seed of CONTROL, too long for a phrase."""
    from model.text.synthetic.templates import generate_pairs

    return next(pair for pair in generate_pairs("everyday", 200, CONTROL.seed) if len(pair[0].split()) > 8)


@pytest.fixture(scope="module")
def prepared(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PreparationSummary]:
    out = tmp_path_factory.mktemp("out")
    return out, prepare_corpora(folder, out, CONTROL)


def test_all_corpora_are_made(prepared: tuple[Path, PreparationSummary]) -> None:
    out, summary = prepared
    made = ["names", "capitals", "everyday", "calendar", "greetings"]
    assert list(summary.corpora) == ["mine", "more", "more-bare", *made]
    assert {path.stem for path in out.glob("*.npz")} == set(summary.corpora)
    for corpus in summary.corpora.values():
        assert corpus.read == corpus.kept + sum(corpus.refused.values())
        assert corpus.kept
    assert summary.corpora["capitals"].read == 9
    assert summary.corpora["everyday"].read == 200
    assert all(source == source.upper() and target == target.upper() for source, target in texts(out, "capitals"))
    assert [pair for pair in texts(out, "everyday") if pair[0][0].islower() and pair[1][0].islower()
            and not pair[0].endswith(".")], "some as they are typed in haste"  # fmt: skip
    named = texts(out, "names")
    assert all("Tom" not in source and "Mary" not in source for source, _ in named)
    assert len([pair for pair in named if pair[0].endswith(" eat.")]) == 3


def test_nothing_that_is_asked_is_learnt(prepared: tuple[Path, PreparationSummary]) -> None:
    out, summary = prepared
    learnt = {make_match_key(source) for name in summary.corpora for source, _ in texts(out, name)}
    assert not learnt & {make_match_key(one) for one in ASKED}
    assert make_match_key(UNSEEN) not in learnt
    assert make_match_key(SEEN) in learnt
    assert summary.corpora["mine"].refused["asked by an everyday list"] >= 50
    assert make_match_key(made_sentence()[0]) not in learnt
    assert summary.corpora["everyday"].refused["in a development or test file"] == 1
    assert collect_excluded_keys({}) == frozenset()
    assert len(collect_excluded_keys({"everyday": "all", "everyday-60": "all"})) == 100


def test_corpora_share_a_development_file(prepared: tuple[Path, PreparationSummary]) -> None:
    out, summary = prepared
    assert summary.development == {"any": 2, "both": 9}
    assert len(read_pairs(out / "dev-both.tsv")) == 9
    assert summary.scored == ("any", "both")


def test_the_result_depends_on_the_seed_alone(prepared: tuple[Path, PreparationSummary], folder: Path, tmp_path: Path) -> None:
    out, _ = prepared
    prepare_corpora(folder, tmp_path / "two", CONTROL, workers=2)
    for path in out.iterdir():
        assert (tmp_path / "two" / path.name).read_bytes() == path.read_bytes(), path.name
    prepare_corpora(folder, tmp_path / "other", dataclasses.replace(CONTROL, seed=2))
    for name in ("everyday", "names"):
        assert texts(tmp_path / "other", name) != texts(out, name)


def test_a_vocabulary_is_taken_over(folder: Path, tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    stages: set[str] = set()
    summary = prepare_corpora(folder, tmp_path, CONTROL, vocabulary=tiny_vocabulary, progress=lambda stage, *_: stages.add(stage))
    assert (tmp_path / "vocabulary.model").read_bytes() == tiny_vocabulary.model_bytes
    assert summary.vocabulary == len(tiny_vocabulary) == read_meta(tmp_path)["control"]["vocabulary"]["size"]
    assert "training the vocabulary" not in stages
    assert ("Hello!", "Bonjour!") in texts(tmp_path, "greetings")


def test_what_is_made_is_english_and_french(folder: Path, sentences: Pairs, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"made by rule \(names, .* is from English into French, not from fr into en"):
        prepare_corpora(folder, tmp_path / "out", CONTROL, language_pair=("fr", "en"))
    assert not (tmp_path / "out").exists()
