"""What app.py adds to Streamlit's server: security headers, a check of the host, the reader's choice of light or dark,
the scripts of components, QR codes, the lectures, and the message for a failed page.

Streamlit itself checks `server.allowedHosts` only when a WebSocket is opened, and sends none of these headers.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from model.paths import ASSETS
from pages.ui.components.component import BUILT, get_scripts_path
from pages.ui.escape import escape_html
from pages.ui.frame import qr_code, speaker, training
from pages.ui.frame.json_body import NO_STORE
from pages.ui.url_state.state import get_messages

# The only inline script of Streamlit's index.html (window.prerenderReady = false).
_INLINE_SCRIPT = "'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='"

# Streamlit imports the scripts of components from blobs, writes style elements, and has icons and fonts in data URLs.
# Pictures are saved as PNG through blobs. 'unsafe-eval' is not needed.
CONTENT_SECURITY_POLICY = "; ".join((
    "default-src 'none'",
    f"script-src 'self' {_INLINE_SCRIPT} blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
))  # fmt: skip

THEME_COOKIE = "align-translate-theme"
THEME_OPTION = "embed_options"
THEMES = ("light", "dark")

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "same-origin",  # links carry the keys of readers' own texts
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
}


class SecurityHeaders:
    """ASGI middleware that adds HEADERS to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class ChosenTheme:
    """ASGI middleware that opens pages in the colours that the reader chose (assets/player/shared/theme.js).

    A cookie holds the choice. Streamlit reads `embed_options` from the address, hence the redirect.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.app
        if scope["type"] == "http" and scope["method"] == "GET":
            request = Request(scope)
            theme, query = request.cookies.get(THEME_COOKIE), request.url.query
            is_page = "text/html" in request.headers.get("accept", "")
            if theme in THEMES and is_page and THEME_OPTION not in request.query_params:
                address = "?" + "&".join(filter(None, (query, f"{THEME_OPTION}={theme}_theme")))
                app = RedirectResponse(address, headers=NO_STORE)
        await app(scope, receive, send)


class ComponentScripts(StaticFiles):
    """The scripts of the browser components. Their path contains a hash, so that browsers may cache them forever."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def build_routes() -> list[Route | Mount]:
    """Return the routes that the app adds to Streamlit's. Scripts find QR codes, lectures and trainings beside them."""
    path = get_scripts_path()
    return [
        Route(f"{path}/qr.svg", qr_code.serve_qr_code),
        Route(f"{path}/speaker", speaker.serve_speaker),
        Route(f"{path}/training/{{key}}", training.serve_run, methods=["GET", "POST"]),
        Mount(f"{path}/lectures", StaticFiles(directory=ASSETS / "lectures")),
        Mount(path, ComponentScripts(directory=BUILT)),
    ]


def build_middleware() -> list[Middleware]:
    """Return the middleware: security headers on every response, the check of the host, which allows any host if
    server.allowedHosts is empty, and the chosen theme."""
    hosts = [host.strip().rstrip(".") for host in st.get_option("server.allowedHosts")] or ["*"]
    host_check = Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    return [Middleware(SecurityHeaders), host_check, Middleware(ChosenTheme)]


def render_failure(error: Exception) -> bool:
    """Draw a message in the reader's language instead of Streamlit's traceback, which is in the log. For
    `on_script_error`."""
    st.html(f'<p role="alert" class="failure">{escape_html(get_messages()("problem.page"))}</p>')
    return True
