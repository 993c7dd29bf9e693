"""The shipped translations: what the first page shows at once, before any model is loaded (assets/opening)."""

import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from model.codec import CodecError
from model.files import whole
from model.search import Settings
from model.text.normalise import normalise
from model.trace import Trace

FOLDER = Path(__file__).parents[3] / "assets" / "opening"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Example:
    """One sentence and what each model made of it: a Trace by the model's name."""

    sentence: str
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
    return tuple(Example(sentence, of) for sentence, of in traces.items())


def find(sentence: str, model: str, settings: Settings) -> Trace | None:
    """The shipped Trace of `sentence` by `model`, if it was made with these settings and in the detail they ask for."""
    text = normalise(sentence)
    for example in examples():
        trace = example.traces.get(model)
        if example.sentence != text or trace is None or trace.made_by.settings != settings.deciding:
            continue
        if trace.detail is not None or not settings.detail:
            return trace
    return None
