"""The paper's figures: its table and its figures beside ours, what each claims, and whether that holds here; and the
claims of the papers before and after it."""

import logging
from collections.abc import Sequence
from functools import partial

import streamlit as st

from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.metrics.length_curve import BINS
from model.analysis.paper import figures as samples
from model.analysis.paper.figures import Chosen
from model.analysis.paper.published import PAPER, TABLE_1, TABLE_2, TRAINING_WORDS
from model.checkpoints.checkpoint import Card
from model.serialization.codec import CodecError
from model.text.normalise import normalise
from model.trace import Trace
from pages import guard
from pages.ui.backend.cards import known, models, title_of, trained, usual
from pages.ui.backend.evaluations import Index, Search, index, search_of, shown_search, shown_set, slug
from pages.ui.charts import alignment_grid, cached, curves, print_curves, print_maps
from pages.ui.escape import markup
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.numbers import millions
from pages.ui.results import agreement, beams, claims, long_sentences
from pages.ui.url_state.state import messages
from pages.ui.widgets import printed, saving, tables, worked

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
    say = messages()
    frame.styles("paper_figures")
    with st.container(key="figures"):
        st.html(f"<h2>{markup(say('figures.heading'))}</h2><p>{markup(say('figures.how'))}</p>")
        known, stand = claims.claims(), index()
        scores(stand, say)
        st.html(claims.html((1, 2), known, say))
        lengths(stand, say)
        st.html(claims.html((3, 4), known, say))
        alignments(say)
        agreements(say)
        st.html(claims.html((5, 6), known, say))
        long_section(say)
        st.html(claims.html((7,), known, say))
        wide_beams(say)
        training(say)
        relatives = claims.relatives(known, say)
        if relatives:
            head(say("figures.relatives"), say.marked("figures.relatives_says"))
            st.html(relatives)
        st.html(f"<h3>{markup(say('figures.again'))}</h3><p>{markup(say('figures.again_how'))}</p>" + AGAIN)
        st.html(f"<p class='small'>{markup(say('figures.source', paper=PAPER))}</p>")


def head(title: str, paper: str) -> None:
    """A section's title, and what the paper says, as HTML."""
    st.html(f"<h3>{markup(title)}</h3><p>{paper}</p>")


def scores(stand: Index, say: Messages) -> None:
    """Table 1 as published, and ours in a table of its own, those of its kinds apart from their relatives."""
    head(say("figures.table_1"), say.marked("figures.table_1_says"))
    published = [[row.system, f"{row.bleu:.2f}", f"{row.no_unknown:.2f}"] for row in TABLE_1]
    left, right = st.columns([4, 6], gap="large")
    left.html(tables.html([say("figures.system"), say("paper.all"), say("paper.no_unknown")], published,
                          say("figures.published")))  # fmt: skip
    entries = sorted(
        (entry for entry in stand.entries if entry.data == SET),
        key=lambda entry: (stand.models.index(entry.model), entry.search.drawn, entry.search.beam),
    )
    found = [one for entry in entries for one in stand.of(SET, (entry.model,), entry.search)[0]]
    if not found:
        right.html(f"<p>{markup(say('figures.unmeasured'))}</p>")
        return
    titles = [say("figures.system"), say("figures.hours"), say("length.search"), "sacreBLEU", say("figures.tokenised")]
    ours = set(usual(stand.models))

    def measured(one: Evaluation) -> list[str]:
        card = trained(one.model, one.fingerprint)
        taught = "–" if card is None else hours(card)
        return [title_of(one.model), taught, shown_search(search_of(one), say), score(one),
                f"{one.scores['bleu_moses']:.1f}"]

    apart = [(say("figures.ours"), [one for one in found if one.model in ours]),
             (say("figures.ours_relatives"), [one for one in found if one.model not in ours])]  # fmt: skip
    *before, last = (tables.html(titles, list(map(measured, group)), caption) for caption, group in apart if group)
    signatures = sorted({one.signatures.get(name, "") for one in found for name in ("bleu", "bleu_moses")})
    made = say.marked("figures.ours_how", sentences=f"{found[0].data.sentences:,}", signatures="; ".join(signatures),
               weights=weights(found))  # fmt: skip
    for table in before:  # each of its own, so that a window while presenting has room for it
        right.html(table)
    right.html(f"{last}<p class='small'>{made}</p>{made_by(found, say)}")


def made_by(evaluations: Sequence[Evaluation], say: Messages) -> str:
    """The commands that made these evaluations, as HTML."""
    return tables.commands([(one.model, one.command) for one in evaluations], say)


def score(one: Evaluation) -> str:
    return f"{one.scores['bleu']:.1f} ({one.scores['bleu_low']:.1f}–{one.scores['bleu_high']:.1f})"


