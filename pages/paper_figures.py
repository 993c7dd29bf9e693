"""The paper's figures: its table and its figures beside ours, what each claims, and whether that holds here; and the
claims of the papers before and after it."""

import logging
from collections.abc import Sequence
from functools import partial

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import BINS
from model.analysis.paper import figures as samples
from model.analysis.paper.figures import FigureAlignment
from model.analysis.paper.published import PAPER, TABLE_1, TABLE_2, TRAINING_WORDS
from model.checkpoints.checkpoint import Card
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.trace import Trace
from pages import guard
from pages.ui.backend.cards import find_trained_card, get_title, list_cards, list_models, select_default_kinds
from pages.ui.backend.evaluations import (
    Index,
    Search,
    describe_search,
    describe_test_set,
    load_index,
    search_of,
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

SET = "newstest2014"  # the paper's test set
LETTERS = "abcdefgh"
MAKE = "python -m model figures"
AGAIN = """<pre>python -m model data FOLDER --control wide --vocabulary-of rnnsearch-50 --out runs/wide
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
        known, stand = claims.read_claims(), load_index()
        scores(stand, t)
        st.html(claims.format_claims((1, 2), known, t))
        lengths(stand, t)
        st.html(claims.format_claims((3, 4), known, t))
        alignments(t)
        agreements(t)
        st.html(claims.format_claims((5, 6), known, t))
        long_section(t)
        st.html(claims.format_claims((7,), known, t))
        wide_beams(t)
        training(t)
        relatives = claims.format_other_papers(known, t)
        if relatives:
            head(t("figures.relatives"), t.format_html("figures.relatives_says"))
            st.html(relatives)
        st.html(f"<h3>{escape_html(t('figures.again'))}</h3><p>{escape_html(t('figures.again_how'))}</p>" + AGAIN)
        st.html(f"<p class='small'>{escape_html(t('figures.source', paper=PAPER))}</p>")


def head(title: str, paper: str) -> None:
    """A section's title, and what the paper says, as HTML."""
    st.html(f"<h3>{escape_html(title)}</h3><p>{paper}</p>")


def scores(stand: Index, t: Messages) -> None:
    """Table 1 as published, and ours in a table of its own, those of its kinds apart from their relatives."""
    head(t("figures.table_1"), t.format_html("figures.table_1_says"))
    published = [[row.system, f"{row.bleu:.2f}", f"{row.no_unknown:.2f}"] for row in TABLE_1]
    left, right = st.columns([4, 6], gap="large")
    left.html(tables.render_table([t("figures.system"), t("paper.all"), t("paper.no_unknown")], published,
                          t("figures.published")))  # fmt: skip
    entries = sorted(
        (entry for entry in stand.entries if entry.data == SET),
        key=lambda entry: (stand.models.index(entry.model), entry.search.drawn, entry.search.beam),
    )
    found = [one for entry in entries for one in stand.of(SET, (entry.model,), entry.search)[0]]
    if not found:
        right.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
        return
    titles = [t("figures.system"), t("figures.hours"), t("length.search"), "sacreBLEU", t("figures.tokenised")]
    ours = set(select_default_kinds(stand.models))

    def measured(one: Evaluation) -> list[str]:
        card = find_trained_card(one.model, one.fingerprint)
        taught = "–" if card is None else hours(card)
        return [
            get_title(one.model),
            taught,
            describe_search(search_of(one), t),
            score(one),
            f"{one.scores['bleu_moses']:.1f}",
        ]

    apart = [(t("figures.ours"), [one for one in found if one.model in ours]),
             (t("figures.ours_relatives"), [one for one in found if one.model not in ours])]  # fmt: skip
    *before, last = (
        tables.render_table(titles, list(map(measured, group)), caption) for caption, group in apart if group
    )
    signatures = sorted({one.signatures.get(name, "") for one in found for name in ("bleu", "bleu_moses")})
    made = t.format_html("figures.ours_how", sentences=f"{found[0].data.sentences:,}", signatures="; ".join(signatures),
               weights=weights(found))  # fmt: skip
    for table in before:  # each of its own, so that a window while presenting has room for it
        right.html(table)
    right.html(f"{last}<p class='small'>{made}</p>{made_by(found, t)}")


def made_by(evaluations: Sequence[Evaluation], t: Messages) -> str:
    """The commands that made these evaluations, as HTML."""
    return tables.render_commands([(one.model, one.command) for one in evaluations], t)


def score(one: Evaluation) -> str:
    return f"{one.scores['bleu']:.1f} ({one.scores['bleu_low']:.1f}–{one.scores['bleu_high']:.1f})"


def weights(evaluations: Sequence[Evaluation]) -> str:
    """The models and the fingerprints of their weights, each once."""
    return ", ".join(dict.fromkeys(f"{get_title(one.model)} {one.fingerprint}" for one in evaluations))


def lengths(stand: Index, t: Messages) -> None:
    """Figure 2: BLEU by length on the paper's set, and on the one of ours with the most long sentences."""
    head(t("figures.figure_2"), t.format_html("figures.figure_2_says"))
    for name, place in zip(dict.fromkeys((SET, *stand.sets[:1])), st.columns(2, gap="large"), strict=False):
        search = max(stand.searches, default=None, key=lambda one: (made(stand, name, one), one.beam))
        found = stand.of(name, stand.models, search)[0] if search else ()
        shown = describe_test_set(name, t, stand.sets)
        with place:
            if not found or search is None:
                st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
                continue
            group = [curves.build_curve(one, BINS) for one in found]
            title = curves.describe_curves(group, shown, t)
            st.html(f"<h4>{escape_html(f'{shown}, {describe_search(search, t)}')}</h4>")
            drawing = print_curves.build_curves_drawing(f"figure-2-{slugify(name)}", group, title, t)
            print_figures.draw_figure(drawing, repr(group), partial(curves.to_csv, group), t)
            long = curves.choose_long_threshold(found[0])
            falls = [] if long is None else [(one.model, curves.get_change(one, long)) for one in found]
            said = curves.summarise_changes(falls, long, shown, t) if long is not None else ""
            sure = curves.describe_confidence(falls, t) if falls else ""
            st.html(f"<p>{escape_html(said)}</p><p class='small'>{escape_html(sure)}</p>"
                    f"<p class='small'>{tables.describe_measurement(group, t)}</p>" + made_by(found, t))  # fmt: skip


def made(stand: Index, name: str, search: Search) -> int:
    """How many models were evaluated on that set with that search."""
    return sum(stand.find(name, model, search) is not None for model in stand.models)


def alignments(t: Messages) -> None:
    """Figure 3: four alignments in the paper's dress, and how many of our sentences show what they show."""
    head(t("figures.figure_3"), t.format_html("figures.figure_3_says"))
    chosen = list(samples.choose_alignments(traces(samples.ALIGNMENTS)))
    if not chosen:
        st.html(f"<p>{escape_html(t('figures.unmade'))}</p>")
        return
    st.html(f"<p>{t.format_html('figures.figure_3_how', sentences=len(samples.FIGURE_SENTENCES))}</p>")
    for start in range(0, len(chosen), 2):
        for offset, place in enumerate(st.columns(2, gap="large")[: len(chosen) - start]):
            with place:
                alignment(chosen[start + offset], LETTERS[start + offset], t)
    st.html(tables.render_commands([("", MAKE)], t))


def alignment(one: FigureAlignment, letter: str, t: Messages) -> None:
    """One alignment, what it is to show, and whether it does."""
    made_by, of = one.trace.made_by, alignment_grid.build_grid(one.trace, "words")
    title = t("download.title", model=get_title(made_by.model), target=one.trace.target.text,
                source=one.trace.source.text)  # fmt: skip
    drawing = print_maps.build_alignment_drawing(
        f"figure-3{letter}", of, "grey", title, t("heatmap.end"), is_paper_style=True
    )
    verdict = f"<b class='verdict'>{escape_html(t('verdict.yes') if one.is_shown else t('verdict.no'))}</b>"
    counted = t("figures.showing", showing=one.shown_count, of=one.sentence_count)
    looks = "; ".join(
        t("figures.look", target=" / ".join(look.target), source=" ".join(look.source),
            value=f"{look.max_weight(one.trace):.2f}", least=f"{look.min_weight:g}")
        for look in one.sample.expected
    )  # fmt: skip
    heading = f"<h4>({letter}) {escape_html(t(f'phenomenon.{one.phenomenon}'))}</h4>"
    st.html(f"{heading}<p>{verdict} {escape_html(counted)}</p>")
    numbers = repr((of.target, of.source, of.values.tolist()))
    print_figures.draw_figure(drawing, numbers, partial(alignment_grid.to_csv, of), t)
    st.html(
        f"<p class='small'>{escape_html(looks)}. {escape_html(f'{get_title(made_by.model)} {made_by.fingerprint}')}</p>"
    )


def agreements(t: Messages) -> None:
    """Alignment error rates beside those of aligners, and which word a row of α belongs to."""
    head(t("agreement.heading"), t.format_html("agreement.says"))
    found = alignment_error.read_records()
    if not found:
        st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
        return
    left, right = st.columns(2, gap="large")
    left.html(alignment_error.build_own_table(found, t))
    right.html(alignment_error.build_published_table(t))
    made = ", ".join(f"{get_title(one.model)} {one.fingerprint}" for one in found)
    how = t.format_html("agreement.how", sentences=f"{found[0].sentences:,}", weights=made)
    said = " ".join(filter(None, (alignment_error.describe_shifts(found, t), alignment_error.describe_heads(found, t))))
    st.html(f"<p>{escape_html(said)}</p><p class='small'>{how}</p>"
            + tables.render_commands([(one.model, one.command) for one in found], t))  # fmt: skip
    downloads.draw_download_button("agreement-csv", t("agreement.csv"), "alignment-error.csv", "text/csv",
                  lambda: alignment_error.to_csv(found))  # fmt: skip


def wide_beams(t: Messages) -> None:
    """BLEU by the size of the beam."""
    head(t("beams.heading"), t.format_html("beams.says"))
    found = beam_sizes.read_records()
    if not found:
        st.html(f"<p>{escape_html(t('figures.unmeasured'))}</p>")
    for one in found:
        left, right = st.columns(2, gap="large")
        with left:
            print_figures.draw_figure(beam_sizes.build_drawing(one, t), repr(one), partial(beam_sizes.to_csv, one), t)
        said = "".join(f"<p>{escape_html(beam_sizes.describe_ranking(one, ranking, t))}</p>" for ranking in one.points)
        right.html(said + f"<p class='small'>{beam_sizes.describe_measurement(one, t)}</p>"
                   + tables.render_commands([(one.model, one.command)], t))  # fmt: skip


def long_section(t: Messages) -> None:
    """Section 5.2.2: two long sentences, and where each translation loses the thread."""
    head(t("figures.long"), t.format_html("figures.long_says"))
    found = traces(samples.LONG_SENTENCES)
    if not found:
        st.html(f"<p>{escape_html(t('figures.unmade'))}</p>")
        return
    st.html(f"<p>{t.format_html('figures.long_how')}</p>")
    followed = [
        (
            long,
            [(one, long_sentences.follow_reference(long, one)) for one in found if one.source.text == normalise(text)],
        )
        for long, text in ((long, long.sentence) for long in samples.LONG)
    ]
    for long, of in followed:
        said = "".join(
            long_sentences.format_translation(one, held, t)
            + bleu_details.render_trace_bleu(one, normalise(long.reference), t)
            for one, held in of
        )
        st.html(
            f"<div class='long'><p class='source' lang='{samples.LANGUAGES[0]}'>{escape_html(long.sentence)}</p>{said}"
            f"<p class='small'>{escape_html(t('figures.reference'))} "
            f"<span lang='{samples.LANGUAGES[1]}'>{escape_html(long.reference)}</span></p></div>"
        )
    st.html(tables.render_commands([("", MAKE)], t))
    downloads.draw_download_button("long-sentences-csv", t("figures.words_csv"), "section-5-2-2.csv", "text/csv",
                  lambda: long_sentences.to_csv(followed))  # fmt: skip


@st.cache_resource(max_entries=4, show_spinner=False)
def traces(name: str) -> tuple[Trace, ...]:
    """The shipped Traces of one of the files; none where it cannot be read."""
    try:
        return samples.read_traces(name)
    except (OSError, CodecError) as error:
        _log.warning("%s is left out: %s", name, error)
        return ()


def training(t: Messages) -> None:
    """Table 2, and how long ours were trained."""
    head(
        t("figures.table_2"),
        t.format_html("figures.table_2_says", words=format_millions(TRAINING_WORDS, t), hidden=sizes()),
    )
    left, right = st.columns(2, gap="large")
    titles = [t(f"figures.{one}") for one in ("system", "updates", "epochs", "hours", "card", "train_nll", "dev_nll")]
    rows = [
        [
            row.system,
            f"{1e5 * row.updates:,.0f}",
            f"{row.epochs:.1f}",
            f"{row.hours}",
            row.card,
            f"{row.train_nll:.1f}",
            f"{row.dev_nll:.1f}",
        ]
        for row in TABLE_2
    ]
    left.html(tables.render_table(titles, rows, t("figures.published_training")))
    titles = [t(f"figures.{one}") for one in ("system", "updates", "pieces", "hours")]
    cards = list_models()
    rows = [[card.title, f"{card.updates:,}", format_millions(card.target_tokens, t), hours(card)] for card in cards]
    machines = dict.fromkeys(str(card.training.get("machine", "")) for card in cards)
    machine = t("figures.machine", machines="; ".join(filter(None, machines)))
    right.html(tables.render_table(titles, rows, t("figures.ours")) + f"<p class='small'>{escape_html(machine)}</p>")


def sizes() -> str:
    """How many numbers the states of the paper's kinds have here, each size once."""
    of = {card.name: int(card.network.get("hidden", 0)) for card in list_cards()}
    return " / ".join(str(one) for one in sorted({of[name] for name in select_default_kinds(tuple(of))} - {0})) or "–"


def hours(card: Card) -> str:
    """Hours of training, those of the checkpoints it went on from included, as far as the card knows them."""
    return f"{card.hours:.1f}"


guard()
main()
