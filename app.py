"""The app: page configuration and navigation. Start it with `streamlit run app.py`, or
`streamlit run app.py -- --models DIR` for models of your own."""

import sys

import streamlit as st

from model import folders
from pages import FRAMED, navigate
from pages.view.service import cards
from pages.view.shell import frame, offline
from pages.view.shell.state import messages

folders.use(folders.of_arguments(sys.argv))
offline.keep()
say = messages()
st.session_state[FRAMED] = True
st.set_page_config(page_title=say("app.title"), page_icon=frame.ICON, layout="wide")
listed, page = navigate(say)
with cards.held(), frame.sheet(), frame.around(listed, page, say):
    page.run()
