"""Tests of control files: reading, validation, and their effect on small corpora."""

from dataclasses import replace
from pathlib import Path

import pytest

from model.serialization.toml import SettingsFileError
from model.text.cleaning import is_selected_by_hash
from model.text.control_file import (
    FOLDER,
    KOREAN_TEMPLATES,
    TEMPLATES,
    ControlFile,
    CorpusSettings,
    VocabularySettings,
    build_default_control,
    load_control,
)
from model.text.corpus import prepare_corpora
from model.text.pair_files import read_pairs
from model.text.prepared import CorpusError, read_language_pair, read_meta
from model.text.vocabulary import Vocabulary
from tests.model.text.test_corpus import format_lines, read_prepared, write_lines

Pairs = list[tuple[str, str]]


def build_small_default_control(corpora: list[str], development: dict[str, str] | None = None) -> ControlFile:
    """Return the default control file with a small vocabulary."""
    control = build_default_control(corpora, development or {})
    return replace(control, vocabulary=replace(control.vocabulary, size=400, alphabet=False))


def test_shipped_control_files() -> None:
    names = ["korean", "korean-back", "shipped", "wide", "wide-words"]
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == names
    shipped, wide = load_control("shipped"), load_control("wide")
    assert shipped.corpora == {
        "tatoeba": CorpusSettings(bare=True, vocabulary_copies=2, held_out=1000),
        "europarl": CorpusSettings(minutes=True, vocabulary_pairs=300_000),
    }
    assert shipped.development_names == ("europarl", "newstest2012", "newstest2013", "tatoeba")
    assert wide.development.scored == ("europarl", "newstest2013", "tatoeba", "everyday")
    assert set(wide.synthetic.corpus_names) == {"names", "capitals", "greetings", *TEMPLATES}
    words = load_control("wide-words")
    assert words.corpora == wide.corpora
    assert replace(words.synthetic, rare_names=0) == wide.synthetic
    assert set(load_control("korean").synthetic.corpus_names) == {"greetings", *KOREAN_TEMPLATES}
    korean, korean_back = load_control("korean"), load_control("korean-back")
    assert korean_back == replace(
        korean, corpora={**korean.corpora, "back-translated": CorpusSettings(back_translated=True, vocabulary_copies=0)}
    )
    assert wide.keep_out == {"everyday": "unseen", "everyday-60": "all"}
    with pytest.raises(SettingsFileError, match=f"no control file 'none'; choose {', '.join(names)}, or"):
        load_control("none")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "control file: corpora is missing; it must be a section for each, such as [corpora.europarl]"),
        ("[corpora.a]\nbear = true", "section corpora.a: the key 'bear' is not known; allowed: minutes, phrases, "),
        ("[corpora.a]\nheld_out_share = 2.0", "corpora.a.held_out_share is 2.0; it must be from 0 to 1"),
        ("[corpora.a]\nvocabulary_copies = 0", "vocabulary_copies is 0 for every corpus; it must be 1 or more for one"),
        ('[corpora."a/../b"]', "the name 'a/../b' cannot be part of a file's"),
        ("[corpora.a]\nbare = true\n[corpora.a-bare]", "corpora.a.bare adds a corpus a-bare, which already exists"),
        ('languages = ["en"]\n[corpora.a]', "languages is ['en']; it must be source and target"),
        ('languages = ["en", "en"]\n[corpora.a]', "languages is ['en', 'en']; it must be source and target"),
        ('avoid = ["../x"]\n[corpora.a]', "avoid has '../x'; it must be a path from the folder of corpora on"),
        ("[limits]\nratio = 0.5\n[corpora.a]", "limits.ratio is 0.5; it must be from 1 to 65,535"),
        ("[vocabulary]\nsize = 70000\n[corpora.a]", "vocabulary.size is 70000; it must be from 4 to 60,000"),
        ('[development]\nscored = ["b"]\n[corpora.a]', "development.scored names 'b'; it must be one of none"),
        ('[development]\nfiles = ["b"]\n[corpora.a]', 'development.files is [\'b\']; it must be a table such as'),
        ('avoid = ["test/*", "/data/test/*"]\n[corpora.a]',
         "avoid has '/data/test/*'; it must be a path from the folder of corpora on"),
        ("[corpora.a]\nheld_out = 1\nheld_out_as = 'a/b'", "corpora.a.held_out_as is 'a/b'; it must have letters"),
        ('[development]\nfiles = {b = "dev/b"}\n[corpora.a]\nheld_out = 1\nheld_out_as = "b"',
         "b names a development file and held-out sentences; rename one"),
        ('keep_out = {fifty = "all"}\n[corpora.a]', "keep_out has 'fifty' = 'all'; it must be one of"),
        ("[synthetic]\ntemplates = {jokes = 3}\n[corpora.a]", "synthetic.templates names 'jokes'; it must be one of"),
        ("[synthetic]\ncapitals = {a = true}\n[corpora.a]",
         "synthetic.capitals.a is True; it must be a whole number from 1"),
        ('[synthetic]\nnames = ["b"]\n[corpora.a]', "synthetic names 'b'; it must be one of a"),
        ("[synthetic]\ngreetings = true\n[corpora.greetings]",
         "synthetic adds a corpus greetings, which already exists"),
        ('extends = "narrow"\n[corpora.a]', "extends is 'narrow'; it must be another of korean, korean-back, shipped"),
        ('extends = ["wide"]', "extends is ['wide']; it must be another of"),
        ('extends = "wide"\ncorpora = 3', "corpora is 3; it must be a section for each"),
        ("[corpus.a]", "the key 'corpus' is not known; allowed: corpora, vocabulary, development, limits"),
    ],
)
def test_invalid_control_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "control.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsFileError) as caught:
        load_control(tmp_path / "control.toml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_own_control_file_may_have_the_name_that_it_extends(tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text('extends = "wide"\nseed = 7\n', encoding="utf-8")
    assert load_control(tmp_path / "wide.toml") == replace(load_control("wide"), seed=7)
    (tmp_path / "loop.toml").symlink_to(FOLDER / "wide-words.toml")
    assert load_control(tmp_path / "loop.toml") == load_control("wide-words")


def test_default_control_prepares_all_corpora(sentences: Pairs, tmp_path: Path) -> None:
    write_lines(tmp_path / "train/mine.en-ko.tsv", format_lines(sentences))
    longer = [(f"{source} Yes.", f"{target} Oui.") for source, target in sentences]
    write_lines(tmp_path / "train/more.en-ko.tsv.xz", format_lines(longer))
    summary = prepare_corpora(tmp_path, tmp_path / "out", build_small_default_control(["mine", "more"]))
    assert summary.languages == read_language_pair(tmp_path / "out") == ("en", "ko")
    assert summary.development == {"mine": 1, "more": 1}  # 2 % of sixty
    assert summary.scored == ("mine", "more")
    write_lines(tmp_path / "dev/any.ko-en.tsv", format_lines([pair[::-1] for pair in sentences[:7]]))
    control = build_small_default_control(["mine", "more"], {"any": "dev/any"})
    summary = prepare_corpora(tmp_path, tmp_path / "out", control)
    assert summary.development == {"any": 7}
    assert read_pairs(tmp_path / "out/dev-any.tsv") == sentences[:7]  # reversed
    assert read_meta(tmp_path / "out")["scored"] == ["any"]


def test_given_vocabulary_may_be_smaller_than_the_joined_spaces(
    sentences: Pairs, tiny_vocabulary: Vocabulary, tmp_path: Path
) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    control = replace(build_default_control(["mine"], {}), vocabulary=VocabularySettings(joined_spaces=700))
    summary = prepare_corpora(tmp_path, tmp_path / "out", control, vocabulary=tiny_vocabulary)
    assert summary.vocabulary_size == len(tiny_vocabulary) < 1400


def test_half_of_the_phrases_become_sentences(sentences: Pairs, tmp_path: Path) -> None:
    phrases = [(f"grey thing {word}", f"chose grise {word}") for word in "abcdefghijklmnopqrstuvwxyz"]
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    write_lines(tmp_path / "train/things.en-fr.tsv", format_lines([*phrases, ("what now?", "et alors?")]))
    corpora = {"mine": CorpusSettings(), "things": CorpusSettings(phrases=True)}
    prepare_corpora(tmp_path, tmp_path / "out", replace(build_small_default_control(["mine"]), corpora=corpora))
    pairs = read_prepared(tmp_path / "out", "things")
    assert pairs[:-1] == [
        (f"Grey thing {a[-1]}.", f"Chose grise {a[-1]}.") if is_selected_by_hash(a) else (a, b) for a, b in phrases
    ]
    assert 5 < sum(is_selected_by_hash(source) for source, _ in phrases) < 21
    assert pairs[-1] == ("What now?", "Et alors?")


def test_corpus_without_usable_pairs_is_refused(tmp_path: Path) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", ["a\tb\tc", "d\te"])
    message = r"mine\.en-fr\.tsv has no usable pair \(1 not two fields, .*\); a line must be"
    with pytest.raises(CorpusError, match=message):
        prepare_corpora(tmp_path, tmp_path / "out", build_small_default_control(["mine"]))
