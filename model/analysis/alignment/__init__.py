"""Word alignment by attention: of given pairs, scored against annotators' links, and over the course of training."""
