"""The trainer: it learns, and stopped at any moment it goes on as if nothing had happened."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.checkpoints import checkpoint
from model.decoding.fast.get_decoder import get_fast_decoder
from model.text.vocabulary import EOS, Vocabulary
from model.training import diary as diary_module
from model.training import trainer as trainer_module
from model.training.batches import DataError
from model.training.losses import gru as fast
from model.training.recipe import Plan, Recipe, RecipeError
from model.training.state import STATE, read_state, write_state
from model.training.trainer import Report, Trainer, TrainingError
from tests.model.training.conftest import write_data
from tests.model.training.runs import (
    build_tiny_paper_recipe,
    build_tiny_recipe,
    drop_clocks,
    find_differences,
    train_until,
)

N = 5  # updates, of some 270 target pieces each


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diary written early enough for tiny runs."""
    monkeypatch.setattr(diary_module, "MOMENT_TOKENS", [700, 1900])


def saved(trainer: Trainer) -> dict[str, Any]:
    return drop_clocks(read_state(trainer.folder))


def disturb() -> None:
    """What happens between two runs in one process must not matter."""
    torch.manual_seed(99)
    torch.rand(7)
    np.random.seed(99)


# --- exactness


@pytest.mark.verdict
@pytest.mark.usefixtures("moments")
@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_2n_updates_are_n_save_resume_n(kind: str, data: Path, tmp_path: Path) -> None:
    """Bit for bit, with dropout, across dev evaluations and diary moments on both sides of the stop."""
    recipe = build_tiny_recipe(evaluate_pieces=900)
    whole = train_until(Trainer(tmp_path / "whole", recipe, Plan(kind, 50), data), 2 * N)
    disturb()
    first = train_until(Trainer(tmp_path / "parts", recipe, Plan(kind, 50), data), N)
    looked, written = len(first.progress.curve), len(first.diary.moments)
    disturb()
    second = Trainer.resume(tmp_path / "parts", data)
    assert second.progress.updates == N
    assert second.progress.restarts == 1
    assert find_differences(drop_clocks(read_state(tmp_path / "parts")), saved(first)) == []
    train_until(second, 2 * N)
    assert find_differences(saved(whole), saved(second)) == []
    assert len(second.progress.curve) > looked > 0, "an evaluation fell into either part"
    assert len(second.diary.moments) > written > 0, "a diary moment fell into either part"
    best = [checkpoint.load_model(tmp_path / folder / "best").fingerprint for folder in ("whole", "parts")]
    assert best[0] == best[1]


def test_adadelta_resumes_exactly_too(word_data: Path, tmp_path: Path) -> None:
    whole = train_until(Trainer(tmp_path / "whole", build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data), 2 * N)
    train_until(Trainer(tmp_path / "parts", build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data), N)
    disturb()
    parts = train_until(Trainer.resume(tmp_path / "parts", word_data), 2 * N)
    assert find_differences(saved(whole), saved(parts)) == []


def test_the_comparison_sees_one_bit(data: Path, tmp_path: Path) -> None:
    """Else the tests above would hold for anything."""
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 2)
    state = saved(trainer)
    other = saved(trainer)
    weight = other["network"]["W_a"]
    weight[0, 0] = torch.nextafter(weight[0, 0], torch.tensor(2.0))
    other["optimiser"]["state"][0]["step"] += 1
    other["random"][-1] ^= 1
    other["progress"]["position"]["batch"] += 1
    found = find_differences(state, other)
    assert [line.partition(":")[0] for line in found] == [
        "state.network.W_a", "state.optimiser.state.0.step", "state.progress.position.batch", "state.random"]
    assert found[0].startswith(f"state.network.W_a: 1 of {weight.numel()} elements by at most ")
    assert found[2] == "state.progress.position.batch: 2 and 3"


@pytest.mark.usefixtures("moments")
def test_looking_draws_no_random_numbers_and_changes_no_weight(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 2)
    before = saved(trainer)
    drawn = np.random.get_state()[1].copy()  # type: ignore[index]
    trainer.evaluate()
    trainer.diary.write(trainer.average.eval(), trainer.progress.pieces, trainer.progress.loss, trainer.development)
    assert len(trainer.progress.curve) == len(trainer.diary.moments) == 1
    trainer.progress.curve, trainer.progress.best, trainer.diary.moments = [], -1.0, []
    trainer.save()
    assert find_differences(before, saved(trainer)) == []
    assert (np.random.get_state()[1] == drawn).all()  # type: ignore[index]


