"""Check BLEU of joined sentences on scripted translations."""

from __future__ import annotations

import pytest

from model.analysis.errors import joined
from model.analysis.evaluation.evaluation import EvaluationError, ParallelText
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_scripted_model

SHA = "0" * 64


def test_a_translation_that_stops_early_scores_less_joined(
    tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Single sentences are translated as the reference has them, a joined text only by its first half."""
    monkeypatch.setattr(joined, "WORDS", (20, 1_000))
    pairs = normalise_pairs(sentences[:24])
    texts = joined.join_sentences(pairs, 20)
    assert [pair for text in texts for pair in text] == list(pairs[: sum(map(len, texts))])
    assert all(sum(len(source.split()) for source, _ in text[:-1]) < 20 for text in texts)
    answers: dict[str, str] = {str(source): str(target) for source, target in pairs}
    for text in texts:
        halves = [target for _, target in text[: len(text) // 2]]
        answers[" ".join(source for source, _ in text)] = " ".join(halves)
    record = joined.measure_joined(build_scripted_model(tiny_vocabulary, answers),
                                   ParallelText("made-up", SHA, tuple(pairs)), command="by hand")
    (point,) = record["points"]
    assert (record["kind"], point["words"], point["texts"]) == ("joined", 20, len(texts))
    assert round(point["single"]["bleu"], 9) == 100
    assert point["joined"]["high"] < 100
    assert 0.3 < point["share_of_words"] < 0.7


def test_short_texts_are_refused(tiny_vocabulary: Vocabulary) -> None:
    text = ParallelText("short", SHA, tuple(normalise_pairs([("Yes.", "Oui.")])))
    with pytest.raises(EvaluationError, match="No text of 100 words"):
        joined.measure_joined(build_scripted_model(tiny_vocabulary, {"Yes.": "Oui."}), text)


def test_a_text_may_have_as_many_tokens_as_search_allows(
    tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined, "WORDS", (1,))
    text = ParallelText("short", SHA, tuple(normalise_pairs([("Yes.", "Oui.")])))
    model = build_scripted_model(tiny_vocabulary, {"Yes.": "Oui."})
    tokens = len(tiny_vocabulary.encode(text.pairs[0][0])) - 1  # search does not count the end
    monkeypatch.setattr(joined, "MAX_SOURCE_TOKENS", tokens)
    assert [point["texts"] for point in joined.measure_joined(model, text)["points"]] == [1]
    monkeypatch.setattr(joined, "MAX_SOURCE_TOKENS", tokens - 1)
    with pytest.raises(EvaluationError, match=f"at most {tokens - 1} tokens"):
        joined.measure_joined(model, text)


def test_no_shorter_text_stands_in_for_a_chosen_one(
    tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else models with other vocabularies would be measured on other texts."""
    monkeypatch.setattr(joined, "WORDS", (1,))
    pairs = normalise_pairs([sentences[0], ("Yes.", "Oui.")])
    monkeypatch.setattr(joined, "MAX_SOURCE_TOKENS", len(tiny_vocabulary.encode(pairs[1][0])) - 1)
    with pytest.raises(EvaluationError, match="one of two has more"):
        joined.measure_joined(build_scripted_model(tiny_vocabulary, {"Yes.": "Oui."}),
                              ParallelText("two", SHA, tuple(pairs)))
