"""The empty page of the speaker's window. Its script fills it (assets/player/shared/speaker.js)."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import LANGUAGES, load_messages

_DOCUMENT = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<link rel="stylesheet" href="speaker.css"></head>
<body><p id="missing" hidden>{missing}</p><main id="speaker" hidden></main>
<script type="module" src="speaker.js"></script></body>
</html>
"""


def serve_speaker(request: Request) -> Response:
    """Answer `?lang=` with the page in this language."""
    code = request.query_params.get("lang", "")
    t = load_messages(code if code in LANGUAGES else LANGUAGES[0])
    title, missing_note = (escape_html(t(f"lecture.{key}")) for key in ("speaker", "missing"))
    return HTMLResponse(_DOCUMENT.format(language=t.language, title=title, missing=missing_note))
