"""The cost of attention: the counts of Vaswani et al. (2017), and curves measured by `python -m model costs`.

The browser component that counts is in assets/player/concepts.
"""

import itertools
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from model.analysis.costs import Cost, Costs, load_costs
from model.networks import registry
from model.serialization.codec import CodecError
from pages.ui.charts.curves import PLOTLY_CONFIG, build_axis, build_layout, get_line_colour
from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer_payload_types import CountedCostsData
from pages.ui.escape import escape_html, escape_plotly
from pages.ui.i18n.messages import Messages, render_term
from pages.ui.i18n.typography import format_millions
from pages.ui.widgets.screen import get_font_scale, is_dark

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MEASURED_FIELDS = ("encoding", "step")  # of a Cost
LENGTH_TICKS = [10, 20, 40, 80, 160, 400]
VALUE_TICKS = [digit * 10.0**power for power in range(-2, 4) for digit in (1, 2, 5)]
TABLE_SOURCE = "A. Vaswani et al.: Attention Is All You Need, NIPS 2017, Table 1"

UNMEASURED = {"convolution": ("O(k n d²)", "O(1)", "O(logₖ n)"), "restricted": ("O(r n d)", "O(1)", "O(n / r)")}
"""Layers that no network here has: operations, sequential steps and the longest path within a sentence."""

_log = logging.getLogger(__name__)
_mount = Component("counted_costs", CountedCostsData)


@dataclass(frozen=True)
class CostCurve:
    """One line of a chart: its title, a value for each length, Plotly's dash and marker, and whether in ink or grey."""

    title: str
    values: tuple[float, ...]
    dash: str
    symbol: str
    is_ink: bool


def render_costs(context: IdeaContext) -> None:
    """Draw the counts, the measured curves and the table."""
    t = context.t
    _mount(key="concept-costs", data={"messages": t.get_table("counted"), "language": t.language})
    render_measured_costs(t)


def render_measured_costs(t: Messages) -> None:
    """Draw the measured curves and the table; nothing if no measurement is shipped."""
    try:
        costs = load_costs()
    except (CodecError, OSError) as error:
        _log.warning("the costs of attention are left out: %s", error)
        return
    sizes = [round(cost.parameters / 1e6) for cost in costs.costs]
    lead = t.format_html("costs.lead", d=costs.hidden, least=min(sizes), most=max(sizes))
    unit = t("costs.milliseconds")
    with st.container(key="costs"):
        st.html(f"<h2>{escape_html(t('costs.heading'))}</h2><p>{lead}</p>")
        for name, column in zip(MEASURED_FIELDS, st.columns(2, gap="medium"), strict=True):
            heading, curves = t(f"costs.{name}"), build_measured_curves(costs, name)
            figure = _build_figure(
                tuple(costs.lengths), tuple(curves), heading, unit, t("costs.length"), get_font_scale(), is_dark()
            )
            ranges = "; ".join(f"{curve.title}: {curve.values[0]:.3g}–{curve.values[-1]:.3g}" for curve in curves)
            description = t("costs.described", heading=heading, unit=unit, first=costs.lengths[0],
                            last=costs.lengths[-1], list=ranges)  # fmt: skip
            column.plotly_chart(figure, key=f"cost-{name}", config=PLOTLY_CONFIG, alt=description)
        summary = " ".join(describe_comparison(costs, t))
        origin = t("costs.measured", machine=costs.machine, date=costs.date[:10], command=costs.command,
                   source=TABLE_SOURCE)  # fmt: skip
        st.html(f"<p>{escape_html(summary)}</p>{format_table(costs, t)}<p class='footnote'>{escape_html(origin)}</p>")


def build_measured_curves(costs: Costs, field: str) -> list[CostCurve]:
    """Return a curve per network of one of MEASURED_FIELDS, recurrent networks in grey."""
    curves = []
    for cost, dash in zip(costs.costs, itertools.cycle(DASHES), strict=False):
        kind = registry.KINDS.get(cost.kind)
        marker = kind.marker if kind else registry.DEFAULT_MARKER
        symbol = marker if cost.has_attention else f"{marker}-open"
        is_ink = kind is not None and not kind.is_recurrent
        curves.append(CostCurve(name_network(cost), getattr(cost, field), dash, symbol, is_ink))
    return curves


def name_network(cost: Cost) -> str:
    """Return the name of the network as papers write it."""
    return registry.KINDS[cost.kind].title if cost.kind in registry.KINDS else cost.kind


def describe_comparison(costs: Costs, t: Messages) -> list[str]:
    """Compare the first non-recurrent network with the first recurrent one that attends: encoding, then one step.

    Empty if one of the two is missing.
    """
    kinds = registry.KINDS
    parallel = next((cost for cost in costs.costs if cost.kind in kinds and not kinds[cost.kind].is_recurrent), None)
    recurrent = next((cost for cost in costs.costs
                      if cost.has_attention and cost.kind in kinds and kinds[cost.kind].is_recurrent), None)
    if parallel is None or recurrent is None:
        return []
    return [_compare_encoding(costs, parallel, recurrent, t), _compare_steps(costs, parallel, recurrent, t)]


