"""`python -m model lexicon`: which words translate which, learnt from the corpora. Registered by `model.cli`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from model.cli.lines import say, stages


def lexicon(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of corpora; the README says what it "
                                                                  "holds.")],
    control: Annotated[str, typer.Option(help="A control file by name (shipped, wide) or a .toml file: which corpora "
                                              "are read; those of phrases are left out.")] = "wide",
    most: Annotated[int, typer.Option(min=1, help="Pairs of each corpus, evenly spaced.")] = 120_000,
    out: Annotated[Path | None, typer.Option(help="The folder to write to, instead of assets.")] = None,
) -> None:
    """Learn which words translate which, for the marks of lost and invented words (into assets/lexicon).

    **Example**

    python -m model lexicon corpora --control wide
    """
    from model.files import replace_file
    from model.measure.lexicon.learn import Learning, make
    from model.measure.lexicon.lexicon import FOLDER
    from model.text.control import load_control

    with stages() as progress:
        made = make(folder, load_control(control), Learning(most=most),
                    f"python -m model lexicon FOLDER --control {Path(control).stem} --most {most}", progress)
    path = (out or FOLDER) / f"{'-'.join(made.languages)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, made.to_json().encode())
    say(f"{path}: {made.entries.count(chr(10)) + 1:,} words of {sum(made.data.values()):,} pairs of sentences")
