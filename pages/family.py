"""The family: one sentence through all kinds of models at once, where each looked, and what looking costs."""

import streamlit as st

from pages import guard, pages
from pages.ui.backend.cards import title_of
from pages.ui.escape import markdown
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.models import asking, columns, cost_curves, gradients, gradients_asking, history, root
from pages.ui.url_state import links, picks
from pages.ui.url_state.state import forget, messages
from pages.ui.widgets import controls, doubts
from pages.ui.widgets.requests import Typed


def main() -> None:
    say = messages()
    frame.styles("family")
    typed = controls.box(say)
    with frame.line("options", 36, "small"):
        search = controls.search(say)
        controls.live(say)
        with controls.about(say):
            members = picks.several(links.MEMBERS, say("option.members"), lambda name: markdown(title_of(name)), say)
    status = doubts.line(typed, say, pages=pages)
    with st.container(key="lead"):
        st.html(f"<p>{say.marked('family.lead')}</p>")
    history.show(say)
    asked = asking.begin(Typed.of(typed), members, search, say, status)
    columns.show(columns.payload(asked, members, say))
    line = gradients.show(asked, members, say)
    cost_curves.show(say)
    root.show(say)
    chosen = columns.opened(members)
    if chosen:
        leave(asked, chosen)
    if asking.one_more(asked, members, say, status) or gradients_asking.some_more(asked, members, say, line):
        rerun()


def leave(asked: asking.Asked, name: str) -> None:
    """Open the sentence in Translate with the model whose picture was clicked."""
    root = next(page for page in pages(messages()) if not page.url_path)
    st.session_state[links.MODEL.name] = name
    forget(*links.WITHIN)  # nothing is changed here: what opens is what was clicked
    st.switch_page(root, query_params=columns.leave(asked, name))


guard()
main()
