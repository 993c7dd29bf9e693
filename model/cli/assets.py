"""The commands that write what the pages show first: `opening`, `phrases` and `figures`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from model.analysis.paper.figures import write_figures
from model.cli.shared import print_line
from model.gallery.opening import write_family_traces, write_traces
from model.gallery.story import growing_sentence, phrase_table


def opening() -> None:
    """Write the Traces that the pages Translate, All models and The story open with, made by the shipped models.

    They go to assets/opening, assets/opening_family and assets/story.
    """
    for path in (*write_traces(), *write_family_traces(), growing_sentence.write_traces()):
        print_line(str(path))


def phrases(
    folder: Annotated[Path, typer.Argument(help="The folder of the corpora, as `data` reads it.")],
) -> None:
    """Count the words and phrases of The story in parallel text (into assets/story)."""
    table = phrase_table.write_table(folder)
    print_line(f"{table.pairs:,} pairs of {', '.join(table.corpora)}: {len(table.phrases)} phrases")
    print_line(str(phrase_table.FILE))


def figures() -> None:
    """Write the Traces of the paper's figures, made by the shipped models (into assets/figures)."""
    for path in write_figures():
        print_line(str(path))
