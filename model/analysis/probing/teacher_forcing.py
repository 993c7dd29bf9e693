"""Teacher forcing against free running: what a model continues with after every part of a given translation."""

from __future__ import annotations

from dataclasses import dataclass

from model.analysis.ablation.divergence import find_difference
from model.decoding import Settings, StopCallback, search
from model.decoding.forced_decoding import build_forced_trace
from model.decoding.translate import TranslationModel, build_trace, prepare_search
from model.text.normalise import NormalisedText
from model.trace import END_PIECE, Trace

MAX_GIVEN = 60  # of a longer translation, only so many first tokens are given


@dataclass(frozen=True)
class TeacherForcing:
    """A given translation, and what follows its parts.

    Attributes:
        forced_trace: the given translation, each token scored after the given ones before it.
        continuations: at index k the greedy translation whose first k tokens are given; the first one runs free.
    """

    forced_trace: Trace
    continuations: tuple[Trace, ...]

    @property
    def first_difference(self) -> int | None:
        """The first step, from 0, at which the free translation has another token; None if it has none."""
        traces = (self.forced_trace, self.continuations[0])
        return find_difference(*([step.id for step in trace.steps] for trace in traces))


def compare_teacher_forcing(
    model: TranslationModel, source: NormalisedText, target: NormalisedText, should_stop: StopCallback | None = None
) -> TeacherForcing:
    """Force `target`, and continue greedily after each number of its tokens, in one batch.

    Raises SentenceError where either text is empty or too long; SearchStopped once `should_stop` returns true.
    """
    settings = Settings()
    forced = build_forced_trace(model, source, target, settings, should_stop)
    ids = [step.id for step in forced.steps if step.piece != END_PIECE]
    limit = min(len(ids), MAX_GIVEN, settings.compute_max_target_length(len(forced.source.pieces)) - 1)
    sentences = [prepare_search(model, source, ids[:count], settings) for count in range(limit + 1)]
    results = search(model.network, [sentence.ids for sentence in sentences], settings,
                     [sentence.prefix for sentence in sentences], should_stop)  # fmt: skip
    return TeacherForcing(forced, tuple(build_trace(model, sentence, hypotheses[0], settings)
                                        for sentence, hypotheses in zip(sentences, results, strict=True)))  # fmt: skip
