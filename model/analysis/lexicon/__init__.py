"""Which words translate which: learnt from pairs of sentences, looked up where a word's translation is to be known."""
