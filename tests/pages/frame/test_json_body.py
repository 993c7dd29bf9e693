"""The body of a request: an object within the limit, or None."""

from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from pages.ui.frame.json_body import read_json_body
from tests.coroutines import run_coroutine


@pytest.mark.parametrize(("body", "value"), [
    (b'{"do": "pause"}', {"do": "pause"}), (b"{}", {}), (b"[1]", None), (b"", None), (b"\xff", None),
    (b"[" * 90_000, None), (b'{"long": "' + b"x" * 100_000 + b'"}', None),
])  # fmt: skip
def test_only_an_object_within_the_limit_is_read(body: bytes, value: dict[str, Any] | None) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def check() -> None:
        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        assert await read_json_body(request, 100_000) == value

    run_coroutine(check())
