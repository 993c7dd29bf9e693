"""Tables as HTML: real text, headed for screen readers; every word in them is made harmless here."""

from collections.abc import Iterable, Sequence

from model.analysis.metrics.length_curve import LengthBin
from pages.ui.backend.cards import get_title
from pages.ui.charts.curves import MIN_SENTENCES, LengthCurve, format_bin
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages


def render_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", css_class: str = "numbers"
) -> str:
    """A table whose first column heads its rows; `kind` is its class."""
    heads = "".join(f"<th scope='col'>{escape_html(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th scope='row'>{escape_html(first)}</th>{''.join(f'<td>{escape_html(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    title = f"<caption>{escape_html(caption)}</caption>" if caption else ""
    return (
        f"<div class='table {escape_html(css_class)}' tabindex='0'><table>{title}<thead><tr>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def render_curve_table(curves: Sequence[LengthCurve], t: Messages) -> str:
    """The numbers behind a picture, a row a bin, and below them what they were measured with."""
    head = [t("curve.words"), t("curve.sentences"), *(get_title(curve.model) for curve in curves)]
    rows = [
        [format_bin(point), f"{point.sentences:,}", *(format_score(curve.points[number], t) for curve in curves)]
        for number, point in enumerate(curves[0].points)
    ]
    return render_table(head, rows) + f"<p class='small'>{describe_measurement(curves, t)}</p>"


def format_score(point: LengthBin, t: Messages) -> str:
    """A bin's BLEU with its band; a dash where there is no sentence."""
    if point.bleu is None:
        return "–"
    if not point.band:
        return f"{point.bleu:.1f}"
    return t("curve.cell", value=f"{point.bleu:.1f}", low=f"{point.band[0]:.1f}", high=f"{point.band[1]:.1f}")


def describe_measurement(curves: Sequence[LengthCurve], t: Messages) -> str:
    """What the curves of one test set were measured on, with which signature and which weights, as HTML."""
    made = curves[0].evaluation
    weights = ", ".join(f"{get_title(curve.model)} {curve.evaluation.fingerprint}" for curve in curves)
    signatures = sorted({curve.evaluation.signatures.get("bleu", "") for curve in curves})
    said = t.format_html(
        "curve.measured",
        set=made.data.name,
        sentences=f"{made.data.sentences:,}",
        signature=", ".join(signatures),
        weights=weights,
        date=", ".join(sorted({curve.evaluation.date[:10] for curve in curves})),
    )
    few = [format_bin(point) for point in curves[0].points if 0 < point.sentences < MIN_SENTENCES]
    return f"{said} {escape_html(t('curve.few', few=MIN_SENTENCES, bins=', '.join(few)))}" if few else said


def render_commands(commands: Iterable[tuple[str, str]], t: Messages) -> str:
    """The commands that made the numbers above, from (model, command), as HTML; commands that differ in their model
    alone are one."""
    models: dict[str, list[str]] = {}
    for model, command in commands:
        models.setdefault(command.replace(f"--model {model}", "--model NAME"), []).append(model)
    parts = [
        f"<code>{escape_html(command.replace('--model NAME', f'--model {of[0]}') if len(of) == 1 else command)}</code>"
        + (f" ({escape_html(', '.join(of))})" if len(of) > 1 else "")
        for command, of in models.items()
    ]
    return f"<p class='small made-by'>{escape_html(t('figures.made_by'))} {'; '.join(parts)}</p>"
