"""Training: batches by length, the trainer, its diary and its recipes."""

from pathlib import Path

RUNS = Path("runs")  # where runs live, each in a folder of its name
DATA = RUNS / "data"  # what `python -m model data` writes and training reads
