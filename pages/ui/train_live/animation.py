"""A run as one animated SVG: the curves grow, and the attention of an example forms. It needs no script."""

import base64
from collections.abc import Sequence

from model.training.live.records import FIXED_EXAMPLES, NetworkReport, Snapshot
from pages.ui.charts.print_style import AMBER, BLUE, GREY, INK, RULE, VIOLET
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_percent
from pages.ui.train_live.payload_types import TrainingData

FRAME_SECONDS = 0.2
HOLD_FRAMES = 10  # at the end, before it begins anew
PANEL = (280, 150)  # size of a chart
CELL = 15
LEFT, TOP, GAP = 46, 34, 60
COLOURS = {"ink": INK, "soft": GREY, "hair": RULE, "att": VIOLET, "src": BLUE, "tgt": AMBER}


def build_svg(data: TrainingData, t: Messages) -> str:
    """Return the SVG of a run: loss, exact outputs, and for each network with attention α of the reader's input, else
    of the first example."""
    networks = data["networks"]
    started_networks = [network for network in networks if network["snapshots"]]
    count = max((len(network["snapshots"]) for network in started_networks), default=1)
    duration = (count + HOLD_FRAMES) * FRAME_SECONDS
    seconds = max((network["snapshots"][-1]["seconds"] for network in started_networks), default=1.0) or 1.0
    parts = [
        _draw_chart(networks, "loss", t("training.loss"), LEFT, seconds, duration, count, t),
        _draw_chart(networks, "accuracy", t("training.accuracy"), LEFT + PANEL[0] + GAP, seconds, duration, count, t),
    ]
    legend, maps, x = [], [], float(LEFT)
    top = TOP + PANEL[1] + 70.0
    height = top
    for number, network in enumerate(networks):
        name = escape_html(data["styles"][number]["name"])
        dash = ' stroke-dasharray="5 4"' if data["styles"][number]["is_dashed"] else ""
        legend.append(f'<path d="M{LEFT + 300 * number} 12h24" stroke="{COLOURS["ink"]}" stroke-width="1.8"{dash}/>'
                      f'<text x="{LEFT + 300 * number + 30}" y="16">{name}</text>')  # fmt: skip
        if network["snapshots"] and network["snapshots"][-1]["examples"][0]["alpha"]:
            drawing, width, bottom = _draw_map(network, name, data, x, top, duration, count)
            maps.append(drawing)
            x += width + GAP
            height = max(height, bottom)
    width = max(LEFT + 2 * PANEL[0] + GAP + 20, x)
    fills = {"text": "ink", ".s": "soft", ".src": "src", ".tgt": "tgt"}
    style = "text{font:12px system-ui,sans-serif}path{fill:none}" + "".join(
        f"{name}{{fill:{COLOURS[key]}}}" for name, key in fills.items()
    )
    title = escape_html(t("training.label"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 30}" role="img" '
            f'aria-label="{title}"><title>{title}</title><style>{style}</style>'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(legend + parts + maps)}</svg>')  # fmt: skip


def _draw_chart(networks: Sequence[NetworkReport], field: str, title: str, left: float, seconds: float,
                duration: float, count: int, t: Messages) -> str:  # fmt: skip
    """Return a chart over the seconds of training, uncovered from left to right."""
    width, height = PANEL
    points = [[(snapshot["seconds"], value) for snapshot in network["snapshots"]
               if (value := snapshot[field]) is not None] for network in networks]  # type: ignore[literal-required]
    top = 1.0 if field == "accuracy" else max((value for line in points for _, value in line), default=1.0)
    lines = ""
    for number, line in enumerate(points):
        path = " ".join(f"{left + width * x / seconds:.1f},{TOP + height * (1 - y / top):.1f}" for x, y in line)
        dash = ' stroke-dasharray="5 4"' if number else ""
        lines += f'<polyline points="{path}" fill="none" stroke="{COLOURS["ink"]}" stroke-width="1.8"{dash}/>'
    share = (count - 1) / (count + HOLD_FRAMES)
    reveal = (f'<clipPath id="{field}"><rect x="{left}" y="{TOP - 4}" height="{height + 8}" width="{width}"><animate '
              f'attributeName="width" dur="{duration:.1f}s" repeatCount="indefinite" values="0;{width};{width}" '
              f'keyTimes="0;{share:.4f};1"/></rect></clipPath>')  # fmt: skip
    label = format_percent(1, t) if field == "accuracy" else f"{top:.2g}"
    return (f'{reveal}<path d="M{left} {TOP}V{TOP + height}H{left + width}" stroke="{COLOURS["hair"]}"/>'
            f'<text class="s" x="{left - 6}" y="{TOP + 4}" text-anchor="end">{label}</text>'
            f'<text class="s" x="{left - 6}" y="{TOP + height + 4}" text-anchor="end">0</text>'
            f'<text class="s" x="{left}" y="{TOP + height + 18}">{escape_html(title)}</text>'
            f'<text class="s" x="{left + width}" y="{TOP + height + 18}" text-anchor="end">{seconds:.0f} s</text>'
            f'<g clip-path="url(#{field})">{lines}</g>')  # fmt: skip