def test_saving_more_often_changes_nothing(data: Path, tmp_path: Path) -> None:
    seldom = train_until(Trainer(tmp_path / "seldom", build_tiny_recipe(), Plan("rnnsearch", 50), data), 5)
    often = Trainer(tmp_path / "often", build_tiny_recipe(save_minutes=1e-9), Plan("rnnsearch", 50), data)
    events = [report.event for report in often.run(max_updates=5)]
    assert events == ["", "saved"] * 5
    ours, theirs = saved(seldom), saved(often)
    del ours["recipe"], theirs["recipe"]  # which says how often
    assert find_differences(ours, theirs) == []


def test_states_of_before_go_on(data: Path, tmp_path: Path) -> None:
    """A state written before recipes had a vocabulary, and states a schema, their data and a plan, goes on."""
    recipe = build_tiny_recipe()
    trainer = train_until(Trainer(tmp_path / "new", recipe, Plan("rnnsearch", 50), data), 2 * N)
    state = read_state(train_until(Trainer(tmp_path / "old", recipe, Plan("rnnsearch", 50), data), N).folder)
    for key in ("vocabulary",):
        del state["recipe"][key]
    for key in ("sort_by", "shuffle"):
        del state["recipe"]["data"][key]
    with pytest.raises(RecipeError, match="unigram with 8,000 pieces"):  # what those runs had
        Trainer(tmp_path / "x", Recipe.from_dict(state["recipe"]), Plan("rnnsearch", 50), data)
    state["recipe"]["vocabulary"] = {"kind": "unigram", "size": 400}
    del state["schema"], state["data"], state["plan"]
    state["name"] = "rnnsearch-50"
    torch.save(state, tmp_path / "old" / STATE)
    resumed = train_until(Trainer.resume(tmp_path / "old", data), 2 * N)
    assert find_differences(saved(trainer), saved(resumed)) == []


# --- learning and averaging


def test_it_learns_and_reports(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(dropout=0.0, evaluate_pieces=6000), Plan("rnnsearch", 50), data)
    losses, events = [], []
    for report in trainer.run(max_tokens=12_000):
        assert isinstance(report, Report)
        assert report.is_likelihood_only
        assert report.tokens_per_second > 0
        losses.append(report.progress.loss)
        events.append(report.event)
    assert losses[-1] < 0.9 * losses[0]  # a running mean, slow to forget
    assert events.count("evaluated") == 2
    assert trainer.progress.pieces >= 12_000
    model = checkpoint.load_model(tmp_path / "best")
    training = model.card.training
    assert model.name == "rnnsearch-50"
    assert training["from"] is None
    assert (model.card.kind, model.card.title, model.card.longest_words) == ("rnnsearch", "RNNsearch-50", 50)
    assert training["curve"] == trainer.progress.curve[: len(training["curve"])]
    assert training["recipe"]["vocabulary"] == {"kind": "unigram", "size": 400}


def test_the_average_is_the_mean_at_first_and_then_forgets(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(average_decay=0.8), Plan("rnnsearch", 50), data)
    expected = torch.zeros_like(trainer.network.W_s, dtype=torch.float64)
    for update, _ in enumerate(trainer.run(max_updates=8), 1):
        keep = min(0.8, 1 - 1 / update)
        expected = keep * expected + (1 - keep) * trainer.network.W_s.detach().double()
    torch.testing.assert_close(trainer.average.W_s.detach().double(), expected, rtol=0, atol=1e-6)
    assert not torch.equal(trainer.average.W_s, trainer.network.W_s)


def test_without_decay_the_weights_themselves_are_evaluated_and_shipped(data: Path, tmp_path: Path) -> None:
    recipe = build_tiny_recipe(average_decay=0.0, evaluate_pieces=700)
    recipe = replace(recipe, training=replace(recipe.training, average_every=1000))
    trainer = train_until(Trainer(tmp_path, recipe, Plan("rnnsearch", 50), data), 5)
    state = read_state(tmp_path)
    assert find_differences(state["network"], state["average"]) == []
    trainer.export(tmp_path / "now")
    shipped = checkpoint.load_model(tmp_path / "now").network
    for name, parameter in trainer.network.named_parameters():
        assert torch.equal(shipped.get_parameter(name), parameter.detach().half().float()), name
    resumed = Trainer.resume(tmp_path, data)
    assert resumed.average is resumed.network
    assert find_differences(state["network"], dict(resumed.network.state_dict())) == []


