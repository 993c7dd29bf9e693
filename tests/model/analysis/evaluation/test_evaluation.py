"""Check evaluations: scores against sacreBLEU and known values, no line lost, exact JSON, inconsistent records refused.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.analysis.evaluation import evaluate as evaluating
from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import (
    SCORES,
    Evaluation,
    EvaluationError,
    ParallelText,
    compare_bleu,
)
from model.decoding import Settings
from model.decoding.translate import translate
from model.serialization.codec import CodecError
from model.text.bleu import compute_moses_bleu
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import ScriptedModel, build_random_model, build_scripted_model
from tests.word_models import train_word_vocabulary

SHA = hashlib.sha256(b"").hexdigest()


@pytest.fixture(scope="module")
def text(sentences: list[tuple[str, str]]) -> ParallelText:
    """Return twenty lines of two sentences, an empty one, one of a single word, and one of 66 words."""
    pairs = [(f"{a} {c}", f"{b} {d}") for (a, b), (c, d) in zip(sentences[:20], sentences[20:40], strict=True)]
    long = tuple(" ".join(pair[side] for pair in sentences[40:54]) for side in (0, 1))
    all_pairs = normalise_pairs([*pairs, ("", "Rien."), ("Cat!", "Chat!"), (long[0], long[1])])
    return ParallelText("made-up", SHA, tuple(all_pairs))


def worsen_references(text: ParallelText) -> dict[str, str]:
    """Return a translation for each source: its reference without the last words."""
    outputs: dict[str, str] = {}
    for number, (source, reference) in enumerate(text.pairs):
        words = reference.split()
        outputs[source] = " ".join(words[: len(words) - number % 3] or words)
    return outputs


@pytest.fixture(scope="module")
def model(text: ParallelText, tiny_vocabulary: Vocabulary) -> ScriptedModel:
    return build_scripted_model(tiny_vocabulary, worsen_references(text))


@pytest.fixture(scope="module")
def evaluation(model: ScriptedModel, text: ParallelText) -> Evaluation:
    return evaluate(model, text, command="by hand")


@pytest.mark.verdict
def test_scores_equal_sacrebleu(evaluation: Evaluation, text: ParallelText) -> None:
    outputs = [output if source else "" for source, output in worsen_references(text).items()]
    references = [reference for _, reference in text.pairs]
    metric = BLEU()
    expected = metric.corpus_score(outputs, [references])
    assert 60 < expected.score < 99
    assert set(evaluation.scores) == set(SCORES)
    assert evaluation.scores["bleu"] == expected.score
    moses = compute_moses_bleu(outputs, references, "fr")
    assert (evaluation.scores["bleu_moses"], evaluation.signatures["bleu_moses"]) == moses
    assert evaluation.scores["bleu_moses"] != expected.score
    assert evaluation.scores["chrf"] == CHRF().corpus_score(outputs, [references]).score
    assert evaluation.scores["bleu_low"] < expected.score < evaluation.scores["bleu_high"]
    assert evaluation.signatures["bleu"] == str(metric.get_signature())
    sums = [*expected.counts, *expected.totals, expected.sys_len, expected.ref_len]
    assert evaluation.statistics.sum(axis=0).tolist() == sums


def test_perplexity_equals_the_loss_of_the_network(
    tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]
) -> None:
    model = build_random_model(tiny_vocabulary, "rnnencdec")
    pairs = tuple(normalise_pairs(sentences[:9]))
    result = evaluate(model, ParallelText("nine", SHA, pairs), Settings(max_ratio=0.5))
    nats = pieces = 0.0
    with torch.no_grad():
        for source, reference in pairs:
            ids = [torch.tensor([tiny_vocabulary.encode(side)]) for side in (source, reference)]
            nats += float(model.network.loss(*ids))
            pieces += ids[1].shape[1]
    assert result.scores["perplexity"] == pytest.approx(math.exp(nats / pieces), rel=1e-4)
    n_best = translate(model, [source for source, _ in pairs], Settings(max_ratio=0.5))
    expected_traces = [traces[0] for traces in n_best]
    assert result.unfinished == sum(not trace.is_finished for trace in expected_traces) > 0
    outputs = [trace.target.text for trace in expected_traces]
    assert result.scores["bleu"] == BLEU().corpus_score(outputs, [[reference for _, reference in pairs]]).score


@pytest.mark.parametrize(("max_sentences", "max_tokens"), [(3, 8192), (128, 60)])
def test_batch_sizes_do_not_change_the_evaluation(
    model: ScriptedModel, text: ParallelText, evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch,
    max_sentences: int, max_tokens: int,
) -> None:
    """A source longer than 60 tokens is translated alone. The progress reaches the number of sentences."""
    monkeypatch.setattr(evaluating, "MAX_BATCH_SENTENCES", max_sentences)
    monkeypatch.setattr(evaluating, "MAX_BATCH_PIECES", max_tokens)
    model.network.batches.clear()
    calls: list[tuple[str, int, int]] = []
    repeated_evaluation = evaluate(model, text, command="by hand", progress=lambda *call: calls.append(call))
    assert replace(repeated_evaluation, date=evaluation.date) == evaluation
    assert sum(model.network.batches) == 2 * 22  # translated and forced once each; the empty source never
    assert max(model.network.batches) <= max(1, min(max_sentences, max_tokens // 10))
    assert {stage: count for stage, count, _ in calls} == {"translating": 23, "reading references": 23, "scoring": 23}


def test_untranslatable_lines_are_counted(
    model: ScriptedModel, text: ParallelText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluating, "MAX_SOURCE_TOKENS", 100)
    monkeypatch.setattr(evaluating, "MAX_CHARACTERS", 2000)
    pairs = (*text.pairs, ("A cat.", "chat " * 600), ("A dog.", ""), ("Nothing is known of it.", "chat"))
    result = evaluate(model, ParallelText("more", SHA, tuple(normalise_pairs(pairs))))
    outcome = result.get_column("outcome").tolist()
    assert [outcome[20], outcome[22]] == [2, 2]  # empty; the longest, of more than 100 pieces
    assert result.untranslated == 2
    assert result.get_column("reference_tokens")[20] == 2  # "Rien ."
    assert result.unscored == 3  # those two, and the one with 600 cats
    assert result.get_column("reference_pieces")[-2] == 1  # an empty reference is "</s>" alone
    assert result.unfinished == 3  # sources without a script never end: the cat, the dog and the last
    with pytest.raises(EvaluationError, match="Nothing in empty can be translated"):
        evaluate(model, ParallelText("empty", SHA, tuple(normalise_pairs((("", "Rien."),)))))


def test_pairs_are_read_normalised(tmp_path: Path) -> None:
    content = "The cat\u2019s tail.\tLa queue du chat\u00a0!\nA dog.\tUn chien.\n".encode()
    (tmp_path / "my.small.en-fr.tsv").write_bytes(content)
    (tmp_path / "my.small.en-fr.tsv.xz").write_bytes(lzma.compress(content))
    plain, packed = (ParallelText.read(tmp_path / name) for name in ("my.small.en-fr.tsv", "my.small.en-fr.tsv.xz"))
    assert plain.name == packed.name == "my.small"
    assert plain.sha256 == hashlib.sha256(content).hexdigest() != packed.sha256
    assert plain.pairs == packed.pairs == (("The cat's tail.", "La queue du chat!"), ("A dog.", "Un chien."))


def test_samples_are_evenly_spaced_and_named(model: ScriptedModel, text: ParallelText) -> None:
    sample = text.sample_evenly(4)
    assert sample.pairs == tuple(text.pairs[index] for index in (0, 5, 11, 17))
    sampled = evaluate(model, sample, Settings(sample=True, seed=7, temperature=0.1))
    assert sampled.data.name == "made-up, 4 evenly spaced"
    assert sampled.search.items() >= {"name": "sampling", "seed": 7, "temperature": 0.1, "n_best": 1}.items()
    with pytest.raises(EvaluationError, match="at least 1 pair: got 0"):
        text.sample_evenly(0)
    lengths = [*range(1, 11), 70, 11, 11, 11, 11]
    pairs = tuple((" ".join(["w"] * length), f"m{number}") for number, length in enumerate(lengths))
    binned = ParallelText("made-up", SHA, tuple(normalise_pairs(pairs)))
    sample = binned.sample_by_length(2)
    assert [target for _, target in sample.pairs] == ["m0", "m5", "m10", "m11", "m13"]
    assert (sample.name, sample.sha256) == ("made-up, 2 a bin", SHA)


def test_a_text_without_a_sentence_of_known_words_is_refused(
    sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    odd = ParallelText("odd", SHA, tuple(normalise_pairs([("Zyzzyva.", "Zyzzyva.")])))
    with pytest.raises(EvaluationError, match="Every pair of odd has a word that the vocabulary lacks"):
        odd.select_known_words(train_word_vocabulary(sentences[:3], tmp_path, 43))


def test_json_is_exact_and_other_data_or_signatures_cannot_be_compared(evaluation: Evaluation) -> None:
    content = evaluation.to_json()
    restored_evaluation = Evaluation.from_json(content)
    assert restored_evaluation == evaluation
    assert restored_evaluation.to_json() == content
    assert json.loads(content)["counts"]["source_words"] == evaluation.get_column("source_words").tolist()
    assert evaluation != replace(evaluation, command="by foot")
    with pytest.raises(EvaluationError, match=r"computed differently: .* and tok:other"):
        compare_bleu(evaluation, replace(evaluation, signatures=evaluation.signatures | {"bleu": "tok:other"}))
    with pytest.raises(EvaluationError, match="Only evaluations of the same sentences"):
        compare_bleu(evaluation, replace(evaluation, data=replace(evaluation.data, sha256="1" * 64)))


BROKEN: list[tuple[tuple[Any, ...], Any, str]] = [
    (("schema",), 2, "reads evaluations of schema 1: got '2'"),
    (("schema",), True, "reads evaluations of schema 1: got 'True'"),
    (("fingerprint",), "xyz", "fingerprint must be lower hexadecimal"),
    (("data", "sha256"), "0" * 63, "checksum of the data must be"),
    (("data", "sentences"), 22, r"counts of 22 sentences have the shape"),
    (("search", "beam"), "5", 'a "beam", a whole number from 1 up'),
    (("scores", "bleu"), 99.0, "BLEU does not follow from the counts"),
    (("scores", "perplexity"), 2.0, "perplexity does not follow from the counts"),
    (("scores", "chrf"), None, r"scores\.chrf must be a number"),
    (("by_length",), [], "curve has the bins 1-10"),
    (("by_length", 0, "bleu"), 1.0, "BLEU of 1-10 words does not follow"),
    (("by_length", 0, "low"), None, "exactly if it has sentences"),
    (("by_length", 0, "sentences"), 1, "counts have [0-9]+ sentences of 1-10 words"),
    (("unfinished",), 7, "0 sentences unfinished: got 7"),
    (("unscored",), 0, "1 sentences unscored: got 0"),
    (("counts", "correct_1", 0), -1, "Counts are at least 0 .* got -1"),
    (("counts", "correct_1", 0), 2**62, "Counts stay below 1,099,511,627,776"),
    (("counts", "correct_4", 0), 500, "more n-grams are correct than there are"),
    (("counts", "outcome", 0), 3, "outcomes at most 2: got 0 and 3"),
]


@pytest.mark.parametrize(("path", "value", "message"), BROKEN, ids=[f"{path}={value}" for path, value, _ in BROKEN])
def test_inconsistent_evaluations_are_refused(
    evaluation: Evaluation, path: tuple[Any, ...], value: Any, message: str
) -> None:
    content = json.loads(evaluation.to_json())
    parent: Any = content
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    with pytest.raises(CodecError, match=message) as caught:
        Evaluation.from_json(json.dumps(content))
    assert "\n" not in str(caught.value)


def test_an_evaluation_without_a_scored_reference_is_refused(evaluation: Evaluation) -> None:
    content = json.loads(evaluation.to_json())
    content["unscored"] = 23
    content["counts"]["reference_pieces"] = [0] * 23
    with pytest.raises(CodecError, match="At least one reference"):
        Evaluation.from_json(json.dumps(content))


@pytest.mark.verdict
@pytest.mark.parametrize("text", [
    "", "[]", '{"schema": NaN}', "[" * 100_000, "9" * 5000, b"\xff\xfe\x00", '{"schema": 1}',
])  # fmt: skip
def test_invalid_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(CodecError) as caught:
        Evaluation.from_json(text)
    assert "\n" not in str(caught.value)
