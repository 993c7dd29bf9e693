"""Train: small networks learn a toy task before the reader."""

import streamlit as st

from pages import guard
from pages.ui.escape import escape_html
from pages.ui.frame import frame
from pages.ui.train_live import choices, exports, watching
from pages.ui.url_state.state import get_messages
from pages.ui.widgets import folds


def main() -> None:
    t = get_messages()
    frame.load_page_styles("train_live")
    st.html(f'<p class="lead">{t.format_html("training.lead")}</p>')
    settings = choices.draw_controls(t)
    data = watching.draw_run(settings, t)
    exports.draw_buttons(data, t)
    folds.create_fold("training-method", t).html(f"<p>{escape_html(watching.describe_method(data, t))}</p>")


guard()
main()
