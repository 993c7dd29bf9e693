"""The payload of the heatmap, and the chosen hypothesis of the n best."""

import json
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from model.analysis.errors.differences import compare_translations
from model.analysis.paper import figures
from model.text.normalise import normalise
from model.trace import Symbol, Trace
from pages.ui.backend.service import Traces
from pages.ui.charts import alignment_grid
from pages.ui.heatmap import heatmap
from pages.ui.heatmap.heatmap import MAX_LABELS, HeatmapView, build_heatmap_payload
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.results import long_sentences
from tests.cards import build_card
from tests.pages.marks import strip_term_marks
from tests.traces import ENGLISH, FRENCH, LOST, ORDER, make_trace

PLAIN = make_trace(target=LOST, order=None, model="rnnencdec-50")
SECOND_BEST = "le petit chat gris dort sur le toit chaud de cette maison ."
WORDS = HeatmapView()
T = load_messages("en")
BEST = (make_trace(beam=5), make_trace(target=SECOND_BEST, order=(0, 1, 3, 2, 4, 5, 6, 8, 7, 9, 10, 12, 13), beam=5))


def build_payload(
    best: Trace | Traces, view: HeatmapView = WORDS, other_trace: Trace | None = PLAIN, language: str = "en",
    rank: int = 0,
) -> dict:
    """Return the payload as the browser gets it."""
    traces = (best,) if isinstance(best, Trace) else best
    return json.loads(
        json.dumps(build_heatmap_payload(traces, other_trace, view, rank, load_messages(language)), allow_nan=False)
    )


@pytest.mark.verdict
def test_payload_has_words_weights_and_names() -> None:
    data = build_payload(make_trace())
    (best,) = data["n_best"]
    assert data["source"]["labels"] == [*ENGLISH.split(), "end"]
    assert best["labels"] == [*FRENCH.split(), "end"]
    weights = np.array(best["alpha"]) / data["weight_scale"]
    np.testing.assert_allclose(weights, alignment_grid.build_grid(make_trace(), "words").values, atol=6e-5)
    assert np.argmax(best["alpha"][3]) == 2  # gris attends to grey
    assert data["name"] == "RNNsearch-50"
    assert list(map(strip_term_marks, best["notes"])) == ["log p −1.6"]
    assert data["other_translation"]["name"] == "RNNencdec-50"
    assert strip_term_marks(data["other_translation"]["notes"][0]) == T("result.without")
    assert data["other_translation"]["alpha"] is None
    assert "".join(gap + word for gap, word in data["other_translation"]["words"]) == LOST
    assert strip_term_marks(data["provenance"]) == "fingerprint 0123456789ab"
    assert data["cell_limit"] == 0


@pytest.mark.parametrize(
    ("model", "words", "is_told"),
    [("transformer-50", 51, True), ("transformer-50", 50, False), ("rnnsearch-50", 51, False)],
)
def test_note_on_positions_beyond_training(model: str, words: int, is_told: bool) -> None:
    trace = make_trace(" ".join(["chat"] * words), FRENCH, None, model=model)
    notes = map(strip_term_marks, heatmap.build_notes(trace, WORDS, T))
    assert any("positions were rare or absent in training" in note for note in notes) == is_told


def test_old_card_without_a_longest_sentence_has_no_such_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heatmap, "find_card", lambda name: build_card(name, "transformer", 0))
    notes = map(strip_term_marks, heatmap.build_notes(make_trace(model="transformer-50"), WORDS, T))
    assert not any("positions were rare or absent in training" in note for note in notes)


def test_copied_symbols_have_no_row_or_column() -> None:
    plain = make_trace("the cat sleeps", "le chat dort", (0, 1, 2))
    source = replace(plain.source, text="the cat 🐱 sleeps 😴", symbols=(Symbol("🐱", 8), Symbol("😴", 17)))
    target = replace(plain.target, text="le chat 🐱 dort 😴", symbols=(Symbol("🐱", 8), Symbol("😴", 15)))
    data = build_payload(replace(plain, source=source, target=target), other_trace=None)
    bare_data = build_payload(plain, other_trace=None)
    best, plain_best = data["n_best"][0], bare_data["n_best"][0]
    assert best["words"] == [["", "le"], [" ", "chat"], [" 🐱 ", "dort"]]
    assert (best["tail"], plain_best["tail"]) == (" 😴", "")
    assert (data["has_copied_symbols"], bare_data["has_copied_symbols"]) == (True, False)
    for key in ("labels", "word_of", "alpha", "label_log_probabilities", "probabilities"):
        assert best[key] == plain_best[key]
    assert data["source"]["labels"] == bare_data["source"]["labels"]


