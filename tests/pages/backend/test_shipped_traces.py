"""The shipped translations are found by sentence, model and settings; a damaged file does not close the page."""

import json
import logging
from pathlib import Path

import pytest

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.text.normalise import normalise
from pages.ui.backend import shipped_traces
from pages.ui.url_state.params import SEARCHES
from tests.pages.fakes import ATTENDED, PLAIN
from tests.pages.traces import ENGLISH, LOST, make_trace


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "b.json").write_text(make_trace("a cat .", "un chat .", (0, 1, 2)).to_json(), "utf-8")
    (tmp_path / "a-plain.json").write_text(make_trace(target=LOST, order=None, model="rnnencdec-50").to_json(), "utf-8")
    (tmp_path / "a-attended.json").write_text(make_trace().to_json(), "utf-8")
    (tmp_path / "c.json").write_text("{}", "utf-8")
    (tmp_path / "note.txt").write_text("not a trace", "utf-8")
    found = shipped_traces.load_examples(tmp_path)
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: found)
    return tmp_path


def test_sentences_come_in_the_order_of_their_files(folder: Path) -> None:
    assert [example.sentence for example in shipped_traces.load_examples()] == [ENGLISH, "a cat ."]
    assert set(shipped_traces.load_examples()[0].traces) == {"rnnsearch-50", "rnnencdec-50"}


def test_a_file_without_a_trace_is_left_out_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken.json").write_text("{", "utf-8")
    with caplog.at_level(logging.WARNING):
        assert shipped_traces.load_examples(tmp_path) == ()
    assert "broken.json" in caplog.text


def test_traces_are_read_when_they_are_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file may say whose sentence it is and yet hold no Trace: it is left out once somebody asks."""
    record = json.loads(make_trace().to_json())
    (tmp_path / "fine.json").write_text(json.dumps(record), "utf-8")
    (tmp_path / "odd.json").write_text(json.dumps(record | {"steps": [], "made_by": {"model": "odd"}}), "utf-8")
    first = shipped_traces.load_examples(tmp_path)[0]
    assert caplog.text == ""
    assert first.traces.get("odd") is None
    assert "left out" in caplog.text
    assert list(first.traces) == ["rnnsearch-50"]
    assert first.traces["rnnsearch-50"] is first.traces["rnnsearch-50"]


def test_the_page_opens_on_shipped_translations_of_both_models() -> None:
    shipped = shipped_traces.load_examples()
    assert len(shipped) >= 3
    for example in shipped:
        for model in (ATTENDED, PLAIN):
            assert shipped_traces.find_trace(example.sentence, model, SEARCHES["greedy"], None) is not None
        assert example.traces[ATTENDED].get_map().rows_sum_to_one
        assert example.traces[PLAIN].maps == ()


def test_found_only_with_the_same_model_and_settings(folder: Path) -> None:
    greedy = Settings()
    found = shipped_traces.find_trace(normalise(f"  {ENGLISH} "), "rnnsearch-50", greedy, None)
    assert found == make_trace()
    assert shipped_traces.find_trace(normalise(ENGLISH), "rnnsearch-50", Settings(beam=5), None) is None
    assert shipped_traces.find_trace(normalise(ENGLISH), "rnnsearch-30", greedy, None) is None
    assert shipped_traces.find_trace(normalise("another cat"), "rnnsearch-50", greedy, None) is None
    assert shipped_traces.find_trace(normalise("a cat ."), "rnnencdec-50", greedy, None) is None


def test_what_weights_made_that_were_replaced_since_is_not_found(folder: Path) -> None:
    for fingerprint, there in ((make_trace().made_by.fingerprint, True), (None, True), ("another", False)):
        assert (
            shipped_traces.find_trace(normalise(ENGLISH), "rnnsearch-50", Settings(), fingerprint) is not None
        ) is there


def test_the_first_example_breaks_no_word() -> None:
    """Step by step opens on it: its steps are whole words."""
    trace = shipped_traces.load_examples()[0].traces["rnnsearch-50"]
    words = [word for word in trace.target.word_of if word >= 0]
    assert len(words) == len(set(words)) == len(trace.target.words)


def test_the_family_s_own_sentence_is_at_hand_for_every_kind_and_no_example() -> None:
    sentence = shipped_traces.get_family_sentence("en")
    assert sentence not in shipped_traces.list_sentences("en")
    for card in selection.select_best_per_kind(checkpoint.list_shipped_cards()):
        found = shipped_traces.find_trace(normalise(sentence), card.name, SEARCHES["greedy"], None)
        assert found is not None
        assert found.made_by.fingerprint == card.fingerprint
