"""What the ideas about attention share: labels of tokens, and how far each model was trained."""

from __future__ import annotations

from collections.abc import Sequence

from model.trace import Side
from pages.ui.backend import cards
from pages.ui.concepts.gradients_text import label_pieces
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal

TEST_SET = "newstest2014"


def label_sides(source: Side, target: Side, t: Messages) -> tuple[list[str], list[str]]:
    """Return the tokens of both sides for the screen."""
    return label_pieces(source, t), label_pieces(target, t)


def describe_training(names: Sequence[str], t: Messages) -> str:
    """Say for how long each model was trained and how well it translates, so that nobody takes it for the best."""
    return " ".join(filter(None, (_describe_one(name, t) for name in names)))


def _describe_one(name: str, t: Messages) -> str:
    card = cards.find_card(name)
    scores = card.scores if card is not None else []
    bleu = next((one.get("bleu") for one in scores if one.get("data") == TEST_SET and one.get("beam") == 1), None)
    if card is None or not card.hours or not isinstance(bleu, float):
        return ""
    return t.format_for_component("concept_parts.trained", model=card.title, hours=format_decimal(card.hours, 1),
                                  bleu=format_decimal(bleu, 1), data=TEST_SET)  # fmt: skip
