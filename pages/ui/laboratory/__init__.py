"""The laboratory: change what the model looks at, and see what it writes."""
