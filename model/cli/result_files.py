"""What the commands that measure share: test sets, threads, and the files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import torch
import typer

from model.analysis.evaluation import stored
from model.analysis.evaluation.evaluation import ParallelText
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Card, Model
from model.cli.shared import load_model, print_error, print_line
from model.serialization.codec import parse_json
from model.serialization.files import replace_file

CorporaArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of corpora, as "
                                                                        "model/training/README.md describes it.")]


def set_threads(threads: int) -> None:
    """Compute with this many threads; 0 keeps torch's choice."""
    if threads:
        torch.set_num_threads(threads)


def load_test_set(file: Path, name: str | None) -> tuple[ParallelText, Model]:
    """Load a model, or the default model, and a test set in its languages.

    Prints on standard error how the file was read. Raises ValueError.
    """
    languages = checkpoint.read_card(checkpoint.find_checkpoint(name)).languages if name else None
    text = ParallelText.read(file, languages)
    model = load_model(name or None, text.languages)
    for note in text.notes:
        print_error(note, "note")
    return text.orient_for(model.name, model.languages), model


def add_save_option(command: str, card: Card, *names: str) -> str:
    """Return the command with --save, or raise BadParameter if files of these names may not be written.

    Figures on pages and in READMEs come from these files. So a file made by another command is not replaced, nor the
    results of a shipped model by those of another model of its name.
    """
    command += " --save"
    shipped = next((shipped for shipped in checkpoint.list_shipped_cards() if shipped.name == card.name), None)
    if shipped is not None and shipped.folder.resolve() != card.folder.resolve():
        raise typer.BadParameter(f"--save would replace the results of the shipped {card.name} by those of "
                                 f"{card.folder}: leave it out")
    for path in filter(Path.exists, (stored.EVALUATIONS_FOLDER / name for name in names)):
        previous = parse_json(path.read_bytes(), path.name).get("command", "")
        if previous != command:
            raise typer.BadParameter(f"--save would write over {path.name}, which was made by: {previous}; delete that "
                                     "file first, or leave out --save")
    return command


def save_record(name: str, text: str) -> None:
    """Write a file of results into assets."""
    path = stored.EVALUATIONS_FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode())
    print_line(f"written to {path}")
