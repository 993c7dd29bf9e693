"""Measurements on the pages Length and BLEU and The paper, and the ablation of a reader's text for Laboratory."""
