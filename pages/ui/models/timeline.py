"""The line of time: what translated, since when, and what its papers published, apart from every score of ours."""

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from model.analysis.paper.published import EARLIER, SYSTEMS, PublishedSystem
from model.networks import registry
from pages.ui.components import glossary
from pages.ui.escape import markup
from pages.ui.i18n.messages import Messages, term

FULL = 45.0  # BLEU at the end of a bar


@dataclass(frozen=True)
class TimelineEntry:
    """One place on the line: its year, its name as HTML, what it brought, its paper and its published scores."""

    year: int
    name: str
    brought: str
    paper: str
    scores: tuple[PublishedSystem, ...]


def build_timeline(t: Messages) -> Iterator[TimelineEntry]:
    """From phrase tables to the newest kind that tells its year."""
    told, known = glossary.terms(t), set(t)
    for one in EARLIER:
        name = term(one.about, t(f"term.{one.about}")) if one.about in told else markup(one.title)
        yield TimelineEntry(one.year, name, t.marked(f"history.{one.name}"), one.paper, _of(one.name))
    for kind in registry.list_kinds_by_year():
        if kind.year and kind.glossary_key in told and f"history.{kind.glossary_key}" in known:
            name = term(kind.glossary_key, kind.title)
            yield TimelineEntry(kind.year, name, t.marked(f"history.{kind.glossary_key}"), kind.paper, _of(kind.name))


def _of(name: str) -> tuple[PublishedSystem, ...]:
    return tuple(one for one in SYSTEMS if one.kind == name)


def render_timeline(t: Messages) -> None:
    """Draw the line, with where its scores stand."""
    listed = "".join(_station(one, t) for one in build_timeline(t))
    sources = "".join(f"<li>{markup(source)}</li>" for source in dict.fromkeys(one.source for one in SYSTEMS))
    with st.container(key="history"):
        st.html(
            f"<section data-section aria-label='{markup(t('history.label'))}'>"
            f"<ol class='line' tabindex='0'>{listed}</ol>"
            f"<details><summary>{markup(t('history.how'))}</summary><p>{t.marked('history.note')}</p>"
            f"<ul>{sources}</ul></details></section>"
        )


def _station(one: TimelineEntry, t: Messages) -> str:
    scores = "".join(_score(score, t) for score in one.scores)
    none = f"<span class='none'>{markup(t('history.none'))}</span>"
    return (
        f"<li><b class='year'>{one.year}</b><span class='name'>{one.name}</span>"
        f"<span class='brought'>{one.brought}</span><span class='paper'>{markup(one.paper)}</span>"
        f"<span class='scores'>{scores or none}</span></li>"
    )


def _score(score: PublishedSystem, t: Messages) -> str:
    told = t("history.score", bleu=score.bleu, language=t(f"tongue.{score.into}"), system=score.system)
    width = 100 * score.bleu / FULL
    return f"<span class='score {score.into}'><i style='width:{width:.0f}%'></i>{markup(told)}</span>"
