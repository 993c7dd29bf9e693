"""The cards of all models, the facts on them that pages need, and the orders in which models are offered."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from model.checkpoints import checkpoint, model_folders, selection
from model.checkpoints.checkpoint import CARD, VOCABULARY, Card, list_errors
from model.decoding import Settings
from model.text.languages import DEFAULT_PAIR
from model.text.politeness import TAGS
from model.text.vocabulary import Vocabulary, VocabularyError
from pages.ui.backend import shipped_traces

_log = logging.getLogger(__name__)
_frozen_cards: ContextVar[tuple[Card, ...] | None] = ContextVar("frozen_cards", default=None)


@contextmanager
def freeze_cards() -> Iterator[None]:
    """Read the cards once for a block of this thread. A page calls `list_cards` dozens of times, and must offer the
    same models throughout."""
    token = _frozen_cards.set(list_cards())
    try:
        yield
    finally:
        _frozen_cards.reset(token)


def list_cards() -> tuple[Card, ...]:
    """Return the cards of all models, read again only if a file has changed."""
    frozen = _frozen_cards.get()
    if frozen is not None:
        return frozen
    model_dirs = model_folders.list_model_folders()
    files = list(checkpoint.SHIPPED.glob(f"*/{CARD}"))
    for model_dir in filter(Path.is_dir, model_dirs):
        files += [folder / CARD for folder in model_folders.list_checkpoint_folders(model_dir)]
    return _read_cards(model_dirs, tuple((path, _get_file_stamp(path)) for path in sorted(files)))


@lru_cache(maxsize=4)
def _read_cards(model_dirs: tuple[Path, ...], files: tuple[tuple[Path, object], ...]) -> tuple[Card, ...]:
    return tuple(checkpoint.list_cards())


def _get_file_stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when the file is replaced."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def list_displayed_cards() -> list[Card]:
    """Return the cards of all models in display order: with attention first, longer sentences first."""
    _log_damaged(model_folders.list_model_folders())
    return selection.sort_for_display(list_cards())


def find_card(name: str) -> Card | None:
    """Return the card of a model; None if there is no such model."""
    return next((card for card in list_cards() if card.name == name), None)


def find_card_of_kind(kind: str, pair: str = "") -> Card | None:
    """Return the card of the first model of this kind in display order, of all or of a pair's; None without one."""
    models = list_pair_cards(pair) if pair else list_displayed_cards()
    return next((card for card in models if card.kind == kind), None)


def get_fingerprint(name: str) -> str | None:
    """Return the fingerprint of a model's weights; None if there is no such model."""
    card = find_card(name)
    return card.fingerprint if card else None


def find_trained_card(name: str, fingerprint: str) -> Card | None:
    """Return a model's card if its weights have this fingerprint and it states the training tokens, else None."""
    card = find_card(name)
    return card if card is not None and card.fingerprint == fingerprint and card.target_tokens else None


def get_title(name: str) -> str:
    """Return a model's title; its name if there is no such model (any more)."""
    card = find_card(name)
    return name if card is None else card.title


def get_default_model(names: Iterable[str] | None = None) -> str:
    """Return the model that pages open with, of all models or of `names`. Without any model it is the one of the
    shipped translations, and "" without these."""
    card = selection.select_default(_select_cards(names))
    return card.name if card else next(iter(_list_shipped_models()), "")


def get_baseline_model(names: Iterable[str] | None = None) -> str:
    """Return the model that the default model is compared with."""
    cards = _select_cards(names)
    card = selection.select_default(cards)
    return selection.select_baseline(cards, card).name if card else next(reversed(_list_shipped_models()), "")


def sort_default_first(names: Iterable[str]) -> list[str]:
    """Sort names of models: the default model and its baseline first, then the others in their order."""
    names = list(names)
    default, baseline = get_default_model(names), get_baseline_model(names)
    return sorted(names, key=lambda name: (name != default, name != baseline))


def select_models_of_default_kinds(names: Sequence[str]) -> Sequence[str]:
    """Return the models of the same kinds as the default model and its baseline, or all if there is none. Charts with
    more lines would be illegible."""
    kinds = {card.kind for card in map(find_card, (get_default_model(), get_baseline_model())) if card}
    return [name for name in names if (card := find_card(name)) and card.kind in kinds and not card.has_unk] or names


