"""Translations for every reader: one decoding at a time, a fair queue, jobs over whole files."""
