"""Look inside a network on one sentence: vectors, states, attention, sublayers, next tokens, forcing, prefixes."""
