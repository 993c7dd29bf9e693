"""The command line: `python -m model COMMAND`.

An error that the user can correct ends the program with one sentence on standard error and exit code 2.
"""

from __future__ import annotations

import ast
import inspect
import io
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from model.checkpoints import model_folders
from model.cli.shared import print_error, print_line
from model.serialization.messages import is_out_of_memory

MODULES = {  # a module of model.cli, and the commands that it holds as functions of the same name
    "models": ("models", "average"),
    "translate": ("translate",),
    "training": ("train", "trials", "precision"),
    "live": ("live",),
    "data": ("data", "inspect", "lexicon"),
    "evaluate": ("evaluate", "claims", "runs"),
    "measure": ("everyday", "robustness", "copying", "ablation", "gradients"),
    "align": ("align", "alignment-error", "word-order"),
    "speed": ("bench", "costs"),
    "assets": ("opening", "phrases", "figures"),
    "results": ("results",),
}
COMMANDS = {command: module for module, commands in MODULES.items() for command in commands}


def load_command(name: str) -> Any:
    """Import the module of a command and return the command."""
    # The only lazy import of the commands: most of them need torch, which takes seconds to import.
    module = import_module(f"model.cli.{COMMANDS[name]}")
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command(name)(getattr(module, name.replace("-", "_")))
    return typer.main.get_command(single)


def read_summary(name: str) -> str:
    """Return the first paragraph of a command's docstring without importing its module."""
    tree = ast.parse(Path(__file__).with_name(f"{COMMANDS[name]}.py").read_text(encoding="utf-8"))
    function = next(node for node in tree.body
                    if isinstance(node, ast.FunctionDef) and node.name == name.replace("-", "_"))
    return inspect.cleandoc(ast.get_docstring(function) or "").partition("\n\n")[0]


class CommandGroup(TyperGroup):
    """The commands, each imported when it is called; the list of commands needs only their docstrings."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return TyperCommand(cmd_name, help=read_summary(cmd_name)) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, command_args = super().resolve_command(ctx, args)
        return name, command if name is None else load_command(name), command_args


app = typer.Typer(
    cls=CommandGroup, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown",
    help="Neural translation that shows where it attends: RNNsearch (Bahdanau et al. 2015) and related models.",
)  # fmt: skip


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    models: Annotated[list[Path] | None, typer.Option(
        "--models", metavar="DIR", help="A folder of further models: a checkpoint, a run, or a folder of these; may be "
        f"repeated. The environment variable {model_folders.ENVIRONMENT_VARIABLE} names such folders too.")] = None,
) -> None:
    """Add the folders of further models; print the help if there is no command."""
    for folder in models or ():
        if not folder.is_dir():
            raise typer.BadParameter(f"--models {folder} is not a folder; give a checkpoint, a run, or a folder of "
                                     "them")
    model_folders.set_extra_folders(models or ())
    if context.invoked_subcommand is None:
        print_line(context.get_help())


def main() -> NoReturn:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # UTF-8 in every locale
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        sys.exit(app(standalone_mode=False))
    except typer.BadParameter as error:
        exit_with_error(f"{error.format_message()} (help: python -m model COMMAND --help)")
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else error
        exit_with_error(f"{message} (help: python -m model --help)")
    except (KeyboardInterrupt, typer.Abort):
        exit_with_error("stopped", 130)
    except ValueError as error:  # the base of all errors of this repository, whose messages are for the user
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(f"{error.filename or 'a file could not be read or written'}: {error.strerror or error}")
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        exit_with_error("this machine has too little memory for that; use smaller sizes or a smaller batch")


def exit_with_error(message: str, code: int = 2) -> NoReturn:
    """Print one sentence on standard error and exit."""
    print_error(message)
    sys.exit(code)
