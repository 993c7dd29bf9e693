"""Save an experiment of the laboratory as a file: the sentence, the model, the search and the overrides.

    {"schema": 2, "kind": "experiment", "sentence": "The cat sleeps.", "model": "rnnsearch-50",
     "fingerprint": "0123456789ab", "beam": 1, "overrides": "attention@*:uniform", "unk": "replace"}

The page opens such a file again, and a command replays it: `python -m model translate --experiment FILE`. Needs no
torch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from model.decoding.overrides import MAX_TEXT_CHARACTERS, Overrides
from model.decoding.settings import Settings, UnkRule
from model.decoding.translate import MAX_CHARACTERS
from model.serialization.codec import (
    CodecError,
    dump_json,
    get_schema,
    mark_as_omitted_if_empty,
    parse_json,
    read_record,
    to_plain,
)
from model.serialization.messages import quote_value
from model.text.normalise import normalise
from model.trace import Trace

SCHEMA = 2  # schema 1: "edits" instead of "overrides"
KIND = "experiment"
_USUAL_SETTINGS = ("max_ratio", "length_penalty", "alpha", "beta", "stop")  # those that a file does not hold
MAX_FILE_SIZE = 4 * MAX_TEXT_CHARACTERS  # characters or bytes


class ExperimentError(ValueError):
    """A file that holds no valid experiment. The message is one sentence for users."""


@dataclass(frozen=True)
class SavedExperiment:
    """A translation with overrides that can be repeated.

    `overrides`: in the text form of `model.decoding.overrides`. `unk`: as in `Settings`; "" in files without it, for
    "show". Raises ExperimentError, OverrideError or SettingsError.
    """

    sentence: str
    model: str
    fingerprint: str
    beam: int
    overrides: str = ""
    unk: str = field(default="", metadata=mark_as_omitted_if_empty())
    kind: str = KIND
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if len(self.sentence) > MAX_CHARACTERS:
            raise ExperimentError(f"An experiment has a sentence of at most {MAX_CHARACTERS:,} characters: got "
                                  f"{len(self.sentence):,}.")
        if not normalise(self.sentence):
            raise ExperimentError("An experiment has a sentence with at least one visible character: this one has "
                                  "none.")
        _ = self.parse_overrides(), self.settings  # raise for values that cannot be used

    def parse_overrides(self) -> Overrides:
        return Overrides.from_text(self.overrides)

    @property
    def settings(self) -> Settings:
        return Settings(beam=self.beam, unk=cast("UnkRule", self.unk or "show"))

    @classmethod
    def from_trace(cls, trace: Trace) -> SavedExperiment:
        """Return the experiment that gives this Trace.

        Raises ExperimentError for a Trace that was sampled or not made by search, or by a search whose settings or
        beginning an experiment does not hold. Raises it too for one that may not be the best of several.
        """
        provenance = trace.provenance
        beam = provenance.settings.get("beam")
        if type(beam) is not int or provenance.seed is not None:
            raise ExperimentError("An experiment is made of a translation by greedy or beam search: this one is none.")
        unk = str(provenance.settings.get("unk", ""))
        experiment = cls(trace.source.text, provenance.model, provenance.fingerprint, beam, provenance.overrides, unk)
        if provenance.settings.get("n_best", 1) != 1 and trace.tree is None:  # the tree is on the best one
            raise ExperimentError("An experiment is made of the best translation: this may be another one.")
        prefix = experiment.parse_overrides().prefix
        first_tokens = tuple(step.id for step in trace.steps[: len(prefix)])
        if provenance.settings.get("prefix", 0) != len(prefix) or first_tokens != prefix:
            raise ExperimentError("An experiment holds the beginning of a translation as an override: this one was "
                                  "given in another way.")
        expected_settings = experiment.settings.trace_settings
        for name in _USUAL_SETTINGS:
            if name in provenance.settings and provenance.settings[name] != expected_settings.get(name):
                raise ExperimentError(f"An experiment is made of a translation by the usual search: this one has "
                                      f"{name} {provenance.settings[name]!r}.")
        return experiment

    def to_json(self) -> str:
        return dump_json(to_plain(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> SavedExperiment:
        """Parse an untrusted file. Raises ExperimentError, OverrideError or SettingsError."""
        if len(text) > MAX_FILE_SIZE:
            raise ExperimentError(f"An experiment's file has at most {MAX_FILE_SIZE:,} bytes: this one has "
                                  f"{len(text):,}; choose one that the laboratory saved.")
        try:
            value = parse_json(text, "an experiment")
            schema = get_schema(value, "an experiment")
            if schema not in (1, SCHEMA) or isinstance(schema, bool) or value.get("kind") != KIND:
                raise ExperimentError(f"This is not an experiment of schema 1 to {SCHEMA}: choose a file that the "
                                      "laboratory saved.")
            if schema == 1:
                value = {"overrides" if key == "edits" else key: part for key, part in value.items()}
                value["schema"] = SCHEMA
            return read_record(cls, value, "experiment")
        except CodecError as error:
            raise ExperimentError(str(error)) from None

    def check_fingerprint(self, fingerprint: str) -> None:
        """Raise ExperimentError unless the checkpoint's fingerprint is that of the experiment."""
        if fingerprint != self.fingerprint:
            raise ExperimentError(
                f"The experiment was made with the weights {quote_value(self.fingerprint)} of "
                f"{quote_value(self.model)}, and they are {fingerprint} now: it cannot be replayed exactly; "
                "make it anew in the laboratory."
            )
