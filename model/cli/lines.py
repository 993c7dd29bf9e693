"""What the commands share: their common options, lines in and lines out."""

from __future__ import annotations

import codecs
import contextlib
import errno
import inspect
import io
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, cast

import typer
from rich import progress as bars
from rich.console import Console
from rich.table import Table

from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Model
from model.progress import ProgressCallback
from model.serialization.files import name_file_in_errors
from model.serialization.messages import shorten_message
from model.text.documents import DocumentError, decode

if TYPE_CHECKING:
    from model.analysis.evaluation.evaluation import ParallelText

Name = Annotated[str | None, typer.Option("--model", "-m", metavar="NAME", help="A model, or a checkpoint's "
                                   "folder; by default the one that attends, trained on the longest sentences.")]
Beam = Annotated[int, typer.Option("--beam", "-k", metavar="K", help="Hypotheses carried along; 1 is greedy search.")]

THREADS = 1024  # more than any machine of ours has cores; a million would end in the operating system's words
Threads = Annotated[int, typer.Option(min=0, max=THREADS, help="Threads (0: as many as there are cores).")]
LONGEST = 1_000_000  # bytes of a line: hundreds of times what a model reads
MOST = 1e9  # million pieces, or minutes
MOST_MILLIONS = 1e5  # a hundred thousand million pieces are years of a machine; more was meant in pieces


def amount(value: float) -> float:
    """A number of an option that may be 0 and has an end; raises BadParameter."""
    if not 0 <= value <= MOST:  # NaN compares with nothing
        raise typer.BadParameter(f"{value} is not in the range from 0 to {MOST:,.0f}.")
    return value


def millions(value: float) -> float:
    """Target pieces in millions, of an option that may be 0; raises BadParameter for what must have been meant in
    pieces, as no training comes to so many millions."""
    if amount(value) > MOST_MILLIONS:
        raise typer.BadParameter(f"the number is in millions: {value / 1e6:g} for {value:,.0f} pieces.")
    return value


def load(name: str | None, languages: tuple[str, str] | None = None) -> Model:
    """The model of that name or in that folder; where none is named the default one, of these languages if they are
    given. Raises CheckpointError."""
    return checkpoint.load_model(selection.select_default_name(languages) if name is None else name)


def load_for(what: str, name: str | None, *languages: str) -> Model:
    """As `load`, for something that is of these languages, the source or source and target: raises BadParameter, which
    says `what` it is, where the model has others."""
    model = load(name)
    if model.languages[: len(languages)] != languages:
        raise typer.BadParameter(f"{what} ({'-'.join(languages)}), and {model.name} translates "
                                 f"{'-'.join(model.languages)}: name another model with --model")
    return model


def unread(error: OSError) -> bool:
    """Whether it says that nobody reads a pipe any more, for which Windows has another word."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


@name_file_in_errors("standard output")
def say(line: str) -> None:
    """A line on standard output, at once; ends the program quietly where nobody reads any more, as in `| head`."""
    try:
        print(line, flush=True)
    except OSError as error:
        if not unread(error):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def complain(sentence: str, kind: str = "error") -> None:
    """One sentence on standard error: what it repeats of names and values is cut where it is very long. Where nobody
    reads there, or it is closed, it is said to nobody: what is written to standard output goes on."""
    if sys.stderr is not None:  # print would take standard output in its place
        with contextlib.suppress(OSError):
            print(f"{kind}: {shorten_message(' '.join(sentence.split()))}", file=sys.stderr)


@name_file_in_errors("standard output")
def show(table: Table) -> None:
    """A table on standard output, never cut to fit: a file or a pipe takes lines of any length."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()  # to rich, FORCE_COLOR makes a pipe a terminal too
    console = Console(width=None if is_terminal else 1000)
    with console.capture() as drawn:
        console.print(table)
    say(drawn.get().removesuffix("\n"))


