"""Fused whole-sequence losses, one per family of networks, equal to the networks' own."""
