"""The app: page configuration and navigation. Start it with `streamlit run app.py`."""

import streamlit as st

from pages import FRAMED, navigate
from pages.view.shell import frame
from pages.view.shell.state import messages

say = messages()
st.session_state[FRAMED] = True
st.set_page_config(page_title=say("app.title"), page_icon=frame.ICON, layout="wide")
listed, page = navigate(say)
with frame.sheet(), frame.around(listed, page, say):
    page.run()
