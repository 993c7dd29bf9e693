"""Modules import from their own layer or lower ones, and never in a circle."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter

from model.paths import ROOT

LAYERS = (  # from the lowest to the highest
    ("model.paths", "model.progress"), ("model.serialization",), ("model.trace", "model.text"), ("model.networks",),
    ("model.checkpoints",), ("model.decoding",), ("model.training",), ("model.analysis", "model.importers"),
    ("model.gallery",), ("model.cli", "model.__main__"),
    ("pages.ui.escape", "pages.ui.csv_table"), ("pages.ui.i18n",), ("pages.ui.backend",), ("pages.ui.components",),
    ("pages.ui.charts",), ("pages.ui.url_state",), ("pages.ui.frame",), ("pages.ui.widgets",), ("pages.ui.results",),
    ("pages.ui.heatmap",), ("pages.ui",), ("pages",), ("app",),
)  # fmt: skip


def find_modules() -> dict[str, ast.Module]:
    paths = [ROOT / "app.py", *(ROOT / "model").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in names.items()}


MODULES = find_modules()


@cache
def find_imports(name: str) -> frozenset[str]:
    """Return the modules of this repository that a module imports, also in functions, but not for type hints."""
    names = set()
    typing_only = {id(inner) for node in ast.walk(MODULES[name]) if isinstance(node, ast.If)
                   and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
                   for inner in ast.walk(node)}  # fmt: skip
    for node in ast.walk(MODULES[name]):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in MODULES else node.module
                      for alias in node.names}  # fmt: skip
    return frozenset(names & MODULES.keys() - {name})


def find_layer(name: str) -> int:
    matches = [(len(prefix), level) for level, prefixes in enumerate(LAYERS) for prefix in prefixes
               if name == prefix or name.startswith(f"{prefix}.")]  # fmt: skip
    return max(matches, default=(0, -1))[1]  # the longest prefix


def test_every_module_has_a_layer() -> None:
    assert [name for name in MODULES if name != "model" and find_layer(name) < 0] == []


def test_no_module_imports_from_a_higher_layer() -> None:
    wrong = [(name, other) for name in MODULES for other in find_imports(name) if find_layer(other) > find_layer(name)]
    assert wrong == []


def test_a_page_imports_nothing_from_another_page() -> None:
    page = LAYERS.index(("pages.ui",))
    wrong = {(name, other) for name in MODULES for other in find_imports(name)
             if find_layer(name) == find_layer(other) == page
             and name.split(".")[2] != other.split(".")[2]}  # fmt: skip
    assert wrong == set()


def test_there_are_no_import_cycles() -> None:
    """Raises graphlib.CycleError with the cycle."""
    TopologicalSorter({name: find_imports(name) for name in MODULES}).prepare()
