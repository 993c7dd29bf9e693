"""The paper's figures: its tables and figures beside ours, and the claims of this and related papers with verdicts."""

import logging
from collections.abc import Sequence
from functools import partial

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import BINS
from model.analysis.paper import figures as samples
from model.analysis.paper.checks import MIN_HOURS
from model.analysis.paper.figures import FigureAlignment
from model.analysis.paper.published import PAPER, TABLE_1, TABLE_2, TRAINING_WORDS
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.trace import Trace
from pages import guard
from pages.ui.backend.cards import find_trained_card, get_title, list_cards, list_models, select_default_kinds
from pages.ui.backend.evaluations import (
    EvaluationIndex,
    Search,
    describe_search,
    describe_test_set,
    get_search,
    load_index,
    slugify,
)
from pages.ui.charts import alignment_grid, curves, print_curves, print_maps
from pages.ui.escape import escape_html
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions
from pages.ui.results import alignment_error, beam_sizes, claims, long_sentences
from pages.ui.url_state.state import get_messages
from pages.ui.widgets import bleu_details, downloads, print_figures, tables

TEST_SET = "newstest2014"  # the paper's test set
LETTERS = "abcdefgh"
FIGURES_COMMAND = "python -m model figures"
COMMANDS = """<pre>python -m model data FOLDER --control wide --vocabulary-of rnnsearch-50 --out runs/wide
python -m model trials model/training/recipes/trials/luong.toml --data runs/wide --out luong.json
python -m model compared FOLDER runs/trials/luong/*/
python -m model evaluate FOLDER --all
python -m model claims --save
python -m model figures</pre>"""

_log = logging.getLogger(__name__)


def main() -> None:
    t = get_messages()
    frame.load_page_styles("paper_figures")
    with st.container(key="figures"):
        st.html(f"<h2>{escape_html(t('figures.heading'))}</h2><p>{escape_html(t('figures.how'))}</p>")
        checked, index = claims.read_claims(), load_index()
        draw_table_1(index, t)
        st.html(claims.format_claims((1, 2), checked, t))
        draw_figure_2(index, t)
        st.html(claims.format_claims((3, 4), checked, t))
        draw_figure_3(t)
        draw_alignment_error(t)
        st.html(claims.format_claims((5, 6), checked, t))
        draw_long_sentences(t)
        st.html(claims.format_claims((7,), checked, t))
        draw_beam_sizes(t)
        draw_table_2(t)
        other_papers = claims.format_other_papers(checked, t)
        if other_papers:
            draw_heading(t("figures.relatives"), t.format_html("figures.relatives_says", least=f"{MIN_HOURS:g}"))
            st.html(other_papers)
        st.html(f"<h3>{escape_html(t('figures.again'))}</h3><p>{escape_html(t('figures.again_how'))}</p>" + COMMANDS)
        st.html(f"<p class='small'>{escape_html(t('figures.source', paper=PAPER))}</p>")


def draw_heading(title: str, paper: str) -> None:
    """Draw a section's title, and what the paper says (HTML)."""
    st.html(f"<h3>{escape_html(title)}</h3><p>{paper}</p>")


