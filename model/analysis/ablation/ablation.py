"""How much does a sentence need its attention? Its translation with every row changed by each of some rules.

Two things are told apart. *Free*: the model translates anew with the rule, and its words are compared with those it
wrote before. *Given*: it is made to write what it wrote before, and each word is asked for: would it still have been
the likeliest one, and how much of its probability is lost. What is said of kinds of words is said of given ones: a
word that flips because another one flipped before it counts nowhere.

What this shows and what not is the debate of Jain and Wallace (2019, "Attention is not Explanation") and Wiegreffe and
Pinter (2019, "Attention is not not Explanation").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from model.analysis.ablation.effect import Effect, measure_effects
from model.analysis.ablation.word_changes import WordPair, align_traces, count_unchanged, find_first_change, sum_by_word
from model.decoding import NO_EDITS, Edits, Rule, Settings, Stopped, search
from model.decoding.override_rules import Way
from model.decoding.translate import Model, SentenceError, begun, prepare, trace
from model.progress import ProgressCallback
from model.serialization.codec import to_plain
from model.text.function_words import is_content, is_word
from model.text.normalise import Normalised
from model.trace import MapDescription, Trace
from model.trace.maps import select_attention_maps

WordKind = Literal["content", "function", "punctuation", "number"]
WORD_KINDS: tuple[WordKind, ...] = get_args(WordKind)

RULES: dict[str, tuple[Way, float]] = {
    "max": ("max", 0), "temperature-0.5": ("temperature", 0.5), "temperature-2": ("temperature", 2),
    "before": ("before", 0), "others": ("others", 0), "diagonal": ("diagonal", 0), "uniform": ("uniform", 0),
    "shuffled": ("shuffled", 1),
}  # fmt: skip
"""The rules that are asked about, by a name: the way, and its temperature or seed."""

SCHEMA = 1


@dataclass(frozen=True)
class RuleAblation:
    """How a translation fared under a rule. `kept`: of its `words` those that the model, free, still wrote in their
    places; `broke`: where its translation first parts from the one before, None where it does not; `still`: how many
    words, each given those before, would still have been the likeliest; `lost`: nats of log-probability that the given
    translation lost, the end included."""

    name: str
    edits: Edits
    trace: Trace
    effect: Effect
    word_count: int
    kept_words: int
    first_change: WordPair | None
    predicted_words: int
    log_prob_loss: float


@dataclass(frozen=True)
class Ablation:
    """A translation, and how it fared under each rule of ASKED."""

    original: Trace
    rules: tuple[RuleAblation, ...]


def build_rule_edits(maps: Iterable[MapDescription]) -> dict[str, Edits]:
    """The edits of each rule of ASKED for all steps, in every head of attention."""
    keys = [one.key for one in select_attention_maps(maps)]
    return {name: Edits(rules=tuple(Rule(key, way, number=number) for key in keys))
            for name, (way, number) in RULES.items()}


def ablate_sentence(model: Model, text: Normalised, settings: Settings, stopped: Stopped | None = None) -> Ablation:
    """What each rule makes of a sentence's translation. Raises SentenceError for a sentence that cannot be translated,
    EditsError for a model without attention; SearchStopped once `stopped` says so."""
    rules = build_rule_edits(model.network.maps)
    sentences = [begun(model, text, (), settings, edits) for edits in (NO_EDITS, *rules.values())]
    found = search(model.network, [one.ids for one in sentences], settings, stopped=stopped,
                   edits=[one.edits for one in sentences])
    before, *after = (trace(model, one, hypotheses[0], settings)
                      for one, hypotheses in zip(sentences, found, strict=True))
    given = measure_effects(model, text, [step.id for step in before.steps], list(rules.values()), stopped)
    return Ablation(before, tuple(_fared(name, edits, before, one, effect) for (name, edits), one, effect
                              in zip(rules.items(), after, given, strict=True)))


def _fared(name: str, edits: Edits, before: Trace, after: Trace, effect: Effect) -> RuleAblation:
    pairs = align_traces(before, after)
    return RuleAblation(
        name,
        edits,
        after,
        effect,
        len(before.target.words),
        count_unchanged(pairs),
        find_first_change(pairs),
        sum(find_predicted_words(before, effect)),
        -sum(effect.log_prob_changes),
    )


def find_predicted_words(before: Trace, effect: Effect) -> list[bool]:
    """For each word of a translation whether all its pieces are still the likeliest, given those before."""
    found = [True] * len(before.target.words)
    for word, first in zip(before.target.word_of, effect.is_most_likely, strict=True):
        if word >= 0:
            found[word] = found[word] and first
    return found


def classify_word(word: str, language: str) -> WordKind:
    """What kind of word it is: one with a digit is a number."""
    if not is_word(word):
        return "punctuation"
    if any(letter.isdigit() for letter in word):
        return "number"
    return "content" if is_content(word, language) else "function"


class AblationCounts:
    """What is counted over translations. `given`: by the rule and the kind of word the words given, of these still the
    likeliest, nats lost; `free`: by the rule the words of free translations, of these kept; `sentences`: how many."""

    def __init__(self) -> None:
        self.forced = {name: {kind: [0, 0, 0.0] for kind in WORD_KINDS} for name in RULES}
        self.free = {name: [0, 0] for name in RULES}
        self.sentences = 0

    def add(self, found: Ablation) -> None:
        """Count one more translation."""
        self.sentences += 1
        kinds = [classify_word(word, found.original.target_language) for word in found.original.target.words]
        for one in found.rules:
            lost = sum_by_word(found.original, one.effect.log_prob_changes)
            for word, (kind, kept_here) in enumerate(
                zip(kinds, find_predicted_words(found.original, one.effect), strict=True)
            ):
                counts = self.forced[one.name][kind]
                counts[0] += 1
                counts[1] += kept_here
                counts[2] -= lost[word]
            self.free[one.name][0] += one.word_count
            self.free[one.name][1] += one.kept_words

    def forced_in_millinats(self) -> dict[str, dict[str, list[int]]]:
        """`given` in whole numbers: thousandths of a nat."""
        return {name: {kind: [int(words), int(held), round(1000 * lost)] for kind, (words, held, lost) in table.items()}
                for name, table in self.forced.items()}  # fmt: skip


def measure_ablation(
    model: Model, sentences: Sequence[Normalised], data: dict[str, Any], *, settings: Settings | None = None,
    command: str = "", progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """What `assets/evaluations/attention-need-NAME.json` holds: by the rule and the kind of word [words, of these still
    the likeliest, thousandths of a nat lost] over all sentences, of the words given; and by the rule [words, of these
    kept] of free translations. Counts only: no text. `data`: what says which sentences these are."""
    settings = settings or Settings(candidates=0)
    for number, text in enumerate(sentences, 1):  # told before hours are spent on those before it
        try:
            prepare(model, text)
        except SentenceError as error:
            raise SentenceError(error.kind, error.got, error.limit, number) from None
    tally = AblationCounts()
    for number, text in enumerate(sentences, 1):
        tally.add(ablate_sentence(model, text, settings))
        if progress is not None:
            progress("sentences", number, len(sentences))
    return {
        "schema": SCHEMA, "kind": "attention-need", "model": model.name, "fingerprint": model.fingerprint,
        "data": data | {"sentences": len(sentences)}, "search": {"name": settings.name, **to_plain(settings.deciding)},
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command, "given": tally.forced_in_millinats(),
        "free": tally.free,
    }  # fmt: skip
