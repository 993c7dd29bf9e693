"""The least that Streamlit can do: one text box, one line. What our app takes is measured beside it (speed.py)."""

import streamlit as st

st.html(f"<p class='line'>{len(st.text_input('Sentence'))}</p>")
