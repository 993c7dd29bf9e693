"""The texts of the interface in the reader's language, from assets/words.

To add a language, add its code to LANGUAGES and its folder to assets/words.
"""

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
"""A glossary term within a text, such as "[[alpha|α]]": its key and its words."""
COMPONENT_TERM = "\u2061{}\u2063{}\u2064"
"""A term as sent to browser components (assets/player/shared/dom.js), between characters that readers cannot type."""


class Messages:
    """The texts of one language.

    `t("box.label")` returns a text, `t("result.score", value="−3.1")` fills its places. A place {count:word|words}
    takes the first form if the count is 1, else the second. Glossary terms become plain words; `format_html` makes them
    buttons. Raises KeyError for an unknown key or an unfilled place.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = dict(texts)
        self._tables: dict[str, dict[str, str]] = {}

    def __call__(self, key: str, **values: object) -> str:
        return _fill_values(TERM_MARK.sub(r"\2", self._texts[key]), values)

    def name_language(self, code: str) -> str:
        """Return the name of a language, or its code if there is none."""
        return self._texts.get(f"language_name.{code.partition('-')[0]}", code)

    def format_html(self, key: str, **values: object) -> str:
        """Return a text as escaped HTML, with its terms as buttons that open their explanation."""
        parts = TERM_MARK.split(self._texts[key])  # text, term key, term, text, term key, term, ..., text
        return "".join(
            render_term(parts[index - 1], part) if index % 3 == 2 else escape_html(_fill_values(part, values))
            for index, part in enumerate(parts)
            if index % 3 != 1
        )

    def format_for_component(self, key: str, **values: object) -> str:
        """Return a text for a browser component, which draws the terms."""
        return _fill_values(TERM_MARK.sub(COMPONENT_TERM.format(r"\1", r"\2"), self._texts[key]), values)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        """Iterate over the dotted keys in the order of the files."""
        return iter(self._texts)

    def get_table(self, name: str) -> dict[str, str]:
        """Return all texts of a table for a browser component, which fills their places and draws their terms."""
        if name not in self._tables:
            prefix, term = f"{name}.", COMPONENT_TERM.format(r"\1", r"\2")
            self._tables[name] = {
                key.removeprefix(prefix): TERM_MARK.sub(term, text)
                for key, text in self._texts.items()
                if key.startswith(prefix)
            }
        return self._tables[name].copy()


def render_term(key: str, text: str) -> str:
    """Return a glossary term as HTML: a button that opens its explanation (shared/glossary.js)."""
    return f'<span role="button" tabindex="0" class="term" data-term="{escape_html(key)}">{escape_html(text)}</span>'


class _PluralFormatter(string.Formatter):
    """Formats places of the form {count:word|words}."""

    def format_field(self, value: object, format_spec: str) -> str:
        singular, _, plural = format_spec.partition("|")
        if not plural:
            return str(value)
        return singular if str(value) == "1" else plural


_FORMATTER = _PluralFormatter()


def _fill_values(text: str, values: Mapping[str, object]) -> str:
    """Fill the places of a text; `str.format_map` is faster where there is no plural."""
    if "|" in text:
        return _FORMATTER.vformat(text, (), values)
    return text.format_map(values) if "{" in text else text


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
    """Load the texts of one of LANGUAGES from all files of its folder. Raises KeyError if two files have a table of the
    same name."""
    tables: dict[str, object] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        for name, table in tomllib.loads(path.read_text("utf-8")).items():
            if name in tables:
                raise KeyError(f"{path} has the table {name}, which another file of its folder has too")
            tables[name] = table
    return Messages(language, _flatten(tables))


def match_locale(locale: str | None) -> str:
    """Return the interface language for a browser's locale ("ko-KR" gives "ko"), by default the first one."""
    parts = (locale or "").replace("_", "-").lower().split("-")
    known_languages = {language.lower(): language for language in LANGUAGES}
    prefixes = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((known_languages[prefix] for prefix in prefixes if prefix in known_languages), LANGUAGES[0])
