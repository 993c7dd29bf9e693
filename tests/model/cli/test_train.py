"""`data`, `train`, `trials` and `precision`: from text to a shipped model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from model.checkpoints import checkpoint
from model.text.vocabulary import Vocabulary
from model.training.precision import UpdateLosses
from model.training.recipe import Plan, Recipe
from model.training.trials import Trial
from tests.model.cli.running import Run, assert_one_error


def test_train_uses_all_corpora_if_the_folder_has_none_of_the_recipes(run: Run, data: Path, tmp_path: Path) -> None:
    (data / "tiny.npz").rename(data / "mine.npz")
    options = ("--data", str(data), "--runs", str(tmp_path / "runs"))
    code, stdout, stderr = run("train", "tiny", *options, "--tokens", "0.0005", "--threads", "1")
    assert (code, stderr) == (0, "")
    assert "none of the corpora that the recipe tiny names" in stdout
    assert "all that it holds, mine" in " ".join(stdout.split())
    file = tmp_path / "runs/rnnsearch-50/state.pt"
    state_bytes = file.read_bytes()
    assert torch.load(file, weights_only=True)["recipe"]["data"]["copies"] == {"mine": 1}
    assert_one_error(run("train", "tiny", *options, "--tokens", "0.0005"), "already holds a run", "--resume")
    assert file.read_bytes() == state_bytes
    resume = ("train", "--name", "rnnsearch-50", "--resume", *options, "--tokens", "0.001")
    assert_one_error(run(*resume, "--title", "New"), "leave out the recipe, --init and --title")
    assert_one_error(run(*resume, "--longest", "30"), "up to 50 words, not 30", "leave out --longest")
    code, _, stderr = run(*resume)
    assert (code, stderr) == (0, "")


@pytest.mark.parametrize("ignored", [("tiny",), ("--title", "New"), ("--resume",), ("--init", "rnnsearch-50"),
                                     ("--tokens", "1"), ("--minutes", "1"), ("--cool-down", "1")])  # fmt: skip
def test_shipping_refuses_the_options_of_training(run: Run, tmp_path: Path, ignored: tuple[str, ...]) -> None:
    options = ("--name", "first", "--runs", str(tmp_path), "--ship")
    assert_one_error(run("train", *options, *ignored), "--ship", "trains nothing", "leave out")


def test_trials_prints_each_row(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    row = Trial("slower", ("optimiser.rate = 0.001",), 12345, 0, 1678, 2.5, 3.14159, {"all": 27.26}, "a machine", "now")
    calls = []

    def yield_row(*paths: Path, threads: int | None) -> Iterator[Trial]:
        calls.append((*paths, threads))
        yield row

    monkeypatch.setattr("model.cli.training.run_trials", yield_row)
    arguments = ("some.toml", "--out", "some.json", "--data", "data", "--runs", "runs", "--threads", "1")
    assert run("trials", *arguments) == (
        0, "slower: 12,345 tokens, 1,678 updates, 2.5 minutes of processor time, dev loss 3.1416, dev BLEU 27.3\n", "")
    assert calls == [(Path("some.toml"), Path("data"), Path("runs"), Path("some.json"), 1)]


def test_a_model_is_trained_continued_cooled_down_and_shipped(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    options = ("--data", str(data), "--runs", str(tmp_path / "runs"), "--threads", "1")
    code, stdout, stderr = run("train", "tiny", "--kind", "rnnencdec", "--name", "first", *options, "--tokens", "0.002")
    assert (code, stderr) == (0, "")
    first = checkpoint.read_card(tmp_path / "runs/first/best")
    assert (first.kind, first.target_tokens >= 2000) == ("rnnencdec", True)

    arguments = ("train", "tiny", "--kind", "rnnencdec", "--name", "second", "--init", str(tmp_path / "runs/first"))
    code, stdout, stderr = run(*arguments, *options, "--tokens", "0.002", "--cool-down", "0.001")
    assert (code, stderr) == (0, "")
    second = checkpoint.read_card(tmp_path / "runs/second/best")
    assert second.training["from"]["fingerprint"] == first.fingerprint
    assert second.target_tokens >= first.target_tokens + 2000
    state = torch.load(tmp_path / "runs/second/state.pt", weights_only=True)
    assert tuple(state["progress"]["cooling"]) == (1000, 2000)

    (tmp_path / "runs/first/state.pt").unlink()
    assert_one_error(run("train", "tiny", "--kind", "rnnencdec", "--name", "first", *options), "weights of a run")
    assert checkpoint.read_card(tmp_path / "runs/first/best") == first

    code, stdout, stderr = run("train", "--name", "second", "--ship", *options)
    assert (code, stderr) == (0, "")
    assert "after rounding to eight bits" in " ".join(stdout.split())
    assert [card.name for card in checkpoint.list_shipped_cards()] == ["second"]
    assert run("translate", "-m", "second", stdin=b"The cat sleeps.")[0] == 0


def test_data_uses_the_vocabulary_of_a_model_or_whole_words(run: Run, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    lines = (f"The cat has {count} toys.\tLe chat a {count} jouets.\n" for count in range(300))
    (tmp_path / "train" / "mine.en-fr.tsv").write_text("".join(lines), encoding="utf-8")
    arguments = ("data", str(tmp_path), "--vocabulary-of", str(tiny))
    code, _, stderr = run(*arguments, "--out", str(tmp_path / "out"))
    assert (code, stderr) == (0, "")
    assert (tmp_path / "out/vocabulary.model").read_bytes() == (tiny / "vocabulary.model").read_bytes()
    assert_one_error(run(*arguments, "--kind", "word"), "--vocabulary and --kind")
    words = ("data", str(tmp_path), "--kind", "word", "--vocabulary", "100", "--out", str(tmp_path / "words"))
    code, stdout, stderr = run(*words)
    assert (code, stderr) == (0, "")
    assert "300" in stdout
    assert Vocabulary.load(tmp_path / "words/vocabulary.model").kind == "word"
    assert_one_error(run(*arguments, "--out", str(tmp_path / "out")), "prepared text already", "--out")
    (tmp_path / "out/meta.json").unlink()
    assert_one_error(run(*arguments, "--out", str(tmp_path / "out")), "mine.npz", "did not end")
    assert_one_error(run("train", "tiny", "--name", "out", "--data", str(tmp_path / "out"), "--runs", str(tmp_path)),
                     "would be written into the prepared text", "--runs")


def test_precision_prints_mean_losses_and_differences(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def yield_losses(recipe: Recipe, plan: Plan, data: Path, updates: int, **_: object) -> Iterator[UpdateLosses]:
        calls.append((recipe.name, plan.kind, data, updates))
        for update, loss in enumerate((6.0, 5.0, 4.0, 3.0, 1.0), 1):
            yield UpdateLosses(update, loss, loss + 0.25, loss - update)

    monkeypatch.setattr("model.cli.training.compare_precisions", yield_losses)
    code, stdout, stderr = run("precision", "tiny", "--data", "data", "--updates", "5", "--every", "2")
    assert (code, stderr) == (0, "")
    assert calls == [("tiny", "rnnsearch", Path("data"), 5)]
    assert [line.split() for line in stdout.splitlines()[1:]] == [
        ["2", "5.5000", "+0.2500", "-1.5000"], ["4", "3.5000", "+0.2500", "-3.5000"],
        ["5", "1.0000", "+0.2500", "-5.0000"], ["all", "3.8000", "+0.2500", "-3.0000"]]  # fmt: skip
