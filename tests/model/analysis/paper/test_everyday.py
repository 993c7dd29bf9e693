"""Check the report on everyday sentences."""

from __future__ import annotations

import json

from model.analysis.paper.everyday import check_everyday
from model.decoding import Settings
from model.text.everyday_sentences import LISTS, expand_pattern, read_everyday
from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import build_scripted_model


def test_a_report_lists_and_counts_outcomes(tiny_vocabulary: Vocabulary) -> None:
    sentences = read_everyday()
    good = {item.source: expand_pattern(item.accepted[-1])[0] for item in sentences}
    perfect = check_everyday(build_scripted_model(tiny_vocabulary, good))
    assert (perfect.passed_count, len(perfect.outcomes)) == (40, 40)
    assert perfect.unseen_count == perfect.unseen_passed_count == sum(item.unseen for item in sentences)
    training_sentence = next(item.source for item in sentences if not item.unseen)
    worse = good | {"I am a student.": "Je suis un chat.", training_sentence: "Rien."}
    report = check_everyday(build_scripted_model(tiny_vocabulary, worse), Settings(beam=2))
    assert (report.passed_count, report.unseen_passed_count) == (38, report.unseen_count - 1)
    content = json.loads(report.to_json())
    assert (content["passed"], content["sentences"], content["search"]["name"]) == (38, 40, "beam")
    assert content["outcomes"][0] == {"source": "I am a student.", "output": "Je suis un chat.", "passed": False,
                                      "unseen": True}
    second_report = check_everyday(build_scripted_model(tiny_vocabulary, good), path=LISTS["everyday-60"])
    assert (json.loads(second_report.to_json())["data"]["name"], len(second_report.outcomes)) == ("everyday-60", 60)
