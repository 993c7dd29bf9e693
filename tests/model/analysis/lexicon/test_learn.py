"""Check the lexicon learnt from a few sentences, and which word pairs are listed."""

from pathlib import Path

import numpy as np
import pytest

from model.analysis.lexicon.learn import (
    LexiconSettings,
    WordPairCounts,
    count_word_pairs,
    format_entries,
    learn_lexicon,
)
from model.progress import ignore_progress
from model.text.control_file import ControlFile, CorpusSettings
from model.text.normalise import normalise
from model.text.prepared import CorpusError
from model.text.synthetic.korean.sentences import generate_pairs

NOUNS = {"cat": "chat", "dog": "chien", "car": "camion", "tree": "arbre", "book": "livre"}
COLOURS = {"black": "noir", "green": "vert", "old": "vieux"}
PAIRS = [(normalise(f"The {colour} {noun}."), normalise(f"Le {french} {coloured}."))
         for noun, french in NOUNS.items() for colour, coloured in COLOURS.items()]  # fmt: skip
PAIRS += [(normalise(f"The {noun}."), normalise(f"Le {french}.")) for noun, french in NOUNS.items()] * 2
TEXT = "".join(f"{source}\t{target}\n" for source, target in PAIRS)


def test_words_that_occur_together_are_translations() -> None:
    pairs = count_word_pairs(PAIRS, ("en", "fr"), LexiconSettings(), ignore_progress)
    sources, targets = pairs.vocabularies
    probabilities = {(sources[source], targets[target]): count / pairs.word_counts[0][source]
                     for source, target, count in zip(pairs.source, pairs.target, pairs.counts, strict=True)}
    for word, translation in (NOUNS | COLOURS | {"the": "le", ".": "."}).items():
        likeliest = max((pair for pair in probabilities if pair[0] == word), key=probabilities.__getitem__)
        assert likeliest == (word, translation)
        assert probabilities[likeliest] > 0.7


def test_frequent_pairs_are_listed_if_probable_in_either_direction() -> None:
    pairs = WordPairCounts((["the", "cat", ".", "rare"], ["le", "chat", ".", "matou"]),
                           (np.array([100, 10, 50, 2], np.int32), np.array([100, 40, 50, 5], np.int32)),
                           np.array([0, 1, 1, 1, 2, 3], np.int32), np.array([0, 1, 0, 3, 2, 1], np.int32),
                           np.array([80.0, 6, 4, 3, 50, 2]))  # fmt: skip
    settings = LexiconSettings(min_links=3, min_forward_probability=0.35, min_backward_probability=0.5)
    entries = format_entries(pairs, settings)
    assert entries == "cat 100 chat 15 le 4 matou 60\nthe 80 le 80"
    settings = LexiconSettings(min_links=5, min_forward_probability=0.9, min_backward_probability=0.9)
    assert format_entries(pairs, settings) == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "mine.en-fr.tsv").write_text(TEXT, encoding="utf-8")
    (tmp_path / "train" / "words.en-fr.tsv").write_text("a squirrel\tun écureuil\n" * 9, encoding="utf-8")
    return tmp_path


def test_a_corpus_without_usable_lines_is_named(folder: Path) -> None:
    (folder / "train" / "more.en-fr.tsv").write_text("no tab\n\tno source\n", encoding="utf-8")
    control = ControlFile({"mine": CorpusSettings(), "more": CorpusSettings()}, languages=("en", "fr"))
    reason = r"more\.en-fr\.tsv has no usable pair \(1 not two fields, 1 empty\); a line must be"
    with pytest.raises(CorpusError, match=reason):
        learn_lexicon(folder, control, LexiconSettings(), "by hand", ignore_progress)


def test_corpora_of_phrases_are_left_out(folder: Path) -> None:
    control = ControlFile({"mine": CorpusSettings(), "words": CorpusSettings(phrases=True)}, languages=("en", "fr"))
    lexicon = learn_lexicon(folder, control, LexiconSettings(), "by test", ignore_progress)
    assert lexicon.data == {"mine": len(PAIRS)}
    assert (lexicon.languages, lexicon.command) == (("en", "fr"), "by test")
    assert lexicon.find_translations("cat").translations == ("chat",)
    assert lexicon.find_sources("vert").translations == ("green",)
    sample = learn_lexicon(folder, control, LexiconSettings(max_pairs=5), "by test", ignore_progress)
    assert sample.data == {"mine": 5}
    with pytest.raises(CorpusError, match="too little text"):
        learn_lexicon(folder, control, LexiconSettings(min_links=1000), "by test", ignore_progress)
    control = ControlFile({"words": CorpusSettings(phrases=True)}, languages=("en", "fr"))
    with pytest.raises(CorpusError, match="corpora of phrases alone"):
        learn_lexicon(folder, control, LexiconSettings(), "by hand", ignore_progress)


def test_korean_is_learnt_by_stems_in_any_order(tmp_path: Path) -> None:
    pairs = generate_pairs("sentences", 3000, seed=1)
    (tmp_path / "train").mkdir()
    text = "".join(f"{source}\t{target}\n" for source, target in pairs)
    (tmp_path / "train" / "mine.en-ko.tsv").write_text(text, encoding="utf-8")
    control = ControlFile({"mine": CorpusSettings()}, languages=("ko", "en"))
    lexicon = learn_lexicon(tmp_path, control, LexiconSettings(), "by hand", ignore_progress)
    assert lexicon.settings["diagonal_strength"] == 0
    assert "library" in lexicon.find_translations("도서관에서").translations
    assert lexicon.is_pair("의자를", "chair")
    assert "의자" in lexicon.lines
    assert "ktx" in lexicon.lines
