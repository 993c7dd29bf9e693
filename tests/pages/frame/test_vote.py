"""The vote's routes: who gets what, what is refused with a sentence, and what travels."""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from model.paths import ASSETS
from pages.ui.backend import rooms
from pages.ui.backend.rooms import Question, Rooms
from pages.ui.frame import vote
from pages.ui.i18n.messages import load_messages
from tests.browser.proxied import PAGE, build_config
from tests.coroutines import run_coroutine
from tests.hostile import CASES

QUESTION: Question = {"kind": "next", "text": "", "source": "I am.", "target": "",
                      "languages": ["en", "fr"], "options": ["Je", "J'"]}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data


class Client:
    """Sends requests to the vote's routes as one browser, without a server."""

    def __init__(self, all_rooms: Rooms, language: str = "en-GB") -> None:
        self._app = Starlette(routes=vote.build_routes(all_rooms))
        self._headers = {"accept-language": language}

    async def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        request_headers = {**self._headers, "content-type": "application/json", **headers}
        scope = {"type": "http", "method": method, "path": path.partition("?")[0], "raw_path": path.encode("utf-8"),
                 "query_string": path.partition("?")[2].encode(), "headers": [
                     (name.encode(), text.encode("latin-1")) for name, text in request_headers.items()],
                 "client": ("10.0.0.1", 1)}  # fmt: skip
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        messages: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        response_headers = {name.decode(): text.decode("latin-1") for name, text in messages[0]["headers"]}
        if cookie := response_headers.get("set-cookie"):
            self._headers["cookie"] = cookie.partition(";")[0]
        content = b"".join(message.get("body", b"") for message in messages[1:])
        return Answer(messages[0]["status"], response_headers, content)


async def open_room(client: Client) -> tuple[str, dict[str, str]]:
    """Open a room; return its path and its owner's header."""
    room = (await client.request("POST", "/vote", {})).data
    return f"/vote/{room['code']}", {"authorization": f"Bearer {room['secret']}"}


@pytest.mark.verdict
def test_a_vote_from_the_first_phone_to_the_answer() -> None:
    async def play() -> None:
        all_rooms = Rooms()
        teacher, phone = Client(all_rooms), Client(all_rooms, "ko-KR,ko;q=0.9")
        room, owner_header = await open_room(teacher)
        page = await phone.request("GET", room)
        assert load_messages("ko")("phone.title").encode() in page.body
        cookie = page.headers["set-cookie"]
        assert {"HttpOnly", "Path=/vote", "SameSite=lax"} <= set(cookie.split("; ")[1:])
        assert not {"max-age", "expires"} & set(re.split("[;=] ?", cookie.lower()))
        assert "set-cookie" not in (await phone.request("GET", room)).headers
        state = (await phone.request("GET", f"{room}/state")).data
        assert (state["phase"], state["question"]) == ("waiting", None)
        pending_state = asyncio.create_task(phone.request("GET", f"{room}/state?version={state['version']}"))
        await asyncio.sleep(0.01)
        assert not pending_state.done()
        assert (await teacher.request("POST", f"{room}/ask", QUESTION, **owner_header)).data["phase"] == "open"
        state = (await asyncio.wait_for(pending_state, 1)).data
        assert (state["question"], state["number"]) == (QUESTION, 1)
        choice = (await phone.request("POST", f"{room}/choice", {"number": 1, "option": 1})).data
        assert (choice["choice"], choice["counts"]) == (1, None)
        counts = (await teacher.request("GET", f"{room}/counts", **owner_header)).data
        assert (counts["counts"], counts["readers"]) == ([0, 1], 1)
        await teacher.request("POST", f"{room}/close", {}, **owner_header)
        late_answer = await phone.request("POST", f"{room}/choice", {"number": 1, "option": 0})
        assert (late_answer.status, late_answer.data["text"]) == (409, load_messages("ko")("phone.problem_closed"))
        await teacher.request("POST", f"{room}/reveal", {"option": 0, "shares": [0.9, 0.1]}, **owner_header)
        state = (await phone.request("GET", f"{room}/state")).data
        assert (state["counts"], state["choice"]) == ([0, 1], 1)
        assert state["answer"] == {"option": 0, "shares": [0.9, 0.1]}
        await teacher.request("POST", f"{room}/end", {}, **owner_header)
        assert (await phone.request("GET", f"{room}/state")).status == 404

    run_coroutine(play())


