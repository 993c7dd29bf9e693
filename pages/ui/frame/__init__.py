"""The frame around every page, and what the app adds to Streamlit's server."""
