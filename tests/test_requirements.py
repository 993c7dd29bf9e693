"""Requirements name what is imported and nothing else, and every version is exact."""

import ast
import re
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from model.paths import ROOT

OWN_PACKAGES = {"app", "model", "pages", "tests"}
PROGRAMS = {"ruff", "mypy"}  # run by .ci/run, not imported
PLUGINS = {"pytest-xdist": "-m pytest -n 2"}  # the option that needs it


def read_requirements(file: str) -> list[Requirement]:
    """Read a requirements file without comments and options."""
    lines = (line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def read_names(file: str) -> set[str]:
    return {canonicalize_name(requirement.name) for requirement in read_requirements(file)}


def find_imported_packages(*places: str) -> set[str]:
    """Return the distributions that the Python files of these places import."""
    modules: set[str] = set()
    for place in places:
        path = ROOT / place
        for file in [path] if path.is_file() else path.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    modules |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    modules.add(node.module.split(".")[0])
    installed = metadata.packages_distributions()
    return {canonicalize_name(installed[name][0]) for name in modules - OWN_PACKAGES - set(sys.stdlib_module_names)}


@pytest.mark.verdict
def test_requirements_are_what_app_and_tests_import() -> None:
    names = read_names("requirements.txt")
    assert names == find_imported_packages("app.py", "model", "pages")
    assert read_names("tests/requirements.txt") == (find_imported_packages("tests") - names) | PROGRAMS | {*PLUGINS}
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert all(f".venv/bin/{program} " in run for program in PROGRAMS)
    assert all(option in run for option in PLUGINS.values())


@pytest.mark.verdict
def test_every_version_is_exact_and_installed() -> None:
    pins = read_requirements("tests/constraints.txt")
    for pin in pins:
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), f"{pin} is not exact"
    valid = {canonicalize_name(pin.name): pin for pin in pins if pin.marker is None or pin.marker.evaluate()}
    for distribution in metadata.distributions():
        expected = valid.get(canonicalize_name(distribution.name))
        assert expected is None or expected.specifier.contains(distribution.version), f"{expected} is not installed"
    for requirement in (*read_requirements("requirements.txt"), *read_requirements("tests/requirements.txt")):
        for line in (str(requirement), *(metadata.requires(requirement.name) or ())):
            needed = Requirement(line)
            is_needed = needed.marker is None or needed.marker.evaluate({"extra": ""})
            assert not is_needed or canonicalize_name(needed.name) in valid, f"{needed} has no version"
