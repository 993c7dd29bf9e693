"""Write the types of the payloads for the browser: `python -m tests.player.payloads`.

assets/player/payloads.d.ts has the TypedDicts that components are registered with, and the messages of assets/words. So
tsc checks in JavaScript what mypy checks in Python.
"""

import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pages.ui
from model.paths import ASSETS
from pages.ui.components.component import PAYLOAD_TYPES
from pages.ui.i18n.messages import LANGUAGES, load_messages

FILE = ASSETS / "player" / "payloads.d.ts"
HEADER = "// Made by `python -m tests.player.payloads` of the TypedDicts in pages/ui: what Python sends.\n"
TYPE_NAMES = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def build_declarations() -> str:
    """Return the whole file."""
    shapes = list_payload_types()
    return "\n".join([HEADER, *map(format_interface, shapes), *map(format_messages, list_message_tables(shapes))])


def list_payload_types() -> list[type]:
    """Return the TypedDicts of all components, each after its parts."""
    for module in pkgutil.walk_packages(pages.ui.__path__, "pages.ui."):
        importlib.import_module(module.name)
    return list(dict.fromkeys(part for _, shape in sorted(PAYLOAD_TYPES.items()) for part in iterate_parts(shape)))


def list_message_tables(shapes: list[type]) -> list[str]:
    """Return the tables of assets/words that these TypedDicts are annotated with."""
    hints = (hint for shape in shapes for hint in get_hints(shape).values())
    return sorted({table for hint in hints if get_origin(hint) is Annotated for table in hint.__metadata__})


def get_hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


def iterate_parts(shape: Any) -> Iterator[type]:
    """Yield the TypedDicts that a type consists of, the outermost last."""
    for part in get_hints(shape).values() if is_typeddict(shape) else get_args(shape):
        yield from iterate_parts(part)
    if is_typeddict(shape):
        yield shape


def format_interface(shape: type) -> str:
    """Return a TypedDict as an interface, with its docstring."""
    lines = [f"/** {' '.join((inspect.getdoc(shape) or '').split())} */", f"export interface {shape.__name__} {{"]
    for name, hint in get_hints(shape).items():
        is_optional = get_origin(hint) is NotRequired
        lines.append(f"  {name}{'?' if is_optional else ''}: {format_type(get_args(hint)[0] if is_optional else hint)}")
    return "\n".join([*lines, "}\n"])


def format_type(hint: Any) -> str:
    """Return a type in TypeScript. Raises TypeError if it is not supported."""
    if hint in TYPE_NAMES:
        return TYPE_NAMES[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return get_interface_name(hint.__metadata__[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in args)
    if origin in (Union, types.UnionType):
        return " | ".join(format_type(arg) for arg in args)
    if origin is tuple:
        return f"[{', '.join(format_type(arg) for arg in args)}]"
    if origin is list:
        return f"({format_type(args[0])})[]" if " | " in format_type(args[0]) else f"{format_type(args[0])}[]"
    if origin is dict and args[0] is str:
        return f"Record<string, {format_type(args[1])}>"
    raise TypeError(f"{hint} has no counterpart in TypeScript")


def get_interface_name(table: str) -> str:
    return "".join(part.capitalize() for part in table.split("_")) + "Messages"


def format_messages(table: str) -> str:
    """Return a table of assets/words as an interface."""
    names = load_messages(LANGUAGES[0]).get_table(table)
    if not names:
        raise KeyError(f"assets/words has no table {table}")
    lines = [f"export interface {get_interface_name(table)} {{", *(f"  {name}: string" for name in names), "}\n"]
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(build_declarations(), encoding="utf-8")
