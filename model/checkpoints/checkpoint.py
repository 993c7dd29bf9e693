"""Checkpoints: a folder with weights, vocabulary and card, verified by checksums on loading.

`weights.safetensors` cannot run code. It is in half precision during training, and in eight bits in shipped models
(`model.checkpoints.quantization`). `card.json` says what the model is, how it was trained and how it scores; reading
cards needs no torch. The fingerprint, the first twelve hexadecimal digits of the weights' SHA-256, identifies the
weights wherever a number or a Trace was made with them.

A checkpoint is replaced atomically (`model.serialization.files`), its card written last. An interruption leaves a
complete checkpoint in its place or beside it; `find_checkpoint` finds it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any

from model.checkpoints import model_folders
from model.networks.unknown_words import set_has_unk
from model.paths import ASSETS
from model.serialization.codec import (
    CodecError,
    dump_json,
    mark_as_not_stored,
    mark_as_omitted_if_empty,
    parse_json,
    read_record,
    to_plain,
)
from model.serialization.files import NEW_SUFFIX, OLD_SUFFIX, append_suffix, rename_path, replace_file, replace_folder
from model.text.languages import DEFAULT_PAIR, LanguagePair, validate_code
from model.text.vocabulary import Vocabulary, VocabularyError
from model.trace import MapDescription, TraceError, find_main_map
from model.trace.maps import check_unique_keys

SHIPPED = ASSETS / "checkpoints"
WEIGHTS, VOCABULARY, CARD = "weights.safetensors", "vocabulary.model", "card.json"
FINGERPRINT_DIGITS = 12
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MAX_NAME_LENGTH = 200  # characters
_MAX_NUMBER = 2**53  # floats up to this represent whole numbers exactly
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")  # characters of a folder's name that model names leave out
_SHA256 = re.compile(r"[0-9a-f]{64}")


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged or of another program; the message says what to do."""


