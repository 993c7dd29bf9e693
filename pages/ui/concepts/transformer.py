"""What the ideas about the Transformer are drawn from: a shipped one on the sentence in the box."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from model.analysis.attribution.saliency import get_piece_ids
from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import suggest_pair
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.url_state import params

if TYPE_CHECKING:
    from model.analysis.probing.transformer_internals import Stack, StackInternals
    from model.checkpoints.checkpoint import Card, Model

KIND = "transformer"
MAX_TOKENS = 40  # on either side: more rows are too small to read

Result = TypeVar("Result")


@dataclass(frozen=True)
class TransformerTranslation:
    """The Transformer's translation of the sentence, with the labels of both sides' tokens."""

    card: Card
    trace: Trace
    source: list[str]
    target: list[str]

    def list_inputs(self, start: str) -> list[str]:
        """Return the labels of the decoder's inputs: `start`, then all target tokens but the last."""
        return [start, *self.target[:-1]]


def translate_with_transformer(context: IdeaContext) -> TransformerTranslation | None:
    """Translate the sentence; None if there is nothing to show, which the status line explains."""
    card = cards.find_card_of_kind(KIND, params.get_chosen_pair())
    if card is None:
        context.status.show_problem(context.t("transformer_idea.missing") + suggest_pair(KIND, context.t))
        return None
    traces = context.translate([card.name])
    if not traces:
        return None
    trace, t = traces[0], context.t
    source, target = label_tokens(trace.source, t), label_tokens(trace.target, t)
    count = max(len(source), len(target))
    if count > MAX_TOKENS:
        context.status.show_problem(t("transformer_idea.long", limit=MAX_TOKENS, count=count))
        return None
    return TransformerTranslation(card, trace, source, target)


def measure_internals(
    context: IdeaContext, translation: TransformerTranslation
) -> dict[Stack, StackInternals] | None:
    """Record both stacks on the translation; None after a failure, which the status line explains."""
    return measure_translation(context, translation, "internals", _record)


def measure_translation(
    context: IdeaContext, translation: TransformerTranslation, name: Hashable,
    compute: Callable[[Model, Trace, StopCallback], Result],
) -> Result | None:  # fmt: skip
    """Run `compute` on the translation. The result is cached under `name` and the tokens."""
    trace = translation.trace
    key = (name, trace.source.pieces, trace.target.pieces)
    return context.measure(translation.card.name, key, lambda model, should_stop: compute(model, trace, should_stop))


def _record(model: Model, trace: Trace, _: StopCallback) -> dict[Stack, StackInternals]:
    from model.analysis.probing.transformer_internals import record_internals  # keeps torch out of the first draw

    return record_internals(model.network, *get_piece_ids(model, trace))
