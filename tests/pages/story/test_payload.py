"""The data of the story: at most sixty words a scene, and pictures that show what the sentences say."""

from dataclasses import replace
from typing import Any

import pytest
import streamlit as st

from model.gallery.story import growing_sentence, phrase_table
from model.text.normalise import normalise
from pages.ui.backend import shipped_traces
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.story import payload
from pages.ui.story.payload import find_reordered_row, mark_misplaced

MAX_WORDS = 60


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scene_has_at_most_sixty_words(language: str) -> None:
    for scene in payload.build_story_payload(1, load_messages(language))["scenes"]:
        text = " ".join([scene["title"], *scene["lines"]])
        assert 0 < len(text.split()) <= MAX_WORDS, scene["title"]


def test_every_picture_is_made_of_shipped_files() -> None:
    data: Any = payload.build_story_payload(3, load_messages("en"))
    assert data["scene"] == 3
    keys = ("tables", "growth", "map", "lookup", "evidence")
    tables, growth, attention, lookup, evidence = (data[key] for key in keys)
    assert tables["pair_count"] == phrase_table.PhraseTable.from_json(phrase_table.FILE.read_bytes()).pairs
    lengths = [prefix["word_count"] for prefix in growth["prefixes"]]
    assert lengths == sorted(set(lengths))
    assert lengths[-1] == len(growth["source"])
    for prefix in growth["prefixes"]:
        assert len(prefix["cells"]) == len(growth["prefixes"][0]["cells"])  # the vector does not grow
        assert set(prefix["omissions"]) <= set(prefix["content"]) <= set(range(prefix["word_count"]))
    assert all(sum(row) == pytest.approx(1, abs=2e-3) for row in attention["rows"])
    assert sum(lookup["weights"]) == pytest.approx(1, abs=2e-3)
    assert len(lookup["weights"]) == len(lookup["energies"]) == len(lookup["keys"]) == len(lookup["pieces"])
    assert all(index > lookup["target_index"] for index in lookup["words_to_guess"])
    assert {curve["has_attention"] for curve in evidence["curves"]} == {True, False}
    assert [len(long["sides"]) for long in evidence["long"]] == [2, 2]
    assert len(data["history"]["bars"]) == 4


def test_pictures_show_what_the_sentences_say() -> None:
    """A newly shipped model that fails this needs a new text."""
    data: Any = payload.build_story_payload(1, load_messages("en"))
    tables, growth, attention, evidence = (data[key] for key in ("tables", "growth", "map", "evidence"))
    assert any(any(part["is_wrong"]) for part in tables["words"])
    assert any(any(part["is_wrong"]) for part in tables["phrases"])
    black = tables["source"].index("black")
    black_cat = next(part for part in tables["phrases"] if part["first"] <= black < part["last"])
    assert not any(black_cat["is_wrong"])
    shares_kept = [1 - len(prefix["omissions"]) / len(prefix["content"]) for prefix in growth["prefixes"]]
    assert shares_kept[0] == 1
    assert shares_kept[-1] < 0.5
    assert find_reordered_row(attention["rows"]) > 0
    curves = [(curve["has_attention"], [point["bleu"] for point in curve["points"]]) for curve in evidence["curves"]]
    assert all(has_attention or bleu[-1] < 0.6 * bleu[0] for has_attention, bleu in curves)
    has_attention, bleu = max(curves, key=lambda curve: curve[1][-1])
    assert has_attention
    assert bleu[-1] > 0.85 * bleu[0]
    assert all(long["sides"][0]["last_followed"] is not None for long in evidence["long"])  # without attention


def test_scene_with_missing_files_has_no_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: ())
    monkeypatch.setattr(growing_sentence, "read_traces", lambda: growing_sentence.FILE.with_name("gone").read_bytes())
    monkeypatch.setattr(phrase_table, "FILE", empty / "phrases.json")
    st.cache_resource.clear()
    data = payload.build_story_payload(1, load_messages("en"))
    assert (data["tables"], data["growth"], data["map"], data["lookup"]) == (None, None, None, None)
    assert data["evidence"] is not None
    st.cache_resource.clear()


def test_words_outside_the_common_subsequence_are_misplaced() -> None:
    assert mark_misplaced(["a", "b", "c"], ["a", "c"]) == [False, True, False]
    assert mark_misplaced(["noir", "chat"], ["chat", "noir"]).count(True) == 1
    assert mark_misplaced([], ["x"]) == []


def test_first_row_with_an_earlier_maximum_is_found() -> None:
    assert find_reordered_row([[0.9, 0.1], [0.1, 0.9]]) == 0
    assert find_reordered_row([[0.1, 0.9], [0.9, 0.1]]) == 1
    assert find_reordered_row([]) == 0


def test_korean_readers_see_a_korean_sentence_once_it_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = next(example for example in shipped_traces.load_examples()
                   if example.sentence == normalise(phrase_table.SENTENCE))  # fmt: skip
    english = next(trace for trace in shipped.traces.values() if trace.has_attention)
    trace = replace(english, languages=("ko", "en"))  # any Trace with detail that attends backwards
    french = tuple(example for example in shipped_traces.load_examples() if example.pair == "en-fr")
    examples = (*french, shipped_traces.Example(trace.source.text, {"into-english": trace}, "ko-en"))  # type: ignore[arg-type]
    for load, korean in ((lambda: french, False), (lambda: examples, True)):
        monkeypatch.setattr(shipped_traces, "load_examples", load)
        st.cache_resource.clear()
        data: Any = payload.build_story_payload(1, load_messages("ko"))
        assert data["map_languages"] == (("ko", "en") if korean else ("en", "fr"))
        line = "looking_korean" if korean else "looking_3"
        assert data["scenes"][2]["lines"][-1] == load_messages("ko").format_for_component(f"scene.{line}")
        english_data: Any = payload.build_story_payload(1, load_messages("en"))
        assert english_data["map_languages"] == ("en", "fr")
    st.cache_resource.clear()
