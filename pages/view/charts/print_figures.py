"""Figures in the paper's dress, as standalone SVG on white: curves by length, and alignments from black to white.

They are meant for print: no fonts, scripts or net are needed, and every word is text. The numbers leave as CSV.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pages.view.charts.alignment_grid import Grid
from pages.view.charts.curves import Line, LineStyle, colour, look, span
from pages.view.shell.component import component
from pages.view.shell.controls import shown_name
from pages.view.shell.escape import markup
from pages.view.shell.messages import Messages

mount = component("plate", "png")

_FONT = 'font-family="Source Sans 3, Source Sans Pro, Arial, Liberation Sans, Noto Sans CJK KR, sans-serif"'
_INK, _RULE = "#1d2433", "#d9dce3"
_DASHES = {"solid": "", "dash": ' stroke-dasharray="7 5"', "dot": ' stroke-dasharray="2 4"'}


@dataclass(frozen=True)
class PrintFigure:
    """A drawing of `width` by `height` pixels, its numbers, and what it shows in words."""

    name: str
    svg: str
    csv: str
    alt: str
    width: int
    height: int


def show(plate: PrintFigure, say: Messages) -> None:
    """Draw a plate with its three files: SVG, PNG (made in the browser) and CSV."""
    data = {
        "words": say.table("plate"),
        "language": say.language,
        "name": plate.name,
        "svg": plate.svg,
        "csv": plate.csv,
        "alt": plate.alt,
        "width": plate.width,
        "height": plate.height,
    }
    mount(key=f"plate-{plate.name}", data=data)


@dataclass(frozen=True)
class Series:
    """One line of a chart: how it is drawn, and at each tick its value with its bounds, or None where there is none."""

    name: str
    look: LineStyle
    points: tuple[tuple[float, float, float] | None, ...]


def of_curves(curves: Sequence[Line], title: str, say: Messages) -> tuple[str, int, int]:
    """Curves over the same bins with their bands as SVG, its width and its height; `title` is its description."""
    lines = [
        Series(shown_name(one.model), look(one.model), tuple(_bounded(point.bleu, point.low, point.high)
                                                           for point in one.points))
        for one in curves
    ]  # fmt: skip
    ticks = [(span(point), f"{point.sentences:,}") for point in curves[0].points]
    return of_lines(lines, ticks, (say("curve.words"), say("curve.bleu")), title)


def _bounded(value: float | None, low: float | None, high: float | None) -> tuple[float, float, float] | None:
    return None if value is None or low is None or high is None else (value, low, high)


def of_lines(
    lines: Sequence[Series], ticks: Sequence[tuple[str, str]], axes: tuple[str, str], title: str, floor: float = 0.0
) -> tuple[str, int, int]:
    """Lines with their bands as SVG, its width and its height.

    `ticks`: what stands below each place, in two lines; `axes`: what runs across and up; up begins at `floor`.
    """
    width, height, left, top, right, bottom = 760, 440, 52, 40, 16, 64
    highest = max([floor + 1.0, *(point[2] for one in lines for point in one.points if point)])
    step = next(size for size in (1, 2, 5, 10, 20, 50) if (highest - floor) / size <= 8)
    wide, high, most = width - left - right, height - top - bottom, floor + (highest - floor) * 1.04

    def x(place: int) -> float:
        return left + wide * (place + 0.5) / len(ticks)

    def y(value: float) -> float:
        return top + high * (most - value) / (most - floor)

    parts = _opened(width, height, title)
    for value in range(math.ceil(floor / step) * step, int(most) + 1, step):
        parts.append(f'<path d="M{left},{y(value):.1f}H{width - right}" stroke="{_RULE}" stroke-width="1"/>')
        parts.append(_text(left - 8, y(value) + 4, str(value), "end"))
    for place, (label, below) in enumerate(ticks):
        parts.append(_text(x(place), height - bottom + 20, label))
        parts.append(_text(x(place), height - bottom + 36, below, size=11, opacity=0.65))
    parts.append(_text(left + wide / 2, height - 8, axes[0]))
    parts.append(f'<g transform="translate(14,{top + high / 2:.1f}) rotate(-90)">{_text(0, 0, axes[1])}</g>')
    for one in lines:
        ink = colour(one.look.ink, False)
        for run in _runs(one):
            upper = [f"{x(place):.1f},{y(above):.1f}" for place, (_, _, above) in run]
            lower = [f"{x(place):.1f},{y(below):.1f}" for place, (_, below, _) in reversed(run)]
            parts.append(f'<polygon points="{" ".join(upper + lower)}" fill="{ink}" fill-opacity="0.12"/>')
    for number, one in enumerate(lines):
        ink = colour(one.look.ink, False)
        stroke = f'stroke="{ink}" stroke-width="2" fill="none"{_DASHES[one.look.dash]}'
        for run in _runs(one):
            corners = [(x(place), y(value)) for place, (value, _, _) in run]
            parts.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" {stroke}/>')
            parts += [_marker(a, b, one.look.symbol, ink) for a, b in corners]
        at = left + number * wide / (2 if len(lines) < 3 else max(4, len(lines)))  # room for longer names
        parts.append(f'<path d="M{at:.1f},18h34" {stroke}/>')
        parts.append(_marker(at + 17, 18, one.look.symbol, ink))
        parts.append(_text(at + 42, 22, one.name, "start"))
    return "\n".join([*parts, "</svg>\n"]), width, height


def of_alignment(of: Grid, title: str, end: str) -> tuple[str, int, int]:
    """α in the paper's dress as SVG, its width and its height: English across, French down, 0 black and 1 white."""
    source, target = of.source.shown(end), of.target.shown(end)
    cell, letter = 24, 7.4
    left = round(14 + letter * max(map(len, target), default=0))
    top = round(14 + letter * max(map(len, source), default=0))
    wide, high = cell * len(source), cell * len(target)
    width, height = left + wide + 12, top + high + 40
    parts = _opened(width, height, title)
    for column, label in enumerate(source):
        place = f"translate({left + (column + 0.5) * cell + 4:.1f},{top - 6}) rotate(-90)"
        parts.append(f'<g transform="{place}">{_text(0, 0, label, "start", 14)}</g>')
    for row, label in enumerate(target):
        parts.append(_text(left - 6, top + (row + 0.5) * cell + 5, label, "end", 14))
        for column, value in enumerate(map(float, of.values[row])):
            box = f'x="{left + column * cell}" y="{top + row * cell}" width="{cell}" height="{cell}"'
            parts.append(f'<rect {box} fill="{_grey(value)}" shape-rendering="crispEdges"/>')
    parts.append(f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="{_INK}"/>')
    foot = top + high + 14
    for step in range(21):
        parts.append(f'<rect x="{left + 16 + 5 * step}" y="{foot}" width="5.3" height="10" fill="{_grey(step / 20)}"/>')
    parts.append(f'<rect x="{left + 16}" y="{foot}" width="105" height="10" fill="none" stroke="{_INK}"/>')
    parts += [_text(left + 8, foot + 10, "0"), _text(left + 130, foot + 10, "1")]
    return "\n".join([*parts, "</svg>\n"]), width, height


def _opened(width: int, height: int, title: str) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" {_FONT}>',
        f"<title>{markup(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]


def _runs(line: Series) -> list[list[tuple[int, tuple[float, float, float]]]]:
    """The neighbouring points with their places, a list for each stretch without a gap."""
    runs: list[list[tuple[int, tuple[float, float, float]]]] = [[]]
    for place, point in enumerate(line.points):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((place, point))
    return [run for run in runs if run]


def _text(x: float, y: float, text: str, anchor: str = "middle", size: int = 13, opacity: float = 1.0) -> str:
    faint = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="{size}" fill="{_INK}"{faint}>{markup(text)}</text>'


def _marker(x: float, y: float, symbol: str, ink: str) -> str:
    """Plotly's circle, square or diamond, filled or open."""
    fill = "#ffffff" if symbol.endswith("-open") else ink
    style = f'fill="{fill}" stroke="{ink}" stroke-width="1.8"'
    if symbol.startswith("circle"):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" {style}/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if symbol.startswith("diamond") else ""
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {style}{turn}/>'


def _grey(value: float) -> str:
    level = round(255 * min(1.0, max(0.0, value)))
    return f"rgb({level},{level},{level})"
