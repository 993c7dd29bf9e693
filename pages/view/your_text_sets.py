"""Shipped test sets as bars: their texts are not here, only what was counted of every sentence."""

import streamlit as st

from pages.view import curves, reckoned, your_text_bars, your_text_commands, your_text_curve
from pages.view.controls import familiar, shown_name
from pages.view.escape import markup
from pages.view.evaluations import search_of, shelf, shown_set
from pages.view.words import Words


def show(say: Words) -> None:
    """The bars and the curve of one of the shipped test sets, by the search that most models were measured with."""
    found = shelf()
    if not found.entries:
        return
    st.html(f"<h2>{markup(say('your_text.shipped'))}</h2><p class='note'>{markup(say('your_text.shipped_note'))}</p>")
    sets = found.sets
    name = st.selectbox(
        say("your_text.set"),
        sets,
        format_func=lambda one: shown_set(one, sets),
        key="own-set",
        persist_state="session",
        label_visibility="collapsed",
    )
    evaluations, _ = found.of(name, familiar(found.models), found.searches[0]) if name in sets else ((), ())
    if not evaluations:
        st.html(f"<p>{markup(say('your_text.not_measured'))}</p>")
        return
    title = shown_set(str(name), sets)
    your_text_bars.mount(key="set-bars", data=reckoned.bars(evaluations, title, say.language))
    drawn = [curves.Curve(one, one.by_length) for one in evaluations]
    your_text_curve.show(drawn, title, "set-curve", lambda: curves.to_csv(drawn), say)
    made = "; ".join(f"{shown_name(one.model)} {one.fingerprint}, {search_of(one).key}" for one in evaluations)
    st.html(
        f'<p class="note">{markup(say("your_text.made", list=made))}<br>{markup(say("your_text.made_by"))}</p>'
        + your_text_commands.html(one.command for one in evaluations)
    )
