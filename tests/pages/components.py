"""Pages opened in AppTest, the data that they send to browser components, and events from these."""

import json
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from model.paths import ROOT


def open_page(page: str = "translate", *, locale: str = "en-GB", **query: str) -> AppTest:
    """Open a page by a link with these parameters, in a browser of this locale."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.context = {"locale": locale}
    for key, value in query.items():
        app.query_params[key] = value
    if page != "translate":
        app.switch_page(f"pages/{page}.py")
    app.run()
    assert not app.exception
    return app


def get_data(node: Any) -> dict[str, Any]:
    """Return the data of a component, encoded or not."""
    data: dict[str, Any] = json.loads(node.proto.bytes) if node.proto.bytes else json.loads(node.proto.json)[0]
    return data


def create_event(node: Any, event: str, value: Any) -> WidgetState:
    """Return what the browser sends when a component fires an event."""
    events = f"$$STREAMLIT_INTERNAL_KEY_{node.proto.id}__events"
    return WidgetState(id=events, json_trigger_value=json.dumps([{"event": event, "value": value}]))


def find_choice(app: AppTest, key: str) -> Any:
    """Return the buttons or the drop-down list of this key."""
    return next(widget for widget in (*app.segmented_control, *app.selectbox) if widget.key == key)


def list_data(app: AppTest) -> list[dict[str, Any]]:
    """Return the data of every component on the page."""
    nodes = app.get("bidi_component")
    return [get_data(node) for node in nodes if node.proto.json or node.proto.bytes]


def get_component_data(app: AppTest, name: str) -> dict[str, Any]:
    """Return the data of the page's only component of this name."""
    assert not app.exception
    (node,) = [node for node in app.get("bidi_component") if node.proto.component_name.endswith(name)]
    return get_data(node)


def list_alerts(app: AppTest) -> list[str]:
    """Return the alerts on the page, as HTML."""
    return [node.proto.body for node in app.get("html") if node.proto.body.startswith('<p role="alert"')]


def submit_sentence(app: AppTest, text: str) -> AppTest:
    """Type a sentence into the box and submit it."""
    app.text_area(key="sentence").set_value(text)
    return app.button(key="submit").click().run()


def get_html(app: AppTest) -> str:
    """Return all texts of the page that are HTML."""
    assert not app.exception
    return " ".join(node.proto.body for node in app.get("html") if not node.proto.body.startswith("<style"))


def get_status_text(app: AppTest) -> str:
    """Return the texts of the status line."""
    return " ".join(node.proto.body for node in app.get("html") if node.proto.body.startswith("<p role="))
