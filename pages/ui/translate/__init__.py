"""Translate: the heatmap with its sentences, and what leaves the page."""
