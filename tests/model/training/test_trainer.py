"""The trainer: learning, exact resumption, averaging, stopping, cooling down, and starting from a checkpoint."""

from __future__ import annotations

import signal
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.checkpoints import checkpoint
from model.decoding.fast.get_decoder import get_fast_decoder
from model.text.vocabulary import EOS, UNK, Vocabulary
from model.training import diary as diary_module
from model.training.batches import DataError, Position
from model.training.learner import TrainingError, create_optimisers
from model.training.recipe import Plan, Recipe, SettingsFileError
from model.training.state import STATE, read_state
from model.training.trainer import Trainer
from tests.model.training.conftest import write_data
from tests.model.training.runs import (
    WORD_VOCABULARY,
    build_tiny_paper_recipe,
    build_tiny_recipe,
    drop_clocks,
    find_differences,
    train_until,
)
from tests.networks import build_network

N = 5  # updates, of about 270 target tokens each
PLAN = Plan("rnnsearch", 50)


@pytest.fixture
def early_diary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Diary moments within tiny runs."""
    monkeypatch.setattr(diary_module, "MOMENT_TOKENS", [700, 1900])


def read_comparable_state(trainer: Trainer) -> dict[str, Any]:
    return drop_clocks(read_state(trainer.folder))


def draw_random_numbers() -> None:
    torch.manual_seed(99)
    torch.rand(7)
    np.random.seed(99)


def build_muon_recipe() -> Recipe:
    recipe = build_tiny_recipe()
    return replace(recipe, optimiser=replace(recipe.optimiser, name="muon", momentum=0.95))


# --- exactness


@pytest.mark.verdict
@pytest.mark.usefixtures("early_diary")
@pytest.mark.parametrize("optimiser", ["adam", "muon", "adadelta"])
def test_a_resumed_run_equals_an_uninterrupted_one(
    optimiser: str, data: Path, word_data: Path, tmp_path: Path
) -> None:
    """Bit for bit, with dropout, dev evaluations and diary moments before and after the stop."""
    recipe = build_muon_recipe() if optimiser == "muon" else build_tiny_recipe()
    if optimiser == "adadelta":
        recipe, data = build_tiny_paper_recipe(), word_data
    recipe = replace(recipe, training=replace(recipe.training, evaluate_pieces=900))
    whole_trainer = train_until(Trainer(tmp_path / "whole", recipe, PLAN, data), 2 * N)
    draw_random_numbers()
    first = train_until(Trainer(tmp_path / "parts", recipe, PLAN, data), N)
    evaluations, moments = len(first.progress.curve), len(first.diary.moments)
    draw_random_numbers()
    second = Trainer.resume(tmp_path / "parts", data)
    assert (second.progress.updates, second.progress.restarts) == (N, 1)
    train_until(second, 2 * N)
    assert find_differences(read_comparable_state(whole_trainer), read_comparable_state(second)) == []
    assert len(second.progress.curve) > evaluations > 0
    assert len(second.diary.moments) >= moments > 0
    best = [checkpoint.load_model(tmp_path / folder / "best").fingerprint for folder in ("whole", "parts")]
    assert best[0] == best[1]


@pytest.mark.usefixtures("early_diary")
def test_evaluating_changes_neither_random_state_nor_weights(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 2)
    state = read_comparable_state(trainer)
    numpy_state = np.random.get_state()[1].copy()  # type: ignore[index]
    trainer.evaluate()
    progress = trainer.progress
    trainer.diary.write(trainer.average.eval(), progress.target_tokens, progress.loss, trainer.development)
    assert len(trainer.progress.curve) == len(trainer.diary.moments) == 1
    trainer.progress.curve, trainer.progress.best, trainer.diary.moments = [], -1.0, []
    trainer.save()
    assert find_differences(state, read_comparable_state(trainer)) == []
    assert (np.random.get_state()[1] == numpy_state).all()  # type: ignore[index]


def test_states_of_the_first_release_resume_exactly(data: Path, tmp_path: Path) -> None:
    """Their recipes have no vocabulary; they have no schema, data or plan, and count "pieces"."""
    recipe = build_tiny_recipe()
    trainer = train_until(Trainer(tmp_path / "new", recipe, PLAN, data), 2 * N)
    state = read_state(train_until(Trainer(tmp_path / "old", recipe, PLAN, data), N).folder)
    del state["recipe"]["vocabulary"], state["recipe"]["data"]["sort_by"], state["recipe"]["data"]["shuffle"]
    with pytest.raises(SettingsFileError, match="unigram with 8,000 pieces"):  # the default
        Trainer(tmp_path / "x", Recipe.from_dict(state["recipe"]), PLAN, data)
    state["recipe"]["vocabulary"] = {"kind": "unigram", "size": 400}
    state["progress"]["pieces"] = state["progress"].pop("target_tokens")
    del state["schema"], state["data"], state["plan"]
    state["name"] = "rnnsearch-50"
    torch.save(state, tmp_path / "old" / STATE)
    resumed = train_until(Trainer.resume(tmp_path / "old", data), 2 * N)
    assert find_differences(read_comparable_state(trainer), read_comparable_state(resumed)) == []


# --- learning and averaging


def test_the_loss_falls_and_the_card_describes_the_training(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(dropout=0.0, evaluate_pieces=6000), PLAN, data)
    losses, evaluations = [], 0
    for report in trainer.run(max_tokens=12_000):
        assert report.is_likelihood_only
        losses.append(report.progress.loss)
        evaluations += report.is_evaluated
    assert losses[-1] < 0.9 * losses[0]  # a running mean, slow to change
    assert evaluations == 2
    assert trainer.progress.target_tokens >= 12_000
    model = checkpoint.load_model(tmp_path / "best")
    training = model.card.training
    assert (model.name, model.card.kind, model.card.title, model.card.longest_words) == \
        ("rnnsearch-50", "rnnsearch", "RNNsearch-50", 50)
    assert training["from"] is None
    assert training["curve"]
    assert training["curve"] == trainer.progress.curve[: len(training["curve"])]
    assert training["recipe"]["vocabulary"] == {"kind": "unigram", "size": 400}


def test_only_a_higher_dev_bleu_replaces_the_best_checkpoint(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), PLAN, data)
    for update, (bleu, best) in enumerate(((10.0, 1), (8.0, 1), (12.0, 3)), 1):
        train_until(trainer, update)
        monkeypatch.setattr(trainer.development, "compute_bleu", lambda _, bleu=bleu: {"all": bleu})
        assert trainer.evaluate() == bleu
        assert checkpoint.read_card(tmp_path / "best").training["updates"] == best


def test_dev_loss_is_the_mean_over_all_tokens(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 2)
    trainer.evaluate()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for pairs in trainer.development.pairs.values():
            for pair in pairs:
                ids = [torch.tensor([trainer.vocabulary.encode(side)]) for side in pair]
                total += float(trainer.average.loss(*ids))
                tokens += ids[1].shape[1]
    assert trainer.progress.curve[-1]["dev_loss"] == pytest.approx(total / tokens, abs=1e-4)


def test_the_average_is_a_mean_at_first_and_then_decays(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(average_decay=0.8), PLAN, data)
    expected = torch.zeros_like(trainer.network.W_s, dtype=torch.float64)
    for update, _ in enumerate(trainer.run(max_updates=8), 1):
        decay = min(0.8, 1 - 1 / update)
        expected = decay * expected + (1 - decay) * trainer.network.W_s.detach().double()
    torch.testing.assert_close(trainer.average.W_s.detach().double(), expected, rtol=0, atol=1e-6)
    assert not torch.equal(trainer.average.W_s, trainer.network.W_s)


def test_without_an_average_the_weights_themselves_are_saved_and_exported(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(average_decay=0.0), PLAN, data), 3)
    trainer.export(tmp_path / "now")
    exported = checkpoint.load_model(tmp_path / "now").network
    for name, parameter in trainer.network.named_parameters():
        assert torch.equal(exported.get_parameter(name), parameter.detach().half().float()), name
    resumed = Trainer.resume(tmp_path, data)
    assert resumed.average is resumed.network


def test_the_fast_decoder_notices_every_update(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(average_decay=0.0), PLAN, data)
    source, start = torch.tensor([[5, 7, 9, EOS]]), torch.tensor([0])
    for _ in trainer.run(max_updates=3):
        with torch.inference_mode():
            expected, actual = (decoder.step(decoder.start(decoder.encode(source)), start).log_probs
                                for decoder in (trainer.average.eval(), get_fast_decoder(trainer.average)))
        torch.testing.assert_close(actual, expected, rtol=0, atol=1e-5)


def test_gradients_of_the_mean_are_replaced_and_clipped_to_their_total_norm(data: Path, tmp_path: Path) -> None:
    recipe = build_tiny_recipe(dropout=0.0)
    for clip in (1e-3, 1e3):
        trainer = Trainer(tmp_path, replace(recipe, optimiser=replace(recipe.optimiser, clip=clip)), PLAN, data)
        trainer.use_bfloat16 = False
        batch = next(trainer.batches.iterate_from(trainer.progress.position))
        loss = trainer.network.loss(torch.from_numpy(batch.source), torch.from_numpy(batch.target))
        expected = torch.autograd.grad(loss / batch.target_tokens, trainer.parameters)
        norm = float(torch.stack([gradient.norm() for gradient in expected]).norm())
        assert 1e-3 < norm < 1e3
        trainer.compute_gradients(batch)
        trainer.update(batch)
        for gradient, parameter in zip(expected, trainer.parameters, strict=True):
            torch.testing.assert_close(parameter.grad, gradient * min(1.0, clip / norm), rtol=1e-3, atol=1e-7)


def test_muon_trains_hidden_matrices_and_adam_the_rest() -> None:
    vocabulary = 11
    matrix, bias, embedding, output = (torch.zeros(shape, requires_grad=True)
                                       for shape in ((5, 8), (7,), (vocabulary, 4), (3, vocabulary)))
    adam, muon = create_optimisers(build_muon_recipe().optimiser, [matrix, bias, embedding, output], vocabulary)
    parameters = {type(optimiser): [id(x) for x in optimiser.param_groups[0]["params"]] for optimiser in (adam, muon)}
    assert parameters == {torch.optim.Adam: [id(bias), id(embedding), id(output)], torch.optim.Muon: [id(matrix)]}


# --- stopping


def test_the_state_is_saved_during_the_run(data: Path, tmp_path: Path) -> None:
    reports = islice(Trainer(tmp_path, build_tiny_recipe(save_minutes=1e-9), PLAN, data).run(), 2)
    assert len(list(reports)) == 2  # then, as a killed process, it saves no more
    assert Trainer.resume(tmp_path, data).progress.updates == 1


@pytest.mark.parametrize(("number", "count", "is_ignored"), [  # only a second Ctrl-C interrupts at once
    (signal.SIGINT, 1, False), (signal.SIGTERM, 2, False), (signal.SIGHUP, 2, False), (signal.SIGHUP, 1, True),
])  # fmt: skip
def test_a_signal_ends_the_run_after_the_update_unless_nohup_ignores_it(
    number: signal.Signals, count: int, is_ignored: bool, data: Path, tmp_path: Path
) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), PLAN, data)
    handler = signal.SIG_IGN if is_ignored else signal.SIG_DFL
    inherited = signal.signal(number, handler)
    try:
        with trainer.stop_on_signals():
            for report in trainer.run(max_updates=4):
                for _ in range(count if report.progress.updates == 3 else 0):
                    signal.raise_signal(number)
        assert read_state(tmp_path)["progress"]["updates"] == (4 if is_ignored else 3)
        assert signal.getsignal(number) is handler
        assert train_until(trainer, 5).progress.updates == 5
    finally:
        signal.signal(number, inherited)


def test_a_second_ctrl_c_during_the_save_leaves_the_previous_state(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 2)
    state_bytes = (tmp_path / STATE).read_bytes()

    def interrupt_save(state: Any, file: Any) -> None:
        file.write(b"PK half a state")
        file.flush()
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the second Ctrl-C did not interrupt")

    reports = trainer.run()
    with monkeypatch.context() as patched, trainer.stop_on_signals():
        patched.setattr(torch, "save", interrupt_save)
        next(reports)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            next(reports)
    assert (tmp_path / STATE).read_bytes() == state_bytes
    assert train_until(Trainer.resume(tmp_path, data), 4).progress.updates == 4


def test_a_loss_that_is_not_finite_ends_the_run_without_saving(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 2)
    state_bytes = (tmp_path / STATE).read_bytes()
    with torch.no_grad():
        trainer.network.U_o.fill_(float("nan"))
    with pytest.raises(TrainingError, match=r"at update 3 the loss per token is nan .*lower optimiser\.rate"):
        train_until(trainer, 4)
    assert (tmp_path / STATE).read_bytes() == state_bytes


# --- starting from a checkpoint


@pytest.fixture(scope="module")
def parent(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parent")
    trainer = train_until(Trainer(folder, build_tiny_recipe(), PLAN, data), 4)
    trainer.diary.write(trainer.average, trainer.tokens_seen, 1.0, trainer.development)
    trainer.export(folder / "weights")
    return folder / "weights"


def test_init_loads_only_the_weights(parent: Path, data: Path, tmp_path: Path) -> None:
    model = checkpoint.load_model(parent)
    trainer = Trainer(tmp_path, build_tiny_recipe(dropout=0.5), Plan("rnnsearch", 30), data, initial=str(parent))
    assert len(trainer.diary.moments) == 1
    assert trainer.network.config.dropout == 0.5  # the recipe's
    for network in (trainer.network, trainer.average):
        assert find_differences(dict(model.network.state_dict()), dict(network.state_dict())) == []
    assert trainer.progress.updates == 0
    assert not trainer.optimisers[0].state_dict()["state"]
    train_until(trainer, 2)
    trainer.export(tmp_path / "child")
    origin = checkpoint.load_model(tmp_path / "child").card.training["from"]
    assert (origin["name"], origin["fingerprint"]) == (model.name, model.fingerprint)
    assert origin["training"]["updates"] == 4
    assert Trainer.resume(tmp_path, data).origin == trainer.origin
    assert trainer.tokens_seen == trainer.progress.target_tokens + origin["training"]["target_pieces"]
    assert checkpoint.read_card(tmp_path / "child").target_tokens == trainer.tokens_seen


@pytest.mark.parametrize(("kind", "coverage"), [("coverage", "linguistic"), ("copy", "none")])
def test_a_kind_that_extends_another_starts_from_its_weights(
    parent: Path, data: Path, tmp_path: Path, kind: str, coverage: str
) -> None:
    model, recipe = checkpoint.load_model(parent), build_tiny_recipe()
    added_settings = {"coverage": coverage, "coverage_size": 1, "fertility": 2, "coverage_loss": 0.0,
                      "copying": kind == "copy"}  # fmt: skip
    extended = replace(recipe, network={**recipe.network, **added_settings})
    trainer = Trainer(tmp_path, extended, Plan(kind, 50), data, initial=str(parent))
    weights, parent_weights = trainer.network.state_dict(), dict(model.network.state_dict())
    assert find_differences(parent_weights, {key: weights[key] for key in parent_weights}) == []
    assert set(weights) - set(parent_weights) == ({"w_c", "w_s", "w_x", "b_gen"} if kind == "copy" else {"V_a", "U_f"})
    train_until(trainer, 2)
    trainer.export(tmp_path / "child")
    child = checkpoint.read_card(tmp_path / "child")
    assert child.kind == kind
    assert child.target_tokens > model.card.target_tokens
    with pytest.raises(SettingsFileError, match=f"kind is {kind} there and rnnsearch here"):
        Trainer(tmp_path / "back", recipe, PLAN, data, initial=str(tmp_path / "child"))


def test_copying_of_unknown_words_grows_from_a_network_that_reads_them_as_unk(
    word_data: Path, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    named = [(f"My sister reads {name}.", f"Ma sœur lit {name}.") for name in ("Oulu", "Kuopio", "Rauma", "Turku")]
    vocabulary = Vocabulary.load(word_data / "vocabulary.model")
    word_data = write_data(tmp_path / "data", vocabulary, sentences[:20] + named * 5)
    recipe = build_tiny_recipe(dropout=0.0)
    recipe = replace(recipe, vocabulary=replace(recipe.vocabulary, kind="word", size=WORD_VOCABULARY))
    base = train_until(Trainer(tmp_path / "base", recipe, PLAN, word_data), 4)
    base.export(tmp_path / "base/weights")
    added_settings = {"coverage": "none", "coverage_size": 1, "fertility": 2, "coverage_loss": 0.0, "copying": True}
    extended = replace(recipe, network={**recipe.network, **added_settings})
    copier = Trainer(tmp_path / "copy", extended, Plan("copy", 50), word_data, initial=str(tmp_path / "base/weights"))
    batches = [[next(trainer.batches.iterate_from(Position(pool=pool))) for pool in range(3)]
               for trainer in (base, copier)]  # fmt: skip
    has_unknown = False
    for first, second in zip(*batches, strict=True):
        assert (first.source == np.where(second.source < WORD_VOCABULARY, second.source, UNK)).all()
        has_unknown |= bool((second.target >= WORD_VOCABULARY).any())
    assert has_unknown
    first_loss = copier.development.compute_loss(copier.network.eval(), copier.kind, copier.device)
    train_until(copier, 6)
    assert copier.development.compute_loss(copier.network.eval(), copier.kind, copier.device) < first_loss
    copier.export(tmp_path / "child")
    assert checkpoint.read_card(tmp_path / "child").has_unk
    smoothed = replace(extended, training=replace(extended.training, label_smoothing=0.1))
    with pytest.raises(SettingsFileError, match=r"training\.label_smoothing is 0\.1; .*: set it to 0"):
        Trainer(tmp_path / "smoothed", smoothed, Plan("copy", 50), word_data)


def test_init_refuses_another_network_or_vocabulary(
    parent: Path, data: Path, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    recipe, run = build_tiny_recipe(), tmp_path / "run"
    other_recipe = replace(recipe, network={**recipe.network, "hidden": 25, "wiring": "appendix"})
    expected = "hidden is 24 there and 25 here; wiring is groundhog there and appendix here"
    with pytest.raises(SettingsFileError, match=expected):
        Trainer(run, other_recipe, PLAN, data, initial=str(parent))
    lines = [side for pair in sentences[:50] for side in pair]
    vocabulary = Vocabulary.train(lines, 400, tmp_path / "vocabulary.model")
    with pytest.raises(SettingsFileError, match="has another vocabulary than"):
        Trainer(run, recipe, PLAN, write_data(tmp_path / "other", vocabulary, sentences), initial=str(parent))
    assert not run.exists()


# --- invalid data


def test_the_vocabulary_must_match_the_recipe(word_data: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsFileError, match=r"of kind unigram with 400 pieces, .* of kind word with 250"):
        Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, word_data)
    with pytest.raises(SettingsFileError, match=r"there is no run to resume in .*; start one: python -m model train"):
        Trainer.resume(tmp_path / "run", word_data)
    assert not (tmp_path / "run").exists()


def test_a_run_does_not_resume_with_other_data(
    data: Path, tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    train_until(Trainer(tmp_path / "run", build_tiny_recipe(), PLAN, data), 1)
    other_data = write_data(tmp_path / "other", tiny_vocabulary, sentences[1:])
    with pytest.raises(DataError, match="was trained on other data"):
        Trainer.resume(tmp_path / "run", other_data)


# --- the cool-down and the paper's optimiser


def list_rates(trainer: Trainer, max_tokens: int | None = None) -> list[tuple[int, float]]:
    """Return, for every update, the target tokens seen before it and its rate as a fraction of the recipe's."""
    rates, tokens = [], trainer.progress.target_tokens
    for report in trainer.run(max_tokens=max_tokens):
        if not report.is_evaluated:
            planned_rate = trainer.recipe.optimiser.compute_learning_rate(report.progress.updates)
            rates.append((tokens, report.learning_rate / planned_rate))
            tokens = report.progress.target_tokens
    return rates


