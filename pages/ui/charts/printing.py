"""Files of pictures: a drawing rendered as SVG, PDF or PNG by matplotlib. The screen uses Plotly and components.

The same drawing gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, get_args

from pages.ui.charts.print_style import FileFormat

if TYPE_CHECKING:
    from pages.ui.charts.sheet import Sheet

FILE_FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)
MIME_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}

_LOCK = Lock()  # matplotlib's settings and fonts belong to the process: one drawing is rendered at a time


@dataclass(frozen=True)
class Drawing:
    """A picture for a file: the file's name, a description, and a function that draws it on a sheet."""

    name: str
    title: str
    draw: Callable[[Sheet], None]


def render(drawing: Drawing, kind: FileFormat, notes: Callable[[int], Sequence[str]], is_dark: bool = False) -> bytes:
    """Return the drawing as a file, in a dark page's colours if `is_dark`.

    If a PDF or PNG lacks glyphs, it says so at the bottom: in the first of `notes` (for that number of letters) that
    has all its glyphs.
    """
    with _LOCK:
        # Not at the top: importing matplotlib takes a second, and pages without a file do not need it.
        import matplotlib

        from pages.ui.charts.sheet import Sheet, find_missing_glyphs

        with matplotlib.rc_context(
            {"svg.fonttype": "none", "svg.hashsalt": "print", "pdf.fonttype": 42, "font.sans-serif": "DejaVu Sans"}
        ):
            sheet = Sheet(kind, is_dark)
            drawing.draw(sheet)
            missing_glyphs = "" if kind == "svg" else find_missing_glyphs(sheet.letters)
            if missing_glyphs:
                note = next((text for text in notes(len(missing_glyphs)) if not find_missing_glyphs(set(text))), "")
                sheet.write_text(2, sheet.find_bottom() + 18, note, size=9, align="left")
            return sheet.save(drawing.title)
