"""Probe the encoder: word vectors and their neighbours, and translations of a sentence's prefixes."""
