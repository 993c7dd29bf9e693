"""The shipped models in the orders that pages offer them in."""

from collections.abc import Iterable

from model.checkpoint import Card, available
from pages.view.service.service import ATTENDED, PLAIN


def models() -> list[Card]:
    """The cards of the shipped models in the order they are offered: with attention first, longer sentences first."""
    return sorted(
        available(),
        key=lambda card: (
            card.network.get("kind") != "rnnsearch",
            -int(card.training.get("longest_words", 0)),
            card.name,
        ),
    )


def familiar(names: Iterable[str]) -> list[str]:
    """Names of models, first the two that the app opens with, then the others in their order."""
    return sorted(names, key=lambda name: (name != ATTENDED, name != PLAIN))


def names() -> list[str]:
    """The names of all shipped models, the two that the app opens with first."""
    return familiar(sorted(card.name for card in available()))
