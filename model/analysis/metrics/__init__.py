"""Metrics of translations and of attention."""
