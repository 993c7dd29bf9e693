"""The commands that train: `train`, `trials` and `precision`."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from model.checkpoints.model_folders import has_best_checkpoint
from model.cli.shared import ThreadsOption, check_amount, check_millions, print_line
from model.training import DATA, RUNS
from model.training.batches import match_corpora_in_folder
from model.training.console import run_with_progress, ship_best
from model.training.lock import lock_run_folder
from model.training.precision import compare_precisions, summarise_losses
from model.training.recipe import Plan, list_recipe_names, load_recipe
from model.training.state import STATE
from model.training.trainer import Trainer
from model.training.trials import run_trials

RECIPES = ", ".join(list_recipe_names())
DataOption = Annotated[Path, typer.Option(help="The folder made by `python -m model data`.")]
LONGEST = 50
LONGEST_HELP = "The longest training sentence, in words per side"


def train(
    recipe: Annotated[str, typer.Argument(help=f"A recipe by name ({RECIPES}), or a .toml file.")] = "",
    kind: Annotated[str, typer.Option(help="The kind of network: rnnsearch, rnnencdec, ... (default: the recipe's, "
                                           "else rnnsearch).")] = "",
    longest: Annotated[int | None, typer.Option(help=f"{LONGEST_HELP} (default: {LONGEST}).")] = None,
    name: Annotated[str, typer.Option(help="The name of the model (default: KIND-LONGEST).")] = "",
    title: Annotated[str, typer.Option(help="The title that readers see (default: as papers write the kind).")] = "",
    data: DataOption = DATA,
    runs: Annotated[Path, typer.Option(help="The folder of the runs, each in a folder of its name.")] = RUNS,
    resume: Annotated[bool, typer.Option("--resume", help="Continue exactly where the run of this name stopped.")]
        = False,
    init: Annotated[str, typer.Option(metavar="CHECKPOINT", help="Start from the weights of a checkpoint.")] = "",
    tokens: Annotated[float, typer.Option(help="Stop at this many million target tokens (0: never).",
                                          callback=check_millions)] = 0.0,
    minutes: Annotated[float, typer.Option(help="Stop after this many minutes (0: never).", callback=check_amount)]
        = 0.0,
    cool_down: Annotated[float, typer.Option(
        help="Let the learning rate fall to zero over this many million target tokens (the last ones before --tokens, "
             "if given), then stop.",
        callback=check_millions)] = 0.0,
    threads: ThreadsOption = 0,
    ship: Annotated[bool, typer.Option("--ship", help="Copy the best weights so far to assets, and end.")] = False,
) -> None:
    """Train a model; Ctrl-C saves and prints the command that continues.

    **Examples**

    python -m model train shipped --kind rnnsearch --longest 50

    python -m model train --name rnnsearch-50 --resume
    """
    if ship and (recipe or title or resume or init or tokens or minutes or cool_down):
        raise typer.BadParameter("--ship copies the best weights of a run and trains nothing: leave out the recipe, "
                                 "--title, --resume, --init, --tokens, --minutes and --cool-down")
    loaded_recipe = load_recipe(recipe) if recipe else None
    plan = Plan(kind or (loaded_recipe.kind if loaded_recipe else "") or "rnnsearch",
                LONGEST if longest is None else longest, name, title)
    folder = runs / plan.name
    if folder.resolve() == data.resolve():
        raise typer.BadParameter(f"the run {plan.name} would be written into the prepared text of {data}: give another "
                                 "--name or --runs")
    if ship:
        print_line(ship_best(folder, plan.name, data))
        return
    with contextlib.ExitStack() as stack:
        if resume:
            if recipe or init or title:
                raise ValueError("--resume continues with the recipe, weights and title of the run; leave out the "
                                 "recipe, --init and --title")
            # Locked before the state is read, so that no other process saves meanwhile. Of torchrun's, one does it.
            if (folder / STATE).exists() and os.environ.get("RANK", "0") == "0":
                stack.enter_context(lock_run_folder(folder))
            trainer = Trainer.resume(folder, data, threads=threads or None)
            if kind and kind != trainer.plan.kind:
                raise ValueError(f"the run {plan.name} trains a network of the kind {trainer.plan.kind}, not {kind}: "
                                 "leave out --kind")
            if longest not in (None, trainer.plan.longest_words):
                raise ValueError(f"the run {plan.name} has sentences of up to {trainer.plan.longest_words} words, "
                                 f"not {longest}: leave out --longest")
        else:
            if loaded_recipe is None:
                raise ValueError("name a recipe, such as: python -m model train shipped --kind rnnsearch")
            if (folder / STATE).exists():
                raise ValueError(f"{folder} already holds a run; continue it with --resume, or move the folder away")
            if has_best_checkpoint(folder):
                raise ValueError(f"{folder} already holds the weights of a run, without its state: give another "
                                 "--name, or move the folder away")
            settings = match_corpora_in_folder(loaded_recipe.data, data)
            trainer = Trainer(folder, replace(loaded_recipe, data=settings), plan, data, initial=init or None,
                              threads=threads or None)
            if settings is not loaded_recipe.data and trainer.group.is_first:
                print_line(f"{data} holds none of the corpora that the recipe {loaded_recipe.name} names: an epoch is "
                           f"all that it holds, {', '.join(settings.copies)}")
        if trainer.group.is_first:
            stack.enter_context(lock_run_folder(folder))
        max_tokens = round(tokens * 1e6) or None
        if cool_down:
            trainer.schedule_cool_down(max(1, round(cool_down * 1e6)), max_tokens=max_tokens)
        run_with_progress(trainer, max_tokens=max_tokens, max_minutes=minutes or None)


def trials(
    file: Annotated[Path, typer.Argument(help="A file of trials (.toml), as `model.training.trials` describes it.")],
    out: Annotated[Path, typer.Option(help="The table (.json) to which every trial is added.")],
    data: DataOption = DATA,
    runs: Annotated[Path, typer.Option(help="The folder of the runs, each in FILE/TRIAL.")] = RUNS / "trials",
    threads: ThreadsOption = 0,
) -> None:
    """Compare recipes by short runs from one start; can be stopped and started again.

    **Example**

    python -m model trials model/training/recipes/trials/rnnsearch.toml --out assets/trials/rnnsearch.json
    """
    for trial in run_trials(file, data, runs, out, threads=threads or None):
        print_line(f"{trial.name}: {trial.pieces:,} tokens, {trial.updates:,} updates, {trial.processor_minutes} "
                   f"minutes of processor time, dev loss {trial.dev_loss:.4f}, dev BLEU {trial.bleu['all']:.1f}")


def precision(
    recipe: Annotated[str, typer.Argument(help="A recipe by name or a .toml file.")] = "shipped",
    kind: Annotated[str, typer.Option(help="The kind of network: rnnsearch, rnnencdec, ...")] = "rnnsearch",
    longest: Annotated[int, typer.Option(help=f"{LONGEST_HELP}.")] = LONGEST,
    data: DataOption = DATA,
    updates: Annotated[int, typer.Option(min=1, help="Updates of each of the three runs.")] = 200,
    every: Annotated[int, typer.Option(min=1, help="Updates between two lines of the report.")] = 20,
    threads: ThreadsOption = 0,
) -> None:
    """Compare the losses of training in float32, in bfloat16, and in float32 with another dropout seed."""
    losses = []
    print_line(f"{'updates':>11} {'float32':>9} {'bfloat16':>9} {'other dropout':>14}  "
               "mean loss per target token, nats")
    for loss in compare_precisions(load_recipe(recipe), Plan(kind, longest), data, updates, threads=threads or None):
        losses.append(loss)
        if loss.update % every == 0 or loss.update == updates:
            mean_loss, bfloat16_excess, dropout_excess = summarise_losses(losses[(loss.update - 1) // every * every :])
            print_line(f"{loss.update:>11,} {mean_loss:>9.4f} {bfloat16_excess:>+9.4f} {dropout_excess:>+14.4f}")
    mean_loss, bfloat16_excess, dropout_excess = summarise_losses(losses)
    print_line(f"{'all':>11} {mean_loss:>9.4f} {bfloat16_excess:>+9.4f} {dropout_excess:>+14.4f}")
