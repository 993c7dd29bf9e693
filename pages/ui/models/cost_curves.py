"""What looking costs, as `python -m model costs` measured it for the app: curves, and what Vaswani et al. count."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from model.analysis.costs import Cost, Costs, load_costs
from model.networks import registry
from model.serialization.codec import CodecError
from pages.ui.charts.curves import get_line_colour
from pages.ui.escape import markup, plotly
from pages.ui.i18n.messages import Messages, term
from pages.ui.i18n.numbers import millions
from pages.ui.widgets.screen import dark, enlarge

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
PARTS = ("reading", "step")
TICKS = [digit * 10.0**power for power in range(-2, 4) for digit in (1, 2, 5)]
TABLE = "A. Vaswani et al.: Attention Is All You Need, NIPS 2017, Table 1"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CostCurve:
    """One line of a picture: its title, its values at the lengths, its dash and marker, and whether in ink or grey."""

    title: str
    values: tuple[float, ...]
    dash: str
    symbol: str
    is_ink: bool


def render_costs(t: Messages) -> None:
    """Draw what was measured, what the paper counts beside it, and the table."""
    try:
        costs = load_costs()
    except (CodecError, OSError) as error:
        _log.warning("what looking costs is left out: %s", error)
        return
    sizes = [round(cost.parameters / 1e6) for cost in costs.costs]
    lead = t.marked("costs.lead", d=costs.hidden, least=min(sizes), most=max(sizes))
    with st.container(key="costs"):
        st.html(f"<h2>{markup(t('costs.heading'))}</h2><p>{lead}</p>")
        places = st.columns(3, gap="medium")
        for part, place in zip(PARTS, places, strict=False):
            drawn = build_measured_curves(costs, part)
            _draw(place, costs.lengths, drawn, t(f"costs.{part}"), t("costs.milliseconds"), part, t)
        drawn = build_counted_curves(costs, t)
        _draw(places[2], costs.lengths, drawn, t("costs.counted"), t("costs.operations"), "counted", t)
        crossed = " ".join((*describe_comparison(costs, t), t("costs.crossing", d=costs.hidden)))
        made = t("costs.made", machine=costs.machine, date=costs.made[:10], command=costs.command, source=TABLE)
        st.html(f"<p>{markup(crossed)}</p>{format_table(costs, t)}<p class='made'>{markup(made)}</p>")


def build_measured_curves(costs: Costs, part: str) -> list[CostCurve]:
    """The curves of one part of the measurement: those that read piece by piece in grey."""
    found = []
    for number, cost in enumerate(costs.costs):
        kind = registry.KINDS.get(cost.kind)
        marker = kind.marker if kind else registry.DEFAULT_MARKER
        symbol = marker if cost.attends else f"{marker}-open"
        ink = kind is not None and not kind.is_recurrent
        found.append(CostCurve(get_title(cost), getattr(cost, part), DASHES[number % len(DASHES)], symbol, ink))
    return found


def build_counted_curves(costs: Costs, t: Messages) -> list[CostCurve]:
    """Operations of one layer, in millions: n² d and n d²."""
    d = costs.hidden
    return [
        CostCurve(t("costs.recurrent"), tuple(n * d * d / 1e6 for n in costs.lengths), "dash", "circle", False),
        CostCurve(t("costs.looking"), tuple(n * n * d / 1e6 for n in costs.lengths), "solid", "diamond", True),
    ]


def get_title(cost: Cost) -> str:
    """The kind's name as papers write it."""
    return registry.KINDS[cost.kind].title if cost.kind in registry.KINDS else cost.kind


def describe_comparison(costs: Costs, t: Messages) -> list[str]:
    """What reading all at once costs beside the first kind that attends and reads piece by piece, and what a step of
    writing does; nothing where one of the two is missing."""
    kinds = registry.KINDS
    at_once = [one for one in costs.costs if one.kind in kinds and not kinds[one.kind].is_recurrent]
    by_piece = [one for one in costs.costs if one.attends and one.kind in kinds and kinds[one.kind].is_recurrent]
    return (
        [_read(costs, at_once[0], by_piece[0], t), _written(costs, at_once[0], by_piece[0], t)]
        if at_once and by_piece
        else []
    )


def _read(costs: Costs, one: Cost, other: Cost, t: Messages) -> str:
    """Where reading by the one overtakes reading by the other, or is overtaken."""
    sooner = [mine < theirs for mine, theirs in zip(one.reading, other.reading, strict=True)]
    names = {"one": get_title(one), "other": get_title(other)}
    times = other.reading[-1] / one.reading[-1]
    if all(sooner) or not any(sooner):
        return t(f"costs.{'always' if all(sooner) else 'never'}", times=f"{max(times, 1 / times):.1f}",
                   length=costs.lengths[-1], **names)  # fmt: skip
    first = next(place for place in range(1, len(sooner)) if sooner[place] != sooner[place - 1])
    return t("costs.changes", length=costs.lengths[first], last=costs.lengths[-1], times=f"{times:.1f}", **names)


