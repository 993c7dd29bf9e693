"""The parts of a link parameter: `Param`, and `ValueType`, which values it takes and how a link spells them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar
from urllib.parse import unquote

from model.decoding import NO_OVERRIDES, OverrideError, Overrides

Value = TypeVar("Value")
Option = TypeVar("Option", bound=str)

_EMPTY = "-"  # a multiple choice with nothing chosen
_MAX_LISTED = 2  # numbers listed one by one; more are given as a range


class ValueType(Protocol[Value]):
    """The values of a parameter, and how a link spells them."""

    def get_default(self) -> Value:
        """Return the value used when neither the reader nor the link gives one."""

    def parse(self, text: str) -> tuple[Value | None, tuple[str, ...]]:
        """Return the value that `text` spells, or None, and the parts of it that are not allowed."""

    def format(self, value: Value) -> str | None:
        """Return how a link spells `value`; None for a value that this type does not have."""

    def list_allowed(self) -> Sequence[str]:
        """Return the allowed values, or a description of them, for an error message."""


@dataclass(frozen=True)
class Choice(Generic[Option]):
    """One of several options; the default is the first one unless `choose_default` picks another."""

    options: Callable[[], Sequence[Option]]
    choose_default: Callable[[Sequence[Option]], Option] = lambda options: options[0]

    def get_default(self) -> Option:
        return self.choose_default(self.options())

    def parse(self, text: str) -> tuple[Option | None, tuple[str, ...]]:
        option = next((option for option in self.options() if option == text), None)
        return (None, (text,)) if option is None else (option, ())

    def format(self, value: Option) -> str | None:
        return value if value in self.options() else None

    def list_allowed(self) -> Sequence[str]:
        return self.options()


@dataclass(frozen=True)
class MultiChoice:
    """Any number of options, in their order. A link separates them by commas and writes a dash for none."""

    options: Callable[[], Sequence[str]]
    choose_default: Callable[[Sequence[str]], Sequence[str]]

    def get_default(self) -> tuple[str, ...]:
        return tuple(self.choose_default(self.options()))

    def parse(self, text: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        if text == _EMPTY:
            return (), ()
        options = self.options()
        parts = [unquote(part) for part in text.split(",") if part]
        unknown_parts = tuple(part for part in parts if part not in options)
        return tuple(option for option in options if option in parts) or None, unknown_parts

    def format(self, value: Sequence[str]) -> str | None:
        options = self.options()
        if isinstance(value, str) or any(part not in options for part in value):
            return None
        return ",".join(_escape_option(option) for option in options if option in value) or _EMPTY

    def list_allowed(self) -> Sequence[str]:
        return self.options()


@dataclass(frozen=True)
class Text:
    """A text of up to `limit` characters. A link may bring a longer one, and the page says that it is too long. A link
    never carries a blank text: the page would open on nothing."""

    limit: int
    get_default: Callable[[], str] = lambda: ""

    def parse(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        return text if text.strip() else None, ()

    def format(self, value: str) -> str | None:
        return value if isinstance(value, str) and value.strip() and len(value) <= self.limit else None

    def list_allowed(self) -> Sequence[str]:
        return (f"1–{self.limit}",)


@dataclass(frozen=True)
class Number:
    """A whole number from 1 to `maximum`. `default` may lie outside, since a link never spells it."""

    maximum: int
    default: int = 1

    def get_default(self) -> int:
        return self.default

    def parse(self, text: str) -> tuple[int | None, tuple[str, ...]]:
        if re.fullmatch("[1-9][0-9]{0,8}", text) and int(text) <= self.maximum:
            return int(text), ()
        return None, (text,)

    def format(self, value: int) -> str | None:
        return str(value) if type(value) is int and 1 <= value <= self.maximum else None

    def list_allowed(self) -> Sequence[str]:
        if self.maximum > _MAX_LISTED:
            return (f"1–{self.maximum}",)
        return [str(number) for number in range(1, self.maximum + 1)]


@dataclass(frozen=True)
class Flag:
    """On where the link has 1, else off."""

    def get_default(self) -> bool:
        return False

    def parse(self, text: str) -> tuple[bool | None, tuple[str, ...]]:
        return (True, ()) if text == "1" else (None, (text,))

    def format(self, value: bool) -> str | None:
        return "1" if value is True else None

    def list_allowed(self) -> Sequence[str]:
        return ("1",)


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of model weights, separated by commas."""

    def get_default(self) -> tuple[str, ...]:
        return ()

    def parse(self, text: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        parts = tuple(text.split(","))
        return (parts, ()) if all(map(self._is_fingerprint, parts)) else (None, (text,))

    def format(self, value: Sequence[str]) -> str | None:
        are_fingerprints = not isinstance(value, str) and all(map(self._is_fingerprint, value))
        return ",".join(value) if value and are_fingerprints else None

    def list_allowed(self) -> Sequence[str]:
        return ("[0-9a-f]{12}",)

    @staticmethod
    def _is_fingerprint(part: object) -> bool:
        return isinstance(part, str) and re.fullmatch("[0-9a-f]{12}", part) is not None


@dataclass(frozen=True)
class OverridesText:
    """A reader's overrides of attention and tokens (model/decoding/overrides.py)."""

    def get_default(self) -> Overrides:
        return NO_OVERRIDES

    def parse(self, text: str) -> tuple[Overrides | None, tuple[str, ...]]:
        try:
            return Overrides.from_text(text), ()
        except OverrideError:
            return None, (text,)

    def format(self, value: Overrides) -> str | None:
        return value.to_text() if isinstance(value, Overrides) else None

    def list_allowed(self) -> Sequence[str]:
        return ("p12.34", "map@step=0.25,0.75", "map@*:uniform")


@dataclass(frozen=True)
class Param(Generic[Value]):
    """One link parameter.

    `pages`: those that have a control for it. `scope`: "link" if links to other pages carry it, "page" if only the
    link of its own page does, "session" if no link does. `has_page_default`: each page has another default, so that a
    default that nobody chose is not carried to the next page.
    """

    name: str
    value_type: ValueType[Value]
    pages: tuple[str, ...]
    scope: Literal["link", "page", "session"] = "link"
    has_page_default: bool = False

    def get_default(self) -> Value:
        """Return the value used when neither the reader nor the link gives one."""
        return self.value_type.get_default()

    def format(self, value: Value) -> str | None:
        """Return how a link spells `value`; None for the default and for values that the parameter does not take."""
        return None if value == self.get_default() else self.value_type.format(value)


@dataclass(frozen=True)
class NumberParam(Param[int]):
    """A parameter that is a number; its maximum may depend on what is displayed."""

    def with_maximum(self, maximum: int) -> "NumberParam":
        """Return the same parameter with another maximum."""
        assert isinstance(self.value_type, Number)
        return replace(self, value_type=replace(self.value_type, maximum=maximum))


def _escape_option(option: str) -> str:
    """Escape the characters of an option that have a meaning in a list of options."""
    return "%2D" if option == _EMPTY else option.replace("%", "%25").replace(",", "%2C")
