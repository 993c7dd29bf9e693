"""Translate lists of everyday sentences and count how many are right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from model.decoding import Settings
from model.decoding.translate import TranslationModel, translate
from model.serialization.codec import to_plain
from model.serialization.files import compute_checksum
from model.serialization.timestamps import format_current_time
from model.text.everyday_sentences import DEFAULT_FILE, SCHEMA, dump_items_by_line, read_everyday
from model.text.normalise import normalise


@dataclass(frozen=True)
class SentenceOutcome:
    """The translation of one sentence. The fields are JSON keys."""

    source: str
    output: str
    passed: bool
    unseen: bool


@dataclass(frozen=True)
class EverydayReport:
    """The translations of a list of everyday sentences.

    Attributes:
        model: the name of the model.
        fingerprint: of its weights.
        data: the name of the list.
        search: the search settings.
        outcomes: one for each sentence.
        sha256: of the list's file.
        date: when it was made.
        command: the command that made it.
    """

    model: str
    fingerprint: str
    data: str
    search: dict[str, int | float | str | bool]
    outcomes: tuple[SentenceOutcome, ...]
    sha256: str
    date: str
    command: str

    @property
    def passed_count(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def unseen_count(self) -> int:
        """How many sentences are in no training text."""
        return sum(outcome.unseen for outcome in self.outcomes)

    @property
    def unseen_passed_count(self) -> int:
        return sum(outcome.passed and outcome.unseen for outcome in self.outcomes)

    def to_json(self) -> str:
        """Return JSON with one sentence per line, so that reports can be compared line by line."""
        head = {"schema": SCHEMA, "model": self.model, "fingerprint": self.fingerprint, "search": self.search,
                "data": {"name": self.data, "sha256": self.sha256}, "date": self.date, "command": self.command,
                "passed": self.passed_count, "sentences": len(self.outcomes),
                "unseen_passed": self.unseen_passed_count, "unseen": self.unseen_count}
        return dump_items_by_line(head, "outcomes", to_plain(self.outcomes))


def check_everyday(
    model: TranslationModel, settings: Settings | None = None, path: Path = DEFAULT_FILE, *, command: str = ""
) -> EverydayReport:
    """Translate all sentences, greedily by default, and compare them with the accepted translations."""
    settings = replace(settings or Settings(), n_best=1, candidates=0, detail=False, tree=False)
    sentences = read_everyday(path)
    texts = [normalise(sentence.source) for sentence in sentences]
    traces = translate(model, texts, settings, batch_size=len(sentences))
    outcomes = []
    for sentence, n_best in zip(sentences, traces, strict=True):
        output = n_best[0].target.text
        outcomes.append(SentenceOutcome(sentence.source, output, sentence.accepts(output), sentence.unseen))
    return EverydayReport(model.name, model.fingerprint, path.stem, settings.search_record, tuple(outcomes),
                          compute_checksum(path), format_current_time(), command)
