"""The table of words and phrases: Model 1, the links, the phrases and the cover on examples worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from model.gallery.story import phrase_table
from model.gallery.story.phrase_table import (
    PhraseEntry,
    PhraseTable,
    Translation,
    count_phrases,
    extract_phrase,
    split_lower_words,
    symmetrize,
    train_model1,
)
from model.serialization.codec import CodecError, dump_json, to_plain
from model.text.prepared import CorpusError

PAIRS = [
    (("the", "black", "cat"), ("le", "chat", "noir")),
    (("the", "cat"), ("le", "chat")),
    (("the", "dog"), ("le", "chien")),
    (("the", "garden"), ("le", "jardin")),
    (("black",), ("noir",)),
    (("the", "chair"), ("la", "chaise")),
    (("chair",), ("chaise",)),
] * 3
CORPUS = "The black cat.\tLe chat noir.\nThe cat.\tLe chat.\nBlack.\tNoir.\nThe cat sleeps.\tLe chat dort.\n"


def entry(first: int, last: int, text: str, probability: float) -> PhraseEntry:
    return PhraseEntry(first, last, (Translation(text, probability, 3),))


@pytest.mark.verdict
def test_words_that_always_stand_together_are_translations() -> None:
    words, found = count_phrases(PAIRS, ("the", "black", "cat"))
    assert [one.translations[0].text for one in words] == ["le", "noir", "chat"]
    assert all(one.translations[0].probability > 0.6 for one in words)
    by_span = {(one.first, one.last): one.translations for one in found}
    assert by_span[1, 2] == (Translation("chat noir", 1.0, 3),)  # turned round inside the phrase
    assert (0, 1) not in by_span  # "the black" is linked to words that "cat" stands between


def test_one_round_of_model_1_by_hand() -> None:
    """Of two pairs "1 2 -> 1" and "1 -> 1": every weight is a share of its word, counts 1.5 and 0.5, all of word 1."""
    pairs = [(np.array([1, 2]), np.array([1])), (np.array([1]), np.array([2]))]
    lexicon = train_model1(pairs, 3, iterations=1)
    assert lexicon.get_probabilities(1, np.array([1, 2])) == pytest.approx([1 / 3, 2 / 3])
    assert lexicon.get_probabilities(2, np.array([1, 2])) == pytest.approx([1.0, 0.0])


def test_grow_diag_adds_only_beside_what_both_say() -> None:
    both = {(0, 0)}
    assert symmetrize(both | {(1, 1), (5, 3)}, both) == {(0, 0), (1, 1)}
    assert symmetrize(both | {(0, 1)}, both | {(1, 0)}) == {(0, 0), (0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("links", "span", "expected"),
    [
        ({(0, 0), (1, 2), (2, 1)}, (1, 2), (1, 2)),
        ({(0, 0), (1, 2), (2, 1)}, (0, 1), None),
        ({(0, 0)}, (1, 1), None),
        ({(0, 0), (2, 1)}, (0, 1), None),  # its last word is linked to nothing
    ],
)
def test_a_phrase_is_linked_to_nothing_outside(
    links: set[tuple[int, int]], span: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    assert extract_phrase(links, *span) == expected


def test_the_cover_takes_the_fewest_and_of_these_the_likeliest_phrases() -> None:
    words = tuple(entry(place, place, str(place), 0.5) for place in range(4))
    several = (entry(0, 1, "a", 0.4), entry(1, 2, "b", 0.9), entry(2, 3, "c", 0.2), entry(1, 3, "d", 0.3))
    table = PhraseTable("w x y z", words, several, 9, ("mine",), "python -m model phrases FOLDER")
    assert [one.translations[0].text for one in table.segment()] == ["0", "d"]  # 0.5 * 0.3 is more than 0.4 * 0.2
    bare = PhraseTable("w x y z", words, (), 9, ("mine",), "python -m model phrases FOLDER")
    assert [one.first for one in bare.segment()] == [0, 1, 2, 3]


def test_what_is_written_is_read_again_and_holes_are_refused(tmp_path: Path) -> None:
    train = tmp_path / "train"
    train.mkdir()
    for name in phrase_table.CORPORA:
        (train / f"{name}.en-fr.tsv").write_text(CORPUS, "utf-8")
    table = phrase_table.write_table(tmp_path, tmp_path / "table.json", "The black cat sleeps.")
    assert table.pairs == 4 * len(phrase_table.CORPORA)
    assert PhraseTable.from_json((tmp_path / "table.json").read_bytes()) == table
    for name in phrase_table.CORPORA:
        (train / f"{name}.en-fr.tsv").write_text(f"{'a ' * 99}a\tun chat\n", "utf-8")
    with pytest.raises(CorpusError, match="holds no pair of at most"):
        phrase_table.write_table(tmp_path, tmp_path / "table.json")
    (train / f"{phrase_table.CORPORA[0]}.en-fr.tsv").unlink()
    with pytest.raises(CorpusError):
        phrase_table.write_table(tmp_path, tmp_path / "table.json")
    with pytest.raises(CodecError):
        PhraseTable.from_json(dump_json({**to_plain(table), "words": []}))


def test_the_shipped_table_is_of_the_story_and_holds_no_sentence() -> None:
    table = PhraseTable.from_json(phrase_table.FILE.read_bytes())
    assert table.sentence == phrase_table.SENTENCE
    assert table.corpora == phrase_table.CORPORA
    assert [one.first for one in table.words] == list(range(len(split_lower_words(phrase_table.SENTENCE, "en"))))
    for one in (*table.words, *table.phrases):
        shares = [translated.probability for translated in one.translations]
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1.001
        assert all(len(translated.text.split()) <= 2 * phrase_table.MAX_PHRASE_WORDS for translated in one.translations)
    assert all(one.count >= phrase_table.MIN_COUNT for entry in table.phrases for one in entry.translations)
    covered = [place for one in table.segment() for place in range(one.first, one.last + 1)]
    assert covered == list(range(len(table.words)))
