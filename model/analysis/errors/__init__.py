"""Two translations of one sentence: what one keeps and the other loses, repeats or invents."""
