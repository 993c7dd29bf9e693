"""Checkpoints: whole or refused in one sentence, and never lost, wherever a save is stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoints import checkpoint, model_folders
from model.checkpoints.checkpoint import CARD, VOCABULARY, WEIGHTS, CheckpointError
from model.checkpoints.quantization import dequantize_weights, quantize_weights
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.text.vocabulary import Vocabulary
from tests.model.checkpoints.killer import Killer

EXTRA = {"diary.json": b"{}\n"}


def network(size: int, seed: int = 1, kind: str = "rnnsearch") -> RNNsearch | RNNencdec:
    torch.manual_seed(seed)
    return build_network(RNNsearchConfig(kind, size, 8, 10, 9, 7, "appendix", 0.25))


@pytest.fixture
def vocabulary(tiny_vocabulary: Vocabulary, tmp_path: Path) -> Path:
    tiny_vocabulary.save(tmp_path / "trained.model")
    return tmp_path / "trained.model"


@pytest.fixture
def saved(tiny_vocabulary: Vocabulary, vocabulary: Path, tmp_path: Path) -> Path:
    """A good checkpoint."""
    folder = tmp_path / "good"
    checkpoint.save_checkpoint(folder, network(len(tiny_vocabulary)), vocabulary, name="rnnsearch-50",
                    training={"curve": [], "from": None}, extra=EXTRA)
    return folder


def refused(folder: Path, *expected: str) -> None:
    """Loading gives one sentence that holds what is expected."""
    with pytest.raises(CheckpointError) as error:
        checkpoint.load_model(folder)
    text = str(error.value)
    assert "\n" not in text
    for part in expected:
        assert part in text, text


# --- what was saved is what is loaded


@pytest.mark.verdict
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_loaded_weights_are_those_saved_in_half_precision(
    kind: str, tiny_vocabulary: Vocabulary, vocabulary: Path, tmp_path: Path
) -> None:
    original = network(len(tiny_vocabulary), kind=kind)
    card = checkpoint.save_checkpoint(tmp_path / "one", original, vocabulary, name="n", training={"x": 1}, extra=EXTRA)
    model = checkpoint.load_model(tmp_path / "one")
    assert model.network.config == original.config
    assert not model.network.training
    for name, value in original.state_dict().items():
        loaded = model.network.get_parameter(name)
        assert loaded.dtype == torch.float32
        assert loaded.requires_grad
        assert torch.equal(loaded, value.half().float())
    assert model.vocabulary.model_bytes == tiny_vocabulary.model_bytes
    assert (model.name, model.fingerprint, model.card) == ("n", card.fingerprint, card)
    assert model.card.training == {"x": 1}
    assert model.card.parameters == sum(value.numel() for value in original.state_dict().values())
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [CARD, "diary.json", VOCABULARY, WEIGHTS]
    assert {file.stat().st_mode & 0o444 for file in (tmp_path / "one").iterdir()} == {0o444}, "others may read them"


def test_weights_loaded_in_inference_mode_can_be_trained(saved: Path) -> None:
    with torch.inference_mode():
        loaded = checkpoint.load_model(saved).network
    loaded.loss(torch.tensor([[5, 1]]), torch.tensor([[6, 1]])).backward()
    assert loaded.U_o.grad is not None


def test_a_card_is_replaced_in_one_step(saved: Path) -> None:
    card = checkpoint.read_card(saved)
    checkpoint.write_card(saved, replace(card, scores=[{"bleu": 1.5}]))
    assert checkpoint.load_model(saved).card.scores == [{"bleu": 1.5}]
    assert checkpoint.read_card(saved).folder == saved
    assert "folder" not in json.loads((saved / CARD).read_text())


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e5])
def test_weights_that_are_not_finite_in_half_precision_are_not_written(
    value: float, saved: Path, vocabulary: Path, tiny_vocabulary: Vocabulary
) -> None:
    before = checkpoint.read_card(saved)
    broken = network(len(tiny_vocabulary))
    with torch.no_grad():
        broken.b_s[3] = value
    with pytest.raises(CheckpointError, match="b_s has weights that are not finite"):
        checkpoint.save_checkpoint(saved, broken, vocabulary, name="x", training={})
    assert checkpoint.load_model(saved).card == before


# --- damage


@pytest.mark.verdict
@pytest.mark.parametrize("file", [WEIGHTS, VOCABULARY, "diary.json"])
def test_one_flipped_bit_is_noticed(saved: Path, file: str) -> None:
    content = bytearray((saved / file).read_bytes())
    for position in (0, len(content) // 2, len(content) - 1):
        changed = content.copy()
        changed[position] ^= 1
        (saved / file).write_bytes(changed)
        refused(saved, file, "is damaged", "restore it")
    (saved / file).write_bytes(content[:-1])
    refused(saved, file, "is damaged")
    (saved / file).write_bytes(b"")
    refused(saved, file, "is damaged")
    (saved / file).unlink()
    refused(saved, f"lacks {file}")
    (saved / file).mkdir()
    refused(saved, f"lacks {file}")


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    card = json.loads((folder / CARD).read_text())
    change(card)
    (folder / CARD).write_text(json.dumps(card))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"7", b'"card"', b"{}", b"\xff\xfe", b"[" * 100_000,
                                     b'{"name": NaN}', b"{\"\x00\": 1}", b"9" * 6000])
def test_cards_that_are_none(saved: Path, content: bytes) -> None:
    (saved / CARD).write_bytes(content)
    refused(saved, "the card of", "is damaged", "restore")


CHANGES: dict[str, Any] = {
    "no name": lambda card: card.pop("name"),
    "a name that is none": lambda card: card.update(name=["x"]),
    "no sizes": lambda card: card.update(network=None),
    "an unknown key": lambda card: card.update(surprise=1),
    "a folder": lambda card: card.update(folder="/"),
    "no checksums": lambda card: card.update(sha256={}),
    "no checksum of the vocabulary": lambda card: card["sha256"].pop(VOCABULARY),
    "a checksum that is none": lambda card: card["sha256"].update({WEIGHTS: 5}),
    "a short checksum": lambda card: card["sha256"].update({WEIGHTS: "abc"}),
    "a list of checksums": lambda card: card.update(sha256=[WEIGHTS, VOCABULARY]),
    "no training": lambda card: card.update(training=[]),
    "scores": lambda card: card.update(scores={}),
    "parameters": lambda card: card.update(parameters="many"),
    **{f"the file {name!r}": lambda card, name=name: card["sha256"].update({name: "0" * 64})
       for name in ("../secret", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "a\x00b", "a\nb", "x" * 300, ".hidden")},
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_cards_of_another_make(saved: Path, change: Callable[[dict[str, Any]], object]) -> None:
    edit(saved, change)
    refused(saved, "the card of", "is damaged", "restore")


NETWORKS: dict[str, dict[str, Any]] = {
    "another size": {"hidden": 11},
    "another vocabulary": {"vocabulary": 401},
    "another alignment": {"alignment": 10},
    "no memory holds it": {"hidden": 10**9, "alignment": 10**9},
    "another kind": {"kind": "rnnencdec"},
    "an unknown kind": {"kind": "transformer"},
    "an unknown key": {"heads": 8},
    "a size of text": {"hidden": "10"},
    "a dropout of text": {"dropout": "much"},
    "a wiring of lists": {"wiring": []},
    "a negative size": {"readout": -7},
}


@pytest.mark.parametrize("keys", NETWORKS.values(), ids=NETWORKS.keys())
def test_sizes_that_are_not_the_weights(saved: Path, keys: dict[str, Any]) -> None:
    edit(saved, lambda card: card["network"].update(keys))
    refused(saved, "the weights of", "do not fit their card")


def test_layers_without_weights_are_not_built(saved: Path) -> None:
    """A layer's module claims memory even where its numbers do not: a card of a million would claim all there is."""
    edit(saved, lambda card: card.update(network={"kind": "seq2seq", "vocabulary": 400, "layers": 3000}))
    refused(saved, "do not fit their card", "3,000 layers")


