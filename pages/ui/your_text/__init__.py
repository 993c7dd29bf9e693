"""Your own text: uploads, what was made of them, and what leaves the page."""
