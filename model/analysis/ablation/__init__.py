"""What becomes of a translation when what the model looks at is changed."""