def test_probabilities_of_rows_and_words() -> None:
    pieces = build_payload(make_trace(), HeatmapView("pieces"))["n_best"][0]
    words = build_payload(make_trace())["n_best"][0]
    log_probs = alignment_grid.build_grid(make_trace(), "pieces").log_probs
    np.testing.assert_allclose(pieces["label_log_probabilities"], log_probs, atol=6e-4)
    assert len(words["label_log_probabilities"]) == len(words["labels"])
    expected = np.exp(make_trace().compute_word_log_probs())
    assert len(set(expected)) > 3
    np.testing.assert_allclose(words["probabilities"], expected, atol=6e-4)
    assert pieces["probabilities"] == words["probabilities"]
    np.testing.assert_allclose(
        build_payload(make_trace())["other_translation"]["probabilities"],
        np.exp(PLAIN.compute_word_log_probs()),
        atol=6e-4,
    )


@pytest.mark.parametrize("unit", alignment_grid.UNITS)
def test_gloss_is_the_most_attended_source_word(unit: alignment_grid.Unit) -> None:
    data = build_payload(make_trace(), HeatmapView(unit, has_gloss=True))
    assert data["n_best"][0]["most_attended"] == list(ORDER)
    assert data["n_best"][0]["lexicon_gloss"] is data["other_translation"]["most_attended"] is None
    assert build_payload(make_trace(), HeatmapView(unit))["n_best"][0]["most_attended"] is None


def test_model_without_attention_has_lexicon_glosses() -> None:
    data = build_payload(make_trace(), HeatmapView(has_gloss=True))
    gloss = data["other_translation"]["lexicon_gloss"]
    assert gloss == ["the", "small", "cat", "sleeps", "on", "the", "roof", "of", "the", "house", "."]
    assert T("result.likely_gloss") in map(strip_term_marks, data["other_translation"]["notes"])
    assert build_payload(make_trace())["other_translation"]["lexicon_gloss"] is None
    korean = build_payload(replace(PLAIN, languages=("ko", "fr")), HeatmapView(has_gloss=True))
    assert korean["n_best"][0]["lexicon_gloss"] is None
    assert T("result.no_gloss") in map(strip_term_marks, korean["n_best"][0]["notes"])
    assert (data["has_lexicon"], korean["has_lexicon"]) == (True, False)


def test_each_hypothesis_has_its_own_weights() -> None:
    data = build_payload(BEST, rank=1)
    assert data["rank"] == 1
    assert [len(reading["alpha"]) for reading in data["n_best"]] == [15, 14]
    assert [reading["score"] for reading in data["n_best"]] == [format_decimal(trace.score, 2) for trace in BEST]
    assert np.argmax(data["n_best"][1]["alpha"][10]) == 10  # cette attends to the


def test_differences_to_the_other_translation() -> None:
    errors_of_first, errors_of_other = build_payload(make_trace())["n_best"][0]["differences"]
    expected = compare_translations(make_trace(), PLAIN).second
    assert expected.omissions
    assert errors_of_other == {
        "omissions": list(expected.omissions), "repetitions": list(expected.repetitions),
        "additions": list(expected.additions), "last_followed": expected.last_followed,
    }  # fmt: skip
    assert errors_of_first["omissions"] == []
    assert build_payload(make_trace(), other_trace=None)["n_best"][0]["differences"] == []


def test_a_long_sentence_with_a_reference_goes_off_track_where_the_paper_page_says() -> None:
    _, text = figures.LONG_SENTENCES  # the lexicon alone would mark nothing in this one
    attended, plain = sorted(
        (trace for trace in figures.read_traces(figures.LONG_SENTENCES_FILE)
         if trace.source.text == normalise(text.sentence)),
        key=lambda trace: not trace.has_attention,
    )  # fmt: skip
    errors_of_first, errors_of_other = build_payload(attended, other_trace=plain)["n_best"][0]["differences"]
    assert errors_of_first["last_followed"] is None
    assert errors_of_other["last_followed"] == long_sentences.measure_reference_drift(text, plain).last_followed
    assert plain.target.words[errors_of_other["last_followed"]] == "rappeler"
    assert build_payload(attended, other_trace=plain)["messages"]["legend_reference"]
    assert not build_payload(make_trace())["messages"]["legend_reference"]


def test_hypotheses_with_equal_words_are_listed_once() -> None:
    first, second = BEST
    split_otherwise = replace(first, log_probability=first.log_probability - 1)
    assert heatmap.drop_equal_texts((first, second, split_otherwise)) == (first, second)
    assert heatmap.drop_equal_texts((first, split_otherwise, second)) == (first, second)


def test_weights_over_another_vocabulary_are_left_out() -> None:
    other_trace = make_trace("the small grey cat sleeps on the warm house .", order=(0,) * 14)
    assert build_payload(make_trace(), HeatmapView("pieces"), other_trace)["other_translation"]["alpha"] is None
    assert build_payload(make_trace(), HeatmapView("pieces"), make_trace())["other_translation"]["alpha"] is not None