def _written(costs: Costs, one: Cost, other: Cost, t: Messages) -> str:
    """Which of the two writes a piece sooner after the longest source, and how many times as fast."""
    slow, quick = (one, other) if one.step[-1] > other.step[-1] else (other, one)
    return t("costs.writes", slow=get_title(slow), quick=get_title(quick), length=costs.lengths[-1],
               times=f"{slow.step[-1] / quick.step[-1]:.1f}")  # fmt: skip


def _draw(
    place: st.delta_generator.DeltaGenerator,
    lengths: Sequence[int],
    drawn: Sequence[CostCurve],
    heading: str,
    upward: str,
    key: str,
    t: Messages,
) -> None:
    drawing = _figure(tuple(lengths), tuple(drawn), heading, upward, t("costs.length"), enlarge(), dark())
    told = "; ".join(f"{one.title}: {one.values[0]:.3g}–{one.values[-1]:.3g}" for one in drawn)
    place.plotly_chart(drawing, key=f"cost-{key}", config={"displayModeBar": False},
                       alt=t("costs.described", heading=heading, unit=upward, first=lengths[0], last=lengths[-1],
                               list=told))  # fmt: skip


@lru_cache(maxsize=32)  # drawing three takes as long as the rest of a run
def _figure(
    lengths: tuple[int, ...],
    drawn: tuple[CostCurve, ...],
    heading: str,
    upward: str,
    across: str,
    enlarge: float,
    dark: bool,
) -> go.Figure:
    size = round(13 * enlarge)
    axis = {"type": "log", "tickfont": {"size": size}, "zeroline": False, "automargin": True}
    ticks = [10, 20, 40, 80, 160, 400]
    return go.Figure([_trace(one, lengths, dark) for one in drawn], dict(
        height=round(440 * min(enlarge, 1.2)), margin={"l": 8, "r": 8, "t": 34, "b": 8}, font={"size": size},
        hoverlabel={"font": {"size": size}}, showlegend=True,
        title={"text": plotly(heading), "font": {"size": size + 2}, "x": 0, "y": 0.99, "yanchor": "top"},
        legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top", "font": {"size": size}},
        xaxis={**axis, "tickvals": ticks, "ticktext": list(map(str, ticks)),
               "title": {"text": plotly(across), "font": {"size": size}}},
        yaxis={**axis, "tickvals": TICKS, "ticktext": [f"{tick:g}" for tick in TICKS],
               "title": {"text": plotly(upward), "font": {"size": size}}},
    ))  # fmt: skip


def _trace(one: CostCurve, lengths: Sequence[int], dark: bool) -> go.Scatter:
    ink = get_line_colour(one.is_ink, dark)
    return go.Scatter(
        x=list(lengths), y=list(one.values), name=plotly(one.title), mode="lines+markers",
        line={"color": ink, "dash": one.dash, "width": 2.4 if one.is_ink else 1.5},
        marker={"symbol": one.symbol, "size": 7, "color": ink},
        hovertemplate="%{y:.3g}<extra>" + plotly(one.title) + "</extra>",
    )  # fmt: skip


def format_table(costs: Costs, t: Messages) -> str:
    """Each kind with what the paper counts of it and what was measured, as HTML."""
    columns = ("kind", "operations_layer", "sequential", "path_within", "path_across", "parameters", "read_long",
               "step_long")  # fmt: skip
    heads = "".join(f"<th scope='col'>{t.marked(f'costs.{name}', length=costs.lengths[-1])}</th>" for name in columns)
    rows = "".join(_row(cost, t) for cost in costs.costs)
    return (f"<div class='table' tabindex='0'><table><caption>{markup(t('costs.caption', d=costs.hidden))}</caption>"
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>")  # fmt: skip


def _row(cost: Cost, t: Messages) -> str:
    kind = registry.KINDS.get(cost.kind)
    recurrent = kind is None or kind.is_recurrent
    name = term(kind.glossary_key, kind.title) if kind and kind.glossary_key else markup(get_title(cost))
    cells = (
        "O(n d²)" if recurrent else "O(n² d)", "O(n)" if recurrent else "O(1)", "O(n)" if recurrent else "O(1)",
        "O(1)" if cost.attends else "O(n)", millions(cost.parameters, t), f"{cost.reading[-1]:.0f} ms",
        f"{cost.step[-1]:.1f} ms",
    )  # fmt: skip
    return f"<tr><th scope='row'>{name}</th>{''.join(f'<td>{markup(cell)}</td>' for cell in cells)}</tr>"
