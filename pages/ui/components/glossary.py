"""What the terms on the screen mean: one glossary (assets/words/LANGUAGE/glossary.toml), told wherever a term stands.

A text marks a term as [[alpha|α]] (messages.py); Streamlit's HTML and the browser components alike draw it as a
button, and one component of the frame opens the explanation beside it. The labels of Streamlit's controls have it as
their help.
"""

from functools import cache
from typing import TypedDict

from model.checkpoints.checkpoint import Card
from model.networks.registry import NetworkKindError, find_kind
from pages.ui.backend import cards
from pages.ui.components.component import Component
from pages.ui.escape import escape_markdown
from pages.ui.i18n.messages import Messages

MODEL_PREFIX = "model:"
"""A model is a term of its own: this, and its title."""

CONTROL_TERMS: dict[str, tuple[str, ...]] = {
    "search": ("greedy", "beam"),
    "searched": ("greedy", "beam", "drawn"),
    "unit": ("piece",),
    "scale": ("scale", "grey", "square_root"),
    "gloss": ("gloss",),
    "live": ("live",),
    "asked": ("gradient_input", "integrated_gradients", "occlusion"),
    "sets": ("test_set",),
    "curves": ("rnnsearch", "rnnencdec", "fifty"),
    "bins": ("length_bins",),
}
"""The terms that the control of a row of the table of links explains (pages/ui/url_state/params.py)."""


class GlossaryData(TypedDict):
    """Every term, the models among them: its key, its name and what it means."""

    entries: list[tuple[str, str, str]]
    language: str


_mount = Component("glossary", GlossaryData)


def mount_glossary(t: Messages) -> None:
    """Put the glossary on the page, where it is seen when a term is asked for. It is the same for every page and every
    sentence, so that the browser is sent it once."""
    data: GlossaryData = {"entries": list_entries(t), "language": t.language}
    _mount(key="glossary", data=data)


def list_entries(t: Messages) -> list[tuple[str, str, str]]:
    """All there is to be explained in a language."""
    told = [(f"{MODEL_PREFIX}{card.title}", card.title, describe_model(card, t)) for card in cards.list_models()]
    return [*_list_term_entries(t), *told]


@cache
def _list_term_entries(t: Messages) -> tuple[tuple[str, str, str], ...]:
    """The terms that are no models."""
    return tuple((name, t(f"term.{name}"), t(f"glossary.{name}")) for name in list_terms(t))


@cache
def list_terms(t: Messages) -> tuple[str, ...]:
    """The keys of the glossary."""
    return tuple(key.removeprefix("glossary.") for key in t if key.startswith("glossary."))


def describe_model(card: Card, t: Messages) -> str:
    """What a model is, in words: what its kind says of itself, else whether it looks back at the source; and how long
    the sentences were that it learnt from."""
    try:
        known = find_kind(card.kind).glossary_key
    except NetworkKindError:
        known = ""
    own = known if known in list_terms(t) else ""
    what = t(f"glossary.{own}") if own else t(f"about.{'attends' if card.main_map else 'plain'}")
    return f"{what} {t('about.longest', words=card.longest_words)}" if card.longest_words else what


def get_control_help(name: str, t: Messages) -> str | None:
    """What the terms of a control mean, as the help of its label; None where it has none."""
    told = [f"**{escape_markdown(t(f'term.{term}'))}** {escape_markdown(t(f'glossary.{term}'))}"
            for term in CONTROL_TERMS.get(name, ())]  # fmt: skip
    return "\n\n".join(told) or None
