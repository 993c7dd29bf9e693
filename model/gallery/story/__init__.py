"""Data of the page The story: a phrase table, and Traces of a growing sentence."""
