"""The alignment heatmap, all heads side by side, and the files they are saved as."""