def test_long_sentence_is_cropped() -> None:
    length = MAX_LABELS + 30
    data = build_payload(make_trace("cat " * length, "chat " * length, tuple(range(length))), other_trace=None)
    best = data["n_best"][0]
    assert len(best["alpha"]) == len(best["alpha"][0]) == len(best["label_log_probabilities"]) == MAX_LABELS
    assert data["cell_limit"] == MAX_LABELS
    assert len(best["words"]) == len(best["probabilities"]) == length


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> tuple[dict, dict]:
    """Session state and query parameters outside a running app."""
    state: dict = {}
    link: dict = {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", link)
    return state, link


def test_rank_in_the_link_counts_for_the_first_answer_only(session: tuple[dict, dict]) -> None:
    _, link = session
    link["rank"] = "2"
    assert heatmap.get_chosen_rank(BEST) == 1
    assert link["rank"] == "2"
    assert heatmap.get_chosen_rank(BEST[::-1]) == 0
    assert "rank" not in link


def test_chosen_rank_counts_for_its_translations_only(session: tuple[dict, dict]) -> None:
    state, link = session
    identifier = build_payload(BEST)["id"]
    state["picture"] = {"chosen": {"id": identifier, "rank": 1}}
    heatmap.store_chosen_rank()
    assert heatmap.get_chosen_rank(BEST) == 1
    assert link["rank"] == "2"
    assert heatmap.get_chosen_rank(BEST[:1]) == 0
    assert heatmap.get_chosen_rank(BEST) == 1


def test_rank_of_another_link_counts_after_a_choice(session: tuple[dict, dict]) -> None:
    state, link = session
    state["picture"] = {"chosen": {"id": build_payload(BEST)["id"], "rank": 1}}
    heatmap.store_chosen_rank()
    assert heatmap.get_chosen_rank(BEST) == 1
    state.pop("rank")  # as a stop of a lecture does
    link["rank"] = "1"
    assert heatmap.get_chosen_rank(BEST) == 0


def test_invalid_events_are_ignored(session: tuple[dict, dict]) -> None:
    state, _ = session
    identifier = build_payload(BEST)["id"]
    ranks = ({"id": identifier, "rank": rank} for rank in (-1, 2, "1", None, 1.5, [1]))
    for event in (None, 3, "x", {}, {"id": "x", "rank": 1}, {"rank": 1}, *ranks):
        state["picture"] = {"chosen": event}
        heatmap.store_chosen_rank()
        assert heatmap.get_chosen_rank(BEST) == 0


def make_korean_trace() -> Trace:
    """Return "I am a student." in Korean, where particles and the copula are tokens of their own."""
    trace = make_trace("I am a student .", "나는 학생이다 .", (0, 3, 4), model="into-korean")
    pieces, word_of = ("▁나", "는", "▁학생", "이", "다", ".", "</s>"), (0, 0, 1, 1, 1, 2, -1)
    steps = tuple(replace(trace.steps[0], piece=piece) for piece in pieces)
    weights = np.full((7, len(trace.source.pieces)), 0.02)
    weights[np.arange(7), [0, 0, 4, 1, 1, 5, 6]] = 1 - 0.02 * (len(trace.source.pieces) - 1)
    maps = (replace(trace.maps[0], values=weights),)
    words = ("나는", "학생이다", ".")
    target = replace(trace.target, text="나는 학생이다.", words=words, pieces=pieces, word_of=word_of)
    return replace(trace, target=target, steps=steps, maps=maps, languages=("en", "ko"))


def test_particles_of_korean_are_tokens_within_the_bracket_of_their_word() -> None:
    trace = make_korean_trace()
    by_token = build_payload(trace, HeatmapView("pieces"), None)["n_best"][0]
    assert by_token["labels"] == ["나", "는", "학생", "이", "다", ".", "end"]
    assert by_token["word_of"] == [0, 0, 1, 1, 1, 2, -1]
    by_word = build_payload(trace, HeatmapView("words", has_gloss=True), None)["n_best"][0]
    assert by_word["labels"] == ["나는", "학생이다", ".", "end"]
    assert by_word["words"] == [["", "나는"], [" ", "학생이다"], ["", "."]]
    mean = np.array(by_token["alpha"])[2:5].mean(axis=0)  # the mean over the tokens of a target word
    word_sums = np.add.reduceat(mean, [0, 1, 2, 3, 5, 6])  # the sum over those of a source word: "stu|dent"
    assert np.allclose(by_word["alpha"][1], word_sums, atol=2)


def test_hints_of_korean_words_find_the_stem_not_the_word_between_spaces() -> None:
    trace = replace(make_korean_trace(), maps=(), displayed_map_key=None)
    (reading,) = build_payload(trace, HeatmapView(has_gloss=True), None)["n_best"]
    assert reading["lexicon_gloss"][:2] == ["I", "student"]  # "학생이다" is in no lexicon, "학생" is
