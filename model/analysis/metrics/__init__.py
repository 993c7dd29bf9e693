"""Scores of translations and of attention, with how sure they are."""
