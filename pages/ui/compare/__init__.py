"""The page Compare: translations by two models, and a sentence growing clause by clause."""
