"""Every figure of the README follows from `assets/`, or is named as one that comes from elsewhere."""

import re
import shlex

import pytest
import typer

from model.cli.commands import app
from tests.readme import README, one_line, passages, problems


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return passages()


@pytest.fixture(scope="module")
def readme() -> str:
    return one_line(README.read_text(encoding="utf-8"))


@pytest.mark.verdict
def test_the_readme_says_what_was_measured(readme: str, expected: list[str]) -> None:
    assert problems(readme, expected) == []


def test_any_digit_changed_is_seen(readme: str, expected: list[str]) -> None:
    places = {start + digit.start() for passage in expected for start in places_of(passage, readme)
              for digit in re.finditer(r"\d", passage)}  # fmt: skip
    assert len(places) > 600
    for place in places:
        changed = f"{readme[:place]}{(int(readme[place]) + 1) % 10}{readme[place + 1 :]}"
        assert any(passage not in changed for passage in expected), readme[place - 40 : place + 40]


def places_of(passage: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(passage), text)]


@pytest.mark.parametrize("added", ["It has 31.4 BLEU.", "Now 5 times faster.", "| RNNsearch-50 | 27 |"])
def test_a_figure_from_nowhere_is_seen(readme: str, expected: list[str], added: str) -> None:
    (problem,) = problems(f"{readme} {added}", expected)
    assert problem.startswith("whence? ")


def test_an_exception_that_outlived_its_passage_is_seen(readme: str, expected: list[str]) -> None:
    shortened = readme.replace("bfloat16 changes the loss of 200 updates by +0.0004 nats", "bfloat16 changes the loss")
    assert [problem.split(" of: ")[1][:9] for problem in problems(shortened, expected) if "any more" in problem] == [
        "precision"
    ]


def test_no_passage_stands_twice(readme: str, expected: list[str]) -> None:
    """Of two, one could be wrong unseen."""
    assert [passage for passage in expected if len(places_of(passage, readme)) != 1] == []


def test_what_it_points_to_is_there(readme: str) -> None:
    named = set(re.findall(r"(?<![\w/])(?:model|pages|assets|tests|\.ci)/[\w./-]*", readme)) | set(
        re.findall(r"\]\(([^)#:]+)\)", readme))  # fmt: skip
    named |= {f"{module.replace('.', '/')}.py" for module in re.findall(r"-m (tests\.[a-z_.]*[a-z_])", readme)}
    assert "tests/browser/speed.py" in named
    assert {"assets/screenshots/translate-light.png", "model/rnnsearch.py", "tests/constraints.txt"} <= named
    assert [path for path in sorted(named) if not (README.parent / path.rstrip(".")).exists()] == []


def test_its_commands_are_there_with_their_options(readme: str) -> None:
    written = re.findall(r"-m model ([a-z][^`#|]*?)(?=`|#| python -m| && | \| | > |```|$)", readme)
    commands = {line.split()[0] for line in written}
    assert {"translate", "evaluate", "train", "data", "align", "claims", "bench"} <= commands
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert commands <= set(known)
    for line in written:
        name, *rest = shlex.split(line)
        options = {option for one in known[name].params for option in one.opts}
        assert {word for word in rest if word.startswith("-")} <= options, line
