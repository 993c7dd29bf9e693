"""A lexicon learnt from a few sentences: what stands for what comes out, and what is kept of it."""

from pathlib import Path

import numpy as np
import pytest

from model.analysis.lexicon.learn import Learning, WordPairs, entries, learn, make
from model.analysis.lexicon.lexicon import Lexicon
from model.text.cleaning import Pair
from model.text.control_file import ControlFile, CorpusSettings
from model.text.normalise import normalise
from model.text.prepared import CorpusError

NOUNS = {"cat": "chat", "dog": "chien", "car": "camion", "tree": "arbre", "book": "livre"}
COLOURS = {"black": "noir", "green": "vert", "old": "vieux"}
PAIRS = [(normalise(f"The {colour} {noun}."), normalise(f"Le {french} {coloured}."))
         for noun, french in NOUNS.items() for colour, coloured in COLOURS.items()]  # fmt: skip
PAIRS += [(normalise(f"The {noun}."), normalise(f"Le {french}.")) for noun, french in NOUNS.items()] * 2


def quiet(stage: str, done: int, total: int) -> None:
    pass


def probabilities(pairs: list[Pair]) -> dict[tuple[str, str], float]:
    found = learn(pairs, ("en", "fr"), Learning(), quiet)
    sources, targets = found.vocabularies
    return {(sources[source], targets[target]): count / found.seen[0][source]
            for source, target, count in zip(found.source, found.target, found.counts, strict=True)}  # fmt: skip


def test_words_that_come_together_translate_each_other_wherever_they_stand() -> None:
    found = probabilities(PAIRS)
    for word, translation in (NOUNS | COLOURS | {"the": "le", ".": "."}).items():
        likeliest = max((pair for pair in found if pair[0] == word), key=lambda pair: found[pair])
        assert likeliest == (word, translation)
        assert found[likeliest] > 0.7


def test_a_pair_is_kept_that_was_linked_often_and_is_probable_one_way_or_the_other() -> None:
    found = WordPairs((["the", "cat", ".", "rare"], ["le", "chat", ".", "matou"]),
                      (np.array([100, 10, 50, 2], np.int32), np.array([100, 40, 50, 5], np.int32)),
                      np.array([0, 1, 1, 1, 2, 3], np.int32), np.array([0, 1, 0, 3, 2, 1], np.int32),
                      np.array([80.0, 6, 4, 3, 50, 2]))  # fmt: skip
    kept = entries(found, Learning(fewest=3, forward=0.35, backward=0.5))
    assert kept == "cat 100 chat 15 le 4 matou 60\nthe 80 le 80"
    assert entries(found, Learning(fewest=5, forward=0.9, backward=0.9)) == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train").mkdir()
    text = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
    (tmp_path / "train" / "mine.en-fr.tsv").write_text(text, encoding="utf-8")
    (tmp_path / "train" / "words.en-fr.tsv").write_text("a squirrel\tun écureuil\n" * 9, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("text", "why"), [
    ("", "it is empty"), ("no tab\n\tno source\n", "1 not two fields, 1 empty"),
    (f"{'cat ' * 31}\tchat\n", "1 too many words"),
])  # fmt: skip
def test_a_corpus_of_which_nothing_is_left_is_named(folder: Path, text: str, why: str) -> None:
    (folder / "train" / "more.en-fr.tsv").write_text(text, encoding="utf-8")
    control = ControlFile({"mine": CorpusSettings(), "more": CorpusSettings()}, languages=("en", "fr"))
    with pytest.raises(CorpusError, match=rf"nothing of .*more\.en-fr\.tsv can be learnt from \({why}\); a line is"):
        make(folder, control, Learning(), "by hand", quiet)


def test_a_lexicon_of_nothing_is_refused_and_one_of_a_region_stands_where_it_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    text = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
    (tmp_path / "train" / "mine.pt-BR-fr.tsv").write_text(text)
    control = ControlFile(corpora={"mine": CorpusSettings()}, languages=("pt-BR", "fr"))
    assert make(tmp_path, control, Learning(fewest=1), "", quiet).languages == ("pt", "fr")
    with pytest.raises(CorpusError, match="too little text"):
        make(tmp_path, control, Learning(fewest=1000), "", quiet)


def test_phrases_alone_are_nothing_to_learn_from(folder: Path) -> None:
    control = ControlFile({"words": CorpusSettings(phrases=True)}, languages=("en", "fr"))
    with pytest.raises(CorpusError, match="corpora of phrases alone"):
        make(folder, control, Learning(), "by hand", quiet)


def test_what_is_read_is_noted_and_dictionaries_are_left_out(folder: Path) -> None:
    control = ControlFile({"mine": CorpusSettings(), "words": CorpusSettings(phrases=True)}, languages=("en", "fr"))
    made = make(folder, control, Learning(), "by test", quiet)
    assert isinstance(made, Lexicon)
    assert made.data == {"mine": len(PAIRS)}
    assert (made.languages, made.command) == (("en", "fr"), "by test")
    assert made.settings["passes"] == Learning().passes
    assert made.find_translations("cat").translations == ("chat",)
    assert made.find_sources("vert").translations == ("green",)
    assert "squirrel" not in made.entries
    assert make(folder, control, Learning(most=5), "by test", quiet).data == {"mine": 5}
