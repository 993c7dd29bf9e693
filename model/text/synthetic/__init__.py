"""English-French corpora made by rule: sentences of our own templates, names, places, numbers, dates and greetings."""
