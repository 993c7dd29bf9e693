"""QR codes of the app's own addresses: a class scans one and opens the lecturer's view."""

import io

import segno
from starlette.requests import Request
from starlette.responses import Response

from pages.ui.frame.json_body import NO_STORE

MAX_LENGTH = 1200  # characters; the code of a longer address is too fine for phones in the last row


def serve_qr_code(request: Request) -> Response:
    """Answer `?address=` with its QR code as SVG. Refuse what is too long, or no address of the host that was asked."""
    address, host = request.query_params.get("address", ""), request.headers.get("host", "")
    is_own = address.isascii() and address.startswith((f"http://{host}/", f"https://{host}/"))
    if not is_own or len(address) > MAX_LENGTH:
        return Response(status_code=400)
    file = io.BytesIO()
    segno.make_qr(address, error="m", boost_error=False).save(file, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(file.getvalue(), media_type="image/svg+xml", headers=NO_STORE)
