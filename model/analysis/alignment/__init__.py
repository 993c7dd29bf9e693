"""Where a model looks, as links between words: read off its maps, held against people's, written for others."""
