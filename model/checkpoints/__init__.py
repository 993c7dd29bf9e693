"""Checkpoints: cards, loading, saving and 8-bit quantization."""
