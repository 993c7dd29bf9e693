"""The attention heatmap, all heads side by side, and their downloads."""
