"""Everything that is true without a screen: text, networks, search, training, measures."""
