"""Parts of the page Concepts: one module for each idea."""
