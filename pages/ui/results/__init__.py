"""The room of Length and BLEU: alignment being born, from the models' diaries."""