@dataclass(frozen=True)
class Card:
    """The content of card.json: the facts about a model. Raises CheckpointError for what no card can hold.

    `name`: that of its folder; `network`: the config of its kind (`model.networks.registry`), including `kind`;
    `title`: its name on pages; `languages`: codes of source and target; `longest_words`: length limit of its training
    sentences, in words; 0 if unknown; `maps`: its attention maps; `training`: the trainer's report (recipe, data,
    tokens, hours, dev curve); `scores`: summaries of its evaluations on test sets; `has_unk`: whether its vocabulary
    has whole words only, so that it may write UNK; `sha256`: checksums of the files beside the card, in hexadecimal.
    """

    name: str
    network: dict[str, Any]
    parameters: int
    sha256: dict[str, str]
    title: str = ""
    languages: LanguagePair = field(default_factory=lambda: DEFAULT_PAIR)
    longest_words: int = 0
    maps: tuple[MapDescription, ...] = ()
    training: dict[str, Any] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    has_unk: bool = field(default=False, metadata=mark_as_omitted_if_empty())
    folder: Path = field(default=Path(), compare=False, metadata=mark_as_not_stored())  # where it was read

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name)  # old cards have none
        for key, text in (("name", self.name), ("title", self.title)):
            if not (0 < len(text) <= _MAX_NAME_LENGTH and text.isprintable()):
                raise CheckpointError(f"the {key} must be 1 to {_MAX_NAME_LENGTH} printable characters")
        for key, number in (("parameters", self.parameters), ("longest_words", self.longest_words)):
            if not 0 <= number <= _MAX_NUMBER:
                raise CheckpointError(f"{key} must be from 0 to {_MAX_NUMBER:,}")
        for language in self.languages:
            try:
                validate_code(language)
            except ValueError as error:
                raise CheckpointError(str(error)) from None
        try:
            check_unique_keys(self.maps)
        except TraceError as error:
            raise CheckpointError(str(error)) from None
        for file in (WEIGHTS, VOCABULARY):
            if file not in self.sha256:
                raise CheckpointError(f"sha256 lacks {file}")
        for file, digits in self.sha256.items():
            if not _FILE_NAME.fullmatch(file):
                raise CheckpointError(f"a checkpoint's file cannot be named {file[:100]!r}")
            if not isinstance(digits, str) or not _SHA256.fullmatch(digits):
                raise CheckpointError(f"the sha256 of {file} is not 64 hexadecimal digits")

    @property
    def target_tokens(self) -> int:
        """Target tokens seen in training, including that of the checkpoints it started from."""
        return count_target_tokens(self.training)

    @property
    def updates(self) -> int:
        """Updates of the weights, including those of the checkpoints it started from."""
        return int(sum(_parse_number(stage.get("updates")) for stage in iterate_training_stages(self.training)))

    @property
    def hours(self) -> float:
        """Hours spent in updates, including those of the checkpoints it started from.

        Processor time where it was measured, so that other programs on the machine do not count.
        """
        return sum(map(get_hours, iterate_training_stages(self.training)))

    @property
    def dev_bleu(self) -> float | None:
        """The best BLEU of its last training on the development set; None if it was not measured.

        The curve of an average is that of the last weights in it: it has the BLEU before it was rounded instead.
        Raises CheckpointError if what the card says of it is malformed.
        """
        rounded = self.training.get("rounded")
        try:
            if "averaged" in self.training:
                scores = [rounded["bleu_before"]["all"]] if rounded else []
            else:
                scores = [entry["bleu"]["all"] for entry in self.training.get("curve", [])]
        except (TypeError, KeyError, IndexError):
            scores = [None]
        if not all(type(score) in (int, float) and 0 <= score <= 100 for score in scores):
            raise CheckpointError(f"the training curve on the card of {self.folder} is malformed: every entry must "
                                  "have a BLEU from 0 to 100 under bleu.all")
        return max(scores, default=None)

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_language(self) -> str:
        return self.languages[1]

    @property
    def kind(self) -> str:
        """The name of its network kind (`model.networks.registry`)."""
        return str(self.network.get("kind", ""))

    @cached_property
    def main_map(self) -> MapDescription | None:
        """The map shown by default; None for a model without attention."""
        return find_main_map(self.maps)

    @property
    def has_attention(self) -> bool:
        """Whether it has a target x source map."""
        return self.main_map is not None

    @property
    def fingerprint(self) -> str:
        return self.sha256[WEIGHTS][:FINGERPRINT_DIGITS]


@dataclass(frozen=True)
class Model:
    """A loaded model. The network, a `model.networks.base.Translator`, is in float32 and evaluation mode."""

    network: Any
    vocabulary: Vocabulary
    card: Card

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def fingerprint(self) -> str:
        return self.card.fingerprint

    @property
    def languages(self) -> LanguagePair:
        """The language codes of source and target."""
        return self.card.languages


def save_checkpoint(
    folder: Path,
    network: Any,
    vocabulary: Path,
    *,
    name: str,
    training: dict[str, Any],
    title: str = "",
    languages: LanguagePair = DEFAULT_PAIR,
    longest_words: int = 0,
    extra: dict[str, bytes] | None = None,
) -> Card:
    """Write a checkpoint atomically and return its card.

    `extra`: further files by name, such as the training diary. Raises CheckpointError, before anything is written, if
    weights are not finite in half precision.
    """
    from model.checkpoints.weights import convert_to_half, encode_weights  # here: reading cards must not import torch

    try:
        weights = convert_to_half(network)
    except ValueError as error:
        raise CheckpointError(f"{folder} is not written: {error}") from None
    files = {WEIGHTS: encode_weights(weights), VOCABULARY: vocabulary.read_bytes(), **(extra or {})}
    card = Card(
        name=name,
        network=asdict(network.config),
        parameters=sum(value.numel() for value in weights.values()),
        sha256={file: hashlib.sha256(content).hexdigest() for file, content in sorted(files.items())},
        title=title,
        languages=languages,
        longest_words=longest_words,
        maps=tuple(network.maps),
        training=training,
        has_unk=Vocabulary(files[VOCABULARY]).kind == "word",
    )
    replace_checkpoint(folder, files, card)
    return card


