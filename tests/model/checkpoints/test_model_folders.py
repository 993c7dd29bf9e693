"""Extra folders of models: checkpoints, runs, folders of these; repeated names and titles; errors."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.checkpoints import checkpoint, model_folders
from model.checkpoints.checkpoint import CARD, CheckpointError
from model.networks.rnnsearch import RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.networks import build_network


@pytest.fixture(autouse=True)
def _reset_folders(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(model_folders.ENVIRONMENT_VARIABLE, raising=False)
    yield
    model_folders.set_extra_folders(())


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint from Korean into English, called "own"."""
    folder = tmp_path_factory.mktemp("model")
    tiny_vocabulary.save(folder / "vocabulary.model")
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 4, 4, 4, 4))
    checkpoint.save_checkpoint(folder / "own", network, folder / "vocabulary.model", name="own", training={},
                    languages=("ko", "en"))
    return folder / "own"


@pytest.fixture
def shipped(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shipped"
    copy_model(model, folder / "a", "a")
    monkeypatch.setattr(checkpoint, "SHIPPED", folder)
    return folder


def copy_model(model: Path, folder: Path, name: str) -> None:
    shutil.copytree(model, folder)
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps(card | {"name": name}))


def list_names() -> list[str]:
    return [card.name for card in checkpoint.list_cards()]


@pytest.mark.parametrize(
    "place", ["", "best", "one", "one/best", "best-german/best", "one/best.old.part"]  # the last: an interrupted save
)
def test_extra_folder_is_a_checkpoint_a_run_or_a_folder_of_these(
    model: Path, shipped: Path, tmp_path: Path, place: str
) -> None:
    copy_model(model, tmp_path / "mine" / place, "own")
    (tmp_path / "mine" / "data").mkdir(exist_ok=True)
    model_folders.set_extra_folders([tmp_path / "mine"])
    assert list_names() == ["a", "own"]
    assert checkpoint.list_errors() == []
    assert checkpoint.find_checkpoint("own") == tmp_path / "mine" / place
    loaded = checkpoint.load_model("own")
    assert (loaded.name, loaded.languages) == ("own", ("ko", "en"))
    model_folders.set_extra_folders(())
    assert list_names() == ["a"]


def test_environment_variable_names_several_folders(
    model: Path, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("x", "y", "z"):
        copy_model(model, tmp_path / name / "run" / "best", name)
    monkeypatch.setenv(
        model_folders.ENVIRONMENT_VARIABLE, os.pathsep.join([str(tmp_path / "x"), "", str(tmp_path / "y")])
    )
    model_folders.set_extra_folders([tmp_path / "z", tmp_path / "x"])
    assert list_names() == ["a", "z", "x", "y"]


def test_repeated_names_and_titles_get_the_name_of_the_folder(model: Path, shipped: Path, tmp_path: Path) -> None:
    copy_model(model, tmp_path / "my runs" / "1", "a")
    copy_model(model, tmp_path / "my runs" / "2" / "best", "a")
    copy_model(model, tmp_path / "my runs" / "3", "b" * 199)
    model_folders.set_extra_folders([tmp_path / "my runs", shipped])
    assert list_names() == ["a", "a.my-runs", "a.my-runs.2", "b" * 199]
    titles = [card.title for card in checkpoint.list_cards()]
    assert titles == ["own", "own (a.my-runs)", "own (a.my-runs.2)", "b" * 199]
    assert checkpoint.find_checkpoint("a") == shipped / "a"
    card = checkpoint.load_model("a.my-runs.2").card
    assert (card.name, card.title) == ("a.my-runs.2", "own (a.my-runs.2)")
    assert card.folder == tmp_path / "my runs" / "2" / "best"


def test_a_model_has_its_listed_name_by_any_spelling_of_its_path(
    model: Path, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_model(model, tmp_path / "runs" / "1", "a")
    monkeypatch.chdir(tmp_path)
    model_folders.set_extra_folders(["runs"])
    assert [checkpoint.load_model(path).name for path in ("runs/1", tmp_path / "runs" / "1")] == ["a.runs"] * 2


def test_damaged_cards_and_missing_folders_are_errors(model: Path, shipped: Path, tmp_path: Path) -> None:
    copy_model(model, tmp_path / "mine" / "broken", "own")
    (tmp_path / "mine" / "broken" / CARD).write_text("{")
    copy_model(model, tmp_path / "mine" / "good", "good")
    (shipped / "empty").mkdir()
    (shipped / ".cache").mkdir()
    (shipped / "readme.txt").write_text("")
    model_folders.set_extra_folders([tmp_path / "mine", tmp_path / "none"])
    assert list_names() == ["a", "good"]
    empty, broken, missing = map(str, checkpoint.list_errors())
    assert empty.startswith(f"{shipped / 'empty'} holds no readable card")
    assert broken.startswith(f"the card of {tmp_path / 'mine' / 'broken'}")
    assert "is not a folder; --models and ALIGN_TRANSLATE_MODELS name folders of models" in missing
    with pytest.raises(CheckpointError, match="there are: a, good; or give the path"):
        checkpoint.find_checkpoint("own")


def test_folder_options_of_the_app() -> None:
    arguments = ["app.py", "--models", "runs/a", "--other", "--models=runs/b", "--models"]
    assert model_folders.parse_folder_options(arguments) == [Path("runs/b"), Path("runs/a")]
