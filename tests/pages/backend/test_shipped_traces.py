"""The shipped translations are found by sentence, model and settings; a damaged file breaks nothing."""

import json
import logging
from pathlib import Path

import pytest

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import normalise
from pages.ui.backend import shipped_traces
from pages.ui.url_state.params import SEARCHES
from tests.pages.fakes import ATTENDED, PLAIN
from tests.traces import ENGLISH, LOST, make_trace


def test_traces_are_found_by_sentence_model_settings_and_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.json").write_text(make_trace("a cat .", "un chat .", (0, 1, 2)).to_json(), "utf-8")
    (tmp_path / "a-plain.json").write_text(make_trace(target=LOST, order=None, model=PLAIN).to_json(), "utf-8")
    (tmp_path / "a-attended.json").write_text(make_trace().to_json(), "utf-8")
    (tmp_path / "note.txt").write_text("not a trace", "utf-8")
    examples = shipped_traces.load_examples(tmp_path)
    assert [example.sentence for example in examples] == [ENGLISH, "a cat ."]  # in the order of the file names
    assert set(examples[0].traces) == {ATTENDED, PLAIN}
    monkeypatch.setattr(shipped_traces, "load_examples", lambda folder=None: examples)
    english, greedy = normalise(f"  {ENGLISH} "), Settings()
    for fingerprint in (None, make_trace().provenance.fingerprint):
        assert shipped_traces.find_trace(english, ATTENDED, greedy, fingerprint) == make_trace()
    assert shipped_traces.find_trace(english, ATTENDED, greedy, "another") is None
    assert shipped_traces.find_trace(english, ATTENDED, Settings(beam=5), None) is None
    assert shipped_traces.find_trace(english, "rnnsearch-30", greedy, None) is None
    assert shipped_traces.find_trace(normalise("another cat"), ATTENDED, greedy, None) is None
    assert shipped_traces.find_trace(normalise("a cat ."), PLAIN, greedy, None) is None


def test_damaged_files_are_skipped_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file with a valid header is parsed on first access only."""
    record = json.loads(make_trace().to_json())
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "empty.json").write_text("{}", "utf-8")
    (tmp_path / "fine.json").write_text(json.dumps(record), "utf-8")
    (tmp_path / "odd.json").write_text(json.dumps(record | {"steps": [], "provenance": {"model": "odd"}}), "utf-8")
    with caplog.at_level(logging.WARNING):
        (example,) = shipped_traces.load_examples(tmp_path)
    assert "broken.json" in caplog.text
    assert "empty.json" in caplog.text
    assert len(caplog.records) == 2
    assert example.traces.get("odd") is None
    assert len(caplog.records) == 3
    assert list(example.traces) == [ATTENDED]
    assert example.traces[ATTENDED] is example.traces[ATTENDED]


def test_the_shipped_examples_have_both_models_and_the_first_one_only_whole_words() -> None:
    examples = [example for example in shipped_traces.load_examples() if example.pair == "-".join(DEFAULT_PAIR)]
    assert len(examples) >= 3
    for example in examples:
        for model in (ATTENDED, PLAIN):
            assert shipped_traces.find_trace(example.sentence, model, SEARCHES["greedy"], None) is not None
        assert example.traces[ATTENDED].get_map().rows_sum_to_one
        assert example.traces[PLAIN].maps == ()
    target = examples[0].traces[ATTENDED].target  # Step by step opens on it: each step is a whole word
    word_indices = [index for index in target.word_of if index >= 0]
    assert len(word_indices) == len(set(word_indices)) == len(target.words)


def test_the_sentence_of_the_family_is_shipped_for_every_kind() -> None:
    sentence = shipped_traces.get_family_sentence("en-fr")
    assert sentence not in shipped_traces.list_sentences("en-fr")
    for card in selection.select_best_per_kind(checkpoint.list_shipped_cards()):
        trace = shipped_traces.find_trace(normalise(sentence), card.name, SEARCHES["greedy"], None)
        assert trace is not None
        assert trace.provenance.fingerprint == card.fingerprint
