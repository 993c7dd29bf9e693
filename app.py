"""The app: page configuration and navigation. Start it with `streamlit run app.py`, or
`streamlit run app.py -- --models DIR` for models of your own.

Streamlit imports this file once to serve `app`, and runs it as the script of every page.
"""

import sys

import streamlit as st


def main() -> None:
    # The column that holds everything. It is one pixel high until the styles are loaded, so that nothing moves then.
    sheet = st.container(key="sheet", gap=None, height=1, border=False)
    # An empty component makes the browser fetch Streamlit's component code while the modules below are imported: the
    # first picture of a fresh server comes a quarter of a second sooner.
    st.components.v2.component("early", js="export default () => {}")(key="early", height=1)

    from model.checkpoints import model_folders
    from pages import FRAME_MARK, navigate
    from pages.ui.backend import cards
    from pages.ui.frame import frame, offline
    from pages.ui.url_state.state import get_messages

    model_folders.set_extra_folders(model_folders.parse_folder_options(sys.argv))
    offline.disable_address_lookup()
    t = get_messages()
    st.session_state[FRAME_MARK] = True
    st.set_page_config(page_title=t("app.title"), page_icon=frame.ICON, layout="wide")
    listed_pages, page = navigate(t)
    st.html(frame.STYLES)
    with cards.freeze_cards(), sheet, frame.draw_frame(listed_pages, page, t):
        page.run()


if __name__ == "__main__":
    main()
else:
    from pages.ui.frame import serving, vote

    routes = [*serving.build_routes(), *vote.build_routes()]
    app = st.App(__file__, routes=routes, middleware=serving.build_middleware(), on_script_error=serving.render_failure)
