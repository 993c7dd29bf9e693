"""Charts that several pages share: Plotly figures for the screen, matplotlib drawings for files."""