@pytest.mark.parametrize("paper", [False, True], ids=["Adam", "Adadelta"])
def test_what_is_evaluated_has_the_weights_of_now(data: Path, word_data: Path, tmp_path: Path, paper: bool) -> None:
    """Search prepares a network once for the weights it has, and must see that an update changed them."""
    recipe = build_tiny_paper_recipe() if paper else build_tiny_recipe()
    recipe = replace(recipe, training=replace(recipe.training, average_decay=0.0))
    trainer = Trainer(tmp_path, recipe, Plan("rnnsearch", 50), word_data if paper else data)
    source, start = torch.tensor([[5, 7, 9, EOS]]), torch.tensor([0])
    for report in trainer.run(max_updates=3):
        with torch.inference_mode():
            own, quick = (one.step(one.start(one.encode(source)), start).log_probs
                          for one in (trainer.average.eval(), get_fast_decoder(trainer.average)))
        torch.testing.assert_close(quick, own, rtol=0, atol=1e-5, msg=f"after update {report.progress.updates}")


def test_the_mean_and_the_sum_differ_by_the_number_of_pieces(data: Path, tmp_path: Path) -> None:
    recipe = build_tiny_recipe(dropout=0.0)
    summed = replace(recipe, optimiser=replace(recipe.optimiser, reduction="sum"))
    ours, theirs = (Trainer(tmp_path, each, Plan("rnnsearch", 50), data) for each in (recipe, summed))
    batch = next(ours.batches.iterate_from(ours.progress.position))
    for trainer in (ours, theirs):
        trainer.use_bfloat16 = False
    assert ours.compute_gradients(batch) == theirs.compute_gradients(batch)
    mean, total = ours.network.W_o.grad, theirs.network.W_o.grad
    assert mean is not None
    assert total is not None
    torch.testing.assert_close(mean * batch.target_tokens, total)


def test_one_process_takes_gradients_as_they_are_made(data: Path, tmp_path: Path) -> None:
    """Not added to zeros; what was there before is gone all the same."""
    trainer = Trainer(tmp_path, build_tiny_recipe(dropout=0.0), Plan("rnnsearch", 50), data)
    batch = next(trainer.batches.iterate_from(trainer.progress.position))
    trainer.use_bfloat16 = False
    found = []
    for _ in range(2):
        trainer.compute_gradients(batch)
        found.append([one.grad.clone() for one in trainer.parameters if one.grad is not None])
    assert len(found[0]) == len(found[1]) == len(trainer.parameters)
    for first, second in zip(*found, strict=True):
        assert torch.equal(first, second)
    assert trainer._gradients is None


@pytest.mark.parametrize("clip", [1e-3, 1e3])
def test_gradients_farther_than_clip_are_brought_there(clip: float, data: Path, tmp_path: Path) -> None:
    recipe = build_tiny_recipe(dropout=0.0)
    recipe = replace(recipe, optimiser=replace(recipe.optimiser, clip=clip))
    trainer = Trainer(tmp_path, recipe, Plan("rnnsearch", 50), data)
    batch = next(trainer.batches.iterate_from(trainer.progress.position))
    trainer.compute_gradients(batch)
    before = [one.grad.clone() for one in trainer.parameters if one.grad is not None]
    norm = float(torch.stack([one.norm() for one in before]).norm())
    assert 1e-3 < norm < 1e3
    trainer.update(batch)
    for own, one in zip(before, trainer.parameters, strict=True):
        assert one.grad is not None
        torch.testing.assert_close(one.grad, own * min(1.0, clip / norm), rtol=1e-5, atol=0)


# --- stopping


def test_stop_ends_after_the_update_and_saves(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data)
    for report in trainer.run():
        if report.progress.updates == 3:
            threading.Thread(target=trainer.request_stop).start()
            while not trainer._stop_requested.is_set():
                pass
    assert trainer.progress.updates == 3
    assert read_state(tmp_path)["progress"]["updates"] == 3
    train_until(trainer, 5)  # and can go on
    assert trainer.progress.updates == 5


