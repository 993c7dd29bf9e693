"""Payload types in TypeScript, from the TypedDicts that Python sends."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from tests.player import payloads

PLAYER = payloads.FILE.parent


class Inner(TypedDict):
    """A part."""

    place: int


class Outer(TypedDict):
    """A shape."""

    parts: list[Inner]
    pair: tuple[str, float] | None
    which: list[Literal["a", "b"]]
    more: NotRequired[dict[str, bool]]
    messages: Annotated[dict[str, str], "exports"]


@pytest.mark.verdict
def test_a_typed_dict_becomes_an_interface() -> None:
    assert list(payloads.iterate_parts(Outer)) == [Inner, Outer]
    assert payloads.format_interface(Outer).splitlines() == [
        "/** A shape. */",
        "export interface Outer {",
        "  parts: Inner[]",
        "  pair: [string, number] | null",
        '  which: ("a" | "b")[]',
        "  more?: Record<string, boolean>",
        "  messages: ExportsMessages",
        "}",
    ]
    assert payloads.list_message_tables([Inner, Outer]) == ["exports"]
    assert "  copied: string" in payloads.format_messages("exports").splitlines()


def test_components_send_triggers() -> None:
    """A state sends no event where it is unchanged, and lasts where a link has another value."""
    modules = [path for path in PLAYER.glob("*/*.js") if path.parent.name not in ("built", "node_modules")]
    assert modules
    assert [path.name for path in modules if "setStateValue" in path.read_text("utf-8")] == []


def test_unsupported_types_and_unknown_tables_are_refused() -> None:
    for unsupported in (bytes, set[int], dict[int, str], Any):
        with pytest.raises(TypeError, match="no counterpart"):
            payloads.format_type(unsupported)
    with pytest.raises(KeyError, match="no table strange"):
        payloads.format_messages("strange")
