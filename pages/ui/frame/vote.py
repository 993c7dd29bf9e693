"""The vote's routes: a small page for phones, its answers, and what the projector's dialog asks for.

They are the server's own and need no Streamlit session, so that a hundred phones are cheap. Phones wait for the next
phase with a request that is answered late; only the projector gets the counts while a vote is open.
"""

import secrets
import sys
from functools import cache, wraps
from typing import Annotated, Any, TypedDict

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from model.paths import ASSETS
from pages.ui.backend import rooms
from pages.ui.backend.rooms import Problem, Room, RoomCounts, RoomError, Rooms, RoomState
from pages.ui.components.component import PAYLOAD_TYPES, get_base_path, get_scripts_path
from pages.ui.escape import dump_script_json, escape_html
from pages.ui.frame.json_body import NO_STORE, read_json_body
from pages.ui.i18n.messages import Messages, load_messages, match_locale

COOKIE = "align-translate-reader"
COOKIE_LENGTH = 22  # characters of `secrets.token_urlsafe(16)`
MAX_BODY = 32_768  # bytes
WAIT_SECONDS = 5.0  # of a phone's request; a server that is stopped waits for these
STATUS: dict[Problem, int] = {"unknown": 404, "misses": 429, "owner": 403, "rooms": 503, "readers": 503,
                              "closed": 409, "changed": 409}  # fmt: skip
_STYLE = ASSETS / "player" / "vote" / "phone.css"


class PhoneData(TypedDict):
    """What the phones' page holds. `path`: of the vote's routes. `letters`: of a code."""

    path: str
    letters: str
    length: int
    messages: Annotated[dict[str, str], "phone"]
    language: str


class OpenedRoom(TypedDict):
    """A new room, for its owner."""

    code: str
    secret: str


PAYLOAD_TYPES["phone"] = PhoneData
PAYLOAD_TYPES["room-state"] = RoomState
PAYLOAD_TYPES["room-counts"] = RoomCounts
PAYLOAD_TYPES["room-opened"] = OpenedRoom


def get_vote_path() -> str:
    """Return the path of the vote's routes on the app's server."""
    return f"{get_base_path()}/vote"


def build_routes(all_rooms: Rooms | None = None) -> list[Route]:
    """Return the routes for these rooms, by default new ones."""
    if all_rooms is None:
        all_rooms = Rooms(rooms.parse_letter_option(sys.argv))
    endpoints = VoteEndpoints(all_rooms)
    path = get_vote_path()
    return [
        Route(path, endpoints.open_room, methods=["POST"]),
        Route(path, endpoints.show_page, methods=["GET"]),
        Route(f"{path}/{{code}}", endpoints.show_page, methods=["GET"]),
        Route(f"{path}/{{code}}/state", endpoints.get_state, methods=["GET"]),
        Route(f"{path}/{{code}}/choice", endpoints.choose, methods=["POST"]),
        Route(f"{path}/{{code}}/counts", endpoints.get_counts, methods=["GET"]),
        Route(f"{path}/{{code}}/{{action}}", endpoints.control_room, methods=["POST"]),
    ]


def _explain_refusals(endpoint: Any) -> Any:
    """Answer a RoomError with its sentence in the reader's language."""

    @wraps(endpoint)
    async def answer(self: Any, request: Request) -> Response:
        try:
            response: Response = await endpoint(self, request)
        except RoomError as error:
            t = get_reader_messages(request)
            body = {"problem": error.problem, "text": t(f"phone.problem_{error.problem}")}
            response = JSONResponse(body, STATUS.get(error.problem, 400), NO_STORE)
        return response

    return answer


