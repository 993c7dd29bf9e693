"""What the story is sent: at most sixty words a scene, and everything it draws out of what is shipped."""

import pytest
import streamlit as st

from model.gallery.story import growing_sentence, phrase_table
from pages.ui.backend import shipped_traces
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.story import payload
from pages.ui.story.payload import find_reordered_row, get_common_prefix_length, mark_misplaced

MOST = 60  # words of a scene


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scene_has_at_most_sixty_words(language: str) -> None:
    for scene in payload.build_story_payload(1, load_messages(language))["scenes"]:
        text = " ".join([scene["title"], *scene["lines"]])
        assert 0 < len(text.split()) <= MOST, scene["title"]


def test_every_picture_is_made_of_what_is_shipped() -> None:
    data = payload.build_story_payload(3, load_messages("en"))
    assert data["scene"] == 3
    tables, grown, shown = data["tables"], data["growth"], data["map"]
    lookup, proof = data["lookup"], data["proof"]
    assert tables
    assert grown
    assert shown
    assert lookup
    assert proof
    assert tables["pairs"] == phrase_table.PhraseTable.from_json(phrase_table.FILE.read_bytes()).pairs
    assert [stage["fed"] for stage in grown["stages"]] == sorted({stage["fed"] for stage in grown["stages"]})
    assert grown["stages"][-1]["fed"] == len(grown["source"])
    for stage in grown["stages"]:
        assert len(stage["cells"]) == len(grown["stages"][0]["cells"])  # the vector does not grow
        assert set(stage["lost"]) <= set(stage["content"]) <= set(range(stage["fed"]))
    assert all(sum(row) == pytest.approx(1, abs=2e-3) for row in shown["rows"])
    assert sum(lookup["weights"]) == pytest.approx(1, abs=2e-3)
    assert len(lookup["weights"]) == len(lookup["energies"]) == len(lookup["keys"]) == len(lookup["pieces"])
    assert all(place > lookup["word"] for place in lookup["guesses"])
    assert {curve["attends"] for curve in proof["curves"]} == {True, False}
    assert [len(long["sides"]) for long in proof["long"]] == [2, 2]
    assert len(data["after"]["bars"]) == 4


def test_the_pictures_show_what_the_sentences_say() -> None:
    """Where a model that is shipped later shows something else, the story has to be told anew."""
    data = payload.build_story_payload(1, load_messages("en"))
    tables, grown, shown, proof = data["tables"], data["growth"], data["map"], data["proof"]
    assert tables
    assert grown
    assert shown
    assert proof
    wrong = [any(part["wrong"]) for part in tables["words"]]
    assert any(wrong)
    assert any(any(part["wrong"]) for part in tables["phrases"])
    black = tables["source"].index("black")
    cat = next(part for part in tables["phrases"] if part["first"] <= black < part["last"])
    assert not any(cat["wrong"])
    shares = [1 - len(stage["lost"]) / len(stage["content"]) for stage in grown["stages"]]
    assert shares[0] == 1
    assert shares[-1] < 0.5
    assert find_reordered_row(shown["rows"]) > 0
    for curve in proof["curves"]:
        first, last = curve["points"][0]["bleu"], curve["points"][-1]["bleu"]
        assert curve["attends"] or last < 0.6 * first
    holding = max(proof["curves"], key=lambda curve: curve["points"][-1]["bleu"])
    assert holding["attends"]
    assert holding["points"][-1]["bleu"] > 0.85 * holding["points"][0]["bleu"]
    for long in proof["long"]:
        lost = {side["attends"]: side["lost"] for side in long["sides"]}
        assert lost[False] is not None


def test_what_is_missing_leaves_its_scene_without_a_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    monkeypatch.setattr(shipped_traces, "load_examples", lambda: ())
    monkeypatch.setattr(growing_sentence, "read", lambda: growing_sentence.FILE.with_name("gone").read_bytes())
    monkeypatch.setattr(phrase_table, "FILE", empty / "phrases.json")
    st.cache_resource.clear()
    data = payload.build_story_payload(1, load_messages("en"))
    assert (data["tables"], data["growth"], data["map"], data["lookup"]) == (None, None, None, None)
    assert data["proof"] is not None
    st.cache_resource.clear()


def test_words_out_of_place() -> None:
    assert mark_misplaced(["a", "b", "c"], ["a", "c"]) == [False, True, False]
    assert mark_misplaced(["noir", "chat"], ["chat", "noir"]).count(True) == 1
    assert mark_misplaced([], ["x"]) == []
    assert get_common_prefix_length(["a", "b", "."], ["a", "b", ",", "c"]) == 2
    assert get_common_prefix_length(["a"], ["a"]) == 1


def test_the_first_row_that_looks_back() -> None:
    assert find_reordered_row([[0.9, 0.1], [0.1, 0.9]]) == 0
    assert find_reordered_row([[0.1, 0.9], [0.9, 0.1]]) == 1
    assert find_reordered_row([]) == 0