def ship_checkpoint(source: Path, name: str, measure: Callable[[Model], Mapping[str, Any]]) -> Path:
    """Quantize a checkpoint to eight bits, add it to the shipped models as `name`, and return its folder.

    What `measure` returns, such as the cost of rounding, is added to the card's `training`; it may change the model.
    The checkpoint is read once, so that a running training can replace it meanwhile. If another shipped model has the
    same title, the name is added to it. Raises CheckpointError.
    """
    from model.checkpoints.weights import encode_quantized_weights  # here: reading cards must not import torch

    card, files = _read_files(source)
    model = _build_model(card, files)
    files[WEIGHTS] = encode_quantized_weights(model.network)
    digits = {file: hashlib.sha256(content).hexdigest() for file, content in sorted(files.items())}
    titles = {other.title for other in list_shipped_cards() if other.name != name}
    title = f"{card.title} ({name})"[:_MAX_NAME_LENGTH] if card.title in titles else card.title
    replace_checkpoint(SHIPPED / name, files,
        replace(card, name=name, title=title, sha256=digits, training={**card.training, **measure(model)}))  # fmt: skip
    return SHIPPED / name


def replace_checkpoint(folder: Path, files: dict[str, bytes], card: Card) -> None:
    """Replace the checkpoint in `folder`, if any, by these files and their card."""
    complete = _find_complete_checkpoint(folder)
    if complete is not None and complete != folder:
        rename_path(complete, folder)  # an earlier save was interrupted
    replace_folder(folder, files | {CARD: _encode_card(card)})


def write_card(folder: Path, card: Card) -> None:
    """Replace the card of a checkpoint atomically."""
    replace_file(folder / CARD, _encode_card(card))


def _encode_card(card: Card) -> bytes:
    return (dump_json(to_plain(card), indent=1) + "\n").encode()


def find_checkpoint(name_or_folder: str | os.PathLike[str]) -> Path:
    """Return the folder of a shipped model or of one in the extra folders (`model.checkpoints.model_folders`), by name,
    or of any checkpoint or run, by path. Raises CheckpointError listing the known models.

    After an interrupted save, this is the last complete checkpoint, which stands beside its name.
    """
    complete = _find_complete_checkpoint(SHIPPED / name_or_folder)
    if complete is not None:
        return complete
    for card in list_cards() if model_folders.list_model_folders() else ():
        if card.name == str(name_or_folder):
            return card.folder
    for place in (Path(name_or_folder), Path(name_or_folder) / model_folders.BEST_FOLDER):
        complete = _find_complete_checkpoint(place)
        if complete is not None:
            return complete
    model_names = ", ".join(card.name for card in list_cards()) or "none"
    raise CheckpointError(
        f"there is no model {str(name_or_folder)[:100]!r}; there are: {model_names}; "
        f"or give the path of a checkpoint's folder, or with {model_folders.OPTION} a folder of models"
    )


