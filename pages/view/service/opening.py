"""The shipped translations: what the first page shows at once, before any model is loaded (assets/opening)."""

import logging
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from model.codec import CodecError
from model.files import whole
from model.search import Settings
from model.text.normalise import Normalised
from model.trace import Trace

FOLDER = Path(__file__).parents[3] / "assets" / "opening"
EXAMPLES = FOLDER.with_name("examples.toml")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Example:
    """One sentence and what each model made of it: a Trace by the model's name."""

    sentence: Normalised
    traces: dict[str, Trace]


@cache
def examples(folder: Path = FOLDER) -> tuple[Example, ...]:
    """The shipped sentences, in the order of their files' names. A file that holds no Trace is left out and logged."""
    traces: dict[str, dict[str, Trace]] = {}
    for path in sorted((whole(folder) or folder).glob("*.json")):
        try:
            trace = Trace.from_json(path.read_bytes())
        except (OSError, CodecError) as error:
            _log.warning("%s is left out: %s", path.name, error)
            continue
        traces.setdefault(trace.source.text, {})[trace.made_by.model] = trace
    return tuple(Example(Normalised(sentence), of) for sentence, of in traces.items())


def find(text: Normalised, model: str, settings: Settings) -> Trace | None:
    """The shipped Trace of `text` by `model`, if it was made with these settings and in the detail they ask for."""
    for example in examples():
        trace = example.traces.get(model)
        if example.sentence != text or trace is None or trace.made_by.settings != settings.deciding:
            continue
        if trace.detail is not None or not settings.detail:
            return trace
    return None


def sentences(language: str) -> tuple[str, ...]:
    """The sentences that a reader may begin with in a source language: those of the shipped translations, or our own;
    none for a language that nobody wrote some in."""
    shipped = tuple(example.sentence for example in examples() if _language(example) == language)
    return shipped or tuple(_own().get(language.partition("-")[0], ()))


def elsewhere(language: str) -> set[str]:
    """The sentences that readers of other source languages begin with."""
    every = {sentence for own in _own().values() for sentence in own} | {example.sentence for example in examples()}
    return every - set(sentences(language))


def _language(example: Example) -> str:
    return next(iter(example.traces.values())).source_language


@cache
def _own() -> dict[str, list[str]]:
    """By source language, sentences to begin with for models of one's own, without any translation."""
    return tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))
