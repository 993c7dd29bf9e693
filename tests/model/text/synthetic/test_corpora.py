"""Tests of synthetic corpora, and of a folder prepared with all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from model.text.cleaning import PairLimits, make_match_key
from model.text.control_file import (
    ControlFile,
    CorpusSettings,
    DevelopmentSettings,
    SyntheticSettings,
    VocabularySettings,
)
from model.text.corpus import PreparationSummary, prepare_corpora
from model.text.everyday_sentences import LISTS, collect_excluded_keys, read_everyday
from model.text.pair_files import read_pairs
from model.text.politeness import find_style
from model.text.prepared import CorpusError, read_meta
from model.text.synthetic.corpora import (
    build_greetings,
    replace_names,
    replace_with_rare_names,
    sample_in_capitals,
    substitute_name,
)
from model.text.synthetic.french import begins_with_vowel
from model.text.synthetic.korean import sentences as korean
from model.text.synthetic.lexicon import read_names
from model.text.synthetic.templates import generate_pairs
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.text.test_corpus import format_lines, read_prepared, write_lines

Pairs = list[tuple[str, str]]

EXCLUDED = [sentence.source for sentence in read_everyday(LISTS["everyday-60"])]
SEEN_SENTENCE, UNSEEN_SENTENCE = "How are you?", "I love you."  # as assets/everyday.json notes
NAMES = read_names()
CONTROL = ControlFile(
    {"mine": CorpusSettings(held_out=5, held_out_as="both"),
     "more": CorpusSettings(held_out=4, held_out_as="both", bare=True)},
    VocabularySettings(size=500, alphabet=False),
    DevelopmentSettings({"any": "dev/any"}),
    PairLimits(pieces=100),
    keep_out={"everyday": "unseen", "everyday-60": "all"},
    synthetic=SyntheticSettings(names=("mine",), names_copies=3, capitals={"mine": 7, "more": 2},
                           templates={"everyday": 200, "calendar": 50}, greetings=True, rare_names=40),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(sentences: Pairs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    excluded = [(source.upper().rstrip("."), source) for source in (*EXCLUDED, SEEN_SENTENCE, UNSEEN_SENTENCE)]
    names = ("Tom and Mary eat.", "Tom et Marie mangent.")
    write_lines(folder / "train/mine.en-fr.tsv", format_lines([*sentences, *excluded, names]))
    write_lines(folder / "train/more.en-fr.tsv", format_lines([(f"{a} Yes, {c}", f"{b} Oui, {d}") for (a, b), (c, d) in
                                                   zip(sentences, sentences[7:], strict=False)]))  # fmt: skip
    write_lines(folder / "dev/any.en-fr.tsv", format_lines([find_template_pair(), *sentences[:1]]))
    return folder


def find_template_pair() -> tuple[str, str]:
    """Return a pair that the templates generate with the seed of CONTROL, too long for a phrase."""
    return next(pair for pair in generate_pairs("everyday", 200, CONTROL.seed) if len(pair[0].split()) > 8)


@pytest.fixture(scope="module")
def prepared_corpora(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PreparationSummary]:
    out_dir = tmp_path_factory.mktemp("out")
    return out_dir, prepare_corpora(folder, out_dir, CONTROL)


def test_all_corpora_are_generated(prepared_corpora: tuple[Path, PreparationSummary]) -> None:
    out_dir, summary = prepared_corpora
    synthetic = ["names", "capitals", "everyday", "calendar", "rare-names", "greetings"]
    assert list(summary.corpora) == ["mine", "more", "more-bare", *synthetic]
    for corpus in summary.corpora.values():
        assert corpus.read == corpus.kept + sum(corpus.rejected.values())
        assert corpus.kept
    assert summary.corpora["capitals"].read == 9
    assert summary.corpora["everyday"].read == 200
    assert summary.development == {"any": 2, "both": 9} == {
        name: len(read_pairs(out_dir / f"dev-{name}.tsv")) for name in summary.scored}  # fmt: skip
    assert all(side == side.upper() for pair in read_prepared(out_dir, "capitals") for side in pair)
    assert [pair for pair in read_prepared(out_dir, "everyday") if pair[0][0].islower() and pair[1][0].islower()
            and not pair[0].endswith(".")]  # fmt: skip
    assert summary.corpora["rare-names"].read == 40
    renamed = read_prepared(out_dir, "names")
    assert all("Tom" not in source and "Mary" not in source for source, _ in renamed)
    assert len([pair for pair in renamed if pair[0].endswith(" eat.")]) == 3


def test_everyday_and_development_sentences_are_excluded(prepared_corpora: tuple[Path, PreparationSummary]) -> None:
    out_dir, summary = prepared_corpora
    learnt = {make_match_key(source) for name in summary.corpora for source, _ in read_prepared(out_dir, name)}
    assert not learnt & {make_match_key(source) for source in EXCLUDED}
    assert make_match_key(UNSEEN_SENTENCE) not in learnt
    assert make_match_key(SEEN_SENTENCE) in learnt
    assert summary.corpora["mine"].rejected["asked by an everyday list"] >= 50
    assert make_match_key(find_template_pair()[0]) not in learnt
    assert summary.corpora["everyday"].rejected["in a development or test file"] == 1
    assert len(collect_excluded_keys({"everyday": "all", "everyday-60": "all"})) == 100


def test_existing_vocabulary_is_used(folder: Path, tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    stages: set[str] = set()
    summary = prepare_corpora(
        folder, tmp_path, CONTROL, vocabulary=tiny_vocabulary, progress=lambda stage, *_: stages.add(stage)
    )
    assert (tmp_path / "vocabulary.model").read_bytes() == tiny_vocabulary.model_bytes
    assert summary.vocabulary_size == len(tiny_vocabulary) == read_meta(tmp_path)["control"]["vocabulary"]["size"]
    assert "training the vocabulary" not in stages
    assert ("Hello!", "Bonjour!") in read_prepared(tmp_path, "greetings")
    with pytest.raises(CorpusError, match=r"no synthetic corpora \(names, .* from fr into en"):
        prepare_corpora(folder, tmp_path / "out", CONTROL, language_pair=("fr", "en"))
    assert not (tmp_path / "out").exists()


def test_whole_words_are_prepared_without_capitals(folder: Path, tmp_path: Path) -> None:
    summary = prepare_corpora(folder, tmp_path, CONTROL, vocabulary_kind="word")
    assert Vocabulary.load(tmp_path / "vocabulary.model").kind == "word"
    assert "capitals" not in summary.corpora


@pytest.mark.parametrize("language_pair", [("en", "ko"), ("ko", "en")])
def test_korean_text_is_prepared_either_way(language_pair: tuple[str, str], tmp_path: Path) -> None:
    pairs: list[tuple[str, str]] = list(korean.generate_pairs("sentences", 300, seed=7))
    write_lines(tmp_path / "in/train/mine.en-ko.tsv", format_lines(pairs))
    synthetic = SyntheticSettings(templates={"sentences-ko": 300, "numbers-ko": 50, "calendar-ko": 50}, greetings=True)
    control = ControlFile({"mine": CorpusSettings(bare=True)}, VocabularySettings(size=1300, alphabet=False),
                          synthetic=synthetic, style_tags=True)  # fmt: skip
    summary = prepare_corpora(tmp_path / "in", tmp_path / "out", control, language_pair=language_pair)
    assert list(summary.corpora) == ["mine", "mine-bare", "sentences-ko", "numbers-ko", "calendar-ko", "greetings"]
    for name in summary.corpora:
        read = read_prepared(tmp_path / "out", name)
        tagged = [pair for pair in read if pair[0].startswith("<")]
        assert all(pair[0].startswith(f"<{find_style(pair[1])}> ") for pair in tagged)
        assert len(tagged) == 0 if language_pair[0] == "ko" else 0.7 * len(read) < len(tagged) < len(read)
        assert any("가" <= letter <= "힣" for letter in read[0][language_pair.index("ko")])
    with pytest.raises(CorpusError, match=r"style_tags is for Korean, not for en-fr"):
        prepare_corpora(tmp_path / "in", tmp_path / "none", replace(control, synthetic=SyntheticSettings()),
                        language_pair=("en", "fr"))  # fmt: skip


@pytest.mark.parametrize(("target", "name", "expected"), [
    ("Le chat de Tom dort.", "Anna", "Le chat d'Anna dort."),
    ("Je crois que Tom ment.", "Élise", "Je crois qu'Élise ment."), ("Lorsque Tom dort", "Ahmed", "Lorsqu'Ahmed dort"),
    ("de Tom", "Yuki", "de Yuki"), ("de Tom", "Yves", "d'Yves"), ("de Tom", "Hana", "de Hana"),
    ("de Tom", "Hélène", "d'Hélène"), ("DE Tom", "Anna", "DE Anna"),
])  # fmt: skip
def test_names_are_elided(target: str, name: str, expected: str) -> None:
    assert substitute_name(target, r"\bTom\b", name) == expected


@pytest.mark.verdict
def test_men_are_replaced_by_men_and_women_by_women() -> None:
    pairs = normalise_pairs([
        ("Tom said that Mary had seen Tom's dog.", "Tom a dit que Marie avait vu le chien de Tom."),
        ("Nobody is here.", "Il n'y a personne."),
        ("Tom isn't here.", "Il n'est pas là."),  # a name on one side only
        ("Tommy and Tomorrow", "Tommy et demain"),
        ("Jean-Tom and Tom", "Jean-Tom et Tom"),
    ])  # fmt: skip
    for seed in range(30):
        ((source, target),) = replace_names(pairs, seed)
        man, woman = source.split()[0], source.split()[3]
        assert man in NAMES["men"]
        assert woman in NAMES["women"]
        assert source == f"{man} said that {woman} had seen {man}'s dog."
        que, de = ("qu'" if begins_with_vowel(woman) else "que "), ("d'" if begins_with_vowel(man) else "de ")
        assert target == f"{man} a dit {que}{woman} avait vu le chien {de}{man}."


def test_rare_names_replace_first_names_and_cities() -> None:
    pairs = normalise_pairs([
        ("Tom says that Mary lives in Berlin.", "Tom dit que Mary habite à Berlin."),
        ("Tom's dog", "le chien de Tom"),
        ("Mary sleeps.", "Marie dort."),  # a name on one side only
        ("Anna's cat", "le chat d'Anna"),  # elided
        ("Nobody sleeps.", "Personne ne dort."),
    ])  # fmt: skip
    surname = rf"(?:{'|'.join(NAMES['surname_beginnings'])})(?:{'|'.join(NAMES['surname_ends'])})"
    patterns = [
        rf"((?:Tom |Mr )?{surname}) says that ((?:Mary |Mrs )?{surname}) lives in ({surname})\.",
        rf"((?:Tom |Mr )?{surname})'s dog",
    ]
    forms = set()
    for seed in range(60):
        replaced = list(replace_with_rare_names(pairs, seed))
        matches = [re.fullmatch(pattern, source) for pattern, (source, _) in zip(patterns, replaced, strict=True)]
        assert matches[0]
        assert matches[1]
        man, woman, city = matches[0].groups()
        forms |= {text.split()[0] for text in (man, woman) if " " in text}
        que = "qu'" if begins_with_vowel(woman) else "que "
        french = (f"{man} dit {que}{woman} habite à {city}.", matches[1][1])
        assert replaced[0][1] == french[0].replace("Mrs ", "Mme ").replace("Mr ", "M. ")
        de = "d'" if begins_with_vowel(french[1]) else "de "
        assert replaced[1][1] == f"le chien {de}{french[1].replace('Mr ', 'M. ')}"
    assert forms == {"Tom", "Mr", "Mary", "Mrs"}


def test_capitals_are_sampled() -> None:
    pairs = normalise_pairs([("It's été.", "C'est l'été."), ("A", "Un"), ("B", "Deux")])
    assert sorted(sample_in_capitals(pairs, 5, 1)) == [("A", "UN"), ("B", "DEUX"), ("IT'S ÉTÉ.", "C'EST L'ÉTÉ.")]
    assert len(sample_in_capitals(pairs, 2, 1)) == 2


def test_greetings_have_four_variants() -> None:
    greetings = build_greetings()
    pairs = set(greetings)
    assert {("Hello!", "Bonjour!"), ("Hello", "Bonjour"), ("hello", "bonjour"), ("HELLO!", "BONJOUR!")} <= pairs
    assert {("I am cold.", "J'ai froid."), ("I am cold", "J'ai froid"), ("I am cold", "j'ai froid")} <= pairs
    assert {("yellow", "jaune"), ("english", "anglais"), ("twenty-one", "vingt et un")} <= pairs
    assert ("where?", "où?") in pairs
    assert len(greetings) == len(pairs) > 800
