"""Long translations followed through a reference: where the thread is lost, as HTML and as numbers."""

from collections.abc import Iterator, Sequence

from model.analysis.errors.drift import Drift, measure_drift
from model.analysis.paper.figures import LongSentence
from model.text.normalise import normalise
from model.text.words import split_words
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset


def follow_reference(long: LongSentence, one: Trace) -> Drift:
    """How far a translation follows the reference."""
    text = normalise(long.reference)
    words = [text[start:end] for start, end in split_words(text, one.target_language)]
    return measure_drift(words, one.target.words, one.target_language)


def format_translation(one: Trace, drifted: Drift, t: Messages) -> str:
    """A translation with the words of the reference it finds marked, and the place where it loses the thread."""
    found = {place for place in drifted.matches if place is not None}
    lost = drifted.last_followed
    mark = f"<mark>{escape_html(t('figures.lost_here'))}</mark> "
    parts = [mark] if lost == -1 else []
    for place, (gap, word) in enumerate(typeset(one.target, one.target_language)):
        after = lost is not None and place > lost
        kind = " ".join(filter(None, ("found" if place in found else "", "after" if after else "")))
        parts.append(f"{gap}<span class='{kind}'>{escape_html(word)}</span>")
        if place == lost:
            parts.append(f" {mark}")
    count = t(
        "figures.kept",
        kept=drifted.followed_count,
        asked=len(drifted.content_words),
        share=f"{100 * drifted.found_share:.0f}",
    )
    verdict = t("figures.whole") if drifted.is_complete else t("figures.lost")
    name = f"{get_title(one.made_by.model)} {one.made_by.fingerprint}"
    return (
        f"<p class='made'><b>{escape_html(get_title(one.made_by.model))}</b> "
        f"{escape_html(verdict)} {escape_html(count)}</p>"
        f"<p class='french' lang='{escape_html(one.target_language)}' title='{escape_html(name)}'>{''.join(parts)}</p>"
    )


def to_csv(followed: Sequence[tuple[LongSentence, Sequence[tuple[Trace, Drift]]]]) -> str:
    """Every word of these translations, a line each: whether the reference has it, whether the thread still holds."""

    def rows() -> Iterator[tuple[str | int, ...]]:
        for long, of in followed:
            for one, drifted in of:
                for place, word in enumerate(one.target.words):
                    holds = drifted.last_followed is None or place <= drifted.last_followed
                    yield (long.sentence, one.made_by.model, one.made_by.fingerprint, word,
                           int(place in drifted.matches), int(holds))  # fmt: skip

    return build_csv(("sentence", "model", "weights", "word", "in the reference", "thread holds"), rows())
