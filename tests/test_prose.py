"""Sentences of docstrings have at most MAX_WORDS words."""

import ast
import re
from collections.abc import Iterator

from model.paths import ROOT

MAX_WORDS = 30
CODE = r"```.*?```|<!--.*?-->|^\|.*?$|^ {4}.*?$"  # with tables and equations


def list_long_sentences(text: str) -> Iterator[str]:
    prose = re.sub(CODE, "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "x", prose)
    for paragraph in re.split(r"\n\s*\n|\n\s*[-#] |\n[ ]*\w+:\s", prose):
        for sentence in re.split(r"(?<=[.!?:;])\s+", paragraph):
            if " = " not in sentence and len(re.findall(r"[\w’'-]+", sentence)) > MAX_WORDS:
                yield " ".join(sentence.split())


def test_sentences_of_docstrings_are_short() -> None:
    long = []
    for file in sorted([*(ROOT / "model").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                docstring = ast.get_docstring(node) or ""
                long += [f"{file.name}: {sentence}" for sentence in list_long_sentences(docstring)]
    assert long == []
