"""Attention maps as LaTeX: pictures for TikZ and pgfplots, of the same numbers as the other files."""

from textwrap import wrap

from pages.ui.charts.alignment_grid import (
    NUMBER_FROM,
    AlignmentGrid,
    Axis,
    ColourScale,
    format_weight,
    needs_white_text,
    scale_weight,
)

_COLOUR_MAPS = {
    "violet": "{alpha}{rgb255=(249,248,253) rgb255=(109,75,195)}",
    "root": "{alpha}{rgb255=(249,248,253) rgb255=(109,75,195)}",
    "grey": "{alpha}{rgb255=(0,0,0) rgb255=(255,255,255)}",
}
_ESCAPES = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip


def escape_latex(text: str) -> str:
    """Return `text` on one line, printed literally by LaTeX."""
    line = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    return "".join(_ESCAPES.get(sign, sign) for sign in line)


def build_tikz(grid: AlignmentGrid, scale: ColourScale, end: str, caption: str) -> str:
    """Return a map as a `tikzpicture`. `caption` becomes a comment; `end` labels the end of a sentence."""
    columns, rows = len(grid.source.labels), len(grid.target.labels)
    weights = grid.get_rounded_values().tolist()
    cells = "\n\n".join(
        "\n".join(f"{x} {y} {scale_weight(value, scale):.4g}" for x, value in enumerate(row))
        for y, row in enumerate(weights)
    )
    numbers = [
        rf"\node[{_choose_ink(value, scale)}] at (axis cs:{x},{y}) {{{format_weight(value)}}};"
        for y, row in enumerate(weights)
        for x, value in enumerate(row)
        if value >= NUMBER_FROM
    ]
    gaps = [rf"\draw[apart] (axis cs:{place},-0.5) -- (axis cs:{place},{rows - 0.5});"
            for place in _find_gaps(grid.source)]  # fmt: skip
    gaps += [rf"\draw[apart] (axis cs:-0.5,{place}) -- (axis cs:{columns - 0.5},{place});"
             for place in _find_gaps(grid.target)]  # fmt: skip
    unit = r"$\sqrt{\alpha}$" if scale == "root" else r"$\alpha$"
    return "\n".join((
        *(f"% {line}" for line in wrap(" ".join(caption.split()), 100)),
        r"% Needs \usepackage{pgfplots} and \pgfplotsset{compat=1.16}; compile with LuaLaTeX or XeLaTeX.",
        r"\begin{tikzpicture}[apart/.style={white, line width=1.2mm}, every node/.style={font=\footnotesize}]",
        r"\begin{axis}[x=8mm, y=7mm, y dir=reverse, enlargelimits=false, axis line style={draw=none},",
        r"  tick style={draw=none}, xticklabel pos=upper,",
        r"  xticklabel style={rotate=45, anchor=south west, inner sep=1pt},",
        f"  xtick={{{','.join(map(str, range(columns)))}}}, xticklabels={{{_list_labels(grid.source, end)}}},",
        f"  ytick={{{','.join(map(str, range(rows)))}}}, yticklabels={{{_list_labels(grid.target, end)}}},",
        f"  colormap={_COLOUR_MAPS[scale]}, point meta min=0, point meta max=1,",
        f"  colorbar, colorbar style={{title={unit}}}]",
        rf"\addplot[matrix plot*, point meta=explicit, mesh/cols={columns}] table[meta=a] {{",
        "x y a",
        cells,
        "};",
        *gaps,
        *numbers,
        r"\end{axis}",
        r"\end{tikzpicture}",
        "",
    ))  # fmt: skip


def _choose_ink(value: float, scale: ColourScale) -> str:
    return "white" if needs_white_text(value, scale) else "black"


def _list_labels(axis: Axis, end: str) -> str:
    return ",".join(f"{{{escape_latex(label)}}}" for label in axis.list_display_labels(end))


def _find_gaps(axis: Axis) -> list[float]:
    """Return where the end of the sentence is set apart."""
    return [place + 0.5 for place in range(len(axis.labels)) if axis.has_gap_after(place)]
