"""Evaluations of models on test sets, stored as counts without text."""