def _draw_map(network: NetworkReport, name: str, data: TrainingData, left: float, top: float, duration: float,
              count: int) -> tuple[str, float, float]:  # fmt: skip
    """Return the moving map of the reader's input, else of the first example, its width and its bottom."""
    index = FIXED_EXAMPLES if data["input"] and len(network["examples"]) > FIXED_EXAMPLES else 0
    example, snapshots = network["examples"][index], network["snapshots"]
    source, target = [*example["source"], "·"], [*example["target"], "·"]
    frames = [base64.b64decode(snapshot["examples"][index]["alpha"]) for snapshot in snapshots]
    label_width = 8 * max(map(len, target)) + 8
    label_height = 14 if max(map(len, source)) < 3 else 8 * max(map(len, source))
    x, y = left + label_width, top + label_height + 8
    parts = [f'<text x="{left}" y="{top - 14}">{name}</text>']
    for column, token in enumerate(source):
        middle, line = f"{x + CELL * (column + 0.5):.1f}", f"{y - 5:.1f}"
        place = f'x="{middle}" y="{line}"'
        rotation = "" if label_height == 14 else f' transform="rotate(-90 {middle} {line})"'
        anchor = "middle" if label_height == 14 else "start"
        parts.append(f'<text class="src" {place} text-anchor="{anchor}"{rotation}>{escape_html(token)}</text>')
    for row, token in enumerate(target):
        parts.append(f'<text class="tgt" x="{x - 6}" y="{y + CELL * row + 12}" text-anchor="end">'
                     f"{escape_html(token)}</text>")  # fmt: skip
        for column in range(len(source)):
            values = [frame[row * len(source) + column] for frame in frames]
            parts.append(_draw_cell(x + CELL * column, y + CELL * row, values, duration, count))
    bottom = y + CELL * len(target)
    parts += _draw_outputs(snapshots, index, data["separators"][1], left, bottom + 18, duration, count)
    return "".join(parts), label_width + CELL * len(source), bottom + 20


def _draw_cell(x: float, y: float, values: Sequence[int], duration: float, count: int) -> str:
    """Return a cell whose darkness is α at each frame, 0 to 1 of the scale."""
    shades = [f"{value / 255:.2f}".removeprefix("0") for value in values]
    shades += [shades[-1]] * (count + HOLD_FRAMES - len(shades))
    return (f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{COLOURS["att"]}" fill-opacity='
            f'"{shades[-1]}" stroke="{COLOURS["hair"]}" stroke-width=".5"><animate attributeName="fill-opacity" '
            f'calcMode="discrete" dur="{duration:.1f}s" repeatCount="indefinite" values="{";".join(shades)}"/>'
            "</rect>")  # fmt: skip


def _draw_outputs(snapshots: Sequence[Snapshot], index: int, separator: str, x: float, y: float, duration: float,
                  count: int) -> list[str]:  # fmt: skip
    """Return the network's own output at each frame, one text for each time that it changes."""
    frames = count + HOLD_FRAMES
    texts = [separator.join(snapshot["examples"][index]["output"]) for snapshot in snapshots]
    texts += [texts[-1]] * (frames - len(texts))
    parts = []
    for text in dict.fromkeys(texts):
        visibilities = ";".join("visible" if other == text else "hidden" for other in texts)
        parts.append(f'<text class="tgt" x="{x}" y="{y}" visibility="{"visible" if text == texts[-1] else "hidden"}">'
                     f'{escape_html(text)}<animate attributeName="visibility" calcMode="discrete" '
                     f'dur="{duration:.1f}s" repeatCount="indefinite" values="{visibilities}"/></text>')  # fmt: skip
    return parts
