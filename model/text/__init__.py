"""From a typed sentence to pieces and back: normalisation, words, the vocabulary and the corpora."""