def weights(evaluations: Sequence[Evaluation]) -> str:
    """The models and the fingerprints of their weights, each once."""
    return ", ".join(dict.fromkeys(f"{title_of(one.model)} {one.fingerprint}" for one in evaluations))


def lengths(stand: Index, say: Messages) -> None:
    """Figure 2: BLEU by length on the paper's set, and on the one of ours with the most long sentences."""
    head(say("figures.figure_2"), say.marked("figures.figure_2_says"))
    for name, place in zip(dict.fromkeys((SET, *stand.sets[:1])), st.columns(2, gap="large"), strict=False):
        search = max(stand.searches, default=None, key=lambda one: (made(stand, name, one), one.beam))
        found = stand.of(name, stand.models, search)[0] if search else ()
        shown = shown_set(name, say, stand.sets)
        with place:
            if not found or search is None:
                st.html(f"<p>{markup(say('figures.unmeasured'))}</p>")
                continue
            group = [curves.of(one, BINS) for one in found]
            title = curves.description(group, shown, say)
            st.html(f"<h4>{markup(f'{shown}, {shown_search(search, say)}')}</h4>")
            drawing = print_curves.curves(f"figure-2-{slug(name)}", group, title, say)
            printed.show(drawing, repr(group), partial(curves.to_csv, group), say)
            long = curves.far(found[0])
            falls = [] if long is None else [(one.model, cached.fall(one, long)) for one in found]
            said = curves.finding(falls, long, shown, say) if long is not None else ""
            sure = curves.sureness(falls, say) if falls else ""
            st.html(f"<p>{markup(said)}</p><p class='small'>{markup(sure)}</p>"
                    f"<p class='small'>{tables.measured(group, say)}</p>" + made_by(found, say))  # fmt: skip


def made(stand: Index, name: str, search: Search) -> int:
    """How many models were evaluated on that set with that search."""
    return sum(stand.find(name, model, search) is not None for model in stand.models)


def alignments(say: Messages) -> None:
    """Figure 3: four alignments in the paper's dress, and how many of our sentences show what they show."""
    head(say("figures.figure_3"), say.marked("figures.figure_3_says"))
    chosen = list(samples.choose(traces(samples.ALIGNMENTS)))
    if not chosen:
        st.html(f"<p>{markup(say('figures.unmade'))}</p>")
        return
    st.html(f"<p>{say.marked('figures.figure_3_how', sentences=len(samples.SAMPLES))}</p>")
    for start in range(0, len(chosen), 2):
        for offset, place in enumerate(st.columns(2, gap="large")[: len(chosen) - start]):
            with place:
                alignment(chosen[start + offset], LETTERS[start + offset], say)
    st.html(tables.commands([("", MAKE)], say))


def alignment(one: Chosen, letter: str, say: Messages) -> None:
    """One alignment, what it is to show, and whether it does."""
    made_by, of = one.trace.made_by, alignment_grid.grid(one.trace, "words")
    title = say("download.title", model=title_of(made_by.model), target=one.trace.target.text,
                source=one.trace.source.text)  # fmt: skip
    drawing = print_maps.alignment(f"figure-3{letter}", of, "grey", title, say("heatmap.end"), paper=True)
    verdict = f"<b class='verdict'>{markup(say('verdict.yes') if one.shown else say('verdict.no'))}</b>"
    counted = say("figures.showing", showing=one.showing, of=one.of)
    looks = "; ".join(
        say("figures.look", target=" / ".join(look.target), source=" ".join(look.source),
            value=f"{look.weight(one.trace):.2f}", least=f"{look.least:g}")
        for look in one.sample.looks
    )  # fmt: skip
    heading = f"<h4>({letter}) {markup(say(f'phenomenon.{one.phenomenon}'))}</h4>"
    st.html(f"{heading}<p>{verdict} {markup(counted)}</p>")
    numbers = repr((of.target, of.source, of.values.tolist()))
    printed.show(drawing, numbers, partial(alignment_grid.to_csv, of), say)
    st.html(f"<p class='small'>{markup(looks)}. {markup(f'{title_of(made_by.model)} {made_by.fingerprint}')}</p>")


