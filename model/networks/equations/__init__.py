"""The equations of each network's decoding step as data, for the step-by-step player."""
