"""What is installed: requirements.txt names what the app imports and nothing else, and every version is exact."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical

from model.paths import ROOT

OWN = {"app", "model", "pages", "tests"}
PROGRAMS = {"ruff", "mypy"}  # run by .ci/run, imported by nobody
OPTIONS = {"pytest-xdist": "-m pytest -n 2"}  # what gives the test command an option, imported by nobody


def listed(file: str) -> list[Requirement]:
    """The lines of a requirements file, without comments and options."""
    lines = (line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def names(file: str) -> set[str]:
    return {canonical(one.name) for one in listed(file)}


def imported(*places: str) -> set[str]:
    """The packages that Python files import, by the names that they are installed under."""
    found: set[str] = set()
    for place in places:
        path = ROOT / place
        for file in [path] if path.is_file() else path.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    installed = metadata.packages_distributions()
    return {canonical(installed[name][0]) for name in found - OWN - set(sys.stdlib_module_names)}


def brought(wanted: Iterable[Requirement]) -> Iterator[metadata.Distribution]:
    """What these requirements install here, with all that it requires in its turn."""
    waiting = [(one, "") for one in wanted]
    seen = set()
    while waiting:
        one, extra = waiting.pop()
        if one.marker is not None and not one.marker.evaluate({"extra": extra}):
            continue
        distribution = metadata.distribution(one.name)
        for asked in ["", *sorted(one.extras)]:
            if (canonical(one.name), asked) not in seen:
                seen.add((canonical(one.name), asked))
                waiting += [(Requirement(line), asked) for line in distribution.requires or ()]
        yield distribution


@pytest.mark.verdict
def test_the_app_requires_what_it_imports() -> None:
    assert names("requirements.txt") == imported("app.py", "model", "pages")


def test_the_tests_require_what_they_import_besides() -> None:
    assert names("tests/requirements.txt") == (imported("tests") - names("requirements.txt")) | PROGRAMS | {*OPTIONS}
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert all(f".venv/bin/{program} " in run for program in PROGRAMS)
    assert all(option in run for option in OPTIONS.values())


@pytest.mark.verdict
def test_every_version_is_exact_and_the_one_installed() -> None:
    pins: dict[str, list[Requirement]] = {}
    for pin in listed("tests/constraints.txt"):
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), f"{pin} is not exact"
        pins.setdefault(canonical(pin.name), []).append(pin)
    for one in brought([*listed("requirements.txt"), *listed("tests/requirements.txt")]):
        here = [pin for pin in pins.get(canonical(one.name), []) if pin.marker is None or pin.marker.evaluate()]
        assert len(here) == 1, f"{one.name} has {len(here)} versions in tests/constraints.txt"
        assert here[0].specifier.contains(one.version), f"{here[0]} is wanted, {one.version} is installed"


@pytest.mark.parametrize("file", ["requirements.txt", "tests/requirements.txt"])
def test_a_command_of_the_readme_installs_it_with_these_versions(file: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"pip install -r {file} -c tests/constraints.txt && " in readme


def test_ci_runs_the_command_of_the_readme() -> None:
    readme, run = ((ROOT / file).read_text(encoding="utf-8") for file in ("README.md", ".ci/run"))
    command = next(line for line in readme.splitlines() if line.endswith("-m pytest -n 2"))
    steps = command.split(" && ")
    assert len(steps) == 3
    assert "\n".join(steps) in run  # a line each: in a list joined by &&, `set -e` looks at the last command only
