"""Attribute a translation to its source: saliency maps, gradients by distance, and gate values."""
