"""`python -m model`: the command line."""

from model.cli import main

main()
