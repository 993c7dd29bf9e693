"""Options, model loading and output that the commands share."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich import progress
from rich.console import Console
from rich.table import Table

from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Model
from model.decoding.settings import UnkRule
from model.progress import ProgressCallback
from model.serialization.files import name_file_in_errors
from model.serialization.messages import shorten_message

MAX_THREADS = 1024  # far more ends in an obscure error of the operating system
MAX_AMOUNT = 1e9  # million tokens, or minutes
MAX_MILLIONS = 1e5  # more would take years: the number was meant in tokens

ModelOption = Annotated[str | None, typer.Option(
    "--model", "-m", metavar="NAME", help="A model, or the folder of a checkpoint. Default: of the earliest kind with "
    "attention, the model trained on the longest sentences.")]
BeamOption = Annotated[int, typer.Option("--beam", "-k", metavar="K", help="Beam size; 1 is greedy search.")]
StopOption = Annotated[str | None, typer.Option(
    "--stop", help="With a beam, when it ends: exact (default), or beam (sooner, but shorter).")]
UnkOption = Annotated[UnkRule, typer.Option(
    "--unk", help="Models of whole words: show UNK, replace it by a translation or copy of the word attended to, or "
    "avoid writing it.")]
SaveOption = Annotated[bool, typer.Option("--save", help="Write the result into assets.")]
ThreadsOption = Annotated[int, typer.Option(min=0, max=MAX_THREADS, help="Threads (0: as many as there are cores).")]


def check_amount(value: float) -> float:
    """Return the value of an option from 0 to MAX_AMOUNT; raise BadParameter for any other."""
    if not 0 <= value <= MAX_AMOUNT:  # false for NaN too
        raise typer.BadParameter(f"{value} is not in the range from 0 to {MAX_AMOUNT:,.0f}.")
    return value


def check_millions(value: float) -> float:
    """Return a number of target tokens in millions; raise BadParameter if it must have been meant in tokens."""
    if check_amount(value) > MAX_MILLIONS:
        raise typer.BadParameter(f"the number is in millions: {value / 1e6:g} for {value:,.0f} tokens.")
    return value


def load_model(name: str | None, languages: tuple[str, str] | None = None) -> Model:
    """Load a model by name or folder, or the default model (of these languages). Raises CheckpointError."""
    return checkpoint.load_model(selection.select_default_name(languages) if name is None else name)


def load_model_for(requirement: str, name: str | None, *languages: str) -> Model:
    """Load a model; raise BadParameter with the `requirement` if its languages do not begin with these."""
    model = load_model(name)
    if model.languages[: len(languages)] != languages:
        raise typer.BadParameter(f"{requirement} ({'-'.join(languages)}), and {model.name} translates "
                                 f"{'-'.join(model.languages)}: name another model with --model")
    return model


def check_stop(stop: str | None, beam: int) -> None:
    """Raise BadParameter if greedy search is told when a beam ends."""
    if stop is not None and beam == 1:
        raise typer.BadParameter("--stop says when a beam ends: give --beam too, or leave it out")


def check_unk(rule: UnkRule, model: Model) -> None:
    """Raise BadParameter if a model cannot follow a rule for UNK: its vocabulary spells every word, or it has no
    attention to replace UNK by."""
    if rule != "show" and not model.card.has_unk:
        raise typer.BadParameter(f"{model.name} spells every word in subwords and never writes UNK: leave out --unk")
    if rule == "replace" and not model.card.has_attention:
        raise typer.BadParameter(f"{model.name} has no attention, which says what replaces UNK: choose another rule "
                                 "for --unk")


def is_broken_pipe(error: OSError) -> bool:
    """Return whether the reader of a pipe has gone. Windows reports it as EINVAL."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


@name_file_in_errors("standard output")
def print_line(line: str) -> None:
    """Print a line at once; exit quietly if nobody reads the output any more, as with `| head`."""
    try:
        print(line, flush=True)
    except OSError as error:
        if not is_broken_pipe(error):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def print_error(sentence: str, kind: str = "error") -> None:
    """Print one sentence, shortened if it quotes long values, on standard error, and nothing if that is closed."""
    if sys.stderr is not None:  # print(file=None) would print on standard output
        with contextlib.suppress(OSError):
            print(f"{kind}: {shorten_message(' '.join(sentence.split()))}", file=sys.stderr)


@name_file_in_errors("standard output")
def print_table(table: Table) -> None:
    """Print a table, as wide as the terminal; never cut in a file or a pipe."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()  # with FORCE_COLOR rich takes a pipe for a terminal
    console = Console(width=None if is_terminal else 1000)
    with console.capture() as output:
        console.print(table)
    print_line(output.get().removesuffix("\n"))


def make_table(*titles: str, text_columns: tuple[str, ...] = ()) -> Table:
    """Return an empty table: the first column and the `text_columns` flush left, numbers flush right."""
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, justify="left" if title in (titles[0], *text_columns) else "right")
    return table


def format_number(value: float | None, digits: int = 1) -> str:
    """Format a number for a table; None is empty."""
    return "" if value is None else f"{value:.{digits}f}"


@contextlib.contextmanager
def show_progress() -> Iterator[ProgressCallback]:
    """Show a progress bar for each stage on standard error if that is a terminal."""
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(20), progress.MofNCompleteColumn(),
               progress.TimeRemainingColumn())
    is_hidden = sys.stderr is None or not sys.stderr.isatty()
    with progress.Progress(*columns, console=Console(stderr=True), disable=is_hidden) as bar:
        tasks: dict[str, progress.TaskID] = {}

        def update(stage: str, finished_count: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage)
            bar.update(tasks[stage], completed=finished_count, total=total)

        yield update