def select_paper_models(names: Sequence[str]) -> Sequence[str]:
    """Return the models of the paper's kinds that translate the paper's languages."""
    return select_models_of_default_kinds([name for name in names if get_languages(name) == DEFAULT_PAIR])


@lru_cache(maxsize=4)
def _log_damaged(model_dirs: tuple[Path, ...]) -> None:
    """Log once which models cannot be offered, and why."""
    for problem in list_errors():
        _log.warning("%s", problem)


def list_pairs() -> list[str]:
    """Return the language pairs of all models, such as "en-fr": the default model's first, then those of other source
    languages, then the others of its source language. Without models it is the default pair."""
    default = get_languages(get_default_model()) or DEFAULT_PAIR
    pairs = {default, *((card.languages[0], card.languages[1]) for card in list_cards())}
    return ["-".join(pair) for pair in sorted(pairs, key=lambda pair: (pair != default, pair[0] == default[0], pair))]


def list_pair_cards(pair: str) -> list[Card]:
    """Return the cards of a pair's models in display order."""
    return [card for card in list_displayed_cards() if "-".join(card.languages) == pair]


def list_models_of_same_languages(name: str) -> list[str]:
    """Return the models with the same languages as `name`; all models if there is no such model."""
    languages = get_languages(name)
    return [card.name for card in list_displayed_cards() if languages in (None, card.languages)]


def list_family(name: str) -> list[str]:
    """Return the models with the same languages as `name`, by the year of their kind."""
    return [card.name for card in selection.sort_by_year(_select_cards(list_models_of_same_languages(name)))]


def select_one_per_kind(names: Iterable[str]) -> list[str]:
    """Return one of `names` for each kind of model, by the year of the kind."""
    return [card.name for card in selection.select_best_per_kind(_select_cards(names))]


def get_languages(name: str) -> tuple[str, str] | None:
    """Return the codes of a model's source and target language; None if there is no such model."""
    card = find_card(name)
    return None if card is None else (card.languages[0], card.languages[1])


def find_languages(names: Iterable[str]) -> tuple[str, str]:
    """Return the languages of the first of these models that exists, or the default pair."""
    return next(filter(None, map(get_languages, names)), DEFAULT_PAIR)


def get_pair(name: str) -> str:
    """Return the language pair of a model, such as "en-fr"; "" if there is no such model."""
    return "-".join(get_languages(name) or ())


def has_unk(*names: str) -> bool:
    """Return whether one of these models has a vocabulary of whole words, and writes UNK for others."""
    return any(card is not None and card.has_unk for card in map(find_card, names))


def resolve_unk(name: str, settings: Settings) -> Settings:
    """Return the settings without a rule for UNK if the model never writes it, so that its results are shared."""
    return settings if has_unk(name) else replace(settings, unk="show")


def has_style_tags(name: str) -> bool:
    """Return whether a model's vocabulary has the tags for styles of Korean; False if there is no such model."""
    card = find_card(name)
    return card is not None and _find_style_tags(card.folder / VOCABULARY, card.sha256.get(VOCABULARY, ""))


@lru_cache(maxsize=16)
def _find_style_tags(path: Path, checksum: str) -> bool:
    """Return whether a vocabulary file has every style tag, cached by path and checksum.

    The bytes are searched: reading the vocabulary would import SentencePiece before the first picture.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return all(tag.encode() in content for tag in TAGS.values())


def load_vocabulary(name: str) -> Vocabulary | None:
    """Return the vocabulary of a model; None if there is no such model, or its file is damaged (loading the model
    reports this)."""
    card = find_card(name)
    return None if card is None else _read_vocabulary(card.folder / VOCABULARY, card.sha256.get(VOCABULARY, ""))


@lru_cache(maxsize=4)
def _read_vocabulary(path: Path, checksum: str) -> Vocabulary | None:
    """Read a vocabulary, cached by path and checksum; None if it is damaged."""
    try:
        return Vocabulary.load(path)
    except VocabularyError:
        return None


def _select_cards(names: Iterable[str] | None) -> list[Card]:
    selected_names = None if names is None else set(names)
    return [card for card in list_cards() if selected_names is None or card.name in selected_names]


def _list_shipped_models() -> list[str]:
    """Return the models of the shipped translations, those with attention first."""
    has_attention = {
        trace.provenance.model: trace.has_attention
        for example in shipped_traces.load_examples()
        for trace in example.traces.values()
    }
    return sorted(has_attention, key=lambda name: not has_attention[name])
