"""Attention ablation: translate again with every attention row replaced by a rule, and count what stays the same.

*Free*: the model translates anew, and its words are compared with those of the original translation. *Forced*: the
model generates the original translation, and each word is checked: is it still the most likely one, and how much of its
log-probability is lost? Counts by kind of word are of the forced runs, where one changed word cannot change the next.

What such experiments show is debated: Jain and Wallace (2019, "Attention is not Explanation"), Wiegreffe and Pinter
(2019, "Attention is not not Explanation").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.analysis.ablation.effect import Effect, measure_effects
from model.analysis.ablation.word_changes import WordPair, align_traces, count_unchanged, find_first_change, sum_by_word
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.decoding import NO_OVERRIDES, OverrideRule, Overrides, Settings, StopCallback, search
from model.decoding.override_rules import RuleKind
from model.decoding.translate import SentenceError, TranslationModel, build_trace, prepare_search, prepare_source
from model.progress import ProgressCallback
from model.text.normalise import NormalisedText
from model.text.words import is_content_word, is_word
from model.trace import MapDescription, Trace
from model.trace.maps import select_head_maps

WordKind = Literal["content", "function", "punctuation", "number"]
WORD_KINDS: tuple[WordKind, ...] = get_args(WordKind)

RULES: dict[str, tuple[RuleKind, float]] = {
    "max": ("max", 0), "temperature-0.5": ("temperature", 0.5), "temperature-2": ("temperature", 2),
    "before": ("before", 0), "others": ("others", 0), "diagonal": ("diagonal", 0), "uniform": ("uniform", 0),
    "shuffled": ("shuffled", 1),
}  # fmt: skip
"""The rules that replace attention rows, by name: the kind of rule, and its temperature or seed."""

SCHEMA = 1


@dataclass(frozen=True)
class RuleAblation:
    """A translation with all attention rows replaced by one rule.

    Attributes:
        name: the rule's key in RULES.
        overrides: the rule as overrides.
        trace: the free translation under the rule.
        effect: what the rule changes when the original translation is forced.
        word_count: the number of words in the original translation.
        unchanged_words: how many of them the free translation has too, in their places.
        first_change: the first pair of words that differ; None if there is none.
        predicted_words: how many words are still the most likely ones in the forced run.
        log_prob_loss: nats of log-probability lost in the forced run, the end included.
    """

    name: str
    overrides: Overrides
    trace: Trace
    effect: Effect
    word_count: int
    unchanged_words: int
    first_change: WordPair | None
    predicted_words: int
    log_prob_loss: float


@dataclass(frozen=True)
class Ablation:
    """The original translation of a sentence, and its ablation by each of RULES."""

    original: Trace
    rules: tuple[RuleAblation, ...]


def build_rule_overrides(maps: Iterable[MapDescription]) -> dict[str, Overrides]:
    """Return each of RULES as overrides of all steps, in every head of attention."""
    keys = [description.key for description in select_head_maps(maps)]
    return {name: Overrides(rules=tuple(OverrideRule(key, kind, parameter=number) for key in keys))
            for name, (kind, number) in RULES.items()}


def ablate_sentence(
    model: TranslationModel, text: NormalisedText, settings: Settings, should_stop: StopCallback | None = None
) -> Ablation:
    """Ablate the attention of one sentence by each of RULES.

    Raises SentenceError for a sentence that cannot be translated, SearchStopped once `should_stop` returns true.
    """
    rules = build_rule_overrides(model.network.maps)
    sentences = [prepare_search(model, text, (), settings, overrides) for overrides in (NO_OVERRIDES, *rules.values())]
    results = search(model.network, [sentence.ids for sentence in sentences], settings, should_stop=should_stop,
                     overrides=[sentence.overrides for sentence in sentences])
    original, *ablated_traces = (build_trace(model, sentence, hypotheses[0], settings)
                                 for sentence, hypotheses in zip(sentences, results, strict=True))
    token_ids = [step.id for step in original.steps]
    effects = measure_effects(model, text, token_ids, list(rules.values()), should_stop)
    return Ablation(original, tuple(
        _compare(name, overrides, original, trace, effect)
        for (name, overrides), trace, effect in zip(rules.items(), ablated_traces, effects, strict=True)
    ))  # fmt: skip


def _compare(name: str, overrides: Overrides, original: Trace, ablated_trace: Trace, effect: Effect) -> RuleAblation:
    pairs = align_traces(original, ablated_trace)
    return RuleAblation(
        name, overrides, ablated_trace, effect,
        word_count=len(original.target.words),
        unchanged_words=count_unchanged(pairs),
        first_change=find_first_change(pairs),
        predicted_words=sum(find_predicted_words(original, effect)),
        log_prob_loss=-sum(effect.log_prob_changes),
    )  # fmt: skip


def find_predicted_words(original: Trace, effect: Effect) -> list[bool]:
    """Return for each word whether all of its tokens are still the most likely ones in the forced run."""
    predicted = [True] * len(original.target.words)
    for word, is_most_likely in zip(original.target.word_of, effect.is_most_likely, strict=True):
        if word >= 0:
            predicted[word] = predicted[word] and is_most_likely
    return predicted


def classify_word(word: str, language: str) -> WordKind:
    """Return the kind of a word. A word with a digit is a number."""
    if not is_word(word):
        return "punctuation"
    if any(letter.isdigit() for letter in word):
        return "number"
    return "content" if is_content_word(word, language) else "function"


class AblationCounts:
    """Counts over the ablations of many sentences.

    Attributes:
        forced: by rule and kind of word: [words, words still the most likely, nats lost].
        free: by rule: [words, words kept] of free translations.
        sentences: the number of sentences counted.
    """

    def __init__(self) -> None:
        self.forced = {name: {kind: [0, 0, 0.0] for kind in WORD_KINDS} for name in RULES}
        self.free = {name: [0, 0] for name in RULES}
        self.sentences = 0

    def add(self, ablation: Ablation) -> None:
        """Count one more sentence."""
        self.sentences += 1
        original = ablation.original
        kinds = [classify_word(word, original.target_language) for word in original.target.words]
        for rule in ablation.rules:
            log_prob_changes = sum_by_word(original, rule.effect.log_prob_changes)
            predicted = find_predicted_words(original, rule.effect)
            for word, kind in enumerate(kinds):
                counts = self.forced[rule.name][kind]
                counts[0] += 1
                counts[1] += predicted[word]
                counts[2] -= log_prob_changes[word]
            self.free[rule.name][0] += rule.word_count
            self.free[rule.name][1] += rule.unchanged_words

    def round_forced_to_millinats(self) -> dict[str, dict[str, list[int]]]:
        """Return `forced` as integers: the nats lost in thousandths."""
        return {name: {kind: [int(words), int(predicted_words), round(1000 * lost_nats)]
                       for kind, (words, predicted_words, lost_nats) in table.items()}
                for name, table in self.forced.items()}  # fmt: skip


def measure_ablation(
    model: TranslationModel, sentences: Sequence[NormalisedText], data: dict[str, Any], *,
    settings: Settings | None = None, command: str = "", progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/ablation-NAME.json`: counts over all sentences, no text.

    `forced` holds, by rule and kind of word, [words, words still the most likely, thousandths of a nat lost] of the
    forced runs; `free` holds, by rule, [words, words kept]. `data` identifies the sentences.
    """
    settings = settings or Settings(candidates=0)
    for number, text in enumerate(sentences, 1):  # refuse a bad sentence before hours are spent
        try:
            prepare_source(model, text)
        except SentenceError as error:
            raise error.add_number(number) from None
    counts = AblationCounts()
    for number, text in enumerate(sentences, 1):
        counts.add(ablate_sentence(model, text, settings))
        if progress is not None:
            progress("sentences", number, len(sentences))
    return {
        **build_record_head("ablation", SCHEMA, model, data | {"sentences": len(sentences)}, settings),
        **build_date_and_command(command),
        "forced": counts.round_forced_to_millinats(), "free": counts.free,
    }  # fmt: skip
