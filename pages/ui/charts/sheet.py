"""A sheet that drawings for files are drawn on, by matplotlib.

Figures are made without pyplot, which would keep them. Only `printing.render` imports this module, when a file is
made: importing matplotlib takes a second.
"""

import io
import logging
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text

from pages.ui.charts.print_style import BACKGROUND, DARK_COLOURS, GREY, INK, RULE, FileFormat
from pages.ui.escape import strip_control_characters

MIN_PNG_WIDTH = 2000  # pixels, for print
MAX_PNG_SIDE = 12_000  # pixels
MAX_LABEL_LENGTH = 60  # characters of a label without spaces; the CSV has it whole

_POINTS_PER_INCH = 72  # coordinates of a drawing are points
_LATIN = ("Source Sans 3", "Arial", "Liberation Sans", "DejaVu Sans")
_CJK = ("Noto Sans CJK KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo", "UnDotum", "WenQuanYi Zen Hei")

# Missing fonts are normal, and a note in the file tells of missing glyphs.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)


class Sheet:
    """A sheet with the origin at the top left, in points; the file is cropped to what is drawn on it.

    In an SVG text stays text in the reader's fonts; the fonts of a PDF or PNG are those of this machine.
    """

    def __init__(self, kind: FileFormat, is_dark: bool = False) -> None:
        colours = DARK_COLOURS if is_dark else {}
        self.ink, self.background, self.rule, self._grey = (
            colours.get(colour, colour) for colour in (INK, BACKGROUND, RULE, GREY)
        )
        self._kind = kind
        self._families = [*_LATIN, *_CJK, "sans-serif"] if kind == "svg" else _find_installed_families()
        self._figure = Figure(figsize=(1, 1), dpi=_POINTS_PER_INCH, facecolor=self.background)
        self._canvas = FigureCanvasAgg(self._figure)
        self.letters: set[str] = set()
        self.axes: Axes = self._figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set_xlim(0, _POINTS_PER_INCH)
        self.axes.set_ylim(_POINTS_PER_INCH, 0)

    def get_line_colour(self, is_ink: bool) -> str:
        """Return ink or grey."""
        return self.ink if is_ink else self._grey

    def write_text(self, x: float, y: float, text: str, size: float = 13, colour: str | None = None,
                   align: str = "center", angle: float = 0, opacity: float = 1.0) -> Text:  # fmt: skip
        """Write `text` on one line, literally: matplotlib's mathematics is off."""
        label = shorten_label(text)
        self.letters |= set(label)
        return self.axes.text(
            x, y, label, fontsize=size, color=colour or self.ink, alpha=opacity, family=self._families, ha=align,
            va="baseline", rotation=angle, rotation_mode="anchor", parse_math=False, clip_on=False,
        )  # fmt: skip

    def write_paragraph(self, x: float, y: float, text: str, size: float, width: float) -> float:
        """Write `text` in grey, in lines of at most `width`, from the baseline `y` on; return the last baseline."""
        line = self.write_text(x, y, "", size, self._grey, "left")
        words: list[str] = []
        for word in text.split():
            line.set_text(shorten_label(" ".join((*words, word))))
            if words and self.measure_width(line) > width:
                line.set_text(shorten_label(" ".join(words)))
                y, words = y + 1.45 * size, []
                line = self.write_text(x, y, word, size, self._grey, "left")
            words.append(word)
        self.letters |= set(text)
        return y

    def fill_boxes(self, corners: Sequence[tuple[float, float]], width: float, height: float, colours: list[str],
                   is_touching: bool, gid: str) -> None:  # fmt: skip
        """Fill boxes of one size, given by their top left corners. Touching boxes are not antialiased: no seams."""
        outlines = [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)] for x, y in corners]
        boxes = PolyCollection(
            outlines, facecolors=colours, linewidths=0, antialiaseds=not is_touching, clip_on=False, gid=gid
        )
        self.axes.add_collection(boxes, autolim=False)

    def measure_width(self, text: Text) -> float:
        """Return the width of a text in points."""
        return float(text.get_window_extent(self._canvas.get_renderer()).width)

    def find_bottom(self) -> float:
        """Return the lower end of what is drawn so far."""
        return _POINTS_PER_INCH - float(self._measure().y0) * _POINTS_PER_INCH

    def save(self, title: str) -> bytes:
        """Return the file, without a date or the name of a program."""
        empty_metadata: dict[str, Any] = {
            "svg": {"Date": None, "Creator": None},
            "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            "png": {"Software": None},
        }[self._kind]
        buffer = io.BytesIO()
        self._figure.savefig(
            buffer, format=self._kind, bbox_inches="tight", pad_inches=0.14,
            metadata={"Title": strip_control_characters(title), **empty_metadata},
            dpi=self._choose_png_resolution() if self._kind == "png" else _POINTS_PER_INCH,
        )  # fmt: skip
        return buffer.getvalue()

    def _choose_png_resolution(self) -> float:
        """Return dots per inch: twice a screen's, or more for MIN_PNG_WIDTH, but never beyond MAX_PNG_SIDE."""
        box = self._measure()
        return min(max(2 * 96, MIN_PNG_WIDTH / box.width), MAX_PNG_SIDE / max(box.width, box.height))

    def _measure(self) -> Any:
        """Return the bounding box of what is drawn, in inches."""
        return self._figure.get_tightbbox(self._canvas.get_renderer())


def shorten_label(text: str) -> str:
    """Return `text` on one line without control characters, cut if it is very long and has no spaces."""
    line = strip_control_characters(" ".join(text.split()))
    return line if len(line) <= MAX_LABEL_LENGTH or " " in line else line[: MAX_LABEL_LENGTH - 1] + "…"


@cache
def _find_installed_families() -> list[str]:
    """Return the font families that this machine has; DejaVu Sans comes with matplotlib."""
    font_names = {font.name for font in fontManager.ttflist}
    return [name for name in (*_LATIN, *_CJK) if name in font_names]


def find_missing_glyphs(letters: Iterable[str]) -> str:
    """Return the printable letters that no installed font has, in order."""
    fonts = [get_font(findfont(FontProperties(family=[name]))) for name in _find_installed_families()]
    return "".join(
        letter
        for letter in sorted(letters)
        if letter.isprintable() and not any(font.get_char_index(ord(letter)) for font in fonts)
    )
