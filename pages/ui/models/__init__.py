"""The page The family: one sentence translated by all kinds of models."""
