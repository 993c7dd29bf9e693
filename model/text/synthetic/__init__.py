"""Synthetic English-French corpora: sentences from templates, names, places, numbers, dates and greetings."""
