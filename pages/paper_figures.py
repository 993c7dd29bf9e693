"""The paper: its tables and figures beside ours, and the claims of this and related papers with verdicts."""

import logging
from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.evaluation.evaluation import KNOWN_WORDS_SUFFIX, Evaluation
from model.analysis.metrics.length_curve import BINS
from model.analysis.paper import figures as samples
from model.analysis.paper.checks import MIN_HOURS, Claim
from model.analysis.paper.claims import PAPER_CLAIMS
from model.analysis.paper.figures import FigureAlignment
from model.analysis.paper.published import BAHDANAU_2015, TABLE_1, TABLE_2, TRAINING_WORDS
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.trace import Trace
from pages import guard
from pages.ui.backend.cards import (
    find_trained_card,
    get_title,
    has_unk,
    list_cards,
    list_displayed_cards,
    select_models_of_default_kinds,
    select_paper_models,
)
from pages.ui.backend.evaluations import (
    EvaluationIndex,
    describe_search,
    describe_test_set,
    load_index,
    parse_evaluation_search,
    slugify,
)
from pages.ui.charts import alignment_grid, curves, print_curves, print_maps
from pages.ui.escape import escape_html
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_millions
from pages.ui.results import alignment_error, beam_sizes, claims, long_sentences
from pages.ui.url_state.state import get_messages
from pages.ui.widgets import downloads, folds, print_figures, tables
from pages.ui.widgets.tables import Bar

TEST_SET = "newstest2014"  # the paper's test set
MAX_BLEU = 36.5  # at the end of a bar; the best published score is 36.15
LETTERS = "abcdefgh"
FIGURES_COMMAND = "python -m model figures"
COMMANDS = """<pre>python -m model data FOLDER --control wide --vocabulary-of rnnsearch-50 --out runs/wide
python -m model trials model/training/recipes/trials/luong.toml --data runs/wide --out luong.json
python -m model runs FOLDER runs/trials/luong/*/
python -m model evaluate FOLDER --all
python -m model claims --save
python -m model figures</pre>"""

_log = logging.getLogger(__name__)


def main() -> None:
    t = get_messages()
    frame.load_page_styles("paper_figures")
    with st.container(key="figures"):
        claims_by_number, index = claims.read_claims(), load_index()
        st.html(
            f"<h2>{escape_html(t('figures.heading'))}</h2>"
            f"<p>{escape_html(t('figures.how', count=len(PAPER_CLAIMS)))} {claims.format_counts(claims_by_number, t)}. "
            f"{escape_html(t('figures.open'))}</p>"
        )
        draw_table_1(index, claims_by_number, t)
        draw_figure_2(index, claims_by_number, t)
        draw_figure_3(claims_by_number, t)
        draw_alignment_error(t)
        draw_long_sentences(claims_by_number, t)
        draw_beam_sizes(t)
        draw_table_2(t)
        draw_other_papers(claims_by_number, t)
        with folds.create_fold("again", t, t("figures.again")):
            st.html(
                f"<p>{escape_html(t('figures.again_how'))}</p>{COMMANDS}"
                f"<p class='small'>{escape_html(t('figures.source', paper=BAHDANAU_2015))}</p>"
            )


def create_section(name: str) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Create a section: a column for the finding, a wider one for the picture, and a place below for the fold."""
    with st.container(key=f"section-{name}"):
        text, picture = st.columns([4, 8], gap="large")
        return text, picture, st.container()


def format_heading(title: str, *paragraphs: str) -> str:
    """Return a section's title and paragraphs (HTML)."""
    return f"<h3>{escape_html(title)}</h3>" + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def format_missing(t: Messages, key: str = "figures.unmeasured") -> str:
    """Return the sentence that names the command for what is missing."""
    return f"<p>{escape_html(t(key))}</p>"


def load_paper_evaluations(index: EvaluationIndex, includes_word_models: bool = False) -> tuple[Evaluation, ...]:
    """Return the evaluations of the paper's kinds of models on its test set, with the search that most of them have,
    the widest beam of several. `includes_word_models`: and of models of whole words."""
    word_models = filter(has_unk, index.models) if includes_word_models else ()
    models = (*select_models_of_default_kinds(index.models), *word_models)
    searches = sorted(index.searches, key=lambda search: search.beam, reverse=True)
    return max((index.load_evaluations(TEST_SET, models, search)[0] for search in searches), default=(), key=len)