def test_limits(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 2)
    assert list(trainer.run(max_updates=2)) == [] == list(trainer.run(max_tokens=1)) == list(trainer.run(max_minutes=0))
    assert trainer.progress.updates == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_finishes_the_update_and_saves(number: signal.Signals, data: Path, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data)
    inherited = signal.signal(number, signal.SIG_DFL)  # a suite under nohup is deaf to some
    plain = fast.compute_loss

    def interrupted(*given: Any, **named: Any) -> torch.Tensor:
        if trainer.progress.updates == 2:
            signal.raise_signal(number)  # in the midst of the third update
        return plain(*given, **named)

    monkeypatch.setattr(fast, "compute_loss", interrupted)
    try:
        with trainer.stop_on_signals():
            reports = list(trainer.run(max_updates=6))
        assert len(reports) == 3
        assert read_state(tmp_path)["progress"]["updates"] == 3
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, inherited)


def test_a_second_ctrl_c_interrupts_at_once_and_harms_nothing(data: Path, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """Here in the midst of the save that the first one brought about."""
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 2)
    before = (tmp_path / STATE).read_bytes()
    plain = torch.save

    def half_way(state: Any, file: Any) -> None:
        file.write(b"PK half a state")
        file.flush()
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the second Ctrl-C did not interrupt")

    monkeypatch.setattr(torch, "save", half_way)
    reports = trainer.run()
    with trainer.stop_on_signals():
        next(reports)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            next(reports)
    assert (tmp_path / STATE).read_bytes() == before
    monkeypatch.setattr(torch, "save", plain)
    assert train_until(Trainer.resume(tmp_path, data), 4).progress.updates == 4


def test_sigterm_after_ctrl_c_is_patient(data: Path, tmp_path: Path) -> None:
    """torchrun and service managers send one after the other; only a person's second Ctrl-C means at once."""
    trainer = Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data)
    with trainer.stop_on_signals():
        for _ in trainer.run():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
    assert read_state(tmp_path)["progress"]["updates"] == 1


def test_a_closed_terminal_ends_nothing_under_nohup(data: Path, tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        trainer = Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data)
        with trainer.stop_on_signals():
            for _ in trainer.run(max_updates=2):
                signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert read_state(tmp_path)["progress"]["updates"] == 2


def test_a_loss_that_is_not_finite_ends_the_run_and_leaves_the_save(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 2)
    before = (tmp_path / STATE).read_bytes()
    with torch.no_grad():
        trainer.network.U_o.fill_(float("nan"))
    with pytest.raises(TrainingError, match=r"at update 3 the loss per token is nan .*lower optimiser\.rate"):
        train_until(trainer, 4)
    assert (tmp_path / STATE).read_bytes() == before


# --- starting from weights alone


