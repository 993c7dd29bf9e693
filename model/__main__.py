"""`python -m model`: the command line."""

from model.training.heap import keep_memory

keep_memory()  # before what takes time to import

from model.cli.commands import main  # noqa: E402

main()
