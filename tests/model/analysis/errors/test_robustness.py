"""Check how many translations change with the way of typing, on known outputs."""

from dataclasses import replace

from model.analysis.errors.robustness import count_content_words, measure_robustness
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import build_scripted_model


def test_content_words_are_counted() -> None:
    assert count_content_words("Le chat n'est pas l'ami du chat!", "fr") == {"chat": 2, "pas": 1, "ami": 1}
    for text in ("VOUS ETES FATIGUES", "Vous êtes fatigués."):
        assert count_content_words(text, "fr") == {"fatigues": 1}


def test_changed_translations_are_counted_and_listed(tiny_vocabulary: Vocabulary) -> None:
    model = build_scripted_model(tiny_vocabulary, {
        "I don't sing.": "Je ne chante pas.",
        "I don't sing": "je ne chante pas",  # the stop alone
        "i don't sing.": "Il ne chante pas.",  # a pronoun: no content
        "I DON'T SING.": "La porte.",  # lost
        "I do not sing.": "Je ne chante jamais.",
        "The cat!": "Le chat!", "The cat": "Le chat", "the cat!": "Le chien!", "THE CAT!": "LE CHAT!",
    })  # fmt: skip
    record = measure_robustness(model, ["I don't sing.", "The cat!"], "0" * 64, command="made by hand")
    assert record["variants"] == {
        "no final stop": {"sentences": 2, "same_text": 0, "changed": 0},
        "lower case": {"sentences": 2, "same_text": 0, "changed": 1},
        "capitals": {"sentences": 2, "same_text": 0, "changed": 1},
        "contractions": {"sentences": 1, "same_text": 0, "changed": 1},
        "typographic apostrophes": {"sentences": 1, "same_text": 1, "changed": 0},
        "doubled spaces": {"sentences": 2, "same_text": 2, "changed": 0},
    }
    assert [tuple(change[key] for key in ("variant", "typed", "before", "after")) for change in record["changes"]] == [
        ("lower case", "the cat!", "Le chat!", "Le chien!"),
        ("capitals", "I DON'T SING.", "Je ne chante pas.", "La porte."),
        ("contractions", "I do not sing.", "Je ne chante pas.", "Je ne chante jamais."),
    ]


def test_translations_that_keep_to_the_style_are_counted(tiny_vocabulary: Vocabulary) -> None:
    model = replace(build_scripted_model(tiny_vocabulary, {
        "I eat.": "먹는다", "I eat": "먹는다", "i eat.": "먹는다", "I EAT.": "먹는다",
        "<plain> I eat.": "먹는다.", "<polite> I eat.": "먹어요.", "<formal> I eat.": "먹어.",
    }), languages=("en", "ko"))  # fmt: skip
    record = measure_robustness(model, [normalise("I eat.")], "0" * 64)
    assert record["styles"] == {"plain": 1, "polite": 1, "formal": 0}
    assert record["variants"]["lower case"]["changed"] == 0
