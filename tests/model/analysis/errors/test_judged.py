"""Check how often marks are right on translations judged by hand and not used for the rule."""

import pytest

from model.text.words import is_content_word
from tests.model.analysis.errors.judged import Mark, build_trace, load_pairs, score_marks

WANTED = 0.9


@pytest.mark.verdict
@pytest.mark.parametrize("mark", ["lost", "invented"])
@pytest.mark.parametrize("attends", [True, False])
def test_nine_of_ten_marks_are_right_on_held_out_sentences(mark: Mark, attends: bool) -> None:
    result = score_marks(mark, "test", attends)
    assert result.precision >= WANTED, result
    assert result.recall >= ((0.75 if mark == "lost" else 0.7) if attends else 0.85), result
    assert result.judged >= 20


@pytest.mark.parametrize("model", ["rnnsearch", "rnnencdec", "luong", "transformer"])
def test_omissions_are_found_equally_well_for_every_kind_of_model(model: str) -> None:
    result = score_marks("lost", "test", model=model)
    assert result.precision >= WANTED, result
    assert result.recall >= 0.6, result
    assert result.judged >= 14


def test_the_judged_words_are_content_words_of_many_lengths_and_models() -> None:
    assert len(load_pairs()) >= 120
    for pair in load_pairs():
        made = build_trace(pair)
        for key, side, language in (("lost", made.source, "en"), ("unsure", made.source, "en"),
                                    ("invented", made.target, "fr"), ("unsure_invented", made.target, "fr")):
            assert all(is_content_word(side.words[place], language) for place in pair[key]), pair["source"]
        assert not set(pair["lost"]) & set(pair["unsure"])
    lengths = [len(pair["source"].split()) for pair in load_pairs()]
    assert min(lengths) <= 4
    assert max(lengths) >= 45
    assert len({pair["source"] for pair in load_pairs()}) == len(load_pairs())
    assert {pair["model"] for pair in load_pairs()} >= {
        "rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30", "luong-50", "transformer-50"}  # fmt: skip
    assert sum(pair["half"] == "test" for pair in load_pairs()) >= 60
