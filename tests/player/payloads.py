"""What the browser's components get from Python, for the browser's side: `python -m tests.player.payloads` writes
assets/player/payloads.d.ts from the TypedDicts that the components were made with and from the texts of assets/words.

So what mypy checks here is what tsc checks there.
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
HEAD = "// Made by `python -m tests.player.payloads` of the TypedDicts in pages/ui: what Python sends.\n"
NAMES = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def declared() -> str:
    """The whole file: every shape that a component is sent, what it is made of, and the texts they hold."""
    found = shapes()
    return "\n".join([HEAD, *map(interface, found), *map(messages, tables(found))])


def shapes() -> list[type]:
    """What the components are sent, and what that is made of: a shape after its parts."""
    for module in pkgutil.walk_packages(pages.ui.__path__, "pages.ui."):
        importlib.import_module(module.name)
    return list(dict.fromkeys(part for _, shape in sorted(PAYLOAD_TYPES.items()) for part in parts(shape)))


def tables(found: list[type]) -> list[str]:
    """The tables of assets/words that these shapes hold."""
    return sorted({table for shape in found for hint in hints(shape).values() for table in texts(hint)})


def hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


def parts(shape: Any) -> Iterator[type]:
    """The TypedDicts that a type is made of, the outermost last."""
    inner = hints(shape).values() if is_typeddict(shape) else get_args(shape)
    for one in inner:
        yield from parts(one)
    if is_typeddict(shape):
        yield shape


def texts(hint: Any) -> Iterator[str]:
    """The tables of assets/words that a type is annotated with: the first names every text, of others some may stand
    in their place."""
    if get_origin(hint) is Annotated:
        yield from hint.__metadata__


def interface(shape: type) -> str:
    """A TypedDict as an interface, with its docstring."""
    lines = [f"/** {' '.join((inspect.getdoc(shape) or '').split())} */", f"export interface {shape.__name__} {{"]
    for name, hint in hints(shape).items():
        optional = get_origin(hint) is NotRequired
        lines.append(f"  {name}{'?' if optional else ''}: {written(get_args(hint)[0] if optional else hint)}")
    return "\n".join([*lines, "}\n"])


def written(hint: Any) -> str:
    """A type in TypeScript. Raises TypeError for one that has no counterpart here."""
    if hint in NAMES:
        return NAMES[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return interface_name(hint.__metadata__[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inside)
    if origin in (Union, types.UnionType):
        return " | ".join(written(one) for one in inside)
    if origin is tuple:
        return f"[{', '.join(written(one) for one in inside)}]"
    if origin is list:
        return f"({written(inside[0])})[]" if " | " in written(inside[0]) else f"{written(inside[0])}[]"
    if origin is dict and inside[0] is str:
        return f"Record<string, {written(inside[1])}>"
    raise TypeError(f"{hint} has no counterpart in TypeScript")


def interface_name(table: str) -> str:
    return "".join(part.capitalize() for part in table.split("_")) + "Words"


def messages(table: str) -> str:
    """A table of assets/words as an interface: every text by its name."""
    names = load_messages(LANGUAGES[0]).get_table(table)
    if not names:
        raise KeyError(f"assets/words has no table {table}")
    return "\n".join([f"export interface {interface_name(table)} {{", *(f"  {name}: string" for name in names), "}\n"])


if __name__ == "__main__":
    FILE.write_text(declared(), encoding="utf-8")
