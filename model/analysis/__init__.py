"""Measures of translations and of attention."""
