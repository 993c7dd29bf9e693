"""The shipped translations: what the first page and the family show at once, before any model is loaded
(assets/opening, assets/opening_family)."""

import logging
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from model.decoding import Settings
from model.paths import ASSETS
from model.serialization.codec import CodecError, parse_json
from model.serialization.files import find_complete_folder
from model.text.languages import DEFAULT_PAIR
from model.text.normalise import Normalised
from model.trace import Trace

FOLDER = ASSETS / "opening"
EXAMPLES_FILE = FOLDER.with_name("examples.toml")
FAMILY_FILE = FOLDER.with_name("family.toml")
FAMILY_FOLDER = FOLDER.with_name("opening_family")

_log = logging.getLogger(__name__)


class ShippedTraces(Mapping[str, Trace]):
    """The Traces of one sentence by their models' names, each read from its file's text when it is first asked for: a
    page shows one or two of them. A text that holds no Trace is logged then and counts as none."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._read: dict[str, Trace | None] = {}

    def __getitem__(self, model: str) -> Trace:
        if model not in self._read:
            self._read[model] = _read_trace(self._texts[model])
        found = self._read[model]
        if found is None:
            raise KeyError(model)
        return found

    def __iter__(self) -> Iterator[str]:
        return (model for model in self._texts if self.get(model) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Example:
    """One sentence, what each model made of it, a Trace by the model's name, and the code of its language."""

    sentence: Normalised
    traces: Mapping[str, Trace]
    language: str = DEFAULT_PAIR[0]


def load_examples(folder: Path = FOLDER) -> tuple[Example, ...]:
    """The shipped sentences that a reader may begin with, in the order of their files' names. A file that says nothing
    of a sentence and a model is left out and logged."""
    return _load_examples(folder)


@cache
def _load_examples(folder: Path) -> tuple[Example, ...]:
    found: dict[tuple[str, str], dict[str, bytes]] = {}
    for path in sorted((find_complete_folder(folder) or folder).glob("*.json")):
        try:
            content = path.read_bytes()
            sentence, language, model = _read_head(parse_json(content, "a trace"))
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("%s is left out: %s", path.name, error)
            continue
        found.setdefault((sentence, language), {})[model] = content
    return tuple(Example(Normalised(text), ShippedTraces(made), language) for (text, language), made in found.items())


def _read_head(record: Any) -> tuple[str, str, str]:
    """A Trace's sentence, that sentence's language and the model; ValueError, TypeError or KeyError without them."""
    head = (record["source"]["text"], record.get("languages", DEFAULT_PAIR)[0], record["made_by"]["model"])
    if not all(isinstance(part, str) for part in head):
        raise TypeError("its sentence, language and model are no texts")
    return head


def _read_trace(text: bytes) -> Trace | None:
    try:
        return Trace.from_json(text)
    except CodecError as error:
        _log.warning("a shipped translation is left out: %s", error)
        return None


def load_family_examples() -> tuple[Example, ...]:
    """What one model of each kind made of the sentences that the family opens on."""
    return _load_examples(FAMILY_FOLDER)


def find_trace(text: Normalised, model: str, settings: Settings, fingerprint: str | None) -> Trace | None:
    """The shipped Trace of `text` by `model`, if it was made with these settings, in the detail they ask for, and by
    the weights of that `fingerprint`: those that the model has now; None for a model that there is not."""
    for example in (*load_examples(), *load_family_examples()):
        trace = example.traces.get(model) if example.sentence == text else None
        if trace is None or trace.made_by.settings != settings.provenance:
            continue
        if fingerprint not in (None, trace.made_by.fingerprint):
            continue
        if trace.detail is not None or not settings.detail:
            return trace
    return None


def list_sentences(language: str) -> tuple[str, ...]:
    """The sentences that a reader may begin with in a source language: those of the shipped translations, or our own;
    none for a language that nobody wrote some in."""
    shipped = tuple(example.sentence for example in load_examples() if example.language == language)
    return shipped or tuple(_load_sentences().get(language.partition("-")[0], ()))


def get_family_sentence(language: str) -> str:
    """The sentence that the family opens on in a source language; "" for one that nobody wrote one in."""
    return _load_family_sentences().get(language.partition("-")[0], "")


def list_foreign_sentences(language: str) -> set[str]:
    """The sentences that readers of other source languages begin with."""
    every = {sentence for own in _load_sentences().values() for sentence in own} | {
        example.sentence for example in load_examples()
    }
    return every - set(list_sentences(language))


@cache
def _load_family_sentences() -> dict[str, str]:
    """By source language, the sentence of the family."""
    return tomllib.loads(FAMILY_FILE.read_text(encoding="utf-8"))


@cache
def _load_sentences() -> dict[str, list[str]]:
    """By source language, sentences to begin with for models of one's own, without any translation."""
    return tomllib.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
