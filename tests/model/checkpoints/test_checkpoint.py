"""Checkpoints: complete or refused in one sentence, and never lost, wherever a save is interrupted."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from model.checkpoints import checkpoint
from model.checkpoints.averaging import average_checkpoints
from model.checkpoints.checkpoint import (
    CARD,
    VOCABULARY,
    WEIGHTS,
    CheckpointError,
    load_model,
    save_checkpoint,
    ship_checkpoint,
)
from model.checkpoints.quantization import dequantize_weights, quantize_weights
from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.model.serialization.killer import Killer
from tests.networks import build_network

EXTRA = {"diary.json": b"{}\n"}
Save = Callable[[Path, int], object]


def build_random_network(vocabulary: int, seed: int = 1, kind: str = "rnnsearch") -> RNNsearch | RNNencdec:
    torch.manual_seed(seed)
    network: RNNsearch | RNNencdec = build_network(RNNsearchConfig(kind, vocabulary, 8, 10, 9, 7, "appendix", 0.25))
    return network


@pytest.fixture
def vocabulary(tiny_vocabulary: Vocabulary, tmp_path: Path) -> Path:
    tiny_vocabulary.save(tmp_path / "trained.model")
    return tmp_path / "trained.model"


@pytest.fixture
def save(tiny_vocabulary: Vocabulary, vocabulary: Path) -> Save:
    """Save a checkpoint with the weights and the name of a number."""
    return lambda folder, number: save_checkpoint(
        folder, build_random_network(len(tiny_vocabulary), number), vocabulary, name=f"n{number}",
        training={"curve": [], "from": None}, extra=EXTRA)  # fmt: skip


@pytest.fixture
def saved(save: Save, tmp_path: Path) -> Path:
    """An intact checkpoint."""
    save(tmp_path / "good", 0)
    return tmp_path / "good"


@pytest.fixture
def shipped(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of three shipped models."""
    folder = tmp_path / "shipped"
    for name in ("a", "b", "c"):
        shutil.copytree(saved, folder / name)
        edit_card(folder / name, lambda card, name=name: card.update(name=name))  # type: ignore[misc]
    monkeypatch.setattr(checkpoint, "SHIPPED", folder)
    return folder


def assert_refused(folder: Path, *expected: str) -> None:
    """Assert that loading gives one sentence with these parts."""
    with pytest.raises(CheckpointError) as error:
        load_model(folder)
    message = str(error.value)
    assert "\n" not in message
    for part in expected:
        assert part in message, message


def edit_card(folder: Path, card_edit: Callable[[dict[str, Any]], object]) -> None:
    card = json.loads((folder / CARD).read_text())
    card_edit(card)
    (folder / CARD).write_text(json.dumps(card))


def replace_checked_file(folder: Path, file: str, content: bytes) -> None:
    """Replace a file and its checksum on the card."""
    (folder / file).write_bytes(content)
    edit_card(folder, lambda card: card["sha256"].update({file: hashlib.sha256(content).hexdigest()}))


# ---- saving and loading -----------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_loaded_weights_equal_the_saved_ones_in_half_precision(
    kind: str, tiny_vocabulary: Vocabulary, vocabulary: Path, tmp_path: Path
) -> None:
    original, folder = build_random_network(len(tiny_vocabulary), kind=kind), tmp_path / "saved"
    folder.mkdir()
    (folder / "unrelated").write_text("")
    card = save_checkpoint(folder, original, vocabulary, name="n", training={"x": 1}, extra=EXTRA)
    with torch.inference_mode():
        model = load_model(folder)
    assert model.network.config == original.config
    assert not model.network.training
    for name, value in original.state_dict().items():
        loaded = model.network.get_parameter(name)
        assert loaded.dtype == torch.float32
        assert torch.equal(loaded, value.half().float())
    model.network.loss(torch.tensor([[5, 1]]), torch.tensor([[6, 1]])).backward()  # even if loaded in inference mode
    assert model.network.U_o.grad is not None
    assert model.vocabulary.model_bytes == tiny_vocabulary.model_bytes
    assert (model.name, model.fingerprint, model.card) == ("n", card.fingerprint, card)
    assert model.card.training == {"x": 1}
    assert model.card.parameters == sum(value.numel() for value in original.state_dict().values())
    assert sorted(path.name for path in folder.iterdir()) == [CARD, "diary.json", VOCABULARY, WEIGHTS]
    assert {file.stat().st_mode & 0o444 for file in folder.iterdir()} == {0o444}, "readable for everybody"


