"""Measurements of translations and of attention."""
