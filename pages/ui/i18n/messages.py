"""The languages of the interface: every text a page shows, keyed by meaning, from assets/words."""

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

from model.paths import ASSETS
from pages.ui.escape import escape_html

FOLDER = ASSETS / "words"
LANGUAGES = ("en", "ko")

TERM_MARK = re.compile(r"\[\[(\w+)\|([^\[\]|{}]+)\]\]")
"""A term of the glossary within a text, "[[alpha|α]]": its key, and the words that stand there."""
COMPONENT_TERM = "\u2061{}\u2063{}\u2064"
"""How browser components get it (assets/player/shared/terms.js): between signs that no text typed by a reader keeps."""


class Messages:
    """One language's texts. `words("box.label")` gives a text, `words("result.score", value="−3.1")` fills its places;
    a place {count:word|words} is filled by one form where the count is 1 and by the other where it is not.
    Terms of the glossary within it are plain words there; `marked` makes buttons of them.

    Raises KeyError for a key that does not exist or a place that is not filled: a page with a hole is a defect.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = dict(texts)
        self._tables: dict[str, dict[str, str]] = {}

    def __call__(self, key: str, **values: object) -> str:
        return _fill(TERM_MARK.sub(r"\2", self._texts[key]), values)

    def tongue(self, code: str) -> str:
        """What a language is called; its code where nobody here knows."""
        return self._texts.get(f"tongue.{code.partition('-')[0]}", code)

    def marked(self, key: str, **values: object) -> str:
        """The same as HTML, everything in it made harmless, its terms as buttons that explain themselves."""
        parts = TERM_MARK.split(self._texts[key])
        return "".join(
            render_term(parts[place - 1], part) if place % 3 == 2 else escape_html(_fill(part, values))
            for place, part in enumerate(parts)
            if place % 3 != 1
        )

    def sent(self, key: str, **values: object) -> str:
        """The same for a browser component, which draws the terms."""
        return _fill(TERM_MARK.sub(COMPONENT_TERM.format(r"\1", r"\2"), self._texts[key]), values)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        """Every key, dotted, in the file's order."""
        return iter(self._texts)

    def table(self, name: str) -> dict[str, str]:
        """All texts below `name`, unfilled: a browser component fills the places itself, and draws the terms."""
        if name not in self._tables:
            below = f"{name}."
            sent = COMPONENT_TERM.format(r"\1", r"\2")
            self._tables[name] = {key.removeprefix(below): TERM_MARK.sub(sent, text)
                                  for key, text in self._texts.items() if key.startswith(below)}  # fmt: skip
        return self._tables[name].copy()


def render_term(name: str, text: str) -> str:
    """A term as HTML: the words `text`, a button that opens the explanation `name` (shared/glossary.js)."""
    return f'<span role="button" tabindex="0" class="term" data-term="{escape_html(name)}">{escape_html(text)}</span>'


class _PluralFormatter(string.Formatter):
    """Places with the forms that a word has beside one and beside several."""

    def format_field(self, value: object, format_spec: str) -> str:
        one, _, several = format_spec.partition("|")
        return (one if str(value) == "1" else several) if several else str(value)


_FORMATTER = _PluralFormatter()


def _fill(text: str, values: Mapping[str, object]) -> str:
    return _FORMATTER.vformat(text, (), values) if "|" in text else text.format_map(values) if "{" in text else text


def _flatten(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


@cache
def load_messages(language: str) -> Messages:
    """The texts of one of LANGUAGES: every file of its folder, a page a file. Raises KeyError where two files have a
    table of the same name."""
    tables: dict[str, object] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        for name, table in tomllib.loads(path.read_text("utf-8")).items():
            if name in tables:
                raise KeyError(f"{path} has the table {name}, which another file of its folder has too")
            tables[name] = table
    return Messages(language, _flatten(tables))


def match_locale(locale: str | None) -> str:
    """The interface language for a browser's locale ("ko-KR" gives "ko"); English where there is none of ours."""
    parts = (locale or "").replace("_", "-").lower().split("-")
    known = {language.lower(): language for language in LANGUAGES}
    named = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((known[one] for one in named if one in known), LANGUAGES[0])
