"""Errors of translations, and where two translations of one sentence differ."""
