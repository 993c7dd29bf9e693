"""What the app shows before a model is loaded: opening translations, examples, the story."""