def test_nobody_but_the_owner_controls_a_room_or_gets_its_counts() -> None:
    async def play() -> None:
        all_rooms = Rooms()
        teacher, stranger = Client(all_rooms), Client(all_rooms)
        room, owner_header = await open_room(teacher)
        await teacher.request("POST", f"{room}/ask", QUESTION, **owner_header)
        for action in ("close", "reveal", "reopen", "end", "ask"):
            cut_header = {"authorization": owner_header["authorization"][:-1]}
            for authorization in ({}, {"authorization": "Bearer x"}, cut_header):
                answer = await stranger.request("POST", f"{room}/{action}", {}, **authorization)
                assert answer.status == 403
        assert (await stranger.request("GET", f"{room}/counts")).status == 403
        assert (await teacher.request("GET", f"{room}/counts", **owner_header)).data["phase"] == "open"

    run_coroutine(play())


def test_bad_requests_get_a_sentence() -> None:
    async def play() -> None:
        all_rooms = Rooms()
        client = Client(all_rooms)
        room, owner_header = await open_room(client)
        await client.request("POST", f"{room}/ask", QUESTION, **owner_header)
        no_cookie = await client.request("POST", f"{room}/choice", {"number": 1, "option": 0})
        assert no_cookie.data["problem"] == "cookie"
        await client.request("GET", room)
        texts = [text.encode("utf-8", "surrogatepass") for text in CASES.values()]
        for body in (b"", b"[]", b"1", b"{", b'{"number": 1}', b"[" * 30_000, b" " * 40_000, b'"\\ud800"', *texts):
            answer = await client.request("POST", f"{room}/choice", body)
            assert (answer.status, answer.data["problem"]) == (400, "request")
            assert (await client.request("POST", f"{room}/ask", body, **owner_header)).status == 400
        foreign = await client.request("POST", "/vote", {}, **{"content-type": "text/plain"})
        assert (foreign.status, len(all_rooms)) == (400, 1)
        assert (await client.request("POST", f"{room}/other", {}, **owner_header)).data["problem"] == "request"
        for version in ("-1", "x", "9" * 30, "٣"):
            assert (await client.request("GET", f"{room}/state?version={version}")).status == 200
        unknown = await client.request("GET", "/vote/<script>/state")
        assert (unknown.status, unknown.data["text"]) == (404, load_messages("en")("phone.problem_unknown"))
        problems = [(await client.request("GET", "/vote/BBBBBB/state")).data["problem"] for _ in range(40)]
        assert problems[-1] == "misses"
        assert (await client.request("GET", f"{room}/counts", **owner_header)).data["counts"] == [0, 0]

    run_coroutine(play())


def test_every_problem_has_a_sentence_and_the_page_is_small() -> None:
    for language in ("en", "ko"):
        t = load_messages(language)
        assert all(f"phone.problem_{problem}" in t for problem in get_args(rooms.Problem))
        page = vote.render_phone_page(t)
        script = (ASSETS / "player" / "built" / "phone.js").read_bytes()
        assert len(page.encode()) + len(script) < 12_000
        assert "<script>" not in page


def test_the_proxy_of_the_page_sends_the_code_of_each_process_to_it() -> None:
    config = build_config(PAGE.read_text("utf-8"), 8080, [f"http://127.0.0.1:70{k}" for k in range(3)])
    for k, letter in enumerate(rooms.LETTERS[:3]):
        assert f"use_backend room-{letter} if {{ path_beg -i /vote/{letter} }}" in config
        assert f"backend room-{letter}\n  server {letter} 127.0.0.1:70{k}\n" in config
        assert f"  server {letter} 127.0.0.1:70{k} cookie {letter}\n" in config
    assert not re.search("850|example", config)
