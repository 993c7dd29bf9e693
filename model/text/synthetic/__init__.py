"""Synthetic corpora: sentences from templates, names, places, numbers, dates and greetings.

They are from English into French, and between English and Korean (korean/).
"""