def draw_table_1(index: EvaluationIndex, t: Messages) -> None:
    """Draw Table 1 as published, our scores of the paper's kinds, and our scores of other kinds, as separate tables."""
    draw_heading(t("figures.table_1"), t.format_html("figures.table_1_says"))
    published = [[row.system, f"{row.bleu:.2f}", f"{row.no_unknown:.2f}"] for row in TABLE_1]
    left, right = st.columns([4, 6], gap="large")
    left.html(tables.render_table([t("figures.system"), t("paper.all"), t("paper.no_unknown")], published,
                          t("figures.published")))  # fmt: skip
    entries = sorted(
        (entry for entry in index.entries if entry.data == TEST_SET),
        key=lambda entry: (index.models.index(entry.model), entry.search.is_sampled, entry.search.beam),
    )
    evaluations = [
        evaluation
        for entry in entries
        for evaluation in index.load_evaluations(TEST_SET, (entry.model,), entry.search)[0]
    ]
    if not evaluations:
        right.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
        return
    titles = [t("figures.system"), t("figures.hours"), t("length.search"), "sacreBLEU", t("figures.tokenised")]
    paper_models = set(select_default_kinds(index.models))

    def format_row(evaluation: Evaluation) -> list[str]:
        card, scores = find_trained_card(evaluation.model, evaluation.fingerprint), evaluation.scores
        return [
            get_title(evaluation.model),
            "–" if card is None else f"{card.hours:.1f}",
            describe_search(get_search(evaluation), t),
            f"{scores['bleu']:.1f} ({scores['bleu_low']:.1f}–{scores['bleu_high']:.1f})",
            f"{scores['bleu_moses']:.1f}",
        ]

    groups = [
        (t(key), [evaluation for evaluation in evaluations if (evaluation.model in paper_models) == is_paper])
        for key, is_paper in (("figures.ours", True), ("figures.ours_relatives", False))
    ]
    *first_tables, last_table = (
        tables.render_table(titles, list(map(format_row, group)), caption) for caption, group in groups if group
    )
    signatures = sorted(
        {evaluation.signatures.get(name, "") for evaluation in evaluations for name in ("bleu", "bleu_moses")}
    )
    method = t.format_html(
        "figures.ours_how",
        sentences=f"{evaluations[0].data.sentences:,}",
        signatures="; ".join(signatures),
        weights=name_weights(evaluations),
    )
    for table in first_tables:  # separate elements, so that each fits the window while presenting
        right.html(table)
    right.html(f"{last_table}<p class='small'>{method}</p>{format_commands(evaluations, t)}")


def format_commands(evaluations: Sequence[Evaluation], t: Messages) -> str:
    """Return the commands that made these evaluations, as HTML."""
    return tables.render_commands([(evaluation.model, evaluation.command) for evaluation in evaluations], t)


def name_weights(evaluations: Sequence[Evaluation]) -> str:
    """Return the models with their fingerprints, each once."""
    names = (f"{get_title(evaluation.model)} {evaluation.fingerprint}" for evaluation in evaluations)
    return ", ".join(dict.fromkeys(names))


def draw_figure_2(index: EvaluationIndex, t: Messages) -> None:
    """Draw Figure 2: BLEU by length on the paper's test set, and on our set with the most long sentences."""
    draw_heading(t("figures.figure_2"), t.format_html("figures.figure_2_says"))
    for name, column in zip(dict.fromkeys((TEST_SET, *index.test_sets[:1])), st.columns(2, gap="large"), strict=False):
        search = max(index.searches, default=None, key=lambda search: (count_models(index, name, search), search.beam))
        evaluations = index.load_evaluations(name, index.models, search)[0] if search else ()
        set_title = describe_test_set(name, t, index.test_sets)
        with column:
            if not evaluations or search is None:
                st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
                continue
            group = [curves.build_curve(evaluation, BINS) for evaluation in evaluations]
            title = curves.describe_curves(group, set_title, t)
            st.html(f"<h4>{escape_html(f'{set_title}, {describe_search(search, t)}')}</h4>")
            drawing = print_curves.build_curves_drawing(f"figure-2-{slugify(name)}", group, title, t)
            print_figures.draw_figure(drawing, repr(group), partial(curves.to_csv, group), t)
            summary, confidence = curves.describe_changes(evaluations, set_title, t)
            st.html(
                f"<p>{escape_html(summary)}</p><p class='small'>{escape_html(confidence)}</p>"
                f"<p class='small'>{tables.describe_measurement(group, t)}</p>" + format_commands(evaluations, t)
            )


def count_models(index: EvaluationIndex, name: str, search: Search) -> int:
    """Return how many models were evaluated on this set with this search."""
    return sum(index.find_entry(name, model, search) is not None for model in index.models)


