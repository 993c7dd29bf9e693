"""The languages of the interface: every text a page shows, keyed by meaning, from assets/words."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "assets" / "words"
LANGUAGES = ("en", "ko")


class Messages:
    """One language's texts. `words("box.label")` gives a text, `words("result.score", value="−3.1")` fills its places.

    Raises KeyError for a key that does not exist or a place that is not filled: a page with a hole is a defect.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = dict(texts)

    def __call__(self, key: str, **values: object) -> str:
        text = self._texts[key]
        return text.format_map(values) if values or "{" in text else text

    def __iter__(self) -> Iterator[str]:
        """Every key, dotted, in the file's order."""
        return iter(self._texts)

    def table(self, name: str) -> dict[str, str]:
        """All texts below `name`, unfilled: a browser component fills the places itself."""
        return {key.removeprefix(f"{name}."): text for key, text in self._texts.items() if key.startswith(f"{name}.")}


def _flatten(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


@cache
def load(language: str) -> Messages:
    """The texts of one of LANGUAGES: every file of its folder, a page a file. Raises KeyError where two files have a
    table of the same name."""
    tables: dict[str, object] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        for name, table in tomllib.loads(path.read_text("utf-8")).items():
            if name in tables:
                raise KeyError(f"{path} has the table {name}, which another file of its folder has too")
            tables[name] = table
    return Messages(language, _flatten(tables))


def preferred(locale: str | None) -> str:
    """The interface language for a browser's locale ("ko-KR" gives "ko"); English where there is none of ours."""
    language = (locale or "").replace("_", "-").split("-")[0].lower()
    return language if language in LANGUAGES else LANGUAGES[0]
