"""The glossary (assets/words/LANGUAGE/glossary.toml): explanations of the terms on the screen.

A text marks a term as [[alpha|α]] (messages.py). Streamlit's HTML and the browser components draw it as a button, and
the component here opens its explanation. Streamlit's controls have the explanation of their terms as help.
"""

from functools import cache
from typing import TypedDict

from model.checkpoints.checkpoint import Card, list_corpora
from model.networks.registry import NetworkKindError, find_kind
from pages.ui.backend import cards
from pages.ui.components.component import Component
from pages.ui.escape import escape_markdown
from pages.ui.i18n.messages import Messages

MODEL_PREFIX = "model:"
"""Models are terms too: this prefix and their title."""

CONTROL_TERMS: dict[str, tuple[str, ...]] = {
    "search": ("greedy", "beam"),
    "unk": ("unk", "unk_replaced"),
    "evaluated-search": ("greedy", "beam", "drawn"),
    "unit": ("piece",),
    "scale": ("scale", "grey", "square_root"),
    "gloss": ("gloss",),
    "live": ("live",),
    "method": ("gradient_input", "integrated_gradients", "occlusion"),
    "sets": ("test_set",),
    "curves": ("rnnsearch", "rnnencdec", "fifty"),
    "bins": ("length_bins",),
}
"""The terms that the help of a control explains, by the parameter's name (pages/ui/url_state/params.py)."""


class GlossaryData(TypedDict):
    """Key, name and explanation of every term, including the models."""

    entries: list[tuple[str, str, str]]
    language: str


_mount = Component("glossary", GlossaryData)


def mount_glossary(t: Messages) -> None:
    """Draw the component that opens explanations. Its data is the same on every page, so it is sent only once."""
    data: GlossaryData = {"entries": list_entries(t), "language": t.language}
    _mount(key="glossary", data=data)


def list_entries(t: Messages) -> list[tuple[str, str, str]]:
    """Return key, name and explanation of every term and every model."""
    models = [(f"{MODEL_PREFIX}{card.title}", card.title, describe_model(card, t))
              for card in cards.list_displayed_cards()]  # fmt: skip
    return [*_list_term_entries(t), *models]


@cache
def _list_term_entries(t: Messages) -> tuple[tuple[str, str, str], ...]:
    """Return the entries of all terms except models."""
    return tuple((name, t(f"term.{name}"), t(f"glossary.{name}")) for name in list_terms(t))


@cache
def list_terms(t: Messages) -> tuple[str, ...]:
    """Return the keys of the glossary."""
    return tuple(key.removeprefix("glossary.") for key in t if key.startswith("glossary."))


_SMALL_TALK = ("kss", "talpco")  # corpora of which the models between Korean and English learnt


def describe_model(card: Card, t: Messages) -> str:
    """Describe a model: the explanation of its kind, or whether it has attention, and what its training text was."""
    try:
        key = find_kind(card.kind).glossary_key
    except NetworkKindError:
        key = ""
    if key in list_terms(t):
        description = t(f"glossary.{key}")
    else:
        description = t(f"about.{'attends' if card.main_map else 'plain'}")
    longest = t("about.longest", words=card.longest_words) if card.longest_words else ""
    small_talk = t("about.small_talk") if set(_SMALL_TALK) & set(list_corpora(card.training)) else ""
    return " ".join(filter(None, (description, longest, small_talk)))


def get_control_help(name: str, t: Messages) -> str | None:
    """Return the explanations of a control's terms as the help of its label, or None."""
    explanations = [f"**{escape_markdown(t(f'term.{term}'))}** {escape_markdown(t(f'glossary.{term}'))}"
                    for term in CONTROL_TERMS.get(name, ())]  # fmt: skip
    return "\n\n".join(explanations) or None
