"""QR codes, read by another library, and addresses that are refused."""

import re
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import numpy as np
import zxingcpp
from starlette.requests import Request

from pages.ui.frame.qr_code import MAX_LENGTH, serve_qr_code
from tests.hostile import CASES

APP = "http://127.0.0.1:8501/"


def request_code(address: str) -> bytes | None:
    """Return the SVG of an address, None if it is refused."""
    query = urlencode({"address": address}, errors="replace").encode()
    headers = [(b"host", b"127.0.0.1:8501")]
    response = serve_qr_code(Request({"type": "http", "headers": headers, "query_string": query}))
    return bytes(response.body) if response.status_code == 200 else None


def read_code(svg: bytes) -> zxingcpp.Barcode:
    """Draw the modules of the SVG, which has nothing but paths, and decode them."""
    root = ElementTree.fromstring(svg)
    assert [node.tag.partition("}")[2] for node in root.iter()] == ["svg", "path", "path"]
    size, x, y = int(root.attrib["viewBox"].split()[2]), 0, 0.0
    modules = np.full((size, size), 255, dtype=np.uint8)
    for command, first, second in re.findall(r"([Mmh])(-?\d+)(?: (-?[\d.]+))?", root[1].attrib["d"]):
        if command == "h":
            modules[int(y), x : x + int(first)] = 0
        x, y = x + int(first), y + float(second or 0)  # the only M is the first command
    dark = np.argwhere(modules == 0)
    assert (dark.min(), dark.max()) == (4, size - 5)  # the quiet zone
    codes = zxingcpp.read_barcodes(modules.repeat(4, axis=0).repeat(4, axis=1))
    return next(code for code in codes if code.format == zxingcpp.BarcodeFormat.QRCode)


def test_another_library_reads_the_address_at_error_level_m() -> None:
    for address in (APP, f"{APP}compare?sentence=I+am.&weights=704f8a8ede42%2Cda", APP.ljust(MAX_LENGTH, "a")):
        svg = request_code(address)
        assert svg is not None
        code = read_code(svg)
        assert (code.text, code.ec_level) == (address, "M")


def test_other_addresses_are_refused_and_hostile_text_stays_text() -> None:
    for address in ("http://evil.example/", f"{APP[:-1]}.evil.example/", f"{APP}é", APP.ljust(MAX_LENGTH + 1, "a")):
        assert request_code(address) is None, address
    for text in CASES.values():
        assert request_code(text) is None
        for address in (f"{APP}?sentence={quote(text, errors='replace')}", f"{APP}?sentence={text}"):
            svg, payload = request_code(address), address.encode(errors="replace")
            assert (svg is None) == (not payload.isascii() or len(payload) > MAX_LENGTH)
            assert svg is None or read_code(svg).bytes == payload
