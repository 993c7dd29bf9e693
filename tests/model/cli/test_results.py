"""`results`: the generated parts of the READMEs are written and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.cli import results
from model.cli.results import fill_generated_parts
from tests.model.cli.running import Run, assert_one_error

PARTS = {"one": lambda: ["| 1 |"], "two": lambda: ["| 2 |"]}


@pytest.mark.verdict
def test_the_shipped_readmes_are_up_to_date(run: Run) -> None:
    assert run("results", "--check") == (0, "", "")


def test_only_text_between_markers_is_replaced() -> None:
    text = "a\n<!-- generated: one -->\nold\n| 9 |\n<!-- end: one -->\nb\n<!-- generated: two -->\n<!-- end: two -->\n"
    expected = ("a\n<!-- generated: one -->\n\n| 1 |\n\n<!-- end: one -->\nb\n"
                "<!-- generated: two -->\n\n| 2 |\n\n<!-- end: two -->\n")
    assert fill_generated_parts(text, PARTS) == expected
    assert fill_generated_parts(expected, PARTS) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("<!-- generated: three -->\n<!-- end: three -->\n", "there is no generated part 'three'; there are one, two"),
    ("<!-- generated: one -->\nthe rest\n", "the part one has no end"),
    ("<!-- generated: one -->\n<!-- end: two -->\n", "has no counterpart"),
])  # fmt: skip
def test_unmatched_markers_are_refused(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        fill_generated_parts(text, PARTS)


def test_an_outdated_readme_is_named_by_check_and_then_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "README.md"
    outdated = "# Mine\n\n<!-- generated: trials -->\n| 9 |\n<!-- end: trials -->\n"
    path.write_text(outdated, encoding="utf-8")
    monkeypatch.setattr(results, "list_readmes", lambda: [path])
    code, stdout, stderr = run("results", "--check")
    assert (code, stdout) == (1, "")
    assert str(path) in stderr
    assert path.read_text(encoding="utf-8") == outdated
    assert run("results") == (0, f"written to {path}\n", "")
    assert "| as the recipe says | 1.997, 22.6 | 2.768, 8.5 |" in path.read_text(encoding="utf-8")
    assert run("results", "--check") == (0, "", "")
    path.write_text("<!-- generated: zzz -->\n", encoding="utf-8")
    assert_one_error(run("results"), "README.md", "zzz", "models")
