"""The shipped translations (assets/opening, assets/opening_family), displayed before any model is loaded."""

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
from model.text.languages import DEFAULT_PAIR, parse_language_pair
from model.text.normalise import NormalisedText
from model.text.politeness import split_tag
from model.trace import Trace

FOLDER = ASSETS / "opening"
EXAMPLES_FILE = FOLDER.with_name("examples.toml")
FAMILY_FILE = FOLDER.with_name("family.toml")
FAMILY_FOLDER = FOLDER.with_name("opening_family")

_log = logging.getLogger(__name__)


class ShippedTraces(Mapping[str, Trace]):
    """The Traces of one sentence by model, each parsed on first access, since a page displays only one or two of them.
    Damaged ones are logged and treated as missing."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._parsed: dict[str, Trace | None] = {}

    def __getitem__(self, model: str) -> Trace:
        if model not in self._parsed:
            self._parsed[model] = _parse_trace(self._texts[model])
        trace = self._parsed[model]
        if trace is None:
            raise KeyError(model)
        return trace

    def __iter__(self) -> Iterator[str]:
        return (model for model in self._texts if self.get(model) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Example:
    """One sentence, its Traces by model, and their pair of languages."""

    sentence: NormalisedText
    traces: Mapping[str, Trace]
    pair: str = "-".join(DEFAULT_PAIR)


@cache
def load_examples(folder: Path = FOLDER) -> tuple[Example, ...]:
    """Return the shipped examples, in the order of their file names. Files without sentence and model are skipped and
    logged."""
    texts: dict[tuple[str, str], dict[str, bytes]] = {}  # of Traces, by (sentence, pair) and model
    for path in sorted((find_complete_folder(folder) or folder).glob("*.json")):
        try:
            content = path.read_bytes()
            sentence, pair, model = _parse_header(parse_json(content, "a trace"))
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("%s is skipped: %s", path.name, error)
            continue
        texts.setdefault((sentence, pair), {})[model] = content
    return tuple(
        Example(NormalisedText(sentence), ShippedTraces(by_model), pair)
        for (sentence, pair), by_model in texts.items()
    )


def _parse_header(record: Any) -> tuple[str, str, str]:
    """Return a Trace's sentence, pair and model. Raises ValueError, TypeError or KeyError without them."""
    pair = "-".join(record.get("languages", DEFAULT_PAIR))
    header = (record["source"]["text"], pair, record["provenance"]["model"])
    if not all(isinstance(part, str) for part in header):
        raise TypeError("sentence, languages and model must be strings")
    return header


def _parse_trace(text: bytes) -> Trace | None:
    try:
        return Trace.from_json(text)
    except CodecError as error:
        _log.warning("a shipped translation is skipped: %s", error)
        return None


def load_family_examples() -> tuple[Example, ...]:
    """Return the shipped examples of All models, with a model of each kind."""
    return load_examples(FAMILY_FOLDER)


def find_trace(text: NormalisedText, model: str, settings: Settings, fingerprint: str | None) -> Trace | None:
    """Return the shipped Trace of `text` by `model`, if it has these settings and their detail.

    `fingerprint`: of the model's present weights, which must be those of the Trace; None accepts any.
    """
    for example in (*load_examples(), *load_family_examples()):
        trace = example.traces.get(model) if example.sentence == text else None
        if trace is None or trace.provenance.settings != settings.trace_settings:
            continue
        if fingerprint not in (None, trace.provenance.fingerprint):
            continue
        if trace.detail is not None or not settings.detail:
            return trace
    return None


def list_sentences(pair: str) -> tuple[str, ...]:
    """Return the example sentences of a pair of languages: those of its shipped translations, else of EXAMPLES_FILE for
    the pair or the source language, else those shipped for this language."""
    source = parse_language_pair(pair)[0].partition("-")[0]
    examples = load_examples()
    shipped_sentences = tuple(split_tag(example.sentence)[1] for example in examples if example.pair == pair)
    of_language = tuple(split_tag(example.sentence)[1] for example in examples if example.pair.startswith(f"{source}-"))
    sentences = _load_sentences()
    return shipped_sentences or tuple(sentences.get(pair, ()) or sentences.get(source, ())) or of_language


def get_family_sentence(pair: str) -> str:
    """Return the sentence that All models opens on for a pair of languages; "" without one."""
    sentences = _load_family_sentences()
    return sentences.get(pair, "") or sentences.get(parse_language_pair(pair)[0].partition("-")[0], "")


def list_foreign_sentences(pair: str) -> set[str]:
    """Return the example sentences of all other pairs, those of All models among them."""
    sentences = {sentence for examples in _load_sentences().values() for sentence in examples}
    sentences |= {split_tag(example.sentence)[1] for example in load_examples()}
    sentences |= set(_load_family_sentences().values())
    return sentences - {*list_sentences(pair), get_family_sentence(pair)}


@cache
def _load_family_sentences() -> dict[str, str]:
    """Return the sentence of All models by pair or source language."""
    return tomllib.loads(FAMILY_FILE.read_text(encoding="utf-8"))


@cache
def _load_sentences() -> dict[str, list[str]]:
    """Return example sentences without translations by pair or source language, for readers' own models."""
    return tomllib.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
