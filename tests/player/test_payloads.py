"""What Python sends and what the browser's side is checked against is one description."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from tests.player import payloads

PLAYER = payloads.FILE.parent


class Inner(TypedDict):
    """A part."""

    place: int


class Whole(TypedDict):
    """A shape."""

    parts: list[Inner]
    pair: tuple[str, float] | None
    which: list[Literal["a", "b"]]
    more: NotRequired[dict[str, bool]]
    words: Annotated[dict[str, str], "exports"]


def test_a_shape_in_typescript() -> None:
    assert list(payloads.parts(Whole)) == [Inner, Whole]
    assert payloads.interface(Whole).splitlines() == [
        "/** A shape. */",
        "export interface Whole {",
        "  parts: Inner[]",
        "  pair: [string, number] | null",
        '  which: ("a" | "b")[]',
        "  more?: Record<string, boolean>",
        "  words: ExportsWords",
        "}",
    ]
    assert payloads.tables([Inner, Whole]) == ["exports"]
    assert "  copied: string" in payloads.messages("exports").splitlines()


def test_where_the_reader_has_come_to_is_told_as_a_trigger() -> None:
    """A state that is told a second time is not heard; two parts have none that a page could forget."""
    parts = [path for path in PLAYER.glob("*/*.js") if path.parent.name not in ("built", "node_modules")]
    telling = {path.name for path in parts if "setStateValue" in path.read_text("utf-8")}
    assert telling == {"frame.js", "heatmap.js", "latest_data.js", "standalone.js"}


@pytest.mark.parametrize("strange", [bytes, set[int], dict[int, str], Any])
def test_what_has_no_counterpart_is_refused(strange: Any) -> None:
    with pytest.raises(TypeError, match="no counterpart"):
        payloads.written(strange)


@pytest.mark.verdict
def test_a_table_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="no table strange"):
        payloads.messages("strange")
