"""What was measured, as pages show it: length and BLEU, the paper's figures."""
