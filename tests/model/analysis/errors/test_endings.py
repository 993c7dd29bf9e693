"""Check words found by third, and shares with their bands, on known texts."""

from __future__ import annotations

import json
import math

import pytest

from model.analysis.errors.endings import COLUMNS, MIN_WORDS, count_by_third, measure_endings, select_long_sentences
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.analysis.metrics.estimates import Estimate, estimate_with_band
from model.serialization.codec import dump_entries
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_scripted_model

SHA = "0" * 64
# Nine words: three to a third. Articles and "et" are no content words.
REFERENCE = "Le chat gris et un chien mange la soupe"


@pytest.mark.parametrize(("output", "result"), [
    (REFERENCE, (1, 1, 1)),
    ("", (0, 0, 0)),
    ("LE CHAT GRIS", (1, 0, 0)),
    ("La soupe du chien", (0, 1, 1)),
    ("mange mange mange", (0, 0, 1)),
])  # fmt: skip
def test_thirds_of_known_texts(output: str, result: tuple[int, int, int]) -> None:
    """Words looked for: gris and chat in the first third, chien in the middle, mange and soupe in the last."""
    counts = dict(zip(COLUMNS, count_by_third(REFERENCE, output, "fr"), strict=True))
    assert (counts["first"], counts["middle"], counts["last"]) == (2, 1, 2)
    given = {word.casefold() for word in output.split()}
    assert counts["first_found"] == len({"chat", "gris"} & given)
    assert counts["middle_found"] == len({"chien"} & given)
    assert counts["last_found"] == len({"mange", "soupe"} & given)
    assert tuple(min(1, counts[f"{third}_found"]) for third in ("first", "middle", "last")) == result


def test_repeated_reference_words_do_not_count() -> None:
    assert sum(count_by_third("chat chien chat", "chat chien", "fr")[::2]) == 1
    assert count_by_third("", "chat", "fr") == (0,) * 6


def test_a_missing_ending_lowers_the_last_third(tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]) -> None:
    """Each reference is six sentences; the outputs lack the last two."""
    chunks = [sentences[start : start + 6] for start in range(0, 54, 6)]
    pairs = tuple((" ".join(source for source, _ in chunk), " ".join(target for _, target in chunk))
                  for chunk in chunks)
    beginnings = [" ".join(target for _, target in chunk[:4]) for chunk in chunks]
    cut = {source: beginning for (source, _), beginning in zip(pairs, beginnings, strict=True)}
    text = ParallelText("made-up", SHA, tuple(normalise_pairs([*pairs, ("Yes.", "Oui.")])))
    long = select_long_sentences(text)
    assert long.name == f"made-up, over {MIN_WORDS} words"
    assert [len(source.split()) > MIN_WORDS for source, _ in long.pairs] == [True] * len(long.pairs)
    assert 0 < len(long.pairs) < len(text.pairs)
    record = measure_endings(build_scripted_model(tiny_vocabulary, cut), long, command="by hand")
    shares = record["shares"]
    assert shares["first"]["value"] == 1.0 > shares["last"]["high"]
    counts = record["counts"]
    assert shares["last"]["value"] == sum(counts["last_found"]) / sum(counts["last"])
    assert {len(column) for column in counts.values()} == {len(long.pairs)} == {record["data"]["sentences"]}
    assert (record["kind"], record["search"]["name"], record["command"]) == ("endings", "greedy", "by hand")
    assert json.loads(dump_entries(record)) == record
    short = ParallelText("short", SHA, tuple(normalise_pairs([("Yes.", "Oui.")])))
    with pytest.raises(EvaluationError):
        select_long_sentences(short)
    with pytest.raises(EvaluationError, match="content words"):
        measure_endings(build_scripted_model(tiny_vocabulary, {"Yes.": "Oui."}), short)


def test_estimates_come_from_the_sums() -> None:
    columns = {"found": [1, 0, 3, 2], "asked": [2, 2, 4, 2]}
    result = estimate_with_band(columns, lambda sums: sums["found"] / sums["asked"])
    assert result.value == 0.6
    assert 0 <= result.low < 0.6 < result.high <= 1
    assert estimate_with_band({"a": [1, 1], "b": [2, 2]}, lambda sums: sums["a"] / sums["b"]) == Estimate(0.5, 0.5, 0.5)
    # A difference of two shares of the same sentences: what both have in common cancels out in every resample.
    same = estimate_with_band(
        {"a": [5, 0, 1], "b": [9, 1, 2], "c": [5, 0, 1]}, lambda s: s["a"] / s["b"] - s["c"] / s["b"]
    )
    assert same == Estimate(0.0, 0.0, 0.0)
    nothing = estimate_with_band({"a": [0, 0], "b": [0, 0]}, lambda sums: sums["a"] / sums["b"])
    assert all(map(math.isnan, (nothing.value, nothing.low, nothing.high)))
