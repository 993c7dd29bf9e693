"""The index of evaluations: what is found, what is skipped, and which files are damaged."""

from pathlib import Path

import numpy as np
import pytest

from model.analysis.evaluation.evaluation import EvaluationError
from model.checkpoints.checkpoint import list_cards
from pages.ui.backend import cards, evaluations
from pages.ui.backend.evaluations import (
    EvaluationIndex,
    EvaluationSearch,
    describe_test_set,
    load_evaluation,
    load_index,
    slugify,
)
from pages.ui.i18n.messages import load_messages
from tests.cards import build_card
from tests.evaluations import falling_quality, make_evaluation, write_evaluations


def test_an_index_lists_models_test_sets_and_searches_and_finds_evaluations(tmp_path: Path) -> None:
    index = load_index(
        write_evaluations(
            tmp_path,
            make_evaluation("rnnencdec-30", falling_quality),
            make_evaluation("rnnencdec-50", falling_quality),
            make_evaluation("rnnsearch-30"),
            make_evaluation("rnnsearch-50"),
            make_evaluation("rnnsearch-50", beam=12),
            make_evaluation("rnnsearch-50", lengths=[5] * 30, data="short, 30 evenly spaced"),
        )
    )
    assert index.models == ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")
    assert index.test_sets == ("made-up", "short, 30 evenly spaced")  # the one with long sentences first
    assert index.searches == (EvaluationSearch(1), EvaluationSearch(12))
    all_searches = (*index.searches, EvaluationSearch(1, is_sampled=True))
    assert [search.key for search in all_searches] == ["greedy", "beam12", "sample"]
    models = ("rnnencdec-50", "rnnsearch-50", "luong")
    matches, damaged_files = index.load_evaluations("made-up", models, EvaluationSearch(1))
    assert [evaluation.model for evaluation in matches] == ["rnnencdec-50", "rnnsearch-50"]
    assert matches[0] == make_evaluation("rnnencdec-50", falling_quality)
    assert not damaged_files
    assert not index.damaged_files
    assert index.find_entry("made-up", "rnnencdec-50", EvaluationSearch(12)) is None
    index.entries[0].path.unlink()
    load_evaluation.cache_clear()
    with pytest.raises(EvaluationError, match="cannot be read"):
        load_evaluation(index.entries[0].path)
    assert load_index(tmp_path / "none") == EvaluationIndex(())


def test_the_newest_of_several_evaluations_counts(tmp_path: Path) -> None:
    old_evaluation, new_evaluation = (make_evaluation(date=f"2026-01-0{day}T00:00:00+00:00") for day in (1, 2))
    for order in ((old_evaluation, new_evaluation), (new_evaluation, old_evaluation)):
        folder = tmp_path / order[0].date[:10]
        folder.mkdir()
        entry = load_index(write_evaluations(folder, *order)).find_entry("made-up", "rnnsearch-50", EvaluationSearch(1))
        assert entry is not None
        assert load_evaluation(entry.path) == new_evaluation


def test_other_records_are_skipped_and_damaged_files_listed(tmp_path: Path) -> None:
    write_evaluations(tmp_path, make_evaluation())
    (tmp_path / "everyday-rnnsearch-50.json").write_text("{}")
    (tmp_path / "hansards-rnnsearch-50.json").write_text('{"kind": "alignment-error"}')
    (tmp_path / "notes.txt").write_text("no JSON at all")
    damaged = {"empty": "", "half": make_evaluation().to_json()[:200], "list": "[]", "number": "3",
               "deep": "[" * 100_000, "other": '{"model": "x"}', "bytes": "\udcff"}  # fmt: skip
    for name, text in damaged.items():
        (tmp_path / f"{name}.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    index = load_index(tmp_path)
    assert [entry.model for entry in index.entries] == ["rnnsearch-50"]
    assert {name for name, _ in index.damaged_files} == {f"{name}.json" for name in damaged}
    assert all(reason.count("\n") == 0 and reason.endswith(".") for _, reason in index.damaged_files)


def test_an_evaluation_whose_scores_do_not_follow_from_its_counts_is_damaged(tmp_path: Path) -> None:
    original = make_evaluation()
    text = original.to_json().replace(f'"bleu":{original.scores["bleu"]}', '"bleu":99.0', 1)
    assert text != original.to_json()
    (tmp_path / "false.json").write_text(text)
    index = load_index(tmp_path)
    evaluations, ((name, reason),) = index.load_evaluations("made-up", index.models, EvaluationSearch(1))
    assert not evaluations
    assert name == "false.json"
    assert "does not follow from the counts" in reason


def test_the_shipped_evaluations_are_readable_and_of_shipped_models() -> None:
    index = load_index()
    assert not index.damaged_files
    assert set(index.models) <= {card.name for card in list_cards()}
    assert len(set(map(slugify, index.test_sets))) == len(index.test_sets)
    for entry in index.entries:
        evaluation = load_evaluation(entry.path)
        assert (entry.model, entry.data) == (evaluation.model, evaluation.data.name)
        assert entry.num_long == int(np.sum(evaluation.get_column("source_words") > 50))


def test_displayed_names_of_test_sets() -> None:
    full_set, part = "europarl-2000q4", "europarl-2000q4, 500 a bin"
    t = load_messages("en")
    assert describe_test_set(part, t, [part, "newstest2014"]) == "Europarl, end of 2000"
    assert describe_test_set(part, t, [full_set, part]) == "Europarl, end of 2000 (500 per bin)"
    assert describe_test_set(part, load_messages("ko"), [full_set, part]) == "Europarl, 2000년 말 (구간마다 500문장)"
    assert describe_test_set(full_set, t, [full_set, part]) == "Europarl, end of 2000"
    assert describe_test_set("my own", t) == "my own"
    assert slugify(part) == "europarl-2000q4-500-a-bin"
    assert slugify("<a,b>&c") == "a-b-c"


def test_the_evaluations_of_a_pair_are_those_of_its_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = (("rnnsearch-50", "made-up"), ("into-english", "tatoeba-en-ko"), ("gone", "made-up"))
    index = load_index(write_evaluations(tmp_path, *(make_evaluation(model, data=data) for model, data in names)))
    every_card = (*cards.list_cards(), build_card("into-english", languages=("ko", "en")))
    monkeypatch.setattr(cards, "list_cards", lambda: every_card)
    monkeypatch.setattr(evaluations, "load_index", lambda: index)
    assert evaluations.load_pair_index("ko-en").test_sets == ("tatoeba-en-ko",)
    assert set(evaluations.load_pair_index("en-fr").models) == {"rnnsearch-50", "gone"}
    assert evaluations.has_evaluations("ko-en")
    assert not evaluations.has_evaluations("en-ko")
    assert evaluations.load_pair_index("en-ko") == index
