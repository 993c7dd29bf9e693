"""The models in the orders that pages offer them in."""

import logging
from collections.abc import Iterable
from pathlib import Path

import streamlit as st

from model import folders
from model.checkpoint import Card, available, damaged
from pages.view.service.service import ATTENDED, PLAIN

_log = logging.getLogger(__name__)


def models() -> list[Card]:
    """The cards of all models in the order they are offered: with attention first, longer sentences first."""
    _tell_damaged(folders.places())
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
    """The names of all models, the two that the app opens with first."""
    return familiar(sorted(card.name for card in available()))


@st.cache_resource(show_spinner=False)
def _tell_damaged(places: tuple[Path, ...]) -> None:
    """Say once, on the server's log, which models can't be offered and why."""
    for problem in damaged():
        _log.warning("%s", problem)


def alike(name: str) -> list[str]:
    """The names of the models that translate from and into the same languages as that one; all of them where there is
    no such model."""
    languages, offered = languages_of(name), models()
    return [card.name for card in offered if languages in (None, card.languages)]


def languages_of(name: str) -> tuple[str, str] | None:
    """The codes of the languages that a model translates from and into; None where there is no such model."""
    return next(((card.languages[0], card.languages[1]) for card in available() if card.name == name), None)
