"""`python -m model`: the command line."""

from model.cli.commands import main

main()
