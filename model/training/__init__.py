"""Training: the trainer, batches, recipes, and the diary of a run."""

from pathlib import Path

RUNS = Path("runs")  # a folder of runs, each in a folder of its name
DATA = RUNS / "data"  # prepared by `python -m model data`
