"""Compare: two models side by side, and a sentence that grows clause by clause."""
