"""A timeline of translation systems, with the scores that their papers published, apart from our own."""

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from model.analysis.paper.published import EARLIER_SYSTEMS, SYSTEMS, PublishedSystem
from model.networks import registry
from pages.ui.components import glossary
from pages.ui.escape import escape_html
from pages.ui.i18n.citations import format_citation
from pages.ui.i18n.messages import Messages, render_term

MAX_BLEU = 45.0  # at the end of a bar


@dataclass(frozen=True)
class TimelineEntry:
    """One system: its year, its name and contribution as HTML, its paper and its published scores."""

    year: int
    name: str
    contribution: str
    paper: str
    scores: tuple[PublishedSystem, ...]


def build_timeline(t: Messages) -> Iterator[TimelineEntry]:
    """Yield phrase-based systems first, then the kinds of networks by year."""
    terms, keys = glossary.list_terms(t), set(t)
    for system in EARLIER_SYSTEMS:
        key = system.glossary_key
        name = render_term(key, t(f"term.{key}")) if key in terms else escape_html(system.title)
        contribution = t.format_html(f"history.{system.key}")
        yield TimelineEntry(system.year, name, contribution, system.paper, _find_scores(system.key))
    for kind in registry.list_kinds_by_year():
        if kind.year and kind.glossary_key in terms and f"history.{kind.glossary_key}" in keys:
            name, contribution = (
                render_term(kind.glossary_key, kind.title),
                t.format_html(f"history.{kind.glossary_key}"),
            )
            yield TimelineEntry(kind.year, name, contribution, kind.paper, _find_scores(kind.name))


def _find_scores(key: str) -> tuple[PublishedSystem, ...]:
    return tuple(system for system in SYSTEMS if system.key == key)


def render_timeline(t: Messages) -> None:
    """Draw the timeline and the sources of its scores."""
    entries = "".join(_format_entry(entry, t) for entry in build_timeline(t))
    sources = "".join(
        f"<li>{escape_html(source)}</li>" for source in dict.fromkeys(system.source for system in SYSTEMS)
    )
    with st.container(key="history"):
        st.html(
            f"<section data-section aria-label='{escape_html(t('history.label'))}'>"
            f"<ol class='line' tabindex='0'>{entries}</ol>"
            f"<details><summary>{escape_html(t('history.how'))}</summary><p>{t.format_html('history.note')}</p>"
            f"<ul>{sources}</ul></details></section>"
        )


def _format_entry(entry: TimelineEntry, t: Messages) -> str:
    scores = "".join(_format_score(score, t) for score in entry.scores)
    paper = escape_html(format_citation(entry.paper, t))
    placeholder = f"<span class='none'>{escape_html(t('history.none'))}</span>"
    return (
        f"<li><b class='year'>{entry.year}</b><span class='name'>{entry.name}</span>"
        f"<span class='brought'>{entry.contribution}</span><span class='paper'>{paper}</span>"
        f"<span class='scores'>{scores or placeholder}</span></li>"
    )


def _format_score(score: PublishedSystem, t: Messages) -> str:
    text = t("history.score", bleu=score.bleu, language=t.name_language(score.target_language), system=score.system)
    width = 100 * score.bleu / MAX_BLEU
    return f"<span class='score {score.target_language}'><i style='width:{width:.0f}%'></i>{escape_html(text)}</span>"
