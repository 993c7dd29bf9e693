"""What payloads of ideas about attention share: the tokens, and how far each model was trained."""

from __future__ import annotations

from collections.abc import Sequence

from model.analysis.probing.attention_record import DecodedTranslation
from pages.ui.backend import cards
from pages.ui.backend.evaluations import describe_test_set, get_main_test_set
from pages.ui.concepts.attention_payload_types import TokenizedData
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal


def build_tokenized_data(translation: DecodedTranslation, names: Sequence[str], t: Messages) -> TokenizedData:
    """Return the common part of a payload; `names` are the models that it shows."""
    return {
        "source": label_tokens(translation.source, t),
        "target": label_tokens(translation.target, t),
        "provenance": describe_hours_and_bleu(names, t),
        "language": t.language,
    }


def describe_hours_and_bleu(names: Sequence[str], t: Messages) -> str:
    """Say for how long each model was trained and how well it translates, so that nobody takes it for the best."""
    return " ".join(filter(None, (_describe_one(name, t) for name in names)))


def _describe_one(name: str, t: Messages) -> str:
    card = cards.find_card(name)
    scores = card.scores if card is not None else []
    test_set = get_main_test_set(card.languages) if card is not None else ""
    bleu = next((one.get("bleu") for one in scores if one.get("data") == test_set and one.get("beam") == 1), None)
    if card is None or not card.hours or not isinstance(bleu, float):
        return ""
    return t.format_for_component("concept_parts.trained", model=card.title, hours=format_decimal(card.hours, 1),
                                  bleu=format_decimal(bleu, 1), data=describe_test_set(test_set, t))  # fmt: skip