def read_card(folder: Path) -> Card:
    """Return the card of a checkpoint without loading its weights. Raises CheckpointError."""
    try:
        status = (folder / CARD).stat()
        return _read_cached_card(folder, status.st_ino, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise CheckpointError(f"{folder} holds no readable card ({error.strerror}); it is not a checkpoint") from error
    except (CodecError, CheckpointError) as error:
        raise CheckpointError(f"the card of {folder} is damaged ({error}); restore the checkpoint") from error


@lru_cache(maxsize=256)
def _read_cached_card(folder: Path, inode: int, modified: int, size: int) -> Card:
    """Read a card; pages ask for the same ones many times a second."""
    return replace(read_record(Card, parse_json((folder / CARD).read_bytes(), "a card"), "card"), folder=folder)


def list_cards() -> list[Card]:
    """Return the cards of the shipped models, by name, then those in the extra folders (`model_folders`).

    Unreadable cards are left out; see `list_errors`. Further models of a known name are called NAME.FOLDER, after the
    folder they were found in; further models of a known title TITLE (NAME).
    """
    return [card for card in _list_all() if isinstance(card, Card)]


def list_shipped_cards() -> list[Card]:
    """Return the cards of the shipped models, by name."""
    return [card for card in _list_shipped() if isinstance(card, Card)]


def count_target_tokens(training: Mapping[str, Any]) -> int:
    """Return the target tokens of a card's `training` and of the trainings it continued."""
    return sum(map(get_target_tokens, iterate_training_stages(training)))


def get_target_tokens(stage: Mapping[str, Any]) -> int:
    """Return the target tokens of one stage of `iterate_training_stages`."""
    return int(_parse_number(stage.get("target_pieces")))


def get_hours(stage: Mapping[str, Any]) -> float:
    """Return the hours in updates of one stage, in processor time where it was measured."""
    return _parse_number(stage.get("processor_hours", stage.get("hours_in_updates")))


def iterate_training_stages(training: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Yield a card's `training`, then the training that it continued, and so on."""
    while isinstance(training, Mapping) and training:
        yield training
        origin = training.get("from")
        training = origin.get("training", {}) if isinstance(origin, Mapping) else {}


def list_machines(training: Mapping[str, Any]) -> list[str]:
    """Return the machines of all stages of a card's `training`, from the last stage to the first."""
    return [str(stage.get("machine", "")) for stage in iterate_training_stages(training)]


def list_corpora(training: Mapping[str, Any]) -> list[str]:
    """Return the names of the corpora of all stages of a card's `training`, in the order of training."""
    names: dict[str, None] = {}
    for stage in reversed(list(iterate_training_stages(training))):
        recipe = stage.get("recipe")
        data = recipe.get("data") if isinstance(recipe, Mapping) else None
        copies = data.get("copies") if isinstance(data, Mapping) else None
        if isinstance(copies, Mapping):
            names |= {str(name): None for name, times in copies.items() if times}
    return list(names)


def _parse_number(value: Any) -> float:
    """Return a number of an unchecked card, 0 if it is invalid."""
    return float(value) if type(value) in (int, float) and 0 <= value <= _MAX_NUMBER else 0.0


def list_errors() -> list[CheckpointError]:
    """Return an error for each unreadable card and each extra folder that does not exist."""
    return [error for error in _list_all() if isinstance(error, CheckpointError)]


def load_model(name_or_folder: str | os.PathLike[str]) -> Model:
    """Load a checkpoint and verify its checksums; the network computes in float32. Raises CheckpointError."""
    card, files = _read_files(name_or_folder)
    return _build_model(_use_listed_name(card), files)


def _build_model(card: Card, files: Mapping[str, bytes]) -> Model:
    """Build the model from its card and verified files. Raises CheckpointError."""
    from model.checkpoints.weights import load_network  # here: reading cards must not import torch

    try:
        vocabulary = Vocabulary(files[VOCABULARY])
    except VocabularyError as error:
        raise CheckpointError(f"the vocabulary of {card.folder} cannot be read: {error}") from error
    try:
        network = load_network(card.network, files[WEIGHTS])
    except ValueError as error:
        raise CheckpointError(f"the weights of {card.folder} do not fit their card: {error}") from error
    for key, value in network.state_dict().items():
        if not bool(value.isfinite().all()):
            raise CheckpointError(f"the weights {key} of {card.folder} are not all finite; restore the checkpoint")
    if len(vocabulary) != network.config.vocabulary:
        raise CheckpointError(
            f"{card.folder}: the network has embeddings for {network.config.vocabulary} tokens, "
            f"its vocabulary has {len(vocabulary)} tokens"
        )
    set_has_unk(network, vocabulary)
    return Model(network, vocabulary, card)


def _read_files(name_or_folder: str | os.PathLike[str]) -> tuple[Card, dict[str, bytes]]:
    """Return the card and its verified files; read again if a save replaced the folder meanwhile."""
    while True:
        folder = find_checkpoint(name_or_folder)
        version = _get_version(folder)
        try:
            card = read_card(folder)
            return card, {file: _read_verified(card, file) for file in card.sha256}
        except CheckpointError:
            if _get_version(find_checkpoint(name_or_folder)) == version:
                raise


def _read_verified(card: Card, file: str) -> bytes:
    try:
        content = (card.folder / file).read_bytes()
    except OSError as error:
        raise CheckpointError(f"the checkpoint {card.folder} lacks {file}; restore it") from error
    actual, expected = hashlib.sha256(content).hexdigest(), card.sha256[file]
    if actual != expected:
        raise CheckpointError(
            f"{file} of the checkpoint {card.folder} is damaged: its SHA-256 begins with {actual[:12]}, "
            f"the card says {expected[:12]}; restore it"
        )
    return content


def _list_shipped() -> list[Card | CheckpointError]:
    """Return the card or the error of every shipped model, by name."""
    names = {
        path.name.removesuffix(NEW_SUFFIX).removesuffix(OLD_SUFFIX) for path in SHIPPED.glob("[!.]*") if path.is_dir()
    }
    entries: list[Card | CheckpointError] = []
    for name in sorted(names):
        try:
            entries.append(read_card(_find_complete_checkpoint(SHIPPED / name) or SHIPPED / name))
        except CheckpointError as error:
            entries.append(error)
    return entries


def _list_all() -> list[Card | CheckpointError]:
    """Return the card or the error of every model, shipped ones first, with unique names."""
    entries = _list_shipped()
    for place in model_folders.list_model_folders():
        if not place.is_dir():
            entries.append(CheckpointError(f"{place} is not a folder; {model_folders.OPTION} and "
                                         f"{model_folders.ENVIRONMENT_VARIABLE} name folders of models"))  # fmt: skip
            continue
        for folder in model_folders.list_checkpoint_folders(place):
            complete = _find_complete_checkpoint(folder)
            cards = [entry for entry in entries if isinstance(entry, Card)]
            if complete is None or any(_is_same_folder(card.folder, complete) for card in cards):
                continue
            try:
                entries.append(_make_unique(read_card(complete), place, cards))
            except CheckpointError as error:
                entries.append(error)
    return entries


def _is_same_folder(path: Path, other: Path) -> bool:
    """Return whether two paths are the same folder; False if a save has just moved one of them."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def _make_unique(card: Card, folder: Path, earlier_cards: list[Card]) -> Card:
    """Return the card with a name and a title that none of `earlier_cards` has."""
    taken_names = {other.name for other in earlier_cards}
    folder_name = _NOT_IN_NAMES.sub("-", folder.resolve().name) or "models"
    longer_name = f"{card.name}.{folder_name}"
    names = chain([card.name, longer_name], (f"{longer_name}.{number}" for number in count(2)))
    name, title = next(name for name in names if name not in taken_names), card.title
    if title in {other.title for other in earlier_cards}:
        title = longer_title if len(longer_title := f"{title} ({name})") <= _MAX_NAME_LENGTH else name
    return replace(card, name=name, title=title)


def _use_listed_name(card: Card) -> Card:
    """Return the card with the name and title under which `list_cards` lists it."""
    for listed_card in list_cards() if model_folders.list_model_folders() else ():
        if _is_same_folder(listed_card.folder, card.folder):
            return replace(card, name=listed_card.name, title=listed_card.title)
    return card


def _find_complete_checkpoint(folder: Path) -> Path | None:
    """Return where the checkpoint is: in its place, or beside it after an interrupted save; None if nowhere."""
    try:
        if folder.is_dir():
            return folder if (folder / CARD).is_file() else None
        # The card is written last, so that a folder with a card is complete. A save may finish just now.
        paths = (append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX), folder) if folder.name else ()
        return next((path for path in paths if (path / CARD).is_file()), None)
    except OSError:  # a name too long for a file
        return None


def _get_version(folder: Path) -> tuple[Path, int, int] | None:
    """Return a value that changes when a save replaces the checkpoint; None if there is none."""
    try:
        status = (folder / CARD).stat()
    except OSError:
        return None
    return folder, status.st_ino, status.st_mtime_ns