def draw_table_1(index: EvaluationIndex, claims_by_number: dict[int, Claim], t: Messages) -> None:
    """Draw Table 1 as published and our scores of the paper's kinds, as separate tables with bars."""
    text, picture, fold_container = create_section("table-1")
    scales = t.format_html("figures.scales")
    verdicts = claims.format_claims((1, 2), claims_by_number, t)
    text.html(format_heading(t("figures.table_1")) + verdicts + f"<p>{scales}</p>")
    left, right = picture.columns([14, 19], gap="medium")
    left.html(
        tables.render_table(
            [t("figures.system"), t("figures.all"), t("figures.no_unknown")],
            [[row.system, f"{row.bleu:.2f}", f"{row.no_unknown:.2f}"] for row in TABLE_1],
            t("figures.published"),
            [Bar(row.bleu / MAX_BLEU, is_ink=is_attention_system(row.system)) for row in TABLE_1],
        )
    )
    evaluations = load_paper_evaluations(index, includes_word_models=True)
    if not evaluations:
        right.html(format_missing(t))
        return
    no_unk_evaluations = [find_known_words_evaluation(index, evaluation) for evaluation in evaluations]
    scores = [
        [evaluation.scores[name] / MAX_BLEU for name in ("bleu", "bleu_low", "bleu_high")] for evaluation in evaluations
    ]
    right.html(
        tables.render_table(
            [t("figures.system"), t("figures.all"), *([t("figures.no_unknown")] if any(no_unk_evaluations) else [])],
            [[get_title(evaluation.model), format_bleu(evaluation, t),
              *([format_bleu(no_unk_evaluation, t) if no_unk_evaluation else "–"] if any(no_unk_evaluations) else [])]
             for evaluation, no_unk_evaluation in zip(evaluations, no_unk_evaluations, strict=True)],
            t("figures.ours_shown", search=describe_search(parse_evaluation_search(evaluations[0]), t)),
            [Bar(bleu, (low, high), curves.get_line_style(evaluation.model).is_ink)
             for evaluation, (bleu, low, high) in zip(evaluations, scores, strict=True)],
        )
    )  # fmt: skip
    with fold_container, folds.create_fold("table-1", t):
        draw_all_scores(index, t)


def find_known_words_evaluation(index: EvaluationIndex, evaluation: Evaluation) -> Evaluation | None:
    """Return the evaluation of a model of whole words on the sentences without unknown words, "No UNK"; None for models
    of subwords."""
    name = evaluation.data.name + KNOWN_WORDS_SUFFIX
    matches, _ = index.load_evaluations(name, (evaluation.model,), parse_evaluation_search(evaluation))
    return next((match for match in matches if match.fingerprint == evaluation.fingerprint), None)


def is_attention_system(system: str) -> bool:
    """Return whether a system of the paper has attention."""
    return system.startswith("RNNsearch")


def format_bleu(evaluation: Evaluation, t: Messages) -> str:
    """Return BLEU with its band."""
    scores = evaluation.scores
    return tables.format_bleu(scores["bleu"], (scores["bleu_low"], scores["bleu_high"]), t)


def draw_all_scores(index: EvaluationIndex, t: Messages) -> None:
    """Draw what the paper says of Table 1, the scores of all models with every search, and how they were measured."""
    models = index.models
    entries = sorted(
        (entry for entry in index.entries if entry.data == TEST_SET),
        key=lambda entry: (models.index(entry.model), entry.search.is_sampled, entry.search.beam),
    )
    evaluations = [
        evaluation
        for entry in entries
        for evaluation in index.load_evaluations(TEST_SET, (entry.model,), entry.search)[0]
    ]
    titles = [t("figures.system"), t("figures.hours"), t("length.search"), "sacreBLEU", t("figures.tokenised")]

    def format_row(evaluation: Evaluation) -> list[str]:
        card = find_trained_card(evaluation.model, evaluation.fingerprint)
        return [
            get_title(evaluation.model),
            "–" if card is None else f"{card.hours:.1f}",
            describe_search(parse_evaluation_search(evaluation), t),
            format_bleu(evaluation, t),
            f"{evaluation.scores['bleu_moses']:.1f}",
        ]

    signatures = sorted(
        {evaluation.signatures.get(name, "") for evaluation in evaluations for name in ("bleu", "bleu_moses")}
    )
    method = t.format_html(
        "figures.ours_how",
        sentences=f"{evaluations[0].data.sentences:,}",
        signatures="; ".join(signatures),
        weights=name_weights(evaluations),
    )
    st.html(
        f"<p>{t.format_html('figures.table_1_says')}</p><p class='small'>{t.format_html('figures.apart')}</p>"
        + tables.render_table(titles, list(map(format_row, evaluations)), t("figures.ours"))
        + f"<p class='small'>{method}</p>{format_commands(evaluations, t)}"
    )


