"""Tables as HTML, with headers for screen readers and all text escaped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from model.analysis.metrics.length_curve import LengthBin
from pages.ui.backend.cards import get_title
from pages.ui.charts.curves import MIN_SENTENCES, LengthCurve, format_bin
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages


@dataclass(frozen=True)
class Bar:
    """A horizontal bar beside a row's name: a value from 0 to 1, its band, and whether it is in ink or grey."""

    value: float
    band: tuple[float, float] | None = None
    is_ink: bool = True

    def render(self) -> str:
        """Return the bar as a table cell; the number itself stands in another cell."""
        css_class = "ink" if self.is_ink else "grey"
        parts = f"<i class='{css_class}' style='width:{100 * self.value:.1f}%'></i>"
        if self.band:
            low, high = self.band
            parts += f"<u style='left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%'></u>"
        return f"<td><div class='bar'>{parts}</div></td>"


def render_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", bars: Sequence[Bar] = ()
) -> str:
    """Return a table whose first column holds the row headers, and the second one the rows' bars if there are any."""
    first_title, *titles = (f"<th scope='col'>{escape_html(cell)}</th>" for cell in head)
    bar_cells = [bar.render() for bar in bars] or [""] * len(rows)
    body = "".join(
        f"<tr><th scope='row'>{escape_html(first)}</th>{bar}"
        f"{''.join(f'<td>{escape_html(cell)}</td>' for cell in rest)}</tr>"
        for (first, *rest), bar in zip(rows, bar_cells, strict=True)
    )
    title = f"<caption>{escape_html(caption)}</caption>" if caption else ""
    return (
        f"<div class='table' tabindex='0'><table>{title}<thead><tr>{first_title}{'<td></td>' if bars else ''}"
        f"{''.join(titles)}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def render_curve_table(curves: Sequence[LengthCurve], t: Messages) -> str:
    """Return the numbers behind length curves, one row per bin, and below them how they were measured."""
    head = [t("curve.words"), t("curve.sentences"), *(get_title(curve.model) for curve in curves)]
    rows = [
        [format_bin(point), f"{point.sentences:,}", *(format_point(curve.points[number], t) for curve in curves)]
        for number, point in enumerate(curves[0].points)
    ]
    return render_table(head, rows) + f"<p class='small'>{describe_measurement(curves, t)}</p>"


def format_point(point: LengthBin, t: Messages) -> str:
    """Return a bin's BLEU with its bootstrap band; a dash if the bin is empty."""
    return "–" if point.bleu is None else format_bleu(point.bleu, point.band, t)


def format_bleu(bleu: float, band: tuple[float, float] | None, t: Messages) -> str:
    """Return BLEU with its bootstrap band, if it has one."""
    if not band:
        return f"{bleu:.1f}"
    return t("curve.cell", value=f"{bleu:.1f}", low=f"{band[0]:.1f}", high=f"{band[1]:.1f}")


def describe_measurement(curves: Sequence[LengthCurve], t: Messages) -> str:
    """Return the test set, signature and weights of the curves of one test set, as HTML."""
    evaluation = curves[0].evaluation
    weights = ", ".join(f"{get_title(curve.model)} {curve.evaluation.fingerprint}" for curve in curves)
    signatures = sorted({curve.evaluation.signatures.get("bleu", "") for curve in curves})
    description = t.format_html(
        "curve.measured",
        set=evaluation.data.name,
        sentences=f"{evaluation.data.sentences:,}",
        signature=", ".join(signatures),
        weights=weights,
        date=", ".join(sorted({curve.evaluation.date[:10] for curve in curves})),
    )
    small_bins = [format_bin(point) for point in curves[0].points if 0 < point.sentences < MIN_SENTENCES]
    if small_bins:
        description += f" {escape_html(t('curve.few', few=MIN_SENTENCES, bins=', '.join(small_bins)))}"
    return description


def render_commands(commands: Iterable[tuple[str, str]], t: Messages) -> str:
    """Return (model, command) pairs as HTML. Commands that differ only in their model are merged."""
    models_by_command: dict[str, list[str]] = {}
    for model, command in commands:
        models_by_command.setdefault(command.replace(f"--model {model}", "--model NAME"), []).append(model)
    parts = []
    for command, models in models_by_command.items():
        if len(models) == 1:
            parts.append(f"<code>{escape_html(command.replace('--model NAME', f'--model {models[0]}'))}</code>")
        else:
            parts.append(f"<code>{escape_html(command)}</code> ({escape_html(', '.join(models))})")
    return f"<p class='small source-note'>{escape_html(t('figures.commands'))} {'; '.join(parts)}</p>"
