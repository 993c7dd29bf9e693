"""`evaluate`, `everyday`, `robustness` and `copying`: output, saved files and scores on cards."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from model.analysis.evaluation import stored
from model.analysis.paper import measurement_plan
from model.analysis.paper.measurement_plan import PlannedMeasurement
from model.checkpoints import checkpoint
from model.cli.evaluate import write_scores_to_card
from model.text import typing_variants
from tests.evaluations import make_evaluation, write_evaluations
from tests.model.cli.running import Run, assert_one_error


def test_evaluate_prints_scores_notes_and_lengths(
    run: Run, tiny: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    file = tmp_path / "own.tsv"
    lines = "".join(f"{target}\t{source}\n" for source, target in sentences)
    file.write_text(f"fr\ten\n\n{lines}", encoding="utf-8")
    code, stdout, stderr = run("evaluate", str(file), "-m", str(tiny), "--sample", "20")
    assert code == 0
    assert stderr.splitlines()[1:] == [
        "note: 1 blank line left out: 2", "note: the references stand before the sources"]  # fmt: skip
    for part in ("own, 20 evenly spaced", "20 sentences, greedy", "tok:13a", "sacremoses", "chrf", "perplexity", "1-10",
                 "95 %"):  # fmt: skip
        assert part in stdout


def test_the_options_of_evaluate_reach_the_search_the_sample_and_the_command(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stored, "EVALUATIONS_FOLDER", tmp_path)
    file = tmp_path / "own.tsv"
    sources = ("Yes.", "The cat sleeps.", "It is cold today.", "One two three four five six seven eight nine ten more.")
    file.write_text("".join(f"{source}\tOui.\n" for source in sources), encoding="utf-8")
    options = ("--beam", "2", "--stop", "beam", "--per-bin", "2", "--save")
    code, _, stderr = run("evaluate", str(file), "-m", str(tiny), *options)
    assert (code, stderr) == (0, "")
    (saved,) = (json.loads(path.read_bytes()) for path in tmp_path.glob("*.json"))
    assert saved["command"] == f"python -m model evaluate own.tsv --model tiny {' '.join(options)}"
    assert (saved["search"]["beam"], saved["search"]["stop"]) == (2, "beam")
    assert saved["data"]["sentences"] == 2 + 1  # of up to 10 words, and of 11 to 20
    assert_one_error(run("evaluate", str(file), "-m", str(tiny), "--known-words"), "leave out --known-words")


def test_a_test_set_has_the_languages_of_its_name(
    run: Run, german: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    for name, is_reversed in (("own.de-en.tsv", False), ("own.en-de.tsv", True), ("own.de-fr.tsv", False)):
        lines = ("\t".join(pair[::-1] if is_reversed else pair) for pair in sentences[:12])
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, expected, _ = run("evaluate", str(tmp_path / "own.de-en.tsv"), "-m", str(german))
    assert code == 0
    assert "on own-de-en, 12 sentences" in expected
    code, stdout, _ = run("evaluate", str(tmp_path / "own.en-de.tsv"), "-m", str(german))
    assert (code, stdout.replace("own-en-de", "own-de-en")) == (0, expected)
    mismatched_file = str(tmp_path / "own.de-fr.tsv")
    assert_one_error(run("evaluate", mismatched_file), "no model of the languages de-fr")
    for command in ("evaluate", "ablation"):
        assert_one_error(run(command, mismatched_file, "-m", str(german)), "de-fr", "german translates de-en")
    for words in (("copying",), ("robustness",), ("everyday",), ("align", "--surface")):
        assert_one_error(run(*words, "-m", str(german)), "English", "german translates de-en", "--model")


@pytest.fixture
def shipped(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> checkpoint.Card:
    """The tiny model as the only shipped one, and an empty folder of evaluations."""
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "checkpoints")
    monkeypatch.setattr(stored, "EVALUATIONS_FOLDER", tmp_path / "evaluations")
    (tmp_path / "evaluations").mkdir()
    shutil.copytree(tiny, checkpoint.SHIPPED / "tiny")
    return checkpoint.read_card(checkpoint.SHIPPED / "tiny")


def test_a_card_receives_the_scores_of_its_weights_only_and_keeps_later_changes(
    shipped: checkpoint.Card, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = (replace(make_evaluation("tiny", beam=beam), fingerprint=fingerprint)
                    for beam, fingerprint in ((12, shipped.fingerprint), (1, "0" * 12)))
    write_evaluations(stored.EVALUATIONS_FOLDER, ours, theirs, replace(ours, model="huge"))
    checkpoint.write_card(shipped.folder, replace(shipped, title="Tiny, renamed"))
    write_scores_to_card(shipped)
    (score,) = checkpoint.read_card(shipped.folder).scores
    assert score == {
        "data": "made-up", "sentences": 210, "search": "beam 12", "beam": 12,
        "evaluation": "made-up-tiny-beam12.json", "date": "2026-01-02T03:04:05+00:00", "command": "none",
        **{name: round(value, 2) for name, value in ours.scores.items()}, "signatures": {"bleu": "made-up|signature"},
    }  # fmt: skip
    assert checkpoint.load_model("tiny").card == replace(shipped, scores=[score], title="Tiny, renamed")
    assert capsys.readouterr().out == ""
    checkpoint.write_card(shipped.folder, shipped)
    monkeypatch.chdir(shipped.folder.parent)
    write_scores_to_card(replace(shipped, folder=Path("tiny")))  # as with --model ./tiny
    assert checkpoint.read_card(shipped.folder).scores == [score]
    write_scores_to_card(replace(shipped, sha256={**shipped.sha256, "weights.safetensors": "1" * 64}))
    assert checkpoint.read_card(shipped.folder).scores == [score]
    assert f"now holds other weights ({shipped.fingerprint})" in capsys.readouterr().out


def test_evaluate_saves_its_command_and_the_scores_on_the_card(
    run: Run, shipped: checkpoint.Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    sentences: list[tuple[str, str]],
) -> None:
    file = tmp_path / "own.en-fr.tsv"
    file.write_text("".join(f"{source}\t{target}\n" for source, target in sentences[:3]), encoding="utf-8")
    code, _, stderr = run("evaluate", str(file), "-m", "tiny", "--save")
    assert (code, stderr) == (0, "")
    (saved,) = stored.EVALUATIONS_FOLDER.iterdir()
    (score,) = checkpoint.read_card(shipped.folder).scores
    assert (score["evaluation"], score["command"]) == (saved.name, json.loads(saved.read_bytes())["command"])
    monkeypatch.setattr(measurement_plan, "list_measurements", lambda *_: [])
    checkpoint.write_card(shipped.folder, shipped)
    assert run("evaluate", str(tmp_path), "--all", "--out", str(tmp_path))[0] == 0
    assert (tmp_path / "claims.json").is_file()
    assert not checkpoint.read_card(shipped.folder).scores
    assert run("evaluate", str(tmp_path), "--all")[0] == 0
    assert checkpoint.read_card(shipped.folder).scores == [score]


@pytest.mark.parametrize(("files", "names"), [
    ((), ["tiny"]), ((measurement_plan.NEWS_FILE,), ["tiny"]),
    ((measurement_plan.KOREAN_SETS[0][0],), ["tiny-ko-en"]),
    ((measurement_plan.NEWS_FILE, measurement_plan.KOREAN_SETS[0][0]), ["tiny", "tiny-ko-en"]),
])  # fmt: skip
def test_evaluate_all_measures_the_models_of_every_test_set_there(
    run: Run, shipped: checkpoint.Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...],
    names: list[str],
) -> None:
    korean = shutil.copytree(shipped.folder, checkpoint.SHIPPED / "tiny-ko-en")
    checkpoint.write_card(korean, replace(shipped, name="tiny-ko-en", languages=("ko", "en")))
    (tmp_path / "test").mkdir()
    for file in files:
        (tmp_path / "test" / file).touch()
    measured: list[str] = []

    def list_nothing(corpora: Path, cards: list[checkpoint.Card], sample: int) -> list[PlannedMeasurement]:
        measured.extend(card.name for card in cards)
        return []

    for planner in ("list_measurements", "list_korean_measurements"):
        monkeypatch.setattr(measurement_plan, planner, list_nothing)
    assert run("evaluate", str(tmp_path), "--all", "--out", str(tmp_path / "out"))[0] == 0
    assert measured == names


@pytest.mark.parametrize(("arguments", "expected"), [
    (["--all", "--beam", "2"], ["--all", "leave out"]), (["--out", "somewhere"], ["--out goes with --all"]),
    (["--all", "-m", "nobody"], ["no model 'nobody'"]),
    (["--all", "--sample", "5", "--out", str(stored.EVALUATIONS_FOLDER)], ["--out", "leave out --sample"]),
    (["--all", "--sample", "5", "--out", "somewhere"], ["hansards.en-fr.txt is missing"]),
])  # fmt: skip
def test_evaluate_all_refuses_options(run: Run, tmp_path: Path, arguments: list[str], expected: list[str]) -> None:
    assert_one_error(run("evaluate", str(tmp_path), *arguments), *expected)


def test_everyday_counts_right_translations(run: Run, tmp_path: Path) -> None:
    code, stdout, _ = run("everyday", "-m", "rnnsearch-50")
    lines = stdout.splitlines()
    assert code == 0
    assert len(lines) == 102
    first, second = (sum(line.startswith("right") for line in part) for part in (lines[:40], lines[40:100]))
    assert f"everyday: {first} of 40 right" in lines[100]
    assert f"everyday-60: {second} of 60 right" in lines[101]
    assert first >= 20
    for file, passed in (("everyday", first), ("everyday-60", second)):
        record = stored.load_record(f"{file}-rnnsearch-50.json")
        assert record is not None
        assert abs(passed - record["passed"]) <= 2  # other processors round differently
    assert_one_error(run("everyday", "--corpora", str(tmp_path)), "--save")


def test_everyday_looks_up_no_sentences_if_it_may_not_save(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stored, "EVALUATIONS_FOLDER", tmp_path)
    monkeypatch.setattr("model.cli.measure.record_unseen", lambda *_: pytest.fail("the list was rewritten"))
    (tmp_path / "everyday-tiny.json").write_text('{"command": "by hand"}')
    options = ("--corpora", str(tmp_path), "--save")
    assert_one_error(run("everyday", "-m", str(tiny), *options), "everyday-tiny.json", "by hand")


def test_saving_replaces_no_file_of_another_command(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stored, "EVALUATIONS_FOLDER", tmp_path)
    code, stdout, _ = run("copying", "-m", str(tiny), "--save")
    file = tmp_path / "copying-tiny.json"
    assert (code, str(file) in stdout) == (0, True)
    saved_bytes = file.read_bytes()
    assert_one_error(run("copying", "-m", str(tiny), "--beam", "2", "--save"), file.name, "copying --model tiny --save")
    assert file.read_bytes() == saved_bytes
    assert run("copying", "-m", str(tiny), "--save")[0] == 0
    assert_one_error(run("costs", "--kind", "rnnsearch", "--save"), "--kind")
    folder = shutil.copytree(tiny, tmp_path / "rnnsearch-50")
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(card | {"name": "rnnsearch-50"}))
    assert_one_error(run("copying", "-m", str(folder), "--save"), "the shipped rnnsearch-50", "leave it out")


def test_robustness_saves_its_beam_and_counts(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sentences = ("I don't sing.", "The cat sleeps.", "It is cold today.")
    monkeypatch.setattr(stored, "EVALUATIONS_FOLDER", tmp_path)
    monkeypatch.setattr(typing_variants, "read_typed_sentences", lambda: sentences)
    code, stdout, stderr = run("robustness", "-m", str(tiny), "--beam", "2", "--save")
    assert (code, stderr) == (0, "")
    record = json.loads((tmp_path / "robustness-tiny.json").read_bytes())
    assert record["command"] == "python -m model robustness --model tiny --beam 2 --save"
    assert (record["model"], record["search"]["beam"], record["data"]["sentences"]) == ("tiny", 2, 3)
    for name, result in record["variants"].items():
        assert f"{name}: {result['changed']} of {result['sentences']} translations change" in stdout