@pytest.fixture(scope="module")
def parent(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parent")
    trainer = Trainer(folder, build_tiny_recipe(), Plan("rnnsearch", 50), data)
    train_until(trainer, 4)
    trainer.export(folder / "weights")
    return folder / "weights"


def test_init_takes_the_weights_alone(parent: Path, data: Path, tmp_path: Path) -> None:
    given = checkpoint.load_model(parent)
    trainer = Trainer(tmp_path, build_tiny_recipe(dropout=0.5), Plan("rnnsearch", 30), data, initial=str(parent))
    assert trainer.network.config.dropout == 0.5, "dropout is the recipe's"
    for network in (trainer.network, trainer.average):
        assert find_differences(dict(given.network.state_dict()), dict(network.state_dict())) == []
    assert trainer.progress.updates == 0
    assert not trainer.optimisers[0].state_dict()["state"]
    train_until(trainer, 2)
    trainer.export(tmp_path / "child")
    origin = checkpoint.load_model(tmp_path / "child").card.training["from"]
    assert (origin["name"], origin["fingerprint"]) == (given.name, given.fingerprint)
    assert origin["training"]["updates"] == 4
    assert Trainer.resume(tmp_path, data).origin == trainer.origin
    assert trainer.tokens_seen == trainer.progress.pieces + origin["training"]["target_pieces"]
    assert checkpoint.read_card(tmp_path / "child").target_tokens == trainer.tokens_seen


@pytest.mark.parametrize(("coverage", "copying"), [("linguistic", False), ("none", True)])
def test_a_kind_that_adds_to_another_starts_from_its_weights(
    parent: Path, data: Path, tmp_path: Path, coverage: str, copying: bool
) -> None:
    given, recipe, kind = checkpoint.load_model(parent), build_tiny_recipe(), "copy" if copying else "coverage"
    added = {"coverage": coverage, "coverage_size": 1, "fertility": 2, "coverage_loss": 0.0, "copying": copying}
    grown = replace(recipe, network={**recipe.network, **added})
    trainer = Trainer(tmp_path, grown, Plan(kind, 50), data, initial=str(parent))
    weights, old = trainer.network.state_dict(), dict(given.network.state_dict())
    assert find_differences(old, {key: weights[key] for key in old}) == []
    assert set(weights) - set(old) == ({"w_c", "w_s", "w_x", "b_gen"} if copying else {"V_a", "U_f"})
    train_until(trainer, 2)
    trainer.export(tmp_path / "child")
    child = checkpoint.load_model(tmp_path / "child")
    assert child.card.kind == kind
    assert child.card.target_tokens > given.card.target_tokens
    with pytest.raises(RecipeError, match=f"kind is {kind} there and rnnsearch here"):
        Trainer(tmp_path / "back", recipe, Plan("rnnsearch", 50), data, initial=str(tmp_path / "child"))
    other = replace(grown, network={**grown.network, "hidden": 25})
    with pytest.raises(RecipeError, match="hidden is 24 there and 25 here"):
        Trainer(tmp_path / "other", other, Plan(kind, 50), data, initial=str(parent))


def test_the_diary_goes_on_where_the_checkpoints_ended(parent: Path, data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data, initial=str(parent))
    trainer.diary.write(trainer.average, trainer.tokens_seen, 1.0, trainer.development)
    trainer.export(tmp_path / "first")
    again = Trainer(tmp_path / "run", build_tiny_recipe(), Plan("rnnsearch", 50), data, initial=str(tmp_path / "first"))
    assert again.diary.moments == trainer.diary.moments
    assert again.tokens_seen == trainer.tokens_seen > 0


def test_init_refuses_another_network(parent: Path, data: Path, tmp_path: Path) -> None:
    recipe = build_tiny_recipe()
    other = replace(recipe, network={**recipe.network, "hidden": 25, "wiring": "appendix"})
    with pytest.raises(RecipeError) as refused:
        Trainer(tmp_path / "run", other, Plan("rnnsearch", 50), data, initial=str(parent))
    assert "hidden is 24 there and 25 here; wiring is groundhog there and appendix here" in str(refused.value)
    with pytest.raises(RecipeError, match="kind is rnnsearch there and rnnencdec here"):
        Trainer(tmp_path / "run", recipe, Plan("rnnencdec", 50), data, initial=str(parent))
    assert not (tmp_path / "run").exists()


def test_init_refuses_another_vocabulary(parent: Path, sentences: list[tuple[str, str]], tmp_path: Path) -> None:
    lines = [side for pair in sentences[:50] for side in pair]
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "vocabulary.model")
    other = write_data(tmp_path / "other", vocabulary, sentences)
    with pytest.raises(RecipeError, match="has another vocabulary than"):
        Trainer(tmp_path / "run", build_tiny_recipe(), Plan("rnnsearch", 50), other, initial=str(parent))


def test_init_refuses_what_is_no_checkpoint(data: Path, tmp_path: Path) -> None:
    with pytest.raises(checkpoint.CheckpointError, match="no model 'nobody'"):
        Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data, initial="nobody")


# --- data that does not fit


def test_the_vocabulary_must_be_the_recipes(data: Path, word_data: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"a vocabulary of kind unigram with 400 pieces, .* of kind word with 250"):
        Trainer(tmp_path / "run", build_tiny_recipe(), Plan("rnnsearch", 50), word_data)
    with pytest.raises(RecipeError, match=r"recipe paper wants a vocabulary of kind word with 250 .* unigram with 400"):
        Trainer(tmp_path / "run", build_tiny_paper_recipe(), Plan("rnnsearch", 50), data)
    assert not (tmp_path / "run").exists()


def test_a_run_does_not_go_on_with_other_data(
    data: Path, tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    train_until(Trainer(tmp_path / "run", build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    other = write_data(tmp_path / "other", tiny_vocabulary, sentences[1:])
    with pytest.raises(DataError, match="was trained on other data"):
        Trainer.resume(tmp_path / "run", other)


def test_a_state_that_does_not_fit_its_recipe(data: Path, tmp_path: Path) -> None:
    train_until(Trainer(tmp_path, build_tiny_recipe(), Plan("rnnsearch", 50), data), 1)
    state = read_state(tmp_path)
    for key, value in (("network", {}), ("progress", {"position": {}, "surprise": 1}), ("diary", {"schema": 7}),
                       ("optimiser", {"state": {}}), ("random", torch.zeros(3))):
        write_state(tmp_path, {**state, key: value})
        with pytest.raises(trainer_module.StateError, match="does not fit its own recipe"):
            Trainer.resume(tmp_path, data)
