"""What a page sends to the components of the browser, and the controls on it."""

import json
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest


def get_data(node: Any) -> dict[str, Any]:
    """What a component was sent: as it is, or packed."""
    data: dict[str, Any] = json.loads(node.proto.bytes) if node.proto.bytes else json.loads(node.proto.json)[0]
    return data


def create_event(node: Any, event: str, value: Any) -> WidgetState:
    """What the browser sends when a component fires an event."""
    events = f"$$STREAMLIT_INTERNAL_KEY_{node.proto.id}__events"
    return WidgetState(id=events, json_trigger_value=json.dumps([{"event": event, "value": value}]))


def find_choice(app: AppTest, key: str) -> Any:
    """The choice of one option of that key: a row of buttons, or a list that opens where there are many."""
    return next(one for one in (*app.segmented_control, *app.selectbox) if one.key == key)


def list_data(app: AppTest) -> list[dict[str, Any]]:
    """What every component of the page was sent."""
    nodes = app.get("bidi_component")
    return [get_data(node) for node in nodes if node.proto.json or node.proto.bytes]


def get_component_data(app: AppTest, name: str) -> dict[str, Any]:
    """Return what the page's only component of that name was sent."""
    assert not app.exception
    (node,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith(name)]
    return get_data(node)
