"""Pictures that several pages draw: curves, the grid of a map, figures for print."""
