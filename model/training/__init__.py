"""Training: batches by length, the trainer, its diary and its recipes."""