def format_commands(evaluations: Sequence[Evaluation], t: Messages) -> str:
    """Return the commands that made these evaluations, as HTML."""
    return tables.render_commands([(evaluation.model, evaluation.command) for evaluation in evaluations], t)


def name_weights(evaluations: Sequence[Evaluation]) -> str:
    """Return the models with their fingerprints, each once."""
    names = (f"{get_title(evaluation.model)} {evaluation.fingerprint}" for evaluation in evaluations)
    return ", ".join(dict.fromkeys(names))


def draw_figure_2(index: EvaluationIndex, claims_by_number: dict[int, Claim], t: Messages) -> None:
    """Draw Figure 2: BLEU by length of the paper's kinds of models on its test set."""
    text, picture, fold_container = create_section("figure-2")
    text.html(format_heading(t("figures.figure_2")) + claims.format_claims((3, 4), claims_by_number, t))
    evaluations = load_paper_evaluations(index)
    if not evaluations:
        picture.html(format_missing(t))
        return
    group = [curves.build_curve(evaluation, BINS) for evaluation in evaluations]
    set_title = describe_test_set(TEST_SET, t, index.test_sets)
    drawing = print_curves.build_curves_drawing(
        f"figure-2-{slugify(TEST_SET)}", group, curves.describe_curves(group, set_title, t), t
    )
    with picture:
        search_text = describe_search(parse_evaluation_search(evaluations[0]), t)
        st.html(f"<h4>{escape_html(f'{set_title}, {search_text}')}</h4>")
        print_figures.draw_figure(drawing, repr(group), partial(curves.to_csv, group), t)
    with text.container(key="more-lengths"):
        frame.draw_page_link("length_and_bleu", t("figures.more_lengths"))
    with fold_container, folds.create_fold("figure-2", t):
        summary, confidence = curves.describe_changes(evaluations, set_title, t)
        st.html(
            f"<p>{t.format_html('figures.figure_2_says')}</p>"
            f"<p>{escape_html(summary)}</p><p class='small'>{escape_html(confidence)}</p>"
            f"<p class='small'>{tables.describe_measurement(group, t)}</p>{format_commands(evaluations, t)}"
        )


def draw_figure_3(claims_by_number: dict[int, Claim], t: Messages) -> None:
    """Draw Figure 3: four alignments in the paper's style, and how many of our sentences show the same phenomenon."""
    with st.container(key="section-figure-3"):
        st.html(
            format_heading(t("figures.figure_3"))
            + claims.format_claims((5, 6), claims_by_number, t)
            + f"<p>{t.format_html('figures.figure_3_how')}</p>"
        )
        alignments = list(samples.choose_alignments(read_shipped_traces(samples.ALIGNMENTS)))
        if not alignments:
            st.html(format_missing(t, "figures.unmade"))
            return
        columns = st.columns(len(alignments), gap="medium")
        for column, alignment, letter in zip(columns, alignments, LETTERS, strict=False):
            with column:
                draw_alignment(alignment, letter, t)
        with folds.create_fold("figure-3", t):
            weights = "".join(
                f"<p class='small'>({letter}) {escape_html(describe_weights(alignment, t))}</p>"
                for alignment, letter in zip(alignments, LETTERS, strict=False)
            )
            st.html(
                f"<p>{t.format_html('figures.figure_3_says')}</p>"
                f"<p>{escape_html(t('figures.chosen', sentences=len(samples.FIGURE_SENTENCES)))}</p>{weights}"
                + tables.render_commands([("", FIGURES_COMMAND)], t)
            )


def draw_alignment(alignment: FigureAlignment, letter: str, t: Messages) -> None:
    """Draw one alignment, its phenomenon, and whether it shows it."""
    trace = alignment.trace
    grid = alignment_grid.build_grid(trace, "words")
    title = t(
        "download.title", model=get_title(trace.provenance.model), target=trace.target.text, source=trace.source.text
    )
    drawing = print_maps.build_alignment_drawing(
        f"figure-3{letter}", grid, "grey", title, t("heatmap.end"), print_maps.FIGURE_3_STYLE
    )
    verdict = f"<b class='verdict'>{escape_html(t('verdict.yes') if alignment.is_shown else t('verdict.no'))}</b>"
    count = t("figures.showing", showing=alignment.shown_count, of=alignment.sentence_count)
    heading = f"<h4>({letter}) {escape_html(t(f'phenomenon.{alignment.phenomenon}'))}</h4>"
    st.html(f"<div class='alignment'>{heading}<p>{verdict} {escape_html(count)}</p></div>")
    numbers = repr((grid.target, grid.source, grid.values.tolist()))
    print_figures.draw_figure(drawing, numbers, partial(alignment_grid.to_csv, grid), t)


