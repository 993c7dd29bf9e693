"""Check how many names and numbers are copied, on known outputs."""

from pathlib import Path

import pytest

from model.analysis.errors.copied import is_number, measure_copying
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, load_records
from model.analysis.paper.runs import RUNS_FOLDER
from model.text.copy_sentences import CopySentence
from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import build_scripted_model


def test_copied_items_are_counted_by_kind(tiny_vocabulary: Vocabulary) -> None:
    model = build_scripted_model(tiny_vocabulary, {
        "Anna has 12 cats.": "Anna a 12 chats.", "Anna has a cat.": "Le chat.", "I see 14 cats.": "Je vois 41 chats.",
    })  # fmt: skip
    sentences = (CopySentence("Anna has 12 cats.", ("Anna", "12")), CopySentence("Anna has a cat.", ("Anna",)),
                 CopySentence("I see 14 cats.", ("14",)))  # fmt: skip
    record = measure_copying(model, sentences, "0" * 64, command="made by hand")
    assert record["names"] == {"items": 2, "found": 1}
    assert record["numbers"] == {"items": 2, "found": 1}
    assert record["whole"] == 1
    assert [outcome["found"] for outcome in record["outcomes"]] == [[True, True], [False], [False]]
    assert record["kind"] == "copied"


@pytest.mark.parametrize(
    "folder", [EVALUATIONS_FOLDER, EVALUATIONS_FOLDER / RUNS_FOLDER], ids=["shipped", "short runs"]
)
def test_shipped_counts_follow_from_their_outcomes(folder: Path) -> None:
    records = load_records("copied", folder)
    assert records
    for file, record in records.items():
        result = {False: 0, True: 0}
        for outcome in record["outcomes"]:
            flags = CopySentence(outcome["source"], tuple(outcome["items"])).find_copied_items(outcome["output"])
            assert list(flags) == outcome["found"], f"{file}: {outcome['output']}"
            for item, is_found in zip(outcome["items"], flags, strict=True):
                result[is_number(item)] += is_found
        assert (record["names"]["found"], record["numbers"]["found"]) == (result[False], result[True]), file
        assert record["whole"] == sum(all(outcome["found"]) for outcome in record["outcomes"]), file