def draw_figure_3(t: Messages) -> None:
    """Draw Figure 3: four alignments in the paper's style, and how many of our sentences show the same phenomenon."""
    draw_heading(t("figures.figure_3"), t.format_html("figures.figure_3_says"))
    chosen = list(samples.choose_alignments(read_shipped_traces(samples.ALIGNMENTS)))
    if not chosen:
        st.html(f"<p>{escape_html(t('figures.unmade'))}</p>")
        return
    st.html(f"<p>{t.format_html('figures.figure_3_how', sentences=len(samples.FIGURE_SENTENCES))}</p>")
    for start in range(0, len(chosen), 2):
        for offset, column in enumerate(st.columns(2, gap="large")[: len(chosen) - start]):
            with column:
                draw_alignment(chosen[start + offset], LETTERS[start + offset], t)
    st.html(tables.render_commands([("", FIGURES_COMMAND)], t))


def draw_alignment(chosen: FigureAlignment, letter: str, t: Messages) -> None:
    """Draw one alignment, its phenomenon, and whether it shows it."""
    trace = chosen.trace
    made_by, grid = trace.made_by, alignment_grid.build_grid(trace, "words")
    title = t("download.title", model=get_title(made_by.model), target=trace.target.text, source=trace.source.text)
    drawing = print_maps.build_alignment_drawing(
        f"figure-3{letter}", grid, "grey", title, t("heatmap.end"), is_paper_style=True
    )
    verdict = f"<b class='verdict'>{escape_html(t('verdict.yes') if chosen.is_shown else t('verdict.no'))}</b>"
    count = t("figures.showing", showing=chosen.shown_count, of=chosen.sentence_count)
    weights = "; ".join(
        t("figures.look", target=" / ".join(look.target), source=" ".join(look.source),
            value=f"{look.max_weight(trace):.2f}", least=f"{look.min_weight:g}")
        for look in chosen.sample.expected
    )  # fmt: skip
    heading = f"<h4>({letter}) {escape_html(t(f'phenomenon.{chosen.phenomenon}'))}</h4>"
    st.html(f"{heading}<p>{verdict} {escape_html(count)}</p>")
    numbers = repr((grid.target, grid.source, grid.values.tolist()))
    print_figures.draw_figure(drawing, numbers, partial(alignment_grid.to_csv, grid), t)
    st.html(
        f"<p class='small'>{escape_html(weights)}. "
        f"{escape_html(f'{get_title(made_by.model)} {made_by.fingerprint}')}</p>"
    )


def draw_alignment_error(t: Messages) -> None:
    """Draw alignment error rates beside published ones, and which word a row of α belongs to."""
    draw_heading(t("agreement.heading"), t.format_html("agreement.says"))
    records = alignment_error.read_records()
    if not records:
        st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
        return
    left, right = st.columns(2, gap="large")
    left.html(alignment_error.build_own_table(records, t))
    right.html(alignment_error.build_published_table(t))
    weights = ", ".join(f"{get_title(record.model)} {record.fingerprint}" for record in records)
    method = t.format_html("agreement.how", sentences=f"{records[0].sentences:,}", weights=weights)
    descriptions = (alignment_error.describe_shifts(records, t), alignment_error.describe_heads(records, t))
    st.html(f"<p>{escape_html(' '.join(filter(None, descriptions)))}</p><p class='small'>{method}</p>"
            + tables.render_commands([(record.model, record.command) for record in records], t))  # fmt: skip
    downloads.draw_download_button("agreement-csv", t("agreement.csv"), "alignment-error.csv", "text/csv",
                  lambda: alignment_error.to_csv(records))  # fmt: skip


def draw_beam_sizes(t: Messages) -> None:
    """Draw BLEU by beam size."""
    draw_heading(t("beams.heading"), t.format_html("beams.says"))
    records = beam_sizes.read_records()
    if not records:
        st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
    for record in records:
        left, right = st.columns(2, gap="large")
        with left:
            drawing = beam_sizes.build_drawing(record, t)
            print_figures.draw_figure(drawing, repr(record), partial(beam_sizes.to_csv, record), t)
        rankings = "".join(
            f"<p>{escape_html(beam_sizes.describe_ranking(record, ranking, t))}</p>" for ranking in record.points
        )
        right.html(rankings + f"<p class='small'>{beam_sizes.describe_measurement(record, t)}</p>"
                   + tables.render_commands([(record.model, record.command)], t))  # fmt: skip