def describe_weights(alignment: FigureAlignment, t: Messages) -> str:
    """List the weights that an alignment must have to show its phenomenon, and its model."""
    provenance = alignment.trace.provenance
    weights = "; ".join(
        t("figures.look", target=" / ".join(expected_weight.target), source=" ".join(expected_weight.source),
            value=f"{expected_weight.compute_max_weight(alignment.trace):.2f}", least=f"{expected_weight.min_weight:g}")
        for expected_weight in alignment.figure_sentence.expected
    )  # fmt: skip
    return f"{weights}. {get_title(provenance.model)} {provenance.fingerprint}"


def draw_alignment_error(t: Messages) -> None:
    """Draw alignment error rates beside published ones."""
    text, picture, fold_container = create_section("alignment-error")
    records = alignment_error.read_records()
    if not records:
        text.html(format_heading(t("alignment_error.heading")) + format_missing(t))
        return
    finding, shifts = alignment_error.format_finding(records, t), alignment_error.describe_shifts(records, True, t)
    text.html(format_heading(t("alignment_error.heading"), finding, escape_html(shifts)))
    left, right = picture.columns([10, 9], gap="large")
    left.html(alignment_error.build_own_table(records, t))
    right.html(alignment_error.build_published_table(t))
    with fold_container, folds.create_fold("alignment-error", t):
        weights = ", ".join(f"{get_title(record.model)} {record.fingerprint}" for record in records)
        method = t.format_html("alignment_error.how", sentences=f"{records[0].sentences:,}", weights=weights)
        notes = (alignment_error.describe_shifts(records, False, t), alignment_error.describe_heads(records, t))
        st.html(
            f"<p>{t.format_html('alignment_error.says')}</p>{alignment_error.build_full_table(records, t)}"
            f"<p>{escape_html(' '.join(filter(None, notes)))}</p>"
            f"<p class='small'>{escape_html(alignment_error.describe_aligners(t))}</p><p class='small'>{method}</p>"
            + tables.render_commands([(record.model, record.command) for record in records], t)
        )
        downloads.draw_download_button(
            "alignment-error-csv", t("alignment_error.csv"), "alignment-error.csv", "text/csv",
            partial(alignment_error.to_csv, records),
        )  # fmt: skip


def draw_beam_sizes(t: Messages) -> None:
    """Draw BLEU by beam size."""
    text, picture, fold_container = create_section("beams")
    records = beam_sizes.read_records()
    if not records:
        text.html(format_heading(t("beams.heading")) + format_missing(t))
        return
    text.html(format_heading(t("beams.heading"), *(beam_sizes.format_finding(record, t) for record in records)))
    with picture:
        for record in records:
            drawing = beam_sizes.build_drawing(record, t)
            print_figures.draw_figure(drawing, repr(record), partial(beam_sizes.to_csv, record), t)
    with fold_container, folds.create_fold("beams", t):
        st.html(f"<p>{t.format_html('beams.says')}</p>")
        for record in records:
            rankings = (f"<p>{escape_html(beam_sizes.describe_ranking(record, name, t))}</p>" for name in record.points)
            st.html(
                f"{''.join(rankings)}<p class='small'>{beam_sizes.describe_measurement(record, t)}</p>"
                + tables.render_commands([(record.model, record.command)], t)
            )


def draw_long_sentences(claims_by_number: dict[int, Claim], t: Messages) -> None:
    """Draw section 5.2.2: two long sentences, and where each translation stops following the source."""
    with st.container(key="section-long"):
        verdict, method = claims.format_claims((7,), claims_by_number, t), t.format_html("figures.long_how")
        st.html(f"{format_heading(t('figures.long'))}{verdict}<p>{method}</p>")
        translations = read_shipped_traces(samples.LONG_SENTENCES_FILE)
        if not translations:
            st.html(format_missing(t, "figures.unmade"))
            return
        results = []
        for long_sentence in samples.LONG_SENTENCES:
            of_sentence = [trace for trace in translations if trace.source.text == normalise(long_sentence.sentence)]
            drifts = [(trace, long_sentences.measure_reference_drift(long_sentence, trace)) for trace in of_sentence]
            results.append((long_sentence, drifts))
        for column, (long_sentence, drifts) in zip(st.columns(len(results), gap="large"), results, strict=True):
            column.html(long_sentences.format_sentence(long_sentence, drifts, t))
        with folds.create_fold("long", t):
            references = "".join(
                long_sentences.format_reference(long_sentence, drifts, t) for long_sentence, drifts in results
            )
            st.html(
                f"<p>{t.format_html('figures.long_says')} {t.format_html('figures.long_rule')}</p>{references}"
                + tables.render_commands([("", FIGURES_COMMAND)], t)
            )
            downloads.draw_download_button(
                "long-sentences-csv", t("figures.words_csv"), "section-5-2-2.csv", "text/csv",
                partial(long_sentences.to_csv, results),
            )  # fmt: skip


