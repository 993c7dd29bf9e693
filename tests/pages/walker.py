"""A random reader: uses all controls of a page, in states that a browser would send, and switches pages now and then.

All randomness comes from a seed. `Walker.steps` lists the steps so far, so that a failure can be reproduced.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from model.paths import ROOT
from pages.ui.backend import jobs
from pages.ui.url_state import params
from pages.ui.url_state.params import LINK_PARAMS
from tests.hostile import CASES
from tests.pages.backend.test_jobs import wait_until
from tests.pages.components import create_event, get_data

APP = ROOT / "app.py"
PAGES = ("translate", *(page for page in params.PAGES if page != "translate"))
LOCALES = ("en-GB", "ko-KR", "fr", "", "xx-<b>")
MAX_CHARACTERS = 2500  # beyond the limit of the box, and short enough for many steps in a minute
TEXTS = (
    "the cat", "the sea is calm .", "I saw the sea , and it was calm , because nobody swam .", "one\ttwo\nthree\tfour",
    "source,reference\na,b\n\"c\",d", "=1+1 is two\t@two", *(text[:MAX_CHARACTERS] for text in CASES.values()),
)  # fmt: skip
VALUES = (
    "beam", "greedy", "pieces", "words", "sqrt", "paper", "on", "off", "1", "2", "7", "ko", "en", "5", "equal-5",
    "beam12", "sample", "rnnsearch-50", "rnnencdec-30", "rnnsearch-50,rnnencdec-50", "newstest2014", "0123456789ab",
    "-1", "99999", "1e9", "0", ",", ",,,", "None", "the sea is calm .",
)  # fmt: skip
UNEXPECTED: tuple[Any, ...] = (None, True, -1, 0, 2, 10**9, 1.5, "", "1", [], {}, [1], CASES["script"])

Send = Callable[[WidgetState], None]


class Walker:
    """One reader. Raises AssertionError with the list of steps when a page raises."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random, self.steps = seed, random.Random(seed), list[str]()
        self.page = self.home = PAGES[0]
        self.app = AppTest.from_file(str(APP), default_timeout=60)

    def open(self, page: str, links: int = 0, values: Mapping[str, str] = MappingProxyType({})) -> None:
        """Open `page` in a new session by a link with `links` random parameters and these values."""
        self.app = AppTest.from_file(str(APP), default_timeout=60)
        self.app.context = {"locale": self.random.choice(LOCALES), "theme": self.random.choice(("light", "dark"))}
        names = [self.random.choice([*LINK_PARAMS]) for _ in range(links)]
        link_params = {name: self._draw_link_value() for name in names}
        if self.random.random() < 0.2:
            link_params[self.random.choice([*CASES.values()])[:200] or "x"] = self._draw_link_value()
        link_params |= values
        self.page = self.home = page
        self.steps = [f"open {page}, {self.app.context}, link {link_params!r:.2000}"]
        # The first run registers the pages; a browser that follows a link is on its page with the first one.
        self._run(self.app.run)
        self.app = self._create_session(link_params)
        self._run(self.app.switch_page(f"pages/{page}.py").run)

    def _create_session(self, link_params: dict[str, str]) -> AppTest:
        """Return a new session that knows the pages."""
        fresh = AppTest.from_file(str(APP), default_timeout=60)
        fresh.context, fresh._registered_pages = self.app.context, self.app._registered_pages
        for name, value in link_params.items():
            fresh.query_params[name] = value
        return fresh

    def step(self) -> None:
        """Use a random control or component, or switch the page."""
        chance = self.random.random()
        moves = list(self._list_moves())
        if self.page != self.home and (chance < 0.5 or not moves):
            self._switch_page(self.home)
        elif chance < 0.03 or not moves:
            self._switch_page(self.random.choice(PAGES))
        elif chance < 0.05:
            self.steps.append("reload")
            self._run(self.app.run)
        else:
            self.random.choice(moves)()

    def send_events(self, component: str, count: int) -> None:
        """Send `count` random events of a component while it is on the page, which it must be at first."""
        for number in range(count):
            nodes = [node for node in self.app.get("bidi_component") if _get_component_name(node) == component]
            assert nodes or number, self.format_failure(f"{component} is not drawn")
            if nodes and self._list_events(nodes[0]):
                self._send(self._create_event(nodes[0]))

    def leave_with_events(self, page: str) -> int:
        """Send each event of each component together with a click on the link to `page`; return the number of events.

        If both arrive during a run, Streamlit handles them in one run: it removes the state of the previous page's
        components, and calls the callback of the event.
        """
        start_page, num_events = self.page, 0
        events = [
            (_get_component_name(node), event)
            for node in self.app.get("bidi_component")
            for event in self._list_events(node)
        ]
        for name, event in events:
            node = next((other for other in self.app.get("bidi_component") if _get_component_name(other) == name), None)
            if node is None:
                continue
            state = create_event(node, event, self._draw_event_value(event, get_data(node)))
            self.steps.append(f"{name}.{event} together with going to {page}")
            self.page = page
            self.app.switch_page(f"pages/{page}.py")
            self._run(partial(self.app._run, WidgetStates(widgets=[state])))
            self._switch_page(start_page)
            num_events += 1
        return num_events

    def _switch_page(self, page: str) -> None:
        self.steps.append(f"go to {page}")
        self.page = page
        self._run(self.app.switch_page(f"pages/{page}.py").run)

    def _list_moves(self) -> Iterator[Callable[[], None]]:
        """Yield a function for each control on the page that uses it."""
        tree = self.app._tree
        forms: dict[str, list[Any]] = {}
        for node in tree:
            form = getattr(node.proto, "form_id", "") if hasattr(node, "proto") else ""
            if form:
                forms.setdefault(form, []).append(node)
        for node in tree:
            kind = node.type
            if kind == "bidi_component":
                if self._list_events(node):
                    yield lambda node=node: self._send(self._create_event(node))  # type: ignore[misc]
            elif getattr(node, "id", None) and kind not in ("plotly_chart", "page_link"):
                if getattr(node.proto, "disabled", False) or getattr(node.proto, "form_id", ""):
                    continue
                yield lambda node=node: self._send(*self._use_widget(node))  # type: ignore[misc]
        for nodes in forms.values():
            for _ in range(3):
                yield lambda nodes=nodes: self._submit(nodes)  # type: ignore[misc]

    def _submit(self, nodes: list[Any]) -> None:
        """Fill in a random part of a form, and submit it."""
        widget_states = []
        for node in nodes:
            pressed = getattr(node.proto, "is_form_submitter", False)
            if pressed or self.random.random() < 0.6:
                widget_states += self._use_widget(node)
        self._send(*widget_states)

    def _use_widget(self, node: Any) -> list[WidgetState]:
        """Return the state of a widget after random use."""
        state, name = WidgetState(id=node.id), node.key or node.type
        match node.type:
            case "button":
                state.trigger_value = True
                value: Any = "press"
            case "download_button":  # on_click "ignore": the page hears nothing of it
                return []
            case "button_group":
                state.string_array_value.data[:] = value = self._draw_options(node)
            case "selectbox":
                state.string_value = value = self.random.choice(node.options)
            case "multiselect":
                value = [option for option in node.options if self.random.random() < 0.5]
                state.string_array_value.data[:] = value
            case "text_input" | "text_area":
                text = self.random.choice(TEXTS)
                # A browser sends UTF-8, which has no lone surrogates.
                value = text.encode("utf-8", "replace").decode()[: node.proto.max_chars or None]
                state.string_value = value
            case "file_uploader":
                return self._upload(node)
            case "checkbox":
                value = self.random.random() < 0.5
                return [node.set_value(value)._widget_state]
            case "radio":
                value = self.random.choice(node.options)
                return [node.set_value(value)._widget_state]
            case other:
                raise AssertionError(f"unknown widget type {other} (key {node.key}): add it here")
        self.steps.append(f"{name} = {value!r:.120}")
        return [state]

    def _draw_options(self, node: ButtonGroup[str]) -> list[str]:
        if not node._is_single_select:
            return [option for option in node.options if self.random.random() < 0.4]
        return [self.random.choice(node.options)]

    def _upload(self, node: Any) -> list[WidgetState]:
        """Upload a random file; AppTest holds it in the node."""
        text = self.random.choice(TEXTS)
        name = self.random.choice(("a.txt", "b.csv", "c.tsv", "../<b>.csv", "x" * 300, "d.zip"))
        data = text.encode(self.random.choice(("utf-8", "utf-16", "latin-1")), "replace")
        node._files = [(uuid4().hex, name, data, "text/plain")]
        self.steps.append(f"{node.key} = {name!r:.40}: {data!r:.80}")
        return []

    def _list_events(self, node: Any) -> list[str]:
        """Return the events of a component that have callbacks."""
        state = self.app.session_state._state._state
        metadata = state._new_widget_state.widget_metadata.get(node.proto.id)
        return sorted(metadata.callbacks or ()) if metadata else []

    def _create_event(self, node: Any) -> WidgetState:
        """Return a random event of a component, sometimes with an unexpected value."""
        name = _get_component_name(node)
        event = self.random.choice(self._list_events(node))
        data = get_data(node)
        value = self._maybe_distort(self._draw_event_value(event, data))
        self.steps.append(f"{name}.{event} = {value!r:.200}")
        return create_event(node, event, value)

    def _draw_event_value(self, event: str, data: dict[str, Any]) -> Any:
        """Return a value that the component would send with this data."""
        draw = self.random
        number = draw.choice((1, 2, 3, 5, 12))
        match event:
            case "scene":
                return draw.randint(1, len(data["scenes"]))
            case "walk":
                view = {"page": draw.choice(PAGES), "values": {}}
                return draw.choice([{"walk": draw.choice(("all", ""))}, {"stop": number - 1}, {"is_read": True},
                                    {"lecture": number, **view}, view])  # fmt: skip
            case "chosen" if "groups" in data:
                return draw.choice([description["key"] for group in data["groups"] for description in group["maps"]])
            case "chosen":
                return {"id": data["id"], "rank": draw.randrange(len(data["n_best"]))}
            case "grow":
                return data.get("text") or draw.choice(TEXTS)
            case "clause":
                return {"text": data.get("text") or draw.choice(TEXTS), "clause": number}
            case "step":
                return {"trace": data["trace_id"], "step": draw.randint(1, len(data["steps"]))}
            case "choice" if "gate_model" in data:
                model = draw.choice(data["models"])["name"] if data["models"] else ""
                return {"word_index": number, "gates_model": model, "visible_lines": {model: draw.random() < 0.5}}
            case "open" if "members" in data:
                return draw.choice([member["name"] for member in data["members"]] or [""])
            case "open" if "translation" in data:
                return draw.choice([row["override"] for row in data["rows"]] or [""])
            case "back":
                return True
            case "node":
                return {"search_id": data["search_id"], "node": draw.randrange(len(data["nodes"]))}
            case "point" if data["plane"]:
                return draw.randrange(len(data["plane"]["points"]))
            case "open":
                model = draw.choice(data["models"])["name"] if data["models"] else ""
                page = draw.choice(data["pages"])["url"] if data.get("pages") else ""
                line = draw.choice([row["line"] for row in data["rows"]] or [0])
                return {"line": line, "model": model, "other_model": model, "page": page}
            case _:  # unknown here: a random part of the data
                value: Any = data
                while isinstance(value, dict | list) and value and draw.random() < 0.8:
                    value = draw.choice([*value.values()] if isinstance(value, dict) else value)
                return value

    def _maybe_distort(self, value: Any) -> Any:
        """Return the value, or sometimes one that no component sends."""
        draw = self.random
        if draw.random() < 0.8:
            return value
        if isinstance(value, dict) and draw.random() < 0.7:
            return value | {draw.choice([*value]): draw.choice(UNEXPECTED)}
        return draw.choice(UNEXPECTED)

    def _send(self, *states: WidgetState) -> None:
        """Run the page with these new states of widgets, and the previous ones of all others."""
        tree, changed_states = self.app._tree, {state.id: state for state in states}
        widget_states = tree.get_widget_states()
        for number, widget in reversed([*enumerate(widget_states.widgets)]):
            if widget.id in changed_states:
                del widget_states.widgets[number]
        widget_states.widgets.extend(states)
        self._run(lambda: self.app._run(widget_states))
        if self.page == "your_text" and self.random.random() < 0.5:
            wait_for_jobs()

    def _draw_link_value(self) -> str:
        texts = VALUES if self.random.random() < 0.6 else [*CASES.values()]
        return self.random.choice(texts).encode("utf-8", "replace").decode()[:3000]

    def _run(self, run: Callable[[], Any]) -> None:
        try:
            run()
        except Exception as error:
            raise AssertionError(self.format_failure(f"{type(error).__name__}: {error}")) from error
        if self.app.exception:
            messages = "; ".join(f"{error.proto.type}: {error.message}" for error in self.app.exception)
            stack = "\n".join(line for error in self.app.exception for line in error.proto.stack_trace)
            raise AssertionError(self.format_failure(f"{messages}\n{stack}"))

    def format_failure(self, problem: str) -> str:
        steps = "\n".join(f"{number:>4} {line}" for number, line in enumerate(self.steps))
        return f"seed {self.seed}, after\n{steps}\n{problem}"


def _get_component_name(node: Any) -> str:
    """Return the name of a component."""
    return str(node.proto.component_name).rpartition(".")[2]


def wait_for_jobs() -> None:
    """Wait until no job is running."""
    wait_until(lambda: not jobs.get_job_store().list_running())