def _compare_encoding(costs: Costs, first: Cost, second: Cost, t: Messages) -> str:
    """Say from which source length on one network encodes faster than the other, if that changes."""
    times_by_length = zip(first.encoding, second.encoding, strict=True)
    is_faster = [first_time < second_time for first_time, second_time in times_by_length]
    names = {"one": name_network(first), "other": name_network(second)}
    times = second.encoding[-1] / first.encoding[-1]
    if len(set(is_faster)) == 1:
        return t(f"costs.{'always' if is_faster[0] else 'never'}", times=f"{max(times, 1 / times):.1f}",
                 length=costs.lengths[-1], **names)  # fmt: skip
    crossover = next(index for index in range(1, len(is_faster)) if is_faster[index] != is_faster[index - 1])
    return t("costs.changes", length=costs.lengths[crossover], last=costs.lengths[-1], times=f"{times:.1f}", **names)


def _compare_steps(costs: Costs, first: Cost, second: Cost, t: Messages) -> str:
    """Say which network has the faster decoder step after the longest source, and by how much."""
    slow, fast = (first, second) if first.step[-1] > second.step[-1] else (second, first)
    return t("costs.writes", slow=name_network(slow), quick=name_network(fast), length=costs.lengths[-1],
             times=f"{slow.step[-1] / fast.step[-1]:.1f}")  # fmt: skip


@lru_cache(maxsize=32)  # drawing both takes as long as the rest of a run
def _build_figure(lengths: tuple[int, ...], curves: tuple[CostCurve, ...], heading: str, y_title: str, x_title: str,
                  font_scale: float, is_dark: bool) -> go.Figure:  # fmt: skip
    size = round(13 * font_scale)
    layout = build_layout(
        size,
        round(440 * min(font_scale, 1.2)),
        heading,
        legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top", "font": {"size": size}},
        xaxis=build_axis(x_title, size, type="log", tickvals=LENGTH_TICKS, ticktext=list(map(str, LENGTH_TICKS))),
        yaxis=build_axis(
            y_title, size, type="log", tickvals=VALUE_TICKS, ticktext=[f"{tick:g}" for tick in VALUE_TICKS]
        ),
    )
    return go.Figure([_build_trace(curve, lengths, is_dark) for curve in curves], layout)


def _build_trace(curve: CostCurve, lengths: Sequence[int], is_dark: bool) -> go.Scatter:
    colour = get_line_colour(curve.is_ink, is_dark)
    return go.Scatter(
        x=list(lengths), y=list(curve.values), name=escape_plotly(curve.title), mode="lines+markers",
        line={"color": colour, "dash": curve.dash, "width": 2.4 if curve.is_ink else 1.5},
        marker={"symbol": curve.symbol, "size": 7, "color": colour},
        hovertemplate="%{y:.3g}<extra>" + escape_plotly(curve.title) + "</extra>",
    )  # fmt: skip


def format_table(costs: Costs, t: Messages) -> str:
    """Return the paper's counts and our measurements, a row per network, as HTML."""
    columns = ("kind", "operations_layer", "sequential", "path_within", "path_across", "parameters", "read_long",
               "step_long")  # fmt: skip
    heads = "".join(
        f"<th scope='col'>{t.format_html(f'costs.{name}', length=costs.lengths[-1])}</th>" for name in columns
    )
    rows = "".join(_format_row(cost, t) for cost in costs.costs)
    rows += "".join(_format_cells(escape_html(t(f"costs.{name}")), (*counts, *"––––"))
                    for name, counts in UNMEASURED.items())  # fmt: skip
    return (f"<div class='table' tabindex='0'><table>"
            f"<caption>{escape_html(t('costs.caption', d=costs.hidden))}</caption>"
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>")  # fmt: skip


def _format_row(cost: Cost, t: Messages) -> str:
    kind = registry.KINDS.get(cost.kind)
    is_recurrent = kind is None or kind.is_recurrent
    name = render_term(kind.glossary_key, kind.title) if kind and kind.glossary_key else escape_html(name_network(cost))
    counts = ("O(n d²)", "O(n)", "O(n)") if is_recurrent else ("O(n² d)", "O(1)", "O(1)")
    cells = (*counts, "O(1)" if cost.has_attention else "O(n)", format_millions(cost.parameters, t),
             f"{cost.encoding[-1]:.0f} ms", f"{cost.step[-1]:.1f} ms")  # fmt: skip
    return _format_cells(name, cells)


def _format_cells(name: str, cells: Sequence[str]) -> str:
    return f"<tr><th scope='row'>{name}</th>{''.join(f'<td>{escape_html(cell)}</td>' for cell in cells)}</tr>"
