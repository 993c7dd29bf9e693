"""`python -m model lexicon`: which words translate which, learnt from the corpora. Registered by `model.cli`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from model.cli.lines import say, stages


def lexicon(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of corpora, as "
                                                                  "model/training/README.md describes it.")],
    control: Annotated[str, typer.Option(help="A control file by name (shipped, wide) or a .toml file: which corpora "
                                              "are read (all without one), but for those of phrases.")] = "",
    languages: Annotated[str, typer.Option(metavar="SRC-TGT", help="Source and target, such as ko-en.")] = "",
    most: Annotated[int, typer.Option(min=1, help="Pairs of each corpus, evenly spaced.")] = 120_000,
    out: Annotated[Path | None, typer.Option(help="The folder to write to, instead of assets.")] = None,
) -> None:
    """Learn which words translate which, for the marks of lost and invented words (into assets/lexicon).

    **Example**

    python -m model lexicon corpora --control wide

    python -m model lexicon mine --languages ko-en
    """
    from model.analysis.lexicon.learn import Learning, make
    from model.analysis.lexicon.lexicon import FOLDER
    from model.serialization.files import replace_file
    from model.text.control_file import build_default_control, load_control
    from model.text.languages import parse_language_pair
    from model.text.pair_files import find_language_pair, find_pair_files
    from model.text.prepared import CorpusError

    spoken = parse_language_pair(languages) if languages else None
    if control:
        given = load_control(control)
        given = replace(given, languages=spoken) if spoken else given
    else:
        spoken = spoken or find_language_pair(folder)
        corpora = list(find_pair_files(folder, "train", spoken))
        if not corpora:
            raise CorpusError(f"{folder} holds no corpus of the languages {'-'.join(spoken)}: put its pairs into "
                              f"train/NAME.{'-'.join(spoken)}.tsv")
        given = replace(build_default_control(corpora, {}), languages=spoken)
    again = (f" --control {Path(control).stem}" if control else "") + (f" --languages {languages}" if languages else "")
    again = f"python -m model lexicon FOLDER{again} --most {most}"
    with stages() as progress:
        made = make(folder, given, Learning(most=most), again, progress)
    path = (out or FOLDER) / f"{'-'.join(made.languages)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, made.to_json().encode())
    say(f"{path}: {made.entries.count(chr(10)) + 1:,} words of {sum(made.data.values()):,} pairs of sentences")
