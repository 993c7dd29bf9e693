"""Control files: read whole, checked at the door; what they ask for, done to small made-up corpora."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from model.serialization.toml import SettingsError
from model.text.cleaning import Limits, is_selected_by_hash
from model.text.control_file import (
    FOLDER,
    HELD_OUT_COUNT,
    TEMPLATES,
    ControlFile,
    CorpusSettings,
    build_default_control,
    load_control,
)
from model.text.corpus import prepare_corpora
from model.text.pair_files import read_pairs
from model.text.prepared import CorpusError, read_language_pair, read_meta
from model.text.tables import write_table
from tests.model.text.test_corpus import format_lines, read_prepared, write_lines

Pairs = list[tuple[str, str]]
SMALL = "[vocabulary]\nsize = 330\nalphabet = false\n"


@pytest.fixture
def control(tmp_path: Path) -> Callable[[str], ControlFile]:
    def made(text: str) -> ControlFile:
        (tmp_path / "control.toml").write_text(text, encoding="utf-8")
        return load_control(tmp_path / "control.toml")

    return made


def test_the_shipped_file_says_what_the_shipped_vocabulary_was_made_with() -> None:
    shipped = load_control("shipped")
    assert shipped.limits == Limits()
    assert (shipped.vocabulary.size, shipped.vocabulary.kind, shipped.seed) == (8000, "unigram", 1)
    assert shipped.corpora == {
        "tatoeba": CorpusSettings(bare=True, vocabulary_copies=2, held_out=1000),
        "europarl": CorpusSettings(minutes=True, vocabulary_pairs=300_000),
    }
    assert shipped.development_names == ("europarl", "newstest2012", "newstest2013", "tatoeba")


def test_every_control_file_of_the_package_can_be_read() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    assert names == ["shipped", "wide"]
    wide = load_control("wide")
    assert len(wide.corpora) == 13
    assert [name for name, corpus in wide.corpora.items() if corpus.phrases] == [
        "dict", "dict-articles", "vocab", "phrasebook",
    ]  # fmt: skip
    assert wide.development.scored == ("europarl", "newstest2013", "tatoeba", "everyday")
    assert [name for name, corpus in wide.corpora.items() if corpus.held_out_as == "everyday"] == [
        "multi30k", "tatoeba-new", "diabla",
    ]  # fmt: skip
    assert set(wide.made.corpus_names) == {"names", "capitals", "greetings", *TEMPLATES}
    assert wide.keep_out == {"everyday": "unseen", "everyday-60": "all"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "control file: corpora is missing; it must be a section for each, such as [corpora.europarl]"),
        ("corpora = 3", "corpora is 3; it must be a section for each, such as [corpora.europarl]"),
        ("[corpora]", "corpora is empty; it must have a section for each"),
        ("[corpora.a]\nbear = true", "section corpora.a: the key 'bear' is not known; allowed: minutes, phrases, bare"),
        ("[corpora.a]\nbare = 1", "corpora.a.bare is 1; it must be true or false"),
        ("[corpora.a]\nheld_out = -1", "corpora.a.held_out is -1; it must be from 0 to 1,000,000,000"),
        ("[corpora.a]\nheld_out_share = 2.0", "corpora.a.held_out_share is 2.0; it must be from 0 to 1"),
        ("[corpora.a]\nvocabulary_copies = 0", "vocabulary_copies is 0 for every corpus; it must be 1 or more for one"),
        ('[corpora."a/../b"]', "the name 'a/../b' cannot be part of a file's"),
        ("[corpora.a]\nbare = true\n[corpora.a-bare]", "corpora.a.bare makes a corpus a-bare, which stands there"),
        ('languages = ["en"]\n[corpora.a]', "languages is ['en']; it must be source and target"),
        ('languages = ["en", "FR!"]\n[corpora.a]', "the language 'FR!' is no language code"),
        ("seed = -1\n[corpora.a]", "seed is -1; it must be from 0 to 4,294,967,295"),
        ("[vocabulary]\nsize = 70000\n[corpora.a]", "vocabulary.size is 70000; it must be from 4 to 65,536"),
        ('[vocabulary]\nkind = "bpe"\n[corpora.a]', "vocabulary.kind is 'bpe'; it must be one of unigram, word"),
        ("[limits]\nratio = 0.5\n[corpora.a]", "limits.ratio is 0.5; it must be from 1 to 65,535"),
        ('[development]\nscored = ["b"]\n[corpora.a]', "development.scored names 'b'; it must be one of none"),
        ('[development]\nfiles = ["b"]\n[corpora.a]', 'development.files is [\'b\']; it must be a table such as'),
        ('avoid = ["test/*", "/data/test/*"]\n[corpora.a]',
         "avoid has '/data/test/*'; it must be a path from the folder of corpora on"),
        ('[development]\nfiles = {b = "/dev/b"}\n[corpora.a]', "development.files.b has '/dev/b'; it must be a path"),
        ('avoid = ["test/**"]\n[corpora.a]', "avoid has 'test/**'; it must be a path"),
        ("[development]\nfiles = {b = 3}\n[corpora.a]", "development.files.b has 3; it must be a path"),
        ("[corpora.a]\nheld_out = 1\nheld_out_as = 'a/b'", "corpora.a.held_out_as is 'a/b'; it must have letters"),
        ('[development]\nfiles = {b = "dev/b"}\n[corpora.a]\nheld_out = 1\nheld_out_as = "b"',
         "b names a development file and held-out sentences; rename one"),
        ('keep_out = {fifty = "all"}\n[corpora.a]', "keep_out has 'fifty' = 'all'; it must be one of"),
        ('keep_out = {everyday = "some"}\n[corpora.a]', "keep_out has 'everyday' = 'some'; it must be"),
        ("[made]\ntemplates = {jokes = 3}\n[corpora.a]", "made.templates names 'jokes'; it must be one of"),
        ("[made]\ntemplates = {places = 0}\n[corpora.a]", "made.templates.places is 0; it must be a whole"),
        ("[made]\ncapitals = {a = true}\n[corpora.a]", "made.capitals.a is True; it must be a whole number from 1"),
        ('[made]\nnames = ["b"]\n[corpora.a]', "made names 'b'; it must be one of a"),
        ("[made]\nnames_copies = 0\n[corpora.a]", "made.names_copies is 0; it must be from 1 to 100"),
        ("[made]\ngreetings = true\n[corpora.greetings]", "made makes a corpus greetings, which stands there already"),
        ("[made]\njokes = true\n[corpora.a]", "section made: the key 'jokes' is not known; allowed: names"),
        ("[corpora.a", "is not valid TOML"),
        ("[corpus.a]", "the key 'corpus' is not known; allowed: corpora, vocabulary, development, limits"),
    ],
)
def test_what_is_wrong_is_said_by_key_value_and_what_is_allowed(
    control: Callable[[str], ControlFile], text: str, message: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        control(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_control_file_that_is_not_there() -> None:
    with pytest.raises(SettingsError, match=r"there is no control file 'none'; choose shipped, wide, or give a \.toml"):
        load_control("none")


def test_without_a_control_file_all_corpora_are_read_once_and_sentences_held_out(
    sentences: Pairs, tmp_path: Path
) -> None:
    write_lines(tmp_path / "train/mine.en-ko.tsv", format_lines(sentences))
    write_lines(tmp_path / "train/more.en-ko.tsv.xz", format_lines([(f"{a} Yes.", f"{b} Oui.") for a, b in sentences]))
    summary = prepare_corpora(tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine", "more"], {}))
    assert summary.languages == read_language_pair(tmp_path / "out") == ("en", "ko")
    assert summary.development == {"mine": 1, "more": 1}, "two in a hundred"
    assert summary.scored == ("mine", "more")
    write_lines(tmp_path / "dev/any.ko-en.tsv", format_lines([(b, a) for a, b in sentences[:7]]))
    summary = prepare_corpora(tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine", "more"], {"any": "dev/any"}))
    assert summary.development == {"any": 7}
    assert read_pairs(tmp_path / "out/dev-any.tsv") == sentences[:7], "turned"
    assert read_meta(tmp_path / "out")["scored"] == ["any"]


def plain_small(folder: Path, corpora: list[str], development: dict[str, str]) -> ControlFile:
    """What is done without a control file, with a vocabulary that fits so little text."""
    from dataclasses import replace

    made = build_default_control(corpora, development)
    return replace(made, vocabulary=replace(made.vocabulary, size=400, alphabet=False))


def test_plain_control() -> None:
    assert build_default_control(["a"], {}).corpora["a"] == CorpusSettings(held_out=HELD_OUT_COUNT, held_out_share=0.02)
    assert build_default_control(["a"], {"b": "dev/b"}).corpora["a"] == CorpusSettings()


def test_files_of_the_other_direction_are_turned(sentences: Pairs, tmp_path: Path) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    summary = prepare_corpora(
        tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine"], {}), language_pair=("fr", "en")
    )
    assert summary.languages == ("fr", "en")
    held_out = read_pairs(tmp_path / "out/dev-mine.tsv")
    turned = [(french, english) for english, french in sentences]
    assert read_prepared(tmp_path / "out", "mine") == [pair for pair in turned if pair not in held_out]


def test_a_corpus_may_be_a_table_as_a_spreadsheet_saves_it(sentences: Pairs, tmp_path: Path) -> None:
    """The same is learnt as from the plain file, in the other direction too, and what was left out is said."""
    write_lines(tmp_path / "plain/train/mine.en-fr.tsv", format_lines(sentences))
    text = write_table(pd.DataFrame([pair[::-1] for pair in sentences], columns=["fr", "en"]), "\t") + "\n"
    saved = tmp_path / "saved/train/mine.en-fr.tsv"
    saved.parent.mkdir(parents=True)
    saved.write_bytes(text.replace("\n", "\r\n").encode("utf-16"))
    summaries = []
    for folder in ("plain", "saved"):
        made = plain_small(tmp_path / folder, ["mine"], {})
        summaries.append(
            prepare_corpora(tmp_path / folder, tmp_path / folder / "out", made, language_pair=("fr", "en"))
        )
    assert read_prepared(tmp_path / "saved/out", "mine") == read_prepared(tmp_path / "plain/out", "mine")
    assert summaries[0].notes == {}
    assert summaries[1].corpora["mine"].refused["not two fields"] == 1, "the blank line"
    assert summaries[1].notes["mine"].startswith("read as UTF-16-LE, separated by tabs, first line taken as header; 1 ")


def test_half_of_the_phrases_become_sentences(sentences: Pairs, tmp_path: Path) -> None:
    phrases = [(f"grey thing {word}", f"chose grise {word}") for word in "abcdefghijklmnopqrstuvwxyz"]
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    write_lines(tmp_path / "train/things.en-fr.tsv", format_lines([*phrases, ("what now?", "et alors?")]))
    made = plain_small(tmp_path, ["mine"], {})
    made = ControlFile({"mine": CorpusSettings(), "things": CorpusSettings(phrases=True)}, vocabulary=made.vocabulary)
    prepare_corpora(tmp_path, tmp_path / "out", made)
    found = read_prepared(tmp_path / "out", "things")
    as_sentence = [
        (f"Grey thing {a[-1]}.", f"Chose grise {a[-1]}.") if is_selected_by_hash(a) else (a, b) for a, b in phrases
    ]
    assert found[:-1] == as_sentence
    assert 5 < sum(is_selected_by_hash(source) for source, _ in phrases) < 21
    assert found[-1] in (("what now?", "et alors?"), ("What now?", "Et alors?"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a\tb\tc", "d\te"], r"nothing of .*mine\.en-fr\.tsv can be learnt from \(1 not two fields, .*\); a line is"),
        (["a\tb\tc", "d\te\tf"], r"mine\.en-fr\.tsv has 3 columns"),
        ([], r"nothing of .* can be learnt from \(it is empty\)"),
    ],
)
def test_a_corpus_of_which_nothing_is_left_is_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", lines)
    with pytest.raises(CorpusError, match=message):
        prepare_corpora(tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine"], {}))


def test_an_empty_development_file_and_an_empty_reference_are_refused(sentences: Pairs, tmp_path: Path) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    write_lines(tmp_path / "dev/any.en-fr.tsv", [])
    with pytest.raises(CorpusError, match=r"any\.en-fr\.tsv holds no sentence"):
        prepare_corpora(tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine"], {"any": "dev/any"}))
    write_lines(tmp_path / "dev/any.en-fr.tsv", ["A cat.\tUn chat.", "A dog.\t"])
    with pytest.raises(CorpusError, match=r"line 2 of .*any\.en-fr\.tsv has an empty translation"):
        prepare_corpora(tmp_path, tmp_path / "out", plain_small(tmp_path, ["mine"], {"any": "dev/any"}))


def test_a_folder_must_say_its_languages(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"holds no corpus: put its pairs, .* into train/NAME\.SRC-TGT\.tsv"):
        prepare_corpora(tmp_path, tmp_path / "out")
    for pair in ("en-fr", "en-ko"):
        write_lines(tmp_path / f"train/mine.{pair}.tsv", ["a\tb"])
    with pytest.raises(CorpusError, match=r"several pairs of languages \(en-fr, en-ko\); say which with --languages"):
        prepare_corpora(tmp_path, tmp_path / "out")
    write_lines(tmp_path / "train/mine.fr-en.tsv", ["a\tb"])
    with pytest.raises(CorpusError, match=r"has both mine\.en-fr\.tsv and mine\.fr-en\.tsv; remove one of them"):
        prepare_corpora(tmp_path, tmp_path / "out", language_pair=("en", "fr"))


def test_a_vocabulary_without_room_for_the_alphabet_says_so(sentences: Pairs, tmp_path: Path) -> None:
    write_lines(tmp_path / "train/mine.en-fr.tsv", format_lines(sentences))
    with pytest.raises(ValueError, match=r"of them are the alphabet's, which vocabulary\.alphabet = false leaves out"):
        prepare_corpora(tmp_path, tmp_path / "out", vocabulary_size=400)
