"""The phrase table: Model 1, alignments, phrases and segmentation of small examples, and the shipped table."""

from dataclasses import replace
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


def build_entry(first: int, last: int, text: str, probability: float) -> PhraseEntry:
    return PhraseEntry(first, last, (Translation(text, probability, 3),))


@pytest.mark.verdict
def test_words_that_occur_together_become_translations() -> None:
    words, phrases = count_phrases(PAIRS, ("the", "black", "cat"))
    assert [entry.translations[0].text for entry in words] == ["le", "noir", "chat"]
    assert all(entry.translations[0].probability > 0.6 for entry in words)
    by_span = {(entry.first, entry.last): entry.translations for entry in phrases}
    assert by_span[1, 2] == (Translation("chat noir", 1.0, 3),)  # reordered within the phrase
    assert (0, 1) not in by_span  # "cat" is aligned to a word between the translations of "the" and "black"


def test_one_iteration_of_model1() -> None:
    """For the pairs "1 2 -> 1" and "1 -> 2", word 1 has the counts 0.5 and 1."""
    pairs = [(np.array([1, 2]), np.array([1])), (np.array([1]), np.array([2]))]
    model = train_model1(pairs, 3, iterations=1)
    assert model.get_probabilities(1, np.array([1, 2])) == pytest.approx([1 / 3, 2 / 3])
    assert model.get_probabilities(2, np.array([1, 2])) == pytest.approx([1.0, 0.0])


def test_grow_diag_adds_neighbours_of_common_links_only() -> None:
    common_links = {(0, 0)}
    assert symmetrize(common_links | {(1, 1), (5, 3)}, common_links) == {(0, 0), (1, 1)}
    assert symmetrize(common_links | {(0, 1)}, common_links | {(1, 0)}) == {(0, 0), (0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("links", "span", "expected"),
    [
        ({(0, 0), (1, 2), (2, 1)}, (1, 2), (1, 2)),
        ({(0, 0), (1, 2), (2, 1)}, (0, 1), None),
        ({(0, 0)}, (1, 1), None),
        ({(0, 0), (2, 1)}, (0, 1), None),  # its last word has no link
    ],
)
def test_phrase_must_be_consistent_with_the_links(
    links: set[tuple[int, int]], span: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    assert extract_phrase(links, *span) == expected


def test_segmentation_takes_the_fewest_then_the_most_probable_phrases() -> None:
    words = tuple(build_entry(index, index, str(index), 0.5) for index in range(4))
    phrases = tuple(build_entry(*fields) for fields in ((0, 1, "a", 0.4), (1, 2, "b", 0.9), (2, 3, "c", 0.2),
                                                        (1, 3, "d", 0.3)))
    table = PhraseTable("w x y z", words, phrases, 9, ("corpus",), "python -m model phrases FOLDER")
    assert [entry.translations[0].text for entry in table.segment()] == ["0", "d"]  # 0.5 * 0.3 > 0.4 * 0.2
    assert [entry.first for entry in replace(table, phrases=()).segment()] == [0, 1, 2, 3]
    overlapping = tuple(build_entry(*fields) for fields in ((0, 2, "a", 0.4), (2, 3, "b", 0.9)))
    assert [(entry.first, entry.last) for entry in replace(table, phrases=overlapping).segment()] == [(0, 2), (3, 3)]


def test_table_is_written_and_read_and_missing_data_is_an_error(tmp_path: Path) -> None:
    train, file = tmp_path / "train", tmp_path / "table.json"
    train.mkdir()
    paths = [train / f"{name}.en-fr.tsv" for name in phrase_table.CORPORA]
    for path in paths:
        path.write_text(CORPUS, "utf-8")
    table = phrase_table.write_table(tmp_path, file, "The black cat sleeps.")
    assert table.pairs == 4 * len(paths)
    assert PhraseTable.from_json(file.read_bytes()) == table
    with pytest.raises(CodecError):
        PhraseTable.from_json(dump_json({**to_plain(table), "words": []}))
    for path in paths:
        path.write_text(f"{'a ' * 99}a\tun chat\n", "utf-8")
    with pytest.raises(CorpusError, match="holds no pair of at most"):
        phrase_table.write_table(tmp_path, file)
    paths[0].unlink()
    with pytest.raises(CorpusError):
        phrase_table.write_table(tmp_path, file)


def test_shipped_table_belongs_to_the_story_and_holds_no_sentence() -> None:
    table = PhraseTable.from_json(phrase_table.FILE.read_bytes())
    assert (table.sentence, table.corpora) == (phrase_table.SENTENCE, phrase_table.CORPORA)
    word_count = len(split_lower_words(phrase_table.SENTENCE, "en"))
    assert [entry.first for entry in table.words] == list(range(word_count))
    for entry in (*table.words, *table.phrases):
        probabilities = [translation.probability for translation in entry.translations]
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0 < sum(probabilities) <= 1.001
        assert all(len(translation.text.split()) <= 2 * phrase_table.MAX_PHRASE_WORDS
                   for translation in entry.translations)
    assert all(translation.count >= phrase_table.MIN_COUNT
               for entry in table.phrases for translation in entry.translations)
    covered = [index for entry in table.segment() for index in range(entry.first, entry.last + 1)]
    assert covered == list(range(word_count))
