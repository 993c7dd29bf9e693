"""Check that each point of BLEU by beam width scores its search."""

from __future__ import annotations

import pytest
from sacrebleu.metrics.bleu import BLEU

from model.analysis.evaluation.evaluation import ParallelText
from model.analysis.paper.beam_sizes import RANKINGS, measure_beam_sizes
from model.decoding import Settings
from model.decoding.translate import translate
from model.text.vocabulary import Vocabulary
from tests.canonical import normalise_pairs
from tests.model.analysis.scripted import build_random_model


def test_each_point_scores_its_search(tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]]) -> None:
    model = build_random_model(tiny_vocabulary)
    text = ParallelText("five", "0" * 64, tuple(normalise_pairs(sentences[:5])))
    calls: list[tuple[str, int, int]] = []
    record = measure_beam_sizes(model, text, sizes=(1, 3), progress=lambda *call: calls.append(call))
    assert [(point["ranking"], point["beam"]) for point in record["points"]] == [
        ("length", 1), ("length", 3), ("none", 1), ("none", 3)]  # fmt: skip
    references = [reference for _, reference in text.pairs]
    for point in record["points"]:
        settings = Settings(beam=point["beam"], length_penalty=point["ranking"])
        outputs = [result[0].target.text for result in translate(model, [source for source, _ in text.pairs], settings)]
        expected = BLEU().corpus_score(outputs, [references])
        assert point["bleu"] == expected.score
        assert point["low"] <= expected.score <= point["high"]
        assert point["ratio"] == expected.sys_len / expected.ref_len
    greedy = record["points"][0]
    assert record["points"][2] == greedy | {"ranking": "none"}
    assert calls[-1] == ("beams", 4, 4)
    for ranking in RANKINGS:
        scores = {point["beam"]: point["bleu"] for point in record["points"] if point["ranking"] == ranking}
        wide = record["wide"][ranking]
        assert scores[wide["best"]] == max(scores.values())
        assert wide["difference"] == pytest.approx(scores[3] - scores[wide["best"]])