def test_set_for(file: Path, model: str | None) -> tuple[ParallelText, Model]:
    """Load the model of that name, the default one for none, and read a test set as it reads it; how the file was read
    is noted on standard error. Raises ValueError."""
    from model.analysis.evaluation.evaluation import ParallelText

    named = None
    if model:
        source, target = checkpoint.read_card(checkpoint.find_checkpoint(model)).languages
        named = source, target
    text = ParallelText.read(file, named)
    loaded = load(model or None, text.languages)
    for note in text.notes:
        complain(note, "note")
    return text.orient_for(loaded.name, loaded.languages), loaded


def bytes_of(file: str) -> tuple[bytes, str]:
    """Return what a file, plain or .xz, or standard input for "-" holds, and what it is called. Raises ValueError."""
    from model.text.pair_files import read_bytes

    if file != "-":
        return read_bytes(file), file
    with _opened(file) as stream:
        return stream.read(), "standard input"


@contextlib.contextmanager
def lines_or_errors(file: str) -> Iterator[Iterator[str | ValueError]]:
    """The lines of a file or of standard input, and an error in the place of one that is not UTF-8, or so long that it
    is no text; of that no more than a piece is ever held."""
    stream = _opened(file)
    lines = _decoded(stream, "standard input" if file == "-" else file)
    try:
        yield lines
    finally:
        if inspect.getgeneratorstate(lines) != inspect.GEN_RUNNING:  # closing would wait for a thread that waits
            stream.close()


def _opened(file: str) -> BinaryIO:
    """Open a file, or standard input for "-" through a buffer of our own: a thread that waits for a line holds the
    buffer's lock, and Python dies of a fatal error where it cannot have that of its own one at the end. Raises
    ValueError where standard input is closed."""
    if file != "-":
        return open(file, "rb")
    if sys.stdin is None:
        raise ValueError("standard input is closed; give a file, or a text through a pipe")
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # a stream of something else, as tests have it
        return cast("BinaryIO", sys.stdin.buffer)


def _decoded(stream: BinaryIO, name: str) -> Generator[str | ValueError]:
    for number, line in enumerate(_bounded(stream), 1):
        if number == 1 and line is not None and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            yield from _decoded_utf_16(line + stream.read(), name)
            return
        if line is None:
            where = f"line {number} of {shorten_message(name)}"
            yield ValueError(f"{where} has {LONGEST:,} bytes or more; put one sentence on a line")
            continue
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            where = f"line {number} of {shorten_message(name)}"
            yield ValueError(f"{where} is not UTF-8 (byte {error.start + 1}); save the text as UTF-8")


def _decoded_utf_16(data: bytes, name: str) -> Iterator[str | ValueError]:
    """The lines of a text in UTF-16, which is read whole: its ends of lines are not where bytes say so."""
    try:
        yield from io.StringIO(decode(data), newline=None).read().removesuffix("\n").split("\n")
    except DocumentError as error:
        yield ValueError(f"{shorten_message(name)} {error.predicate}")


def _bounded(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for one of LONGEST bytes or more, which is passed over."""
    while line := stream.readline(LONGEST):
        if len(line) < LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST)
        yield None


@contextlib.contextmanager
def stages() -> Iterator[ProgressCallback]:
    """A bar a stage on standard error, where that is a terminal."""
    console = Console(stderr=True)
    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(20), bars.MofNCompleteColumn(),
               bars.TimeRemainingColumn())
    with bars.Progress(*columns, console=console, disable=sys.stderr is None or not sys.stderr.isatty()) as bar:
        tasks: dict[str, bars.TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage)
            bar.update(tasks[stage], completed=done, total=total)

        yield show


def table_of(*titles: str) -> Table:
    """A table whose first column and last ones, if words, are aligned to the left, numbers to the right."""
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if not place or title in ("trained on", "data", "models") else "right")
    return table


def number(value: float | None, digits: int = 1) -> str:
    """A number of a table, nothing for None."""
    return "" if value is None else f"{value:.{digits}f}"


def use_threads(threads: int) -> None:
    """Compute with so many threads; 0 leaves it as it is."""
    import torch

    if threads:
        torch.set_num_threads(threads)
