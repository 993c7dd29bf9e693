"""`pytest -m verdict` tells in a minute whether the house stands: every room has tests in it."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOMS = sorted({path.parent for path in HERE.rglob("test_*.py")})


def in_the_verdict(file: Path) -> list[str]:
    """The tests of a file that have the mark."""
    functions = (node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef))
    return [one.name for one in functions if "pytest.mark.verdict" in map(ast.unparse, one.decorator_list)]


@pytest.mark.verdict
@pytest.mark.parametrize("room", ROOMS, ids=[str(room.relative_to(HERE)) for room in ROOMS])
def test_every_room_is_in_the_verdict(room: Path) -> None:
    marked = [name for file in room.rglob("test_*.py") for name in in_the_verdict(file)]
    assert marked, f"mark one or two telling tests of {room.relative_to(HERE)} with @pytest.mark.verdict"