def draw_long_sentences(t: Messages) -> None:
    """Draw section 5.2.2: two long sentences, and where each translation stops following the source."""
    draw_heading(t("figures.long"), t.format_html("figures.long_says"))
    translations = read_shipped_traces(samples.LONG_SENTENCES)
    if not translations:
        st.html(f"<p>{escape_html(t('figures.unmade'))}</p>")
        return
    st.html(f"<p>{t.format_html('figures.long_how')}</p>")
    followed = []
    for long in samples.LONG:
        of_sentence = [trace for trace in translations if trace.source.text == normalise(long.sentence)]
        followed.append((long, [(trace, long_sentences.follow_reference(long, trace)) for trace in of_sentence]))
    for long, drifts in followed:
        formatted = "".join(
            long_sentences.format_translation(trace, drift, t)
            + bleu_details.render_trace_bleu(trace, normalise(long.reference), t)
            for trace, drift in drifts
        )
        st.html(
            f"<div class='long'><p class='source' lang='{samples.LANGUAGES[0]}'>{escape_html(long.sentence)}</p>"
            f"{formatted}"
            f"<p class='small'>{escape_html(t('figures.reference'))} "
            f"<span lang='{samples.LANGUAGES[1]}'>{escape_html(long.reference)}</span></p></div>"
        )
    st.html(tables.render_commands([("", FIGURES_COMMAND)], t))
    downloads.draw_download_button("long-sentences-csv", t("figures.words_csv"), "section-5-2-2.csv", "text/csv",
                  lambda: long_sentences.to_csv(followed))  # fmt: skip


@st.cache_resource(max_entries=4, show_spinner=False)
def read_shipped_traces(name: str) -> tuple[Trace, ...]:
    """Return the shipped Traces of a file; empty if it cannot be read."""
    try:
        return samples.read_traces(name)
    except (OSError, CodecError) as error:
        _log.warning("%s is left out: %s", name, error)
        return ()


def draw_table_2(t: Messages) -> None:
    """Draw Table 2, and the training of our models."""
    draw_heading(
        t("figures.table_2"),
        t.format_html("figures.table_2_says", words=format_millions(TRAINING_WORDS, t), hidden=list_state_sizes()),
    )
    left, right = st.columns(2, gap="large")
    titles = [
        t(f"figures.{column}") for column in ("system", "updates", "epochs", "hours", "card", "train_nll", "dev_nll")
    ]
    rows = [
        [row.system, f"{1e5 * row.updates:,.0f}", f"{row.epochs:.1f}", f"{row.hours}", row.card,
         f"{row.train_nll:.1f}", f"{row.dev_nll:.1f}"]
        for row in TABLE_2
    ]  # fmt: skip
    left.html(tables.render_table(titles, rows, t("figures.published_training")))
    titles = [t(f"figures.{column}") for column in ("system", "updates", "pieces", "hours")]
    cards = list_models()
    rows = [
        [card.title, f"{card.updates:,}", format_millions(card.target_tokens, t), f"{card.hours:.1f}"] for card in cards
    ]
    machines = dict.fromkeys(str(card.training.get("machine", "")) for card in cards)
    machine = t("figures.machine", machines="; ".join(filter(None, machines)))
    right.html(tables.render_table(titles, rows, t("figures.ours")) + f"<p class='small'>{escape_html(machine)}</p>")


def list_state_sizes() -> str:
    """Return the sizes of the hidden states of our models of the paper's kinds."""
    sizes = {card.name: int(card.network.get("hidden", 0)) for card in list_cards()}
    return (
        " / ".join(str(size) for size in sorted({sizes[name] for name in select_default_kinds(tuple(sizes))} - {0}))
        or "–"
    )


guard()
main()
