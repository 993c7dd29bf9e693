"""What a page sends to the components of the browser."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def data_of(node: Any) -> dict[str, Any]:
    """What a component was sent: as it is, or packed."""
    data: dict[str, Any] = json.loads(node.proto.bytes) if node.proto.bytes else json.loads(node.proto.json)[0]
    return data


def all_data(app: AppTest) -> list[dict[str, Any]]:
    """What every component of the page was sent."""
    nodes = app.get("bidi_component")
    return [data_of(node) for node in nodes if node.proto.json or node.proto.bytes]
