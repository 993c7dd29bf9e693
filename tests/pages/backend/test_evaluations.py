"""The folder of evaluations: what stands there is found, what does not belong there is passed over or named."""

from pathlib import Path

import numpy as np
import pytest

from model.analysis.evaluation.evaluation import EvaluationError
from model.checkpoints.checkpoint import list_cards
from pages.ui.backend.evaluations import (
    EvaluationIndex,
    Search,
    describe_test_set,
    load_evaluation,
    load_index,
    slugify,
)
from pages.ui.i18n.messages import load_messages
from tests.pages.evaluated import falling_quality, make_evaluation, write_evaluations


@pytest.fixture
def stand(tmp_path: Path) -> EvaluationIndex:
    short = [5] * 30
    return load_index(
        write_evaluations(
            tmp_path,
            make_evaluation("rnnencdec-30", falling_quality),
            make_evaluation("rnnencdec-50", falling_quality),
            make_evaluation("rnnsearch-30"),
            make_evaluation("rnnsearch-50"),
            make_evaluation("rnnsearch-50", beam=12),
            make_evaluation("rnnsearch-50", lengths=short, data="short, 30 evenly spaced"),
        )
    )


def test_what_there_is(stand: EvaluationIndex) -> None:
    assert stand.models == ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")
    assert stand.test_sets == ("made-up", "short, 30 evenly spaced")  # the one with long sentences first
    assert stand.searches == (Search(1), Search(12))
    assert [search.key for search in (*stand.searches, Search(1, is_sampled=True))] == ["greedy", "beam12", "sample"]
    assert not stand.damaged


def test_finding(stand: EvaluationIndex) -> None:
    found, damaged = stand.load_evaluations("made-up", ("rnnencdec-50", "rnnsearch-50", "luong"), Search(1))
    assert [one.model for one in found] == ["rnnencdec-50", "rnnsearch-50"]
    assert found[0] == make_evaluation("rnnencdec-50", falling_quality)
    assert not damaged
    assert stand.find_entry("made-up", "rnnencdec-50", Search(12)) is None


def test_the_last_of_several_counts(tmp_path: Path) -> None:
    old, new = (make_evaluation(date=f"2026-01-0{day}T00:00:00+00:00") for day in (1, 2))
    for order in ((old, new), (new, old)):
        folder = tmp_path / order[0].date[:10]
        folder.mkdir()
        entry = load_index(write_evaluations(folder, *order)).find_entry("made-up", "rnnsearch-50", Search(1))
        assert entry is not None
        assert load_evaluation(entry.path) == new


def test_other_records_are_passed_over_and_damaged_files_named(tmp_path: Path) -> None:
    write_evaluations(tmp_path, make_evaluation())
    (tmp_path / "everyday-rnnsearch-50.json").write_text("{}")
    (tmp_path / "hansards-rnnsearch-50.json").write_text('{"kind": "alignment-error"}')
    (tmp_path / "notes.txt").write_text("no JSON at all")
    bad = {"empty": "", "half": make_evaluation().to_json()[:200], "list": "[]", "number": "3", "deep": "[" * 100_000,
           "other": '{"model": "x"}', "bytes": "\udcff"}  # fmt: skip
    for name, text in bad.items():
        (tmp_path / f"{name}.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    stand = load_index(tmp_path)
    assert [entry.model for entry in stand.entries] == ["rnnsearch-50"]
    assert {name for name, _ in stand.damaged} == {f"{name}.json" for name in bad}
    assert all(reason.count("\n") == 0 and reason.endswith(".") for _, reason in stand.damaged)


def test_a_falsified_evaluation_is_named_when_it_is_shown(tmp_path: Path) -> None:
    true = make_evaluation()
    text = true.to_json().replace(f'"bleu":{true.scores["bleu"]}', '"bleu":99.0', 1)
    assert text != true.to_json()
    (tmp_path / "false.json").write_text(text)
    stand = load_index(tmp_path)
    found, damaged = stand.load_evaluations("made-up", stand.models, Search(1))
    assert not found
    ((name, reason),) = damaged
    assert name == "false.json"
    assert "does not follow from the counts" in reason


def test_a_file_that_goes_is_spoken_of(stand: EvaluationIndex) -> None:
    path = stand.entries[0].path
    path.unlink()
    with pytest.raises(EvaluationError, match="cannot be read"):
        load_evaluation(path)


def test_no_folder_is_an_empty_shelf(tmp_path: Path) -> None:
    assert load_index(tmp_path / "none") == EvaluationIndex(())


def test_the_shipped_evaluations_are_all_readable_and_of_shipped_models() -> None:
    stand = load_index()
    assert not stand.damaged
    assert set(stand.models) <= {card.name for card in list_cards()}
    assert len({slugify(name) for name in stand.test_sets}) == len(stand.test_sets)
    for entry in stand.entries:
        one = load_evaluation(entry.path)
        assert (entry.model, entry.data, entry.sentences) == (one.model, one.data.name, one.data.sentences)
        assert entry.num_long == int(np.sum(one.column("source_words") > 50))


def test_names_of_sets() -> None:
    whole, part = "europarl-2000q4", "europarl-2000q4, 500 a bin"
    t = load_messages("en")
    assert describe_test_set(part, t, [part, "newstest2014"]) == "Europarl, end of 2000"
    assert describe_test_set(part, t, [whole, part]) == "Europarl, end of 2000 (500 per bin)"
    assert describe_test_set(part, load_messages("ko"), [whole, part]) == "Europarl, 2000년 말 (구간마다 500문장)"
    assert describe_test_set(whole, t, [whole, part]) == "Europarl, end of 2000"
    assert describe_test_set("my own", t) == "my own"
    assert slugify(part) == "europarl-2000q4-500-a-bin"
    assert slugify("<a,b>&c") == "a-b-c"