class VoteEndpoints:
    """The endpoints for some rooms."""

    def __init__(self, all_rooms: Rooms) -> None:
        self._rooms = all_rooms

    # --- for readers

    async def show_page(self, request: Request) -> Response:
        """Answer the phones' page. It asks for the room by itself; the browser gets its random number as a cookie."""
        response = HTMLResponse(render_phone_page(get_reader_messages(request)), headers=NO_STORE)
        if not get_reader(request):
            response.set_cookie(COOKIE, secrets.token_urlsafe(16), path=get_vote_path(), httponly=True, samesite="lax")
        return response

    @_explain_refusals
    async def get_state(self, request: Request) -> Response:
        """Answer what a phone sees, as soon as it differs from `?version=`."""
        reader = get_reader(request)
        room = self._rooms.find(request.path_params["code"], get_address(request), reader)
        if reader:
            self._rooms.join(room, reader)
        version = request.query_params.get("version", "")
        if version.isascii() and version.isdigit() and len(version) < 10:
            await room.wait_for_change(int(version), WAIT_SECONDS)
        return JSONResponse(room.get_state(reader), headers=NO_STORE)

    @_explain_refusals
    async def choose(self, request: Request) -> Response:
        """Count a choice, {"number": of the question, "option": from 0}."""
        reader = get_reader(request)
        if not reader:
            raise RoomError("cookie")
        room = self._rooms.find(request.path_params["code"], get_address(request), reader)
        choice = await read_json(request)
        self._rooms.choose(room, reader, choice.get("number"), choice.get("option"))
        return JSONResponse(room.get_state(reader), headers=NO_STORE)

    # --- for the owner

    @_explain_refusals
    async def open_room(self, request: Request) -> Response:
        """Open a room; answer its code and secret. The body is read only for its media type, which foreign pages cannot
        send."""
        await read_json(request)
        room = self._rooms.open_room(get_address(request))
        opened_room: OpenedRoom = {"code": room.code, "secret": room.secret}
        return JSONResponse(opened_room, headers=NO_STORE)

    @_explain_refusals
    async def get_counts(self, request: Request) -> Response:
        """Answer what the room's owner sees."""
        return self._answer_counts(self._find_own_room(request))

    @_explain_refusals
    async def control_room(self, request: Request) -> Response:
        """Ask, close, reopen, reveal or end; answer the counts."""
        room, body = self._find_own_room(request), await read_json(request)
        match request.path_params["action"]:
            case "ask":
                self._rooms.ask(room, rooms.parse_question(body))
            case "close":
                self._rooms.close(room)
            case "reopen":
                self._rooms.reopen(room)
            case "reveal":
                self._rooms.reveal(room, rooms.parse_answer(body, room))
            case "end":
                self._rooms.end(room)
            case _:
                raise RoomError("request")
        return self._answer_counts(room)

    def _find_own_room(self, request: Request) -> Room:
        secret = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self._rooms.find_own(request.path_params["code"], get_address(request), secret)

    def _answer_counts(self, room: Room) -> Response:
        return JSONResponse(self._rooms.get_counts(room), headers=NO_STORE)


def get_reader(request: Request) -> str:
    """Return the random number of the reader's browser, "" without one."""
    value = request.cookies.get(COOKIE, "")
    return value if len(value) == COOKIE_LENGTH else ""


def get_address(request: Request) -> str:
    """Return the address of the reader's network, which the server takes from a proxy's X-Forwarded-For."""
    return request.client.host if request.client else ""


async def read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request. Raises RoomError for any other or too long body. Its media type keeps
    foreign pages from sending one: a browser would ask first, and no route allows it."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RoomError("request")
    body = await read_json_body(request, MAX_BODY)
    if body is None:
        raise RoomError("request")
    return body


def get_reader_messages(request: Request) -> Messages:
    """Return the messages in the first language that the browser names."""
    return load_messages(match_locale(request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]))


@cache
def _read_style() -> str:
    return _STYLE.read_text("utf-8")


def render_phone_page(t: Messages) -> str:
    data: PhoneData = {"path": get_vote_path(), "letters": rooms.LETTERS, "length": rooms.CODE_LENGTH,
                       "messages": t.get_table("phone"), "language": t.language}  # fmt: skip
    return _PAGE.format(
        language=t.language,
        title=escape_html(t("phone.title")),
        style=_read_style(),
        data=dump_script_json(data),
        script=f"{get_scripts_path()}/phone.js",
    )


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
<main id="vote"></main>
<script type="application/json" id="data">{data}</script>
<script type="module" src="{script}"></script>
</html>
"""
