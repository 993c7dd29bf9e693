"""Check words found by third, and shares with their bands, on known texts."""

from __future__ import annotations

import pytest

from model.analysis.errors.endings import COLUMNS, MIN_WORDS, count_by_third, measure_endings, select_long_sentences
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_scripted_model

SHA = "0" * 64
# Nine words: three to a third. Articles and "et" are no content words.
REFERENCE = "Le chat gris et un chien mange la soupe"


@pytest.mark.parametrize(("output", "found_words"), [
    (REFERENCE, (2, 1, 2)), ("", (0, 0, 0)), ("LE CHAT GRIS", (2, 0, 0)), ("La soupe du chien", (0, 1, 1)),
    ("mange mange mange", (0, 0, 1)),
])  # fmt: skip
def test_content_words_are_found_by_third(output: str, found_words: tuple[int, int, int]) -> None:
    """gris and chat are in the first third, chien in the middle, mange and soupe in the last."""
    counts = dict(zip(COLUMNS, count_by_third(REFERENCE, output, "fr"), strict=True))
    assert (counts["first"], counts["middle"], counts["last"]) == (2, 1, 2)
    assert tuple(counts[f"{third}_found"] for third in ("first", "middle", "last")) == found_words


def test_a_missing_ending_lowers_the_last_third(tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]) -> None:
    """Each reference is six sentences; the outputs lack the last two."""
    chunks = [tuple(zip(*sentences[start : start + 6], strict=True)) for start in range(0, 54, 6)]
    pairs = [(" ".join(sources), " ".join(targets)) for sources, targets in chunks]
    outputs = {" ".join(sources): " ".join(targets[:4]) for sources, targets in chunks}
    text = ParallelText("made-up", SHA, tuple(normalise_pairs([*pairs, ("Yes.", "Oui.")])))
    long = select_long_sentences(text)
    assert long.name == f"made-up, over {MIN_WORDS} words"
    assert [len(source.split()) > MIN_WORDS for source, _ in long.pairs] == [True] * len(long.pairs)
    assert 0 < len(long.pairs) < len(text.pairs)
    record = measure_endings(build_scripted_model(tiny_vocabulary, outputs), long, command="by hand")
    shares = record["shares"]
    assert shares["first"]["value"] == 1.0 > shares["last"]["high"]
    counts = record["counts"]
    assert shares["last"]["value"] == sum(counts["last_found"]) / sum(counts["last"])
    assert {len(column) for column in counts.values()} == {len(long.pairs)} == {record["data"]["sentences"]}
    assert (record["kind"], record["search"]["name"], record["command"]) == ("endings", "greedy", "by hand")
    short = ParallelText("short", SHA, tuple(normalise_pairs([("Yes.", "Oui.")])))
    with pytest.raises(EvaluationError, match="No source of short has more than 30 words"):
        select_long_sentences(short)
    with pytest.raises(EvaluationError, match="content words"):
        measure_endings(build_scripted_model(tiny_vocabulary, {"Yes.": "Oui."}), short)
