"""What a page offers for a paper: its figure as files, its heatmaps as LaTeX, and BibTeX entries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from model.analysis.errors.differences import find_errors
from model.networks.bibliography import build_bibliography
from model.trace import WORD_START, Trace, select_displayable_maps
from pages.ui.backend import cards
from pages.ui.backend.cards import get_title
from pages.ui.charts import alignment_grid, latex, print_maps, print_models
from pages.ui.charts.alignment_grid import AlignmentGrid, ColourScale, Unit
from pages.ui.charts.print_models import PrintedCandidate, PrintedModel
from pages.ui.charts.print_texts import PrintedWord
from pages.ui.charts.printing import Drawing
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_markdown
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal, format_millions, typeset_with_tail
from pages.ui.widgets import downloads, map_names, print_figures

_MENU_HEIGHT = 180  # pixels, of a listing


@dataclass(frozen=True)
class PaperFigure:
    """A figure: its drawing, its numbers as CSV, its translations, and its maps with their captions."""

    drawing: Drawing
    build_table: Callable[[], str]
    traces: Sequence[Trace]
    maps: Sequence[tuple[str, AlignmentGrid, str]]
    scale: ColourScale = "violet"


def draw_figure_menu(figure: PaperFigure, t: Messages) -> None:
    """Draw one button that opens all downloads of the figure."""
    menu = st.popover(t("print.figure"), key="figure", type="tertiary", help=t("print.figure_help"), on_change="rerun")
    with menu:
        with st.container(key="figure-files", horizontal=True, gap="xsmall"):
            print_figures.draw_file_buttons(figure.drawing, t, figure.build_table, key="figure")
        if menu.open:
            _draw_listings(figure, t)


def draw_latex_menu(figure: PaperFigure, t: Messages) -> None:
    """Draw one button that opens the LaTeX of the figure, beside the buttons of its files."""
    menu = st.popover("LaTeX", key="latex", type="tertiary", help=t("print.latex_help"), on_change="rerun")
    if menu.open:
        with menu:
            _draw_listings(figure, t)


def _draw_listings(figure: PaperFigure, t: Messages) -> None:
    """Draw the LaTeX of each map and the BibTeX, each with a button that copies it."""
    end = t("heatmap.end")
    for name, grid, caption in figure.maps:
        st.markdown(t("print.tikz", model=escape_markdown(name)))
        st.code(latex.build_tikz(grid, figure.scale, end, caption), language="latex", height=_MENU_HEIGHT)
    st.markdown(t("print.bibtex"))
    model_cards = [card for trace in figure.traces if (card := cards.find_card(trace.provenance.model))]
    st.code(build_bibliography(card.kind for card in model_cards), language="latex", height=_MENU_HEIGHT)


def build_map_figure(trace: Trace, unit: Unit, scale: ColourScale, t: Messages) -> PaperFigure:
    """Return the figure of a page with one heatmap."""
    model, map_name = map_names.build_title(trace, t), map_names.name_displayed_map(trace, t)
    grid = alignment_grid.build_grid(trace, unit)
    title = t("download.title", model=model, target=trace.target.text, source=trace.source.text)
    suffix = "-".join(filter(None, (downloads.slugify_words(map_name), unit)))
    caption = describe_figure([trace], unit, scale, t)
    drawing = print_maps.build_alignment_drawing(
        downloads.build_file_name(trace, suffix), grid, scale, title, t("heatmap.end"), model=model, caption=caption
    )
    return PaperFigure(drawing, lambda: alignment_grid.to_csv(grid), [trace], [(model, grid, caption)], scale)


def build_models_figure(traces: Sequence[Trace], name: str, t: Messages, columns: int) -> PaperFigure:
    """Return the figure of several models, `columns` side by side; two have large maps with numbers."""
    style = print_maps.LARGE_STYLE if columns == 2 else print_maps.SMALL_STYLE
    caption = describe_figure(traces, "words", "violet", t, has_numbers=style.has_numbers)
    grids = [alignment_grid.build_grid(trace, "words") if trace.has_attention else None for trace in traces]
    printed_models = [PrintedModel(map_names.build_title(trace, t) if grid else get_title(trace.provenance.model),
                                   _describe_facts(trace, t), _print_target(trace), grid)
                      for trace, grid in zip(traces, grids, strict=True)]  # fmt: skip
    file = downloads.build_file_name(traces[0], name, [trace.provenance.model for trace in traces])
    titled_traces = [(model.title, trace) for model, trace in zip(printed_models, traces, strict=True)]
    title = "; ".join(f"{name}: {trace.target.text}" for name, trace in titled_traces)
    source = [PrintedWord(gap, word) for gap, word in typeset_with_tail(traces[0].source, traces[0].source_language)]
    drawing = print_models.build_models_drawing(
        file, source, printed_models, title, t("heatmap.end"), caption, columns, style
    )
    maps = [(model.title, model.grid, describe_figure([trace], "words", "violet", t))
            for model, trace in zip(printed_models, traces, strict=True) if model.grid]  # fmt: skip
    return PaperFigure(drawing, lambda: alignment_grid.to_long_csv(titled_traces), traces, maps)


def build_step_figure(
    trace: Trace, step: int, candidates: Sequence[tuple[str, float, bool]], t: Messages
) -> PaperFigure:
    """Return the figure of one step: the tokens so far with their rows of α, and the `candidates` of the step.

    `candidates`: each has a text, a probability, and whether it was written.
    """
    full_grid = alignment_grid.build_grid(trace, "pieces") if trace.has_attention else None
    grid = None if full_grid is None else full_grid.crop(step)
    caption = describe_figure([trace], "pieces", "violet", t, steps=(step, len(trace.steps)))
    pieces = [trace.target.get_written_piece(place) for place in range(step)]
    words = [PrintedWord(" " if piece.startswith(WORD_START) else "", piece.removeprefix(WORD_START), place == step - 1)
             for place, piece in enumerate(pieces)]  # fmt: skip
    heading = t("print.step", step=step)
    model = map_names.build_title(trace, t) if grid else get_title(trace.provenance.model)
    title = f"{model}, {heading}: {trace.source.text}"
    name = downloads.build_file_name(trace, f"{t('print.step_file')}-{step}")
    drawing = print_models.build_step_drawing(
        name, grid, words, [PrintedCandidate(*candidate) for candidate in candidates], heading, title,
        t("heatmap.end"), caption,
    )  # fmt: skip
    maps = [(model, grid, caption)] if grid else []
    return PaperFigure(drawing, lambda: build_steps_csv(trace, step), [trace], maps)


def build_steps_csv(trace: Trace, last: int) -> str:
    """Return the first steps as CSV: each with its token, log p, α and candidates."""
    alpha = trace.get_map().values if trace.has_attention else None
    sources = trace.source.pieces if alpha is not None else ()
    count = max(len(step.candidates) for step in trace.steps)
    head = ["step", "token", "log p", *(f"α: {piece}" for piece in sources)]
    head += [f"{kind} {rank}" for rank in range(1, count + 1) for kind in ("candidate", "log p of candidate")]
    rows = []
    for number, step in enumerate(trace.steps[:last]):
        weights = [] if alpha is None else alpha[number]
        candidate_cells = [value for one in step.candidates for value in (one.piece, one.log_probability)]
        rows.append((number + 1, step.piece, step.log_probability, *weights, *candidate_cells))
    return build_csv(head, rows)


def describe_figure(traces: Sequence[Trace], unit: Unit, scale: ColourScale, t: Messages, *, has_numbers: bool = True,
                    steps: tuple[int, int] | None = None) -> str:  # fmt: skip
    """Return a caption: how to read the figure, what it leaves out, and what made it."""
    attention_traces = [trace for trace in traces if trace.has_attention]
    plain_titles = list(dict.fromkeys(get_title(trace.provenance.model) for trace in traces if not trace.has_attention))
    parts = []
    if attention_traces:
        parts.append(t(f"print.rows_{unit}"))
        parts += [t("print.root")] if scale == "root" else []
        least = f"{alignment_grid.NUMBER_FROM:g}"
        parts.append(t("print.numbers", least=least) if has_numbers else t("print.no_numbers"))
        parts.append(t("print.end", end=t("heatmap.end")))
    if plain_titles:
        parts.append(t("print.plain", models=", ".join(plain_titles)))
    for trace in attention_traces:
        num_other_maps = len(select_displayable_maps(one.description for one in trace.maps)) - 1
        if num_other_maps > 0:
            map_name = map_names.name_displayed_map(trace, t)
            parts.append(t("print.maps", model=get_title(trace.provenance.model), map=map_name, count=num_other_maps))
    if steps and steps[0] < steps[1]:
        parts.append(t("print.steps", step=steps[0], last=steps[1]))
    if len(traces) > 1 and any(word.is_marked for trace in traces for word in _print_target(trace)):
        parts.append(t("print.marks"))
    records = [trace.provenance for trace in traces if trace.has_probabilities]
    if records:
        beam = int(records[0].settings.get("beam", 1))
        search = t("option.beam" if beam > 1 else "option.greedy", width=beam)
        weights = ", ".join(dict.fromkeys(f"{get_title(one.model)} {one.fingerprint}" for one in records))
        parts.append(t("print.provenance", search=search, list=weights))
    parts += [t("print.edited")] if any(trace.provenance.overrides for trace in traces) else []
    return " ".join(parts)


def _describe_facts(trace: Trace, t: Messages) -> str:
    """Return a model's training, the score of its translation, and the words it lost."""
    card = cards.find_trained_card(trace.provenance.model, trace.provenance.fingerprint)
    pieces = format_millions(card.target_tokens, t) if card else ""
    facts = [t("print.trained", hours=format_decimal(card.hours, 1), pieces=pieces)] if card else []
    facts.append(f"log p {format_decimal(trace.log_probability, 1)}")
    lost_words = [trace.source.words[word] for word in find_errors(trace).omissions]
    facts += [t("print.lost", list=", ".join(lost_words))] if lost_words else []
    return " · ".join(facts)


def _print_target(trace: Trace) -> list[PrintedWord]:
    """Return the words of a translation, with added and repeated ones marked."""
    errors = find_errors(trace)
    marked_words = {*errors.additions, *errors.repetitions}
    words = typeset_with_tail(trace.target, trace.target_language)
    return [PrintedWord(gap, word, place in marked_words) for place, (gap, word) in enumerate(words)]