def agreements(say: Messages) -> None:
    """Alignment error rates beside those of aligners, and which word a row of α belongs to."""
    head(say("agreement.heading"), say.marked("agreement.says"))
    found = agreement.read()
    if not found:
        st.html(f"<p>{markup(say('figures.unmeasured'))}</p>")
        return
    left, right = st.columns(2, gap="large")
    left.html(agreement.ours(found, say))
    right.html(agreement.published(say))
    made = ", ".join(f"{title_of(one.model)} {one.fingerprint}" for one in found)
    how = say.marked("agreement.how", sentences=f"{found[0].sentences:,}", weights=made)
    said = " ".join(filter(None, (agreement.shifted(found, say), agreement.heads(found, say))))
    st.html(f"<p>{markup(said)}</p><p class='small'>{how}</p>"
            + tables.commands([(one.model, one.command) for one in found], say))  # fmt: skip
    saving.button("agreement-csv", say("agreement.csv"), "alignment-error.csv", "text/csv",
                  lambda: agreement.to_csv(found))  # fmt: skip


def wide_beams(say: Messages) -> None:
    """BLEU by the size of the beam."""
    head(say("beams.heading"), say.marked("beams.says"))
    found = beams.read()
    if not found:
        st.html(f"<p>{markup(say('figures.unmeasured'))}</p>")
    for one in found:
        left, right = st.columns(2, gap="large")
        with left:
            printed.show(beams.drawing(one, say), repr(one), partial(beams.to_csv, one), say)
        said = "".join(f"<p>{markup(beams.finding(one, ranking, say))}</p>" for ranking in one.points)
        right.html(said + f"<p class='small'>{beams.measured(one, say)}</p>"
                   + tables.commands([(one.model, one.command)], say))  # fmt: skip


def long_section(say: Messages) -> None:
    """Section 5.2.2: two long sentences, and where each translation loses the thread."""
    head(say("figures.long"), say.marked("figures.long_says"))
    found = traces(samples.LONG_SENTENCES)
    if not found:
        st.html(f"<p>{markup(say('figures.unmade'))}</p>")
        return
    st.html(f"<p>{say.marked('figures.long_how')}</p>")
    followed = [
        (long, [(one, long_sentences.follow(long, one)) for one in found if one.source.text == normalise(text)])
        for long, text in ((long, long.sentence) for long in samples.LONG)
    ]
    for long, of in followed:
        said = "".join(
            long_sentences.html(one, held, say)
            + worked.of_trace(one, normalise(long.reference), say)
            for one, held in of
        )
        st.html(
            f"<div class='long'><p class='source' lang='{samples.LANGUAGES[0]}'>{markup(long.sentence)}</p>{said}"
            f"<p class='small'>{markup(say('figures.reference'))} "
            f"<span lang='{samples.LANGUAGES[1]}'>{markup(long.reference)}</span></p></div>"
        )
    st.html(tables.commands([("", MAKE)], say))
    saving.button("long-sentences-csv", say("figures.words_csv"), "section-5-2-2.csv", "text/csv",
                  lambda: long_sentences.to_csv(followed))  # fmt: skip


@st.cache_resource(max_entries=4, show_spinner=False)
def traces(name: str) -> tuple[Trace, ...]:
    """The shipped Traces of one of the files; none where it cannot be read."""
    try:
        return samples.read(name)
    except (OSError, CodecError) as error:
        _log.warning("%s is left out: %s", name, error)
        return ()


def training(say: Messages) -> None:
    """Table 2, and how long ours were trained."""
    head(say("figures.table_2"),
         say.marked("figures.table_2_says", words=millions(TRAINING_WORDS, say), hidden=sizes()))
    left, right = st.columns(2, gap="large")
    titles = [say(f"figures.{one}") for one in ("system", "updates", "epochs", "hours", "card", "train_nll", "dev_nll")]
    rows = [[row.system, f"{1e5 * row.updates:,.0f}", f"{row.epochs:.1f}", f"{row.hours}", row.card,
             f"{row.train_nll:.1f}", f"{row.dev_nll:.1f}"] for row in TABLE_2]
    left.html(tables.html(titles, rows, say("figures.published_training")))
    titles = [say(f"figures.{one}") for one in ("system", "updates", "pieces", "hours")]
    cards = models()
    rows = [[card.title, f"{card.updates:,}", millions(card.target_pieces, say), hours(card)] for card in cards]
    machines = dict.fromkeys(str(card.training.get("machine", "")) for card in cards)
    machine = say("figures.machine", machines="; ".join(filter(None, machines)))
    right.html(tables.html(titles, rows, say("figures.ours")) + f"<p class='small'>{markup(machine)}</p>")


def sizes() -> str:
    """How many numbers the states of the paper's kinds have here, each size once."""
    of = {card.name: int(card.network.get("hidden", 0)) for card in known()}
    return " / ".join(str(one) for one in sorted({of[name] for name in usual(tuple(of))} - {0})) or "–"


def hours(card: Card) -> str:
    """Hours of training, those of the checkpoints it went on from included, as far as the card knows them."""
    return f"{card.hours:.1f}"


guard()
main()
