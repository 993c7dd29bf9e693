"""Check how many names and numbers are copied, on known outputs."""


from model.analysis.errors.copying import measure_copying
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
    assert record["kind"] == "copying"
