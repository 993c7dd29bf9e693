"""What the server's own routes share: reading the JSON object of a request, and the header of answers that browsers
must not keep."""

import json
from typing import Any

from starlette.requests import Request

NO_STORE = {"Cache-Control": "no-store"}


async def read_json_body(request: Request, limit: int) -> dict[str, Any] | None:
    """Return the JSON object in the body of a request; None for a body of more than `limit` bytes or any other
    content."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > limit:
            return None
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
