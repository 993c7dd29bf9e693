"""The table of link parameters and the session state behind it."""
