"""The page All models: one sentence translated by all kinds of models."""
