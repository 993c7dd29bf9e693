"""The facts about models that pages ask for, and the orders they are offered in."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from model.checkpoints import checkpoint, model_folders, selection
from model.checkpoints.checkpoint import CARD, VOCABULARY, Card, list_errors
from model.text.vocabulary import Vocabulary, VocabularyError
from pages.ui.backend import shipped_traces

_log = logging.getLogger(__name__)


_frozen_cards: ContextVar[tuple[Card, ...] | None] = ContextVar("held", default=None)


@contextmanager
def freeze_cards() -> Iterator[None]:
    """While this lasts, in this thread, the models are those there were when it began: a page asks for them dozens of
    times, and is to offer the same ones throughout."""
    token = _frozen_cards.set(list_cards())
    try:
        yield
    finally:
        _frozen_cards.reset(token)


def list_cards() -> tuple[Card, ...]:
    """The cards of all models; they are read again only where a file has changed."""
    kept = _frozen_cards.get()
    if kept is not None:
        return kept
    places = model_folders.list_model_folders()
    files = [
        *checkpoint.SHIPPED.glob(f"*/{CARD}"),
        *(
            folder / CARD
            for place in places
            if place.is_dir()
            for folder in model_folders.list_checkpoint_folders(place)
        ),
    ]
    return _read_cards(places, tuple((path, _get_file_stamp(path)) for path in sorted(files)))


@lru_cache(maxsize=4)
def _read_cards(places: tuple[Path, ...], files: tuple[tuple[Path, object], ...]) -> tuple[Card, ...]:
    return tuple(checkpoint.list_cards())


def _get_file_stamp(path: Path) -> tuple[int, int, int] | None:
    """What changes when another card is put in this one's place."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def list_models() -> list[Card]:
    """The cards of all models in the order they are offered: with attention first, longer sentences first."""
    _log_damaged(model_folders.list_model_folders())
    return selection.sort_for_display(list_cards())


def find_card(name: str) -> Card | None:
    """The card of a model, None where there is no such model."""
    return next((card for card in list_cards() if card.name == name), None)


def get_fingerprint(name: str) -> str | None:
    """The fingerprint of the weights that a model has now; None where there is none of that name."""
    card = find_card(name)
    return card.fingerprint if card else None


def find_trained_card(name: str, fingerprint: str) -> Card | None:
    """The card of the model that something was made by, where it tells how far that was trained; None where its
    parameters are others now."""
    card = find_card(name)
    return card if card is not None and card.fingerprint == fingerprint and card.target_tokens else None


def get_title(name: str) -> str:
    """A model's title; its name where there is no such model, as where only its evaluation is left."""
    card = find_card(name)
    return name if card is None else card.title


def get_default_model(names: Iterable[str] | None = None) -> str:
    """The name of the model that pages open with, of all or `among` some; of no models at all the one that the shipped
    translations are of, and "" without any."""
    card = selection.select_default(_select_cards(names))
    return card.name if card else next(iter(_list_shipped_models()), "")


def get_baseline_model(names: Iterable[str] | None = None) -> str:
    """The name of the model that stands beside that one."""
    cards = _select_cards(names)
    card = selection.select_default(cards)
    return selection.select_baseline(cards, card).name if card else next(reversed(_list_shipped_models()), "")


def sort_default_first(names: Iterable[str]) -> list[str]:
    """Names of models, first the two that the app opens with, then the others in their order."""
    one, other = get_default_model(), get_baseline_model()
    return sorted(names, key=lambda name: (name != one, name != other))


def select_default_kinds(names: Sequence[str]) -> Sequence[str]:
    """Those of the models that are of the two kinds that pages open with, all where none is: with many, no line could
    be told from another."""
    kinds = {card.kind for card in map(find_card, (get_default_model(), get_baseline_model())) if card}
    return [name for name in names if (card := find_card(name)) and card.kind in kinds] or names


def list_model_names() -> list[str]:
    """The names of all models, the two that the app opens with first."""
    return sort_default_first(sorted(card.name for card in list_cards()))


@lru_cache(maxsize=4)
def _log_damaged(places: tuple[Path, ...]) -> None:
    """Say once, on the server's log, which models can't be offered and why."""
    for problem in list_errors():
        _log.warning("%s", problem)


def list_same_languages(name: str) -> list[str]:
    """The names of the models that translate from and into the same languages as that one; all of them where there is
    no such model."""
    languages, offered = get_languages(name), list_models()
    return [card.name for card in offered if languages in (None, card.languages)]


def list_family(name: str) -> list[str]:
    """The names of the models of the same languages as that one, in the order in which their kinds came up."""
    return [card.name for card in selection.sort_by_year(_select_cards(list_same_languages(name)))]


def select_one_per_kind(names: Iterable[str]) -> list[str]:
    """Of `among` some models one of each kind, in the same order."""
    return [card.name for card in selection.select_best_per_kind(_select_cards(names))]


def get_languages(name: str) -> tuple[str, str] | None:
    """The codes of the languages that a model translates from and into; None where there is no such model."""
    card = find_card(name)
    return None if card is None else (card.languages[0], card.languages[1])


def load_vocabulary(name: str) -> Vocabulary | None:
    """The vocabulary of a model; None where there is no such model, or its file can't be read, which whoever loads the
    model is told."""
    card = find_card(name)
    return None if card is None else _read_vocabulary(card.folder / VOCABULARY, card.sha256.get(VOCABULARY, ""))


@lru_cache(maxsize=4)
def _read_vocabulary(path: Path, checksum: str) -> Vocabulary | None:
    """`checksum` tells a file from another one that is put in its place."""
    try:
        return Vocabulary.load(path)
    except VocabularyError:
        return None


def _select_cards(names: Iterable[str] | None) -> list[Card]:
    wanted = None if names is None else set(names)
    return [card for card in list_cards() if wanted is None or card.name in wanted]


def _list_shipped_models() -> list[str]:
    """The names of the models that the shipped translations are of, those that attend first."""
    made = {
        one.made_by.model: one.has_attention
        for example in shipped_traces.load_examples()
        for one in example.traces.values()
    }
    return sorted(made, key=lambda name: not made[name])
