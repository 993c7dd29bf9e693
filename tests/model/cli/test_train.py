"""`data`, `train`, `trials` and `precision`: from text to a shipped model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model.checkpoints import checkpoint
from model.training.precision import compare_precisions, summarize_losses
from model.training.recipe import Plan, load_recipe
from model.training.trials import Trials
from tests.model.cli.running import Run, assert_one_error


def test_train_uses_all_corpora_if_the_folder_has_none_of_the_recipes(run: Run, data: Path, tmp_path: Path) -> None:
    (data / "tiny.npz").rename(data / "mine.npz")
    options = ("--data", str(data), "--runs", str(tmp_path / "runs"))
    code, out, err = run("train", "tiny", *options, "--pieces", "0.0005", "--threads", "1")
    assert (code, err) == (0, "")
    assert "none of the corpora that the recipe tiny names" in out
    assert "all that it holds, mine" in " ".join(out.split())
    state = torch.load(tmp_path / "runs/rnnsearch-50/state.pt", weights_only=True)
    assert state["recipe"]["data"]["copies"] == {"mine": 1}
    resume = ("train", "--name", "rnnsearch-50", "--resume", *options, "--pieces", "0.001")
    assert_one_error(run(*resume, "--title", "New"), "leave out the recipe, --init and --title")
    code, _, err = run(*resume)
    assert (code, err) == (0, "")


def test_trials_writes_a_table_and_prints_each_row(run: Run, data: Path, tmp_path: Path) -> None:
    file, table, runs = tmp_path / "some.toml", tmp_path / "some.json", tmp_path / "runs"
    file.write_text('[start]\nrecipe = "tiny"\nkind = "rnnsearch"\nlongest_words = 50\ninit = ""\npieces = 300\n'
                    'cool_down = 100\n[trials."as it is"]\n[trials.slower]\noptimiser.rate = 1e-3\n')
    arguments = ("trials", str(file), "--out", str(table), "--data", str(data), "--runs", str(runs))
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    rows = Trials.load(table).trials
    assert [(row.name, row.changes) for row in rows] == [("as it is", ()), ("slower", ("optimiser.rate = 0.001",))]
    assert out.splitlines() == [
        f"{row.name}: {row.pieces:,} tokens, {row.updates:,} updates, {row.processor_minutes} minutes of processor "
        f"time, dev loss {row.dev_loss:.4f}, dev BLEU {row.bleu['all']:.1f}" for row in rows]  # fmt: skip
    assert sorted(path.name for path in (runs / "some").iterdir()) == ["as-it-is", "slower"]
    assert run(*arguments) == (0, "", "")


def test_a_model_is_trained_continued_cooled_down_and_shipped(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    options = ("--data", str(data), "--runs", str(tmp_path / "runs"), "--threads", "1")
    code, out, err = run("train", "tiny", "--kind", "rnnencdec", "--name", "first", *options, "--pieces", "0.002")
    assert (code, err) == (0, "")
    first = checkpoint.read_card(tmp_path / "runs/first/best")
    assert (first.kind, first.target_tokens >= 2000) == ("rnnencdec", True)

    arguments = ("train", "tiny", "--kind", "rnnencdec", "--name", "second", "--init", str(tmp_path / "runs/first"))
    code, out, err = run(*arguments, *options, "--pieces", "0.002", "--cool-down", "0.001")
    assert (code, err) == (0, "")
    second = checkpoint.read_card(tmp_path / "runs/second/best")
    assert second.training["from"]["fingerprint"] == first.fingerprint
    assert second.target_tokens >= first.target_tokens + 2000
    state = torch.load(tmp_path / "runs/second/state.pt", weights_only=True)
    assert tuple(state["progress"]["cooling"]) == (1000, 2000)

    code, out, err = run("train", "--name", "second", "--ship", *options)
    assert (code, err) == (0, "")
    assert "after rounding to eight bits" in " ".join(out.split())
    assert [card.name for card in checkpoint.list_shipped_cards()] == ["second"]
    assert run("translate", "-m", "second", stdin=b"The cat sleeps.")[0] == 0


def test_data_may_use_the_vocabulary_of_a_model(run: Run, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    lines = (f"The cat has {count} toys.\tLe chat a {count} jouets.\n" for count in range(300))
    (tmp_path / "train" / "mine.en-fr.tsv").write_text("".join(lines), encoding="utf-8")
    arguments = ("data", str(tmp_path), "--vocabulary-of", str(tiny))
    code, _, err = run(*arguments, "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert (tmp_path / "out/vocabulary.model").read_bytes() == (tiny / "vocabulary.model").read_bytes()
    assert_one_error(run(*arguments, "--kind", "word"), "--vocabulary and --kind")
    assert_one_error(run(*arguments, "--out", str(tmp_path / "out")), "prepared text already", "--out")
    assert_one_error(run("train", "tiny", "--name", "out", "--data", str(tmp_path / "out"), "--runs", str(tmp_path)),
                     "would be written into the prepared text", "--runs")


def test_precision_prints_mean_losses_and_differences(run: Run, data: Path) -> None:
    code, out, err = run("precision", "tiny", "--data", str(data), "--updates", "5", "--every", "2")
    assert (code, err) == (0, "")
    losses = list(compare_precisions(load_recipe("tiny"), Plan("rnnsearch", 50), data, 5))
    parts = {"2": losses[:2], "4": losses[2:4], "5": losses[4:], "all": losses}
    assert [line.split() for line in out.splitlines()[1:]] == [
        [name, f"{mean:.4f}", f"{half:+.4f}", f"{other:+.4f}"]
        for name, (mean, half, other) in ((name, summarize_losses(part)) for name, part in parts.items())]  # fmt: skip
