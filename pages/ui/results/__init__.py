"""Measurements on the pages Length and BLEU and The paper's figures."""
