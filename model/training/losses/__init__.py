"""Fused losses over whole sequences, one per family of networks, equal to the networks' own losses."""