def test_an_average_has_the_mean_of_the_weights_and_the_card_of_the_last(save: Save, tmp_path: Path) -> None:
    for number in (1, 2):
        save(tmp_path / str(number), number)
    card = average_checkpoints([tmp_path / "1", tmp_path / "2"], tmp_path / "mean")
    first, second, mean = (load_model(tmp_path / name) for name in ("1", "2", "mean"))
    assert (mean.name, (tmp_path / "mean" / "diary.json").read_bytes()) == ("n2", EXTRA["diary.json"])
    assert [entry["fingerprint"] for entry in card.training["averaged"]] == [
        first.card.fingerprint, second.card.fingerprint]  # fmt: skip
    for key, value in mean.network.state_dict().items():
        expected = (first.network.state_dict()[key].double() + second.network.state_dict()[key].double()) / 2
        assert torch.equal(value, expected.half().float())
    with pytest.raises(CheckpointError, match="exists already"):
        average_checkpoints([tmp_path / "1", tmp_path / "2"], tmp_path / "1")
    assert load_model(tmp_path / "1").name == "n1"


def test_an_average_tells_nothing_that_was_measured_of_the_last_weights(saved: Path, tmp_path: Path) -> None:
    card = checkpoint.read_card(saved)
    rounded = {"bits": 8, "bleu_before": {"all": 12.5}, "bleu": {"all": 12.25}}
    training = {"curve": [{"bleu": {"all": 14.0}}], "loss": 2.5, "rounded": rounded, "from": None}
    checkpoint.write_card(saved, replace(card, training=training))
    other = tmp_path / "other"
    shutil.copytree(saved, other)
    checkpoint.write_card(other, replace(card, network={**card.network, "dropout": 0.5}))  # acts in training only
    average = average_checkpoints([other, saved], tmp_path / "mean")
    assert average.training.keys() == {"curve", "from", "averaged"}
    assert (checkpoint.read_card(saved).dev_bleu, average.dev_bleu) == (14.0, None)
    assert replace(average, training={**average.training, "rounded": rounded}).dev_bleu == 12.5


@pytest.mark.parametrize("value", [float("nan"), 1e5])
def test_weights_that_overflow_half_precision_are_not_saved(
    value: float, saved: Path, vocabulary: Path, tiny_vocabulary: Vocabulary
) -> None:
    card, broken = checkpoint.read_card(saved), build_random_network(len(tiny_vocabulary))
    with torch.no_grad():
        broken.b_s[3] = value
    with pytest.raises(CheckpointError, match="b_s has weights that are not finite"):
        save_checkpoint(saved, broken, vocabulary, name="x", training={})
    assert load_model(saved).card == card


