"""A bilingual lexicon of word translation probabilities, learnt from sentence pairs."""
