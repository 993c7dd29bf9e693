"""What is in the vectors that an encoder makes of a sentence."""
