"""The command that shows how a file is understood: `python -m model inspect FILE`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from model.cli.lines import bytes_of, say


def inspect(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A text (lines, TSV or CSV, plain or .xz) or a "
                                                                  "file of attention weights.")],
    languages: Annotated[str, typer.Option(metavar="SRC-TGT", help="Source and target, where the file's name "
                                                                   "does not say them.")] = "en-fr",
) -> None:
    """Show how a file is understood, as JSON, without translating.

    Of a text: encoding, separator, header, rows and notes. Of attention weights: tokens, words, maps and notes.

    **Examples**

    python -m model inspect pairs.csv

    python -m model inspect paare.tsv --languages de-en

    python -m model inspect attention.json
    """
    from model.importers import describe_attention_file, is_attention_file
    from model.text.languages import parse_language_pair
    from model.text.pair_files import parse_table

    data, name = bytes_of(file)
    if is_attention_file(name, data):
        found = describe_attention_file(name, data)
    else:
        found = parse_table(data, name, parse_language_pair(languages)).to_dict()
    say(json.dumps(found, ensure_ascii=False, indent=2))
