"""Which of several models is taken where nobody has chosen one, by the facts on their cards: never by their names."""

from __future__ import annotations

from collections.abc import Sequence

from model.checkpoints.checkpoint import Card, CheckpointError, list_cards, list_shipped_cards
from model.networks import registry


def sort_for_display(cards: Sequence[Card]) -> list[Card]:
    """The cards in the order they are offered: those that attend first, of these the ones for longer sentences, of
    these the kinds that came up first."""
    return sorted(cards, key=lambda card: (not card.has_attention, -card.longest_words, get_year_rank(card), card.name))


def sort_by_year(cards: Sequence[Card]) -> list[Card]:
    """The cards in the order in which their kinds came up, of one kind those for longer sentences first."""
    return sorted(cards, key=lambda card: (get_year_rank(card), -card.longest_words, -card.target_tokens, card.name))


def select_best_per_kind(cards: Sequence[Card]) -> list[Card]:
    """Of each kind the model trained on the longest sentences, and of such ones on the most pieces, in that order."""
    found: dict[str, Card] = {}
    for card in sort_by_year(cards):
        found.setdefault(card.kind, card)
    return list(found.values())


def select_default(cards: Sequence[Card]) -> Card | None:
    """The one to look at: it attends and is of the kind that did so first, was trained on the longest sentences, and of
    such ones on the most pieces; one that does not attend where none does, None of no models."""
    return min(cards, key=lambda card: (not card.has_attention, get_year_rank(card), -card.longest_words, -card.target_tokens),
               default=None)  # fmt: skip


def select_baseline(cards: Sequence[Card], beside: Card) -> Card:
    """The one that shows, put beside that model, what attention does: one of the same languages that does not attend,
    trained on sentences as long where there is one, of the kind that came up first; else another one of these
    languages; else the same."""
    others = [card for card in cards if card.name != beside.name and card.languages == beside.languages]
    return min(
        others,
        key=lambda card: (
            card.has_attention,
            card.longest_words != beside.longest_words,
            get_year_rank(card),
            -card.target_tokens,
        ),
        default=beside,
    )


def get_year_rank(card: Card) -> int:
    """The place of a model's kind in the order of the years; kinds that are not known stand last."""
    kinds = [kind.name for kind in registry.list_kinds_by_year()]
    return kinds.index(card.kind) if card.kind in kinds else len(kinds)


def select_shipped_pair() -> tuple[Card, Card]:
    """The two that the shipped translations are of: the default of the shipped models and its baseline. Raises
    CheckpointError where none is shipped."""
    cards = list_shipped_cards()
    card = select_default(cards)
    if card is None:
        raise CheckpointError("no model is shipped")
    return card, select_baseline(cards, card)


def select_default_name(languages: tuple[str, str] | None = None) -> str:
    """The name of the model that a command takes unless told otherwise, of those of these languages, in either
    direction, where they are given. Raises CheckpointError where there is none."""
    cards = list_cards()
    if not cards:
        raise CheckpointError("there is no model; train one: python -m model train shipped")
    alike = [card for card in cards if languages is None or card.languages in (languages, languages[::-1])]
    card = select_default([card for card in alike if card.languages == languages] or alike)
    if card is None:
        assert languages is not None
        raise CheckpointError(f"there is no model of the languages {'-'.join(languages)}; name one with --model, or "
                              "train one")
    return card.name
