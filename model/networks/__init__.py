"""Networks, one file per paper, and the registry of their kinds."""
