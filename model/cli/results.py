"""`python -m model results`: rewrite the generated parts of the READMEs from `assets/`.

A generated part stands between two comments with its name, one of `model.analysis.paper.report.PARTS`:

    <!-- generated: models -->
    <!-- end: models -->
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from model.analysis.paper.report import PARTS, Results
from model.cli.shared import print_error, print_line
from model.paths import ROOT
from model.serialization.files import replace_file

_MARK = re.compile(r"<!-- (generated|end): ([a-z-]+) -->")


def results(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 where a README is stale.")] = False,
) -> None:
    """Rewrite the tables of results in the READMEs from assets/evaluations and the models' cards."""
    source = Results()
    parts = {name: partial(part, source) for name, part in PARTS.items()}
    is_stale = False
    for path in list_readmes():
        text = path.read_text(encoding="utf-8")
        try:
            new_text = fill_generated_parts(text, parts)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        if new_text == text:
            continue
        is_stale = True
        if check:
            print_error(f"{path} is not what would be generated; run: python -m model results", "stale")
        else:
            replace_file(path, new_text.encode())
            print_line(f"written to {path}")
    if check and is_stale:
        raise typer.Exit(1)


def list_readmes(root: Path = ROOT) -> list[Path]:
    """Return the README of the repository and those of its folders, without installed packages."""
    readmes = (path for folder in ("assets", "model", "pages", "tests") for path in (root / folder).rglob("README.md"))
    return [root / "README.md", *sorted(path for path in readmes if "node_modules" not in path.parts)]


def fill_generated_parts(text: str, parts: Mapping[str, Callable[[], Sequence[str]]]) -> str:
    """Replace the text between each pair of marks by the lines of that part.

    Raises ValueError for a name that is not in `parts` and for a mark without its counterpart.
    """
    lines, name = list[str](), ""
    for line in text.splitlines():
        mark = _MARK.fullmatch(line)
        if mark is None:
            if not name:
                lines.append(line)
            continue
        mark_kind, part_name = mark.groups()
        if part_name not in parts:
            raise ValueError(f"there is no generated part {part_name!r}; there are {', '.join(sorted(parts))}")
        if (mark_kind == "end") != bool(name) or (name and part_name != name):
            raise ValueError(f"the mark {line} has no counterpart; each part needs <!-- generated: NAME --> and "
                             "<!-- end: NAME -->")
        lines += [line, ""] if mark_kind == "generated" else ["", line]
        if mark_kind == "generated":
            lines += parts[part_name]()
        name = "" if name else part_name
    if name:
        raise ValueError(f"the part {name} has no end: write <!-- end: {name} --> below it")
    return "\n".join(lines) + "\n"