def test_the_rate_falls_linearly_and_the_run_ends(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(tmp_path, build_tiny_recipe(), PLAN, data)
    trainer.schedule_cool_down(2000, max_tokens=5000)
    rates = list_rates(trainer, max_tokens=5000)
    assert len(rates) > 12
    for tokens, fraction in rates:
        assert fraction == pytest.approx(min(1.0, (5000 - tokens) / 2000))
    assert rates[-1][1] < 0.2
    assert trainer.progress.target_tokens >= 5000
    assert list_rates(Trainer.resume(tmp_path, data)) == []


def test_by_default_the_cool_down_begins_now_and_only_once(data: Path, tmp_path: Path) -> None:
    trainer = train_until(Trainer(tmp_path, build_tiny_recipe(), PLAN, data), 3)
    with pytest.raises(TrainingError, match=r"has seen [\d,]+ target tokens; it cannot have cooled down at 10$"):
        trainer.schedule_cool_down(5, max_tokens=10)
    tokens_seen = trainer.progress.target_tokens
    trainer.schedule_cool_down(1500)
    with pytest.raises(TrainingError, match=r"is cooling down already, until [\d,]+ target tokens; leave out"):
        trainer.schedule_cool_down(1500)
    rates = list_rates(trainer)
    assert rates[0] == (tokens_seen, 1.0)
    assert trainer.progress.cooling == (tokens_seen, tokens_seen + 1500)
    assert rates[-1][0] < tokens_seen + 1500 <= trainer.progress.target_tokens


def test_updates_equal_zeilers_adadelta_in_numpy(word_data: Path, tmp_path: Path) -> None:
    """Three updates from the gradients of the network's own loss, in float64: sum, clip to 1, Adadelta."""
    trainer = Trainer(tmp_path, build_tiny_paper_recipe(), Plan("rnnsearch", 50), word_data)
    trainer.network.double()
    trainer.use_bfloat16 = False
    names = [name for name, _ in trainer.network.named_parameters()]
    x = {name: parameter.detach().numpy().copy() for name, parameter in trainer.network.named_parameters()}
    squares, steps = ({name: np.zeros_like(value) for name, value in x.items()} for _ in range(2))
    network = build_network(trainer.network.config).double()
    for batch in islice(trainer.batches.iterate_from(trainer.progress.position), 3):
        network.load_state_dict({name: torch.from_numpy(value) for name, value in x.items()})
        loss = network.loss(torch.from_numpy(batch.source), torch.from_numpy(batch.target))
        gradients = torch.autograd.grad(loss, list(network.parameters()))
        g = {name: value.numpy() for name, value in zip(names, gradients, strict=True)}
        norm = np.sqrt(sum((value**2).sum() for value in g.values()))
        assert norm > 1  # so that it is clipped
        for name, value in g.items():
            clipped = value / norm
            squares[name] = 0.95 * squares[name] + 0.05 * clipped**2
            step = -np.sqrt(steps[name] + 1e-6) / np.sqrt(squares[name] + 1e-6) * clipped
            steps[name] = 0.95 * steps[name] + 0.05 * step**2
            x[name] = x[name] + step
        trainer.update(batch)
        for name, parameter in trainer.network.named_parameters():
            error = np.abs(x[name] - parameter.detach().numpy()).max()
            assert error < 1e-7, f"{name} differs by {error}"  # torch divides by norm + 1e-6
    start = build_network(trainer.network.config)
    assert float((trainer.network.W_o - start.W_o).detach().abs().max()) > 1e-3
