"""Choose between models by the facts on their cards, never by their names."""

from __future__ import annotations

from collections.abc import Sequence

from model.checkpoints.checkpoint import Card, CheckpointError, list_cards, list_shipped_cards
from model.networks import registry
from model.text.languages import DEFAULT_PAIR, LanguagePair


def sort_for_display(cards: Sequence[Card]) -> list[Card]:
    """Sort: models with attention first, then by sentence length, longest first, then by year of the kind; of these,
    subwords before whole words."""
    return sorted(cards, key=lambda card: (not card.has_attention, -card.longest_words, get_year_rank(card),
                                           card.has_unk, card.name))


def sort_by_year(cards: Sequence[Card]) -> list[Card]:
    """Sort by year of the kind; within a kind, models of subwords first, then those for longer sentences."""
    return sorted(cards, key=lambda card: (get_year_rank(card), card.has_unk, -card.longest_words,
                                           -card.target_tokens, card.name))


def select_best_per_kind(cards: Sequence[Card]) -> list[Card]:
    """Return one model of each kind, by year: of subwords, for the longest sentences, trained on the most tokens."""
    best: dict[str, Card] = {}
    for card in sort_by_year(cards):
        best.setdefault(card.kind, card)
    return list(best.values())


def select_default(cards: Sequence[Card]) -> Card | None:
    """Return the default model, None if there is no model.

    It translates between the default languages and has attention, if any does; is of the earliest such kind, and of
    subwords; and was trained on the longest sentences, then on the most tokens.
    """

    def rank(card: Card) -> tuple[bool, bool, int, bool, int, int]:
        is_other_pair = card.languages != DEFAULT_PAIR
        return (is_other_pair, not card.has_attention, get_year_rank(card), card.has_unk, -card.longest_words,
                -card.target_tokens)

    return min(cards, key=rank, default=None)


def select_baseline(cards: Sequence[Card], compared_card: Card) -> Card:
    """Return the model to compare with `compared_card` in order to show the effect of attention.

    It has the same languages. Of these, in this order of importance: no attention, subwords rather than whole words,
    the same sentence length, the earliest kind, the most training tokens. Without other models of these languages,
    return `compared_card` itself.
    """

    def rank(card: Card) -> tuple[bool, bool, bool, int, int]:
        is_other_length = card.longest_words != compared_card.longest_words
        return card.has_attention, card.has_unk, is_other_length, get_year_rank(card), -card.target_tokens

    candidates = [card for card in cards
                  if card.name != compared_card.name and card.languages == compared_card.languages]  # fmt: skip
    return min(candidates, key=rank, default=compared_card)


def get_year_rank(card: Card) -> int:
    """Return the position of a model's kind in the order of years; unknown kinds come last."""
    kinds = [kind.name for kind in registry.list_kinds_by_year()]
    return kinds.index(card.kind) if card.kind in kinds else len(kinds)


def select_shipped_pair(languages: LanguagePair = DEFAULT_PAIR) -> tuple[Card, Card]:
    """Return the default of the shipped models of these languages and its baseline, which may be the same.

    Raises CheckpointError if none is shipped.
    """
    cards = [card for card in list_shipped_cards() if card.languages == languages]
    card = select_default(cards)
    if card is None:
        raise CheckpointError(f"no model from {languages[0]} into {languages[1]} is shipped")
    return card, select_baseline(cards, card)


def select_default_name(languages: tuple[str, str] | None = None) -> str:
    """Return the name of the model that a command uses by default.

    With `languages`, of those for this pair, or else for its reverse. Raises CheckpointError if there is none.
    """
    cards = list_cards()
    if not cards:
        raise CheckpointError("there is no model; train one: python -m model train shipped")
    if languages is not None:
        exact = [card for card in cards if card.languages == languages]
        cards = exact or [card for card in cards if card.languages == languages[::-1]]
    card = select_default(cards)
    if card is None:
        assert languages is not None
        raise CheckpointError(f"there is no model of the languages {'-'.join(languages)}; name one with --model, or "
                              "train one")
    return card.name