def test_shipped_checkpoint_is_quantized_and_has_a_unique_name_and_title(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    original = load_model(saved)
    for name in ("mine", "other", "mine"):
        ship_checkpoint(saved, name, lambda _: {"rounded": {"bits": 8}})
    shipped_model, weights = load_model("mine"), original.network.state_dict()
    for name, value in dequantize_weights(quantize_weights(weights)).items():
        assert torch.equal(shipped_model.network.get_parameter(name), value)
        assert value.ndim < 2 or not torch.equal(value, weights[name])
    assert shipped_model.card.training == {**original.card.training, "rounded": {"bits": 8}}
    assert shipped_model.fingerprint != original.fingerprint
    assert shipped_model.card.parameters == original.card.parameters
    assert (tmp_path / "shipped" / "mine" / "diary.json").read_bytes() == EXTRA["diary.json"]
    assert [(card.name, card.folder.name, card.title) for card in checkpoint.list_shipped_cards()] == [
        ("mine", "mine", original.card.title), ("other", "other", f"{original.card.title} (other)")]  # fmt: skip
    assert load_model("other").name == "other"


# ---- damage -----------------------------------------------------------------------------------------------------


@pytest.mark.verdict
@pytest.mark.parametrize("file", [WEIGHTS, VOCABULARY, "diary.json"])
def test_damaged_or_missing_file_is_noticed(saved: Path, file: str) -> None:
    content = (saved / file).read_bytes()
    first_changed, last_changed = bytes([content[0] ^ 1]) + content[1:], content[:-1] + bytes([content[-1] ^ 1])
    for damaged_content in (first_changed, last_changed, content[:-1]):
        (saved / file).write_bytes(damaged_content)
        assert_refused(saved, file, "is damaged", "restore it")
    (saved / file).unlink()
    assert_refused(saved, f"lacks {file}")


def set_keys(**keys: Any) -> Callable[[dict[str, Any]], object]:
    return lambda card: card.update(keys)


CARD_EDITS: list[Callable[[dict[str, Any]], object]] = [
    lambda card: card.pop("name"), set_keys(name=""), set_keys(title="a\nb"), set_keys(parameters=-1),
    set_keys(folder="/"), lambda card: card["sha256"].pop(VOCABULARY), set_keys(languages=["en"]),
    lambda card: card["sha256"].update({WEIGHTS: "abc"}), set_keys(languages=["en", "<b>"]),
]  # fmt: skip
FILE_NAMES = ["../secret", "/etc/passwd", "..", "", "a/b", "a\\b", "a\x00b", "x" * 300, ".hidden"]


def test_malformed_cards_are_refused(saved: Path) -> None:
    card = (saved / CARD).read_bytes()
    paths = [lambda values, name=name: values["sha256"].update({name: "0" * 64}) for name in FILE_NAMES]
    for card_edit in [*CARD_EDITS, *paths]:
        edit_card(saved, card_edit)
        assert_refused(saved, "the card of", "is damaged", "restore")
        (saved / CARD).write_bytes(card)
    for content in (b"", b"[]", b"\xff\xfe"):
        (saved / CARD).write_bytes(content)
        assert_refused(saved, "the card of", "is damaged", "restore")


@pytest.mark.parametrize("keys", [
    {"hidden": 11}, {"hidden": 10**9, "alignment": 10**9}, {"kind": "rnnencdec"}, {"kind": "transformer"}, {"heads": 8},
    {"dropout": "much"}, {"readout": -7},
], ids=str)  # fmt: skip
def test_network_config_that_does_not_fit_the_weights_is_refused(saved: Path, keys: dict[str, Any]) -> None:
    edit_card(saved, lambda card: card["network"].update(keys))
    assert_refused(saved, "the weights of", "do not fit their card")
    for network in ({"kind": "seq2seq", "layers": 3000}, {"kind": "transformer", "layers": 1, "decoder_layers": 3000}):
        edit_card(saved, set_keys(network=network | {"vocabulary": 400}))
        assert_refused(saved, "do not fit their card", "3,000 layers")  # modules take memory even without tensors


def test_weights_that_do_not_fit_the_network_are_refused(saved: Path) -> None:
    weights = load_tensors((saved / WEIGHTS).read_bytes())
    quantized = quantize_weights(weights)

    def remove_row(tensors: dict[str, torch.Tensor], name: str) -> dict[str, torch.Tensor]:
        return tensors | {name: tensors[name][:-1].contiguous()}

    for tensors, name in (
        (remove_row(weights, "v_a"), "v_a"), (remove_row(weights, "decoder.C"), "decoder.C"),
        (remove_row(quantized, "U_o.scale"), "U_o"),
        (quantized | {"U_o": quantized["U_o"][:, :-1].contiguous()}, "U_o"),
        ({key: value for key, value in quantized.items() if key != "U_o.scale"}, "U_o"),
        ({key: value for key, value in weights.items() if key != "U_o"}, "U_o"),
        (weights | {"U_o2": weights["U_o"].clone()}, "U_o2"),
    ):  # fmt: skip
        replace_checked_file(saved, WEIGHTS, save_tensors(tensors))
        assert_refused(saved, "the weights of", "do not fit their card", name)
    weights["b_w"][5] = -float("inf")
    replace_checked_file(saved, WEIGHTS, save_tensors(weights))
    assert_refused(saved, "b_w", "not all finite")


def test_other_files_with_matching_checksums_are_refused(saved: Path, tmp_path: Path) -> None:
    weights = (saved / WEIGHTS).read_bytes()
    for content in (b"", b"\x80\x04pickle", b"\xff" * 100, weights[:50]):
        replace_checked_file(saved, WEIGHTS, content)
        assert_refused(saved, "the weights of", "do not fit their card")
    replace_checked_file(saved, WEIGHTS, weights)
    replace_checked_file(saved, VOCABULARY, b"not a vocabulary")
    assert_refused(saved, "the vocabulary of", "cannot be read")
    other_vocabulary = Vocabulary.train(["the cat sleeps", "le chat dort"] * 9, 272, tmp_path / "other.model")
    replace_checked_file(saved, VOCABULARY, other_vocabulary.model_bytes)
    assert_refused(saved, "embeddings for 400 tokens, its vocabulary has 272")


# ---- finding ----------------------------------------------------------------------------------------------------


def test_models_are_found_by_name_or_folder(shipped: Path, saved: Path, tmp_path: Path) -> None:
    assert checkpoint.find_checkpoint("b") == shipped / "b"
    best = shutil.copytree(saved, tmp_path / "course" / "best")  # in the folder of a run
    assert checkpoint.find_checkpoint(tmp_path / "course") == best
    assert checkpoint.find_checkpoint(saved) == checkpoint.find_checkpoint(str(saved)) == saved


def test_unknown_models_are_refused_with_the_known_names(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for name in ("", ".", "..", "/", "nobody", "a\x00b", "x" * 5000, "a/../..", "\ud800", "~"):
        with pytest.raises(CheckpointError, match="there are: a, b, c; or give the path") as error:
            checkpoint.find_checkpoint(name)
        assert len(str(error.value)) < 400
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "none")
    assert checkpoint.list_cards() == checkpoint.list_errors() == []
    with pytest.raises(CheckpointError, match="there are: none"):
        checkpoint.find_checkpoint("rnnsearch-50")


# ---- interrupted saves ------------------------------------------------------------------------------------------


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Killer:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "none")
    return Killer(monkeypatch)


