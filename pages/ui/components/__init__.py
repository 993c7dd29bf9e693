"""Browser components: script, styles and data, on a page or as one HTML file."""
