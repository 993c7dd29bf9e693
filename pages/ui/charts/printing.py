"""The one renderer for print: a drawing as SVG, PDF or PNG, by matplotlib.

matplotlib is imported when something is rendered. Its settings and fonts belong to the whole process: one drawing is
rendered at a time, by `render`, and figures are made without pyplot, which keeps them. The same drawing gives the same
bytes, with no date in it.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, get_args

from pages.ui.escape import strip_control_characters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

FileFormat = Literal["svg", "pdf", "png"]
FILE_FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)
MIME_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}

INK = "#1d2433"
PAPER = "#ffffff"
_RULE = "#d9dce3"
_GREY = "#6b7385"
_NIGHT = {INK: "#e8eaf0", PAPER: "#12161f", _RULE: "#323848", _GREY: "#9aa3b5"}  # for a dark page: its own colours
MIN_PNG_WIDTH = 2000  # pixels of a PNG across at least: wide enough to be printed
MAX_PNG_SIDE = 12_000  # pixels of a PNG either way at most
MAX_LABEL_LENGTH = 60  # letters of a label; a longer one is cut, and whole in the table

_LATIN = ("Source Sans 3", "Arial", "Liberation Sans", "DejaVu Sans")
_CJK = ("Noto Sans CJK KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo", "UnDotum", "WenQuanYi Zen Hei")
_POINTS = 72  # a unit of a drawing is a point
_LOCK = Lock()

# A family that is not here is no event, and what letters no family has is said in the file.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)


@dataclass(frozen=True)
class Drawing:
    """What is printed: the name of its file, what it shows in words, and how it is drawn on a sheet."""

    name: str
    title: str
    draw: Callable[[Sheet], None]


class Sheet:
    """A sheet that is as large as what is drawn on it, in points from the top left corner: white, or of the colours of
    a dark page."""

    def __init__(self, families: tuple[str, ...], dark: bool = False) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        night = _NIGHT if dark else {}
        self.ink, self.paper, self.rule, self._grey = (night.get(one, one) for one in (INK, PAPER, _RULE, _GREY))
        self._figure = Figure(figsize=(1, 1), dpi=_POINTS, facecolor=self.paper)
        self._canvas = FigureCanvasAgg(self._figure)
        self._families = families
        self.letters: set[str] = set()
        self.axes: Axes = self._figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_xlim(0, _POINTS)
        self.axes.set_ylim(_POINTS, 0)

    def line_colour(self, ink: bool) -> str:
        """The colour of a line: ink, or grey."""
        return self.ink if ink else self._grey

    def write_text(self, x: float, y: float, text: str, size: float = 13, colour: str | None = None,
                   across: str = "center",
             up: str = "baseline", angle: float = 0, faint: float = 1.0) -> Text:  # fmt: skip
        """Write `text` literally, nothing in it read as mathematics, on one line."""
        shown = shorten_label(text)
        self.letters |= set(shown)
        place: dict[str, Any] = {"ha": across, "va": up, "rotation": angle, "rotation_mode": "anchor"}
        return self.axes.text(
            x, y, shown, fontsize=size, color=colour or self.ink, alpha=faint, family=list(self._families),
            parse_math=False, clip_on=False, **place,
        )  # fmt: skip

    def fill_boxes(self, places: Sequence[tuple[float, float]], wide: float, high: float, fills: list[str],
              touching: bool, gid: str) -> None:  # fmt: skip
        """Filled boxes of one size, by their top left corners. Those that are `touching` are drawn to the pixel: else
        their seams are seen."""
        from matplotlib.collections import PolyCollection

        corners = [[(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)] for x, y in places]
        self.axes.add_collection(
            PolyCollection(corners, facecolors=fills, linewidths=0, antialiaseds=not touching, clip_on=False, gid=gid),
            autolim=False,
        )

    def measure_width(self, text: Text) -> float:
        """How wide a text is, in points."""
        return float(text.get_window_extent(self._canvas.get_renderer()).width)

    def find_bottom(self) -> float:
        """Where the drawing ends below."""
        return _POINTS - float(self._figure.get_tightbbox(self._canvas.get_renderer()).y0) * _POINTS

    def save(self, kind: FileFormat, title: str) -> bytes:
        nothing: dict[str, Any] = {
            "svg": {"Date": None, "Creator": None},
            "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            "png": {"Software": None},
        }[kind]
        out = io.BytesIO()
        self._figure.savefig(
            out, format=kind, bbox_inches="tight", pad_inches=0.14,
            metadata={"Title": strip_control_characters(title), **nothing},
            dpi=self._dots() if kind == "png" else _POINTS,
        )  # fmt: skip
        return out.getvalue()

    def _dots(self) -> float:
        """Dots an inch: twice those of a screen, or what makes the PNG wide enough, as far as it is not too large."""
        box = self._figure.get_tightbbox(self._canvas.get_renderer())
        return min(max(2 * 96, MIN_PNG_WIDTH / box.width), MAX_PNG_SIDE / max(box.width, box.height))


def render(drawing: Drawing, kind: FileFormat, notes: Callable[[int], Sequence[str]], dark: bool = False) -> bytes:
    """The drawing as a file; for a page that is `dark`, in its colours. In an SVG every word stays text, shown in the
    reader's own fonts; a PDF or PNG is made with the fonts of this machine: how many letters none of them has, the file
    says at its foot, in the first of the `notes` that can be printed itself."""
    with _LOCK:
        import matplotlib

        with matplotlib.rc_context(
            {"svg.fonttype": "none", "svg.hashsalt": "print", "pdf.fonttype": 42, "font.sans-serif": "DejaVu Sans"}
        ):
            sheet = Sheet((*_LATIN, *_CJK, "sans-serif") if kind == "svg" else _here(), dark)
            drawing.draw(sheet)
            lacking = "" if kind == "svg" else find_missing_glyphs(sheet.letters)
            if lacking:
                note = next((one for one in notes(len(lacking)) if not find_missing_glyphs(set(one))), "")
                sheet.write_text(2, sheet.find_bottom() + 18, note, size=9, across="left")
            return sheet.save(kind, drawing.title)


def shorten_label(text: str) -> str:
    """`text` on one line, without what cannot be drawn, cut where it is very long."""
    whole = strip_control_characters(" ".join(text.split()))
    return whole if len(whole) <= MAX_LABEL_LENGTH or " " in whole else whole[: MAX_LABEL_LENGTH - 1] + "…"


@cache
def _here() -> tuple[str, ...]:
    """Those of our families that this machine has. matplotlib brings DejaVu Sans along."""
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return tuple(name for name in (*_LATIN, *_CJK) if name in known)


def find_missing_glyphs(letters: Iterable[str]) -> str:
    """The letters that no font of this machine has, in order; what is not seen anyway does not count."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = [get_font(findfont(FontProperties(family=[name]))) for name in _here()]
    return "".join(
        letter
        for letter in sorted(letters)
        if letter.isprintable() and not any(font.get_char_index(ord(letter)) for font in fonts)
    )


def blend(ink: str, strength: float, paper: str) -> str:
    """An ink on paper of that colour, drawn with less than its whole strength."""
    inks, papers = ([int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in (ink, paper))
    mixed = (round(under + (over - under) * strength) for over, under in zip(inks, papers, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