def reweigh(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    """Other weights, and a card that vouches for them."""
    weights = load_file(folder / WEIGHTS)
    change(weights)
    save_file(weights, folder / WEIGHTS)
    digits = checkpoint.hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    edit(folder, lambda card: card["sha256"].update({WEIGHTS: digits}))


@pytest.mark.parametrize("name", ["U_o", "v_a", "decoder.C", "source_embedding.weight"])
def test_weights_of_another_shape_or_name(saved: Path, tmp_path: Path, name: str) -> None:
    for number, change in enumerate((
        lambda weights: weights.update({name: weights[name][:-1].contiguous()}),
        lambda weights: weights.pop(name),
        lambda weights: weights.update({name + "2": weights[name].clone()}),
    )):  # fmt: skip
        shutil.copytree(saved, tmp_path / str(number))
        reweigh(tmp_path / str(number), change)
        refused(tmp_path / str(number), "the weights of", "do not fit their card", name)


def test_shipped_weights_are_in_eight_bits(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    before = checkpoint.load_model(saved)
    checkpoint.ship_checkpoint(saved, "mine", lambda _: {"rounded": {"bits": 8}})
    after = checkpoint.load_model("mine")
    weights = before.network.state_dict()
    for name, value in dequantize_weights(quantize_weights(weights)).items():
        assert torch.equal(after.network.get_parameter(name), value)
        assert value.ndim < 2 or not torch.equal(value, weights[name])
    assert after.card.training == {**before.card.training, "rounded": {"bits": 8}}
    assert after.fingerprint != before.fingerprint
    assert (after.name, after.card.parameters) == ("mine", before.card.parameters)
    assert (tmp_path / "shipped" / "mine" / "diary.json").read_bytes() == EXTRA["diary.json"]


def test_what_is_shipped_has_the_name_of_its_folder_and_a_title_of_its_own(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its run was called otherwise, or is listed under another name while it stands in a further place."""
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(model_folders, "list_model_folders", lambda: (saved.parent,))
    for name in ("mine", "other", "mine"):
        checkpoint.ship_checkpoint(saved, name, lambda _: {})
    title = checkpoint.read_card(saved).title
    assert [(card.name, card.folder.name, card.title) for card in checkpoint.list_shipped_cards()] == [
        ("mine", "mine", title), ("other", "other", f"{title} (other)")]  # fmt: skip
    assert checkpoint.load_model("other").name == "other"


def test_eight_bits_without_their_scales_are_refused(saved: Path, tmp_path: Path) -> None:
    def packed(weights: dict[str, torch.Tensor]) -> None:
        whole = quantize_weights(weights)
        weights.clear()
        weights.update(whole)

    reweigh(saved, packed)
    checkpoint.load_model(saved)
    for number, change in enumerate((
        lambda weights: weights.pop("U_o.scale"),
        lambda weights: weights.update({"U_o.scale": weights["U_o.scale"][:-1].contiguous()}),
        lambda weights: weights.update({"U_o": weights["U_o"][:, :-1].contiguous()}),
    )):  # fmt: skip
        shutil.copytree(saved, tmp_path / str(number))
        reweigh(tmp_path / str(number), change)
        refused(tmp_path / str(number), "the weights of", "do not fit their card", "U_o")


@pytest.mark.parametrize("value", [float("nan"), -float("inf")])
def test_weights_that_are_not_finite(saved: Path, value: float) -> None:
    reweigh(saved, lambda weights: weights["b_w"].__setitem__(5, value))
    refused(saved, "b_w", "not all finite")


def test_files_that_are_something_else_though_vouched_for(saved: Path, tmp_path: Path, vocabulary: Path) -> None:
    def put(file: str, content: bytes) -> None:
        (saved / file).write_bytes(content)
        digits = checkpoint.hashlib.sha256(content).hexdigest()
        edit(saved, lambda card: card["sha256"].update({file: digits}))

    weights = (saved / WEIGHTS).read_bytes()
    for content in (b"", b"\x80\x04pickle", b"\xff" * 100, weights[:50]):
        put(WEIGHTS, content)
        refused(saved, "the weights of", "do not fit their card")
    put(WEIGHTS, weights)
    put(VOCABULARY, b"not a vocabulary")
    refused(saved, "the vocabulary of", "cannot be read")
    other = Vocabulary.train(["the cat sleeps", "le chat dort"] * 9, 272, tmp_path / "other.model")
    put(VOCABULARY, other.model_bytes)
    refused(saved, "knows 400 pieces, its vocabulary has 272")


# --- finding


@pytest.fixture
def shipped(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped models: three good ones, whatever their cards call them."""
    folder = tmp_path / "shipped"
    for name in ("a", "b", "c"):
        shutil.copytree(saved, folder / name)
        edit(folder / name, lambda card, name=name: card.update(name=name))  # type: ignore[misc]
    monkeypatch.setattr(checkpoint, "SHIPPED", folder)
    return folder


def test_models_are_found_by_name_or_folder(shipped: Path, saved: Path) -> None:
    assert checkpoint.find_checkpoint("b") == shipped / "b"
    assert checkpoint.load_model("b").name == "b"
    assert checkpoint.find_checkpoint(saved) == checkpoint.find_checkpoint(str(saved)) == saved
    assert [card.name for card in checkpoint.list_cards()] == ["a", "b", "c"]
    assert checkpoint.list_errors() == []


def test_damaged_models_are_told_not_swallowed(shipped: Path) -> None:
    (shipped / "a" / CARD).write_text("{")
    (shipped / "b" / CARD).unlink()
    (shipped / ".cache").mkdir()
    (shipped / "readme.txt").write_text("")
    assert [card.name for card in checkpoint.list_cards()] == ["c"]
    problems = [str(error) for error in checkpoint.list_errors()]
    assert len(problems) == 2
    assert "the card of" in problems[0]
    assert str(shipped / "a") in problems[0]
    assert "holds no readable card" in problems[1]
    assert str(shipped / "b") in problems[1]


@pytest.mark.parametrize("name", ["", ".", "..", "/", "nobody", "a\x00b", "x" * 5000, "a/../..", "\ud800", "~"])
def test_what_is_not_there_is_refused_and_what_there_is_named(
    shipped: Path, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(CheckpointError, match="there are: a, b, c; or give the path") as error:
        checkpoint.find_checkpoint(name)
    assert len(str(error.value)) < 400


def test_nothing_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "none")
    assert checkpoint.list_cards() == checkpoint.list_errors() == []
    with pytest.raises(CheckpointError, match="there are: none"):
        checkpoint.find_checkpoint("rnnsearch-50")


# --- a save stopped anywhere


@pytest.fixture
def killer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Killer:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "none")
    return Killer(monkeypatch)


@pytest.fixture
def save(tiny_vocabulary: Vocabulary, vocabulary: Path) -> Callable[[Path, int], object]:
    """Save the checkpoint of that number, named so, to a folder."""
    networks = [network(len(tiny_vocabulary), seed) for seed in (1, 2, 3)]
    return lambda folder, number: checkpoint.save_checkpoint(
        folder, networks[number], vocabulary, name=f"n{number}", training={}, extra=EXTRA
    )


def layout(folder: Path) -> tuple[str, ...]:
    """What a killed save left beside the folder, and which of it has a card."""
    told = (path for path in folder.parent.rglob("*") if path.name not in (WEIGHTS, VOCABULARY))
    return tuple(sorted(str(path.relative_to(folder.parent)) for path in told))


def test_a_save_killed_anywhere_leaves_the_last_whole_checkpoint(
    killer: Killer, save: Callable[[Path, int], object], tmp_path: Path
) -> None:
    """At every change of the disk; and from all that is left then, at every change of the save that follows."""
    standing, seen = set(), set()
    for first in range(100):
        folder = tmp_path / str(first) / "best"
        save(folder, 0)
        done = killer.survives(lambda folder=folder: save(folder, 1), first)  # type: ignore[misc]
        name = checkpoint.load_model(folder).name  # whole, by name: the old one or the new one
        assert name in ("n0", "n1")
        assert name == "n1" or not done
        standing.add(checkpoint.find_checkpoint(folder).name)
        if (name, layout(folder)) not in seen:
            seen.add((name, layout(folder)))
            for second in range(100):
                again = tmp_path / f"{first}-{second}" / "best"
                shutil.copytree(folder.parent, again.parent)
                finished = killer.survives(lambda again=again: save(again, 2), second)  # type: ignore[misc]
                found = checkpoint.load_model(again).name
                assert found in (name, "n2"), "never back to an older one"
                assert found == "n2" or not finished
                if finished:
                    break
        save(folder, 2)
        assert checkpoint.load_model(folder).name == "n2"
        assert [path.name for path in folder.parent.iterdir()] == ["best"], "nothing is left lying about"
        if done:
            break
    assert first > 10
    assert len(seen) > 4
    assert standing == {"best", "best.new"}


def test_a_first_save_killed_anywhere_leaves_a_whole_checkpoint_or_none(
    killer: Killer, save: Callable[[Path, int], object], tmp_path: Path
) -> None:
    outcomes = []
    for changes in range(100):
        folder = tmp_path / str(changes) / "best"
        done = killer.survives(lambda folder=folder: save(folder, 0), changes)  # type: ignore[misc]
        try:
            outcomes.append(checkpoint.load_model(folder).name)
        except CheckpointError as error:
            outcomes.append(str(error)[:17])
        save(folder, 1)
        assert checkpoint.load_model(folder).name == "n1"
        if done:
            break
    none = outcomes.index("n0")
    assert outcomes[:none] == ["there is no model"] * none
    assert outcomes[none:] == ["n0"] * (len(outcomes) - none)
    assert none > 3


def test_shipping_killed_anywhere_leaves_the_old_or_the_new_model(
    killer: Killer, save: Callable[[Path, int], object], tmp_path: Path
) -> None:
    weights = []
    for run, number in (("old", 1), ("new", 2)):
        save(tmp_path / run / "best", number)
        weights.append(
            checkpoint.load_model(checkpoint.ship_checkpoint(tmp_path / run / "best", "mine", lambda _: {})).fingerprint
        )
    for changes in range(100):
        checkpoint.ship_checkpoint(tmp_path / "old" / "best", "mine", lambda _: {})
        done = killer.survives(
            lambda: checkpoint.ship_checkpoint(tmp_path / "new" / "best", "mine", lambda _: {}), changes
        )
        stands = checkpoint.load_model("mine").fingerprint
        assert stands in weights
        assert stands == weights[1] or not done
        if done:
            break
    assert changes > 5
    assert [path.name for path in (tmp_path / "none").iterdir()] == ["mine"]


def test_shipped_models_are_found_where_a_kill_left_them(shipped: Path) -> None:
    (shipped / "a").rename(shipped / "a.new")
    (shipped / "b").rename(shipped / "b.old")
    shutil.copytree(shipped / "c", shipped / "c.old")
    (shipped / "c.old" / WEIGHTS).unlink()  # being deleted
    assert [card.name for card in checkpoint.list_cards()] == ["a", "b", "c"]
    assert checkpoint.list_errors() == []
    assert [checkpoint.load_model(name).name for name in "abc"] == ["a", "b", "c"]


def test_a_checkpoint_replaced_while_it_is_read_is_read_again(
    saved: Path, vocabulary: Path, tiny_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card of the one with the weights of the other is no damage."""
    plain, other = checkpoint.read_card, network(len(tiny_vocabulary), 5)

    def overtaken(folder: Path) -> checkpoint.Card:
        card = plain(folder)
        monkeypatch.setattr(checkpoint, "read_card", plain)
        checkpoint.save_checkpoint(saved, other, vocabulary, name="other", training={}, extra=EXTRA)
        return card

    monkeypatch.setattr(checkpoint, "read_card", overtaken)
    assert checkpoint.load_model(saved).name == "other"


def test_a_folder_without_a_card_gives_way_to_a_save(
    tiny_vocabulary: Vocabulary, vocabulary: Path, tmp_path: Path
) -> None:
    (tmp_path / "best").mkdir()
    (tmp_path / "best" / "stray").write_text("")
    card = checkpoint.save_checkpoint(
        tmp_path / "best", network(len(tiny_vocabulary)), vocabulary, name="n", training={}
    )
    assert checkpoint.load_model(tmp_path / "best").card == card
    assert asdict(card)["sha256"].keys() == {WEIGHTS, VOCABULARY}


def test_files_of_assets_keep_their_bytes_in_a_clone_on_windows() -> None:
    """Git for Windows gives texts other line ends, and a card's checksums would be of files that nobody has."""
    rules = (checkpoint.SHIPPED.parent / ".gitattributes").read_text("utf-8").splitlines()
    assert "* -text" in rules
    assert b"\n" in (checkpoint.SHIPPED / "rnnsearch-50" / "diary.json").read_bytes()