def list_leftovers(folder: Path) -> tuple[str, ...]:
    """Return the paths beside and in a checkpoint, without weights and vocabularies."""
    paths = (path for path in folder.parent.rglob("*") if path.name not in (WEIGHTS, VOCABULARY))
    return tuple(sorted(str(path.relative_to(folder.parent)) for path in paths))


def test_save_killed_anywhere_leaves_the_last_complete_checkpoint(killer: Killer, save: Save, tmp_path: Path) -> None:
    """At every change of the disk; and from each state that this leaves, at every change of the next save."""
    saves = []
    for number in range(3):
        save(saved_folder := tmp_path / "made", number)
        files = {path.name: path.read_bytes() for path in saved_folder.iterdir() if path.name != CARD}
        saves.append(partial(checkpoint.replace_checkpoint, files=files, card=checkpoint.read_card(saved_folder)))
    places, states = set(), set()
    for first in count():
        folder = tmp_path / str(first) / "best"
        saves[0](folder)
        is_finished = killer.survives(partial(saves[1], folder), first)
        name = load_name(folder)
        assert name in (("n1",) if is_finished else ("n0", "n1"))
        places.add(checkpoint.find_checkpoint(folder).name)
        if (name, list_leftovers(folder)) not in states:
            states.add((name, list_leftovers(folder)))
            for second in count():
                copy = tmp_path / f"{first}-{second}" / "best"
                shutil.copytree(folder.parent, copy.parent)
                is_second_finished = killer.survives(partial(saves[2], copy), second)
                assert load_name(copy) in (("n2",) if is_second_finished else (name, "n2"))
                if is_second_finished:
                    break
        saves[2](folder)
        assert load_name(folder) == "n2"
        assert [path.name for path in folder.parent.iterdir()] == ["best"], "no leftovers"
        if is_finished:
            break
    assert first > 10
    assert len(states) > 4
    assert places == {"best", "best.new.part"}


def test_first_save_killed_anywhere_leaves_a_complete_checkpoint_or_none(
    killer: Killer, save: Save, tmp_path: Path
) -> None:
    names = []
    for change_count in count():
        folder = tmp_path / str(change_count) / "best"
        is_finished = killer.survives(partial(save, folder, 0), change_count)
        names.append(load_name(folder))
        save(folder, 1)
        assert load_name(folder) == "n1"
        if is_finished:
            break
    assert names == sorted(names)
    assert names[4] == "" < names[-1]


def load_name(folder: Path) -> str:
    """Return the name of a complete checkpoint; "" if there is none."""
    try:
        return load_model(folder).name
    except CheckpointError as error:
        assert str(error).startswith("there is no model")  # noqa: PT017 - a damaged one is an error too
        return ""


def test_shipped_models_are_found_after_an_interrupted_save(shipped: Path) -> None:
    (shipped / "a").rename(shipped / "a.new.part")
    (shipped / "b").rename(shipped / "b.old.part")
    shutil.copytree(shipped / "c", shipped / "c.old.part")
    (shipped / "c.old.part" / WEIGHTS).unlink()  # partly deleted
    assert [card.name for card in checkpoint.list_cards()] == ["a", "b", "c"]
    assert checkpoint.list_errors() == []
    assert [load_model(name).name for name in "abc"] == ["a", "b", "c"]


def test_checkpoint_replaced_while_it_is_read_is_read_again(
    saved: Path, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_card = checkpoint.read_card

    def read_and_replace(folder: Path) -> checkpoint.Card:
        card = read_card(folder)
        monkeypatch.setattr(checkpoint, "read_card", read_card)
        save(saved, 5)
        return card

    monkeypatch.setattr(checkpoint, "read_card", read_and_replace)
    assert load_model(saved).name == "n5"


def test_git_keeps_the_bytes_of_assets_on_windows() -> None:
    """Other line ends would break the checksums on the cards."""
    assert "* -text" in (checkpoint.SHIPPED.parent / ".gitattributes").read_text("utf-8").splitlines()


def test_corpora_of_all_courses_are_listed_in_order_of_training() -> None:
    first = {"recipe": {"data": {"copies": {"europarl": 1, "tatoeba": 4}}}}
    last = {"recipe": {"data": {"copies": {"news-dev": 1, "europarl": 1}}}, "from": {"training": first}}
    assert checkpoint.list_corpora(last) == ["europarl", "tatoeba", "news-dev"]
    malformed: list[dict[str, Any]] = [{}, {"recipe": []}, {"recipe": {"data": {"copies": [1]}}}]
    assert [checkpoint.list_corpora(training) for training in malformed] == [[]] * 3
