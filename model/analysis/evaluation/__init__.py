"""A model's scores on a file of pairs: measured, kept as counts without text, and read again."""
