"""Long translations beside a reference: where they stop following it, as HTML and CSV."""

from collections.abc import Iterator, Sequence
from functools import cache

from model.analysis.errors.differences import TranslationErrors
from model.analysis.errors.drift import Drift, measure_drift
from model.analysis.paper.figures import LANGUAGES, LONG_SENTENCES, LongSentence
from model.text.normalise import normalise
from model.text.words import split_words
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset
from pages.ui.widgets import bleu_details


def measure_reference_drift(long: LongSentence, trace: Trace) -> Drift:
    """Measure how far a translation follows the reference."""
    text = normalise(long.reference)
    words = [text[start:end] for start, end in split_words(text, trace.target_language)]
    return measure_drift(words, trace.target.words, trace.target_language)


def has_reference(trace: Trace) -> bool:
    """Return whether a Trace translates one of the long sentences, which have references."""
    return trace.languages == LANGUAGES and trace.source.text in _list_references()


def find_last_followed(trace: Trace, errors: TranslationErrors) -> int | None:
    """Return the last word of a translation before it goes off track, None if it does not: judged by the reference of a
    long sentence, else by the lexicon, in `errors`."""
    if not has_reference(trace):
        return errors.last_followed
    return measure_reference_drift(_list_references()[trace.source.text], trace).last_followed


@cache
def _list_references() -> dict[str, LongSentence]:
    return {normalise(long.sentence): long for long in LONG_SENTENCES}


def format_translation(trace: Trace, drift: Drift, t: Messages) -> str:
    """Return a translation with the reference's words marked, and the position where it stops following."""
    matched_positions = {position for position in drift.matches if position is not None}
    last = drift.last_followed
    mark = f"<mark>{escape_html(t('figures.lost_here'))}</mark> "
    parts = [mark] if last == -1 else []
    for position, (gap, word) in enumerate(typeset(trace.target, trace.target_language)):
        is_after = last is not None and position > last
        css = " ".join(filter(None, ("found" if position in matched_positions else "", "after" if is_after else "")))
        parts.append(f"{gap}<span class='{css}'>{escape_html(word)}</span>")
        if position == last:
            parts.append(f" {mark}")
    count = t(
        "figures.kept",
        kept=drift.followed_count,
        asked=len(drift.content_words),
        share=f"{100 * drift.found_share:.0f}",
    )
    verdict = t("figures.whole") if drift.is_complete else t("figures.lost")
    name = f"{get_title(trace.provenance.model)} {trace.provenance.fingerprint}"
    return (
        f"<p class='footnote'><b>{escape_html(get_title(trace.provenance.model))}</b> "
        f"{escape_html(verdict)} {escape_html(count)}</p>"
        f"<p class='french' lang='{escape_html(trace.target_language)}' title='{escape_html(name)}'>"
        f"{''.join(parts)}</p>"
    )


def format_sentence(long: LongSentence, translations: Sequence[tuple[Trace, Drift]], t: Messages) -> str:
    """Return a sentence and its translations."""
    translations_html = "".join(format_translation(trace, drift, t) for trace, drift in translations)
    source = f"<p class='source' lang='{LANGUAGES[0]}'>{escape_html(long.sentence)}</p>"
    return f"<div class='long'>{source}{translations_html}</div>"


def format_reference(long: LongSentence, translations: Sequence[tuple[Trace, Drift]], t: Messages) -> str:
    """Return the reference of a sentence, and the computed BLEU of each translation."""
    bleu = "".join(bleu_details.render_trace_bleu(trace, normalise(long.reference), t) for trace, _ in translations)
    text = f"<span lang='{LANGUAGES[1]}'>{escape_html(long.reference)}</span>"
    return f"<p>{escape_html(t('figures.reference'))} {text}</p>{bleu}"


def to_csv(results: Sequence[tuple[LongSentence, Sequence[tuple[Trace, Drift]]]]) -> str:
    """Return every word as CSV: whether the reference has it, and whether the translation still follows."""

    def rows() -> Iterator[tuple[str | int, ...]]:
        for long, translations in results:
            for trace, drift in translations:
                for position, word in enumerate(trace.target.words):
                    is_following = drift.last_followed is None or position <= drift.last_followed
                    yield (long.sentence, trace.provenance.model, trace.provenance.fingerprint, word,
                           int(position in drift.matches), int(is_following))  # fmt: skip

    return build_csv(("sentence", "model", "weights", "word", "in the reference", "follows the reference"), rows())
