"""The family: one sentence through all kinds of models at once, where each looked, and what looking costs."""

import streamlit as st

from pages import guard, pages
from pages.ui.backend.cards import title_of
from pages.ui.escape import markdown
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.models import columns, cost_curves, family_results, gradients, gradients_asking, softmax_scaling, timeline
from pages.ui.url_state import links, picks
from pages.ui.url_state.state import forget, messages
from pages.ui.widgets import controls, doubts
from pages.ui.widgets.requests import Typed


def main() -> None:
    t = messages()
    frame.styles("family")
    typed = controls.box(t)
    with frame.line("options", 36, "small"):
        search = controls.search(t)
        controls.live(t)
        with controls.about(t):
            members = picks.several(links.MEMBERS, t("option.members"), lambda name: markdown(title_of(name)), t)
    status = doubts.line(typed, t, pages=pages)
    with st.container(key="lead"):
        st.html(f"<p>{t.marked('family.lead')}</p>")
    timeline.render_timeline(t)
    asked = family_results.start_translations(Typed.of(typed), members, search, t, status)
    columns.render_columns(columns.build_columns_payload(asked, members, t))
    line = gradients.render_gradients(asked, members, t)
    cost_curves.render_costs(t)
    softmax_scaling.render_softmax_scaling(t)
    chosen = columns.pop_opened_model(members)
    if chosen:
        leave(asked, chosen)
    if family_results.translate_next(asked, members, t, status) or gradients_asking.compute_next_gradients(
        asked, members, t, line
    ):
        rerun()


def leave(asked: family_results.FamilyResults, name: str) -> None:
    """Open the sentence in Translate with the model whose picture was clicked."""
    root = next(page for page in pages(messages()) if not page.url_path)
    st.session_state[links.MODEL.name] = name
    forget(*links.WITHIN)  # nothing is changed here: what opens is what was clicked
    st.switch_page(root, query_params=columns.build_link_query(asked, name))


guard()
main()