@st.cache_resource(max_entries=4, show_spinner=False)
def read_shipped_traces(name: str) -> tuple[Trace, ...]:
    """Return the shipped Traces of a file; empty if it cannot be read."""
    try:
        return samples.read_traces(name)
    except (OSError, CodecError) as error:
        _log.warning("%s is left out: %s", name, error)
        return ()


def draw_table_2(t: Messages) -> None:
    """Draw the hours of training of Table 2 and of our models."""
    text, picture, fold_container = create_section("table-2")
    words, hidden = format_millions(TRAINING_WORDS, t), format_state_sizes()
    summary = t.format_html("figures.table_2_says", words=words, hidden=hidden)
    text.html(format_heading(t("figures.table_2"), summary))
    cards = list_displayed_cards()
    paper_models = select_paper_models([card.name for card in cards])
    ours = [card for card in cards if card.name in paper_models]
    max_hours = float(max(row.hours for row in TABLE_2))
    left, right = picture.columns([10, 9], gap="large")
    titles = [t("figures.system"), t("figures.hours")]
    left.html(
        tables.render_table(
            titles,
            [[row.system, f"{row.hours}"] for row in TABLE_2],
            t("figures.published_hours"),
            [Bar(row.hours / max_hours, is_ink=is_attention_system(row.system)) for row in TABLE_2],
        )
    )
    right.html(
        tables.render_table(
            titles,
            [[card.title, f"{card.hours:.1f}"] for card in ours],
            t("figures.our_hours"),
            [Bar(min(1.0, card.hours / max_hours), is_ink=card.has_attention) for card in ours],
        )
    )
    with fold_container, folds.create_fold("table-2", t):
        columns = ("system", "updates", "epochs", "hours", "card", "train_nll", "dev_nll")
        published_rows = [
            [row.system, f"{1e5 * row.updates:,.0f}", f"{row.epochs:.1f}", f"{row.hours}", row.gpu,
             f"{row.train_nll:.1f}", f"{row.dev_nll:.1f}"]
            for row in TABLE_2
        ]  # fmt: skip
        own_rows = [
            [card.title, f"{card.updates:,}", format_millions(card.target_tokens, t), f"{card.hours:.1f}"]
            for card in cards
        ]
        machines = dict.fromkeys(str(card.training.get("machine", "")) for card in cards)
        machine = t("figures.machine", machines="; ".join(filter(None, machines)))
        st.html(
            f"<p>{escape_html(t('figures.table_2_more'))}</p>"
            + tables.render_table([t(f"figures.{name}") for name in columns], published_rows,
                                  t("figures.published_training"))
            + tables.render_table([t(f"figures.{name}") for name in ("system", "updates", "pieces", "hours")], own_rows,
                                  t("figures.ours"))
            + f"<p class='small'>{escape_html(machine)}</p>"
        )  # fmt: skip


def format_state_sizes() -> str:
    """Return the sizes of the hidden states of our models of the paper's kinds and languages."""
    sizes = {card.name: int(card.network.get("hidden", 0)) for card in list_cards()}
    names = select_paper_models([*sizes])
    return " / ".join(str(size) for size in sorted({sizes[name] for name in names} - {0})) or "–"


def draw_other_papers(claims_by_number: dict[int, Claim], t: Messages) -> None:
    """Draw the claims of earlier and later papers that we could measure."""
    other_papers = claims.format_other_papers(claims_by_number, t)
    if not other_papers:
        return
    with st.container(key="section-others"):
        requirements = t.format_html("figures.relatives_says", least=f"{MIN_HOURS:g}")
        st.html(format_heading(t("figures.relatives"), requirements) + other_papers)
        with folds.create_fold("others", t, t("figures.rule")):
            st.html(f"<p>{escape_html(t('figures.relatives_more'))}</p>")


guard()
main()
