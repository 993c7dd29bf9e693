"""Checkpoints: a folder of weights, the vocabulary and a card, checked by their checksums on loading.

Weights are written in half precision while a model is taught, in eight bits when it is shipped
(model/checkpoints/quantization.py).

`weights.safetensors` cannot run code. `card.json` says what the model is, how it was trained and what it scores;
reading cards needs no torch. The fingerprint, the first twelve hexadecimal digits of the weights' SHA-256, names the
weights wherever a number or a Trace was made with them.

A checkpoint is made beside its place (model/serialization/files.py), its card written last. Whoever is stopped at any
point of this leaves a whole checkpoint in its place or beside it, and `find` knows where.
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
from typing import TYPE_CHECKING, Any

from model.checkpoints import model_folders
from model.networks import registry
from model.paths import ASSETS
from model.serialization.codec import CodecError, dump_json, not_stored, parse_json, read_record, to_plain
from model.serialization.files import NEW_SUFFIX, OLD_SUFFIX, append_suffix, rename_path, replace_file, replace_folder
from model.text.languages import DEFAULT_PAIR, validate_code
from model.trace import MapDescription, find_main_map
from model.trace.maps import check_unique_keys

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary

SHIPPED = ASSETS / "checkpoints"
WEIGHTS, VOCABULARY, CARD = "weights.safetensors", "vocabulary.model", "card.json"
FINGERPRINT_DIGITS = 12
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LONGEST_NAME = 200  # characters
_MOST = 2**53  # numbers up to this are whole as floats too
_UNNAMED = re.compile(r"[^A-Za-z0-9_-]+")  # what is left out of a folder's name in a model's
_SHA256 = re.compile(r"[0-9a-f]{64}")


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged or not ours; the message says which and what to do."""


@dataclass(frozen=True)
class Card:
    """What card.json holds: the facts about a model, so that nothing needs to be read out of its name.

    `name`: its folder's; `network`: the configuration of its kind (`model.networks.registry`), `kind` among its keys;
    `title`: as a reader is shown it; `languages`: codes of source and target; `longest_words`: of the sentences it was
    trained on; `maps`: the weights it makes; `training`: what the trainer reports (recipe, data, pieces, hours, dev
    curve).
    """

    name: str
    network: dict[str, Any]
    parameters: int
    sha256: dict[str, str]  # of the files beside the card
    title: str = ""
    languages: tuple[str, ...] = field(default_factory=lambda: DEFAULT_PAIR)  # the codes of source and target
    longest_words: int = 0
    maps: tuple[MapDescription, ...] = ()
    training: dict[str, Any] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    folder: Path = field(default=Path(), compare=False, metadata=not_stored())  # where it was read

    def __post_init__(self) -> None:
        """Raises CheckpointError for what no card of ours holds: the file may be anybody's."""
        object.__setattr__(self, "title", self.title or self.name)  # cards of before say none
        for what, text in (("name", self.name), ("title", self.title)):
            if not (0 < len(text) <= _LONGEST_NAME and text.isprintable()):
                raise CheckpointError(f"the {what} must be 1 to {_LONGEST_NAME} printable characters")
        for what, number in (("parameters", self.parameters), ("longest_words", self.longest_words)):
            if not 0 <= number <= _MOST:
                raise CheckpointError(f"{what} must be from 0 to {_MOST:,}")
        object.__setattr__(self, "languages", _languages(self.languages))
        check_unique_keys(self.maps)
        for file in (WEIGHTS, VOCABULARY):
            if file not in self.sha256:
                raise CheckpointError(f"sha256 lacks {file}")
        for file, digits in self.sha256.items():
            if not _FILE.fullmatch(file):
                raise CheckpointError(f"the file {file[:100]!r} lies outside the folder")
            if not isinstance(digits, str) or not _SHA256.fullmatch(digits):
                raise CheckpointError(f"the sha256 of {file} is not 64 hexadecimal digits")

    @property
    def target_tokens(self) -> int:
        """Target pieces seen in training, those of the checkpoints it started from included."""
        return count_target_tokens(self.training)

    @property
    def updates(self) -> int:
        """Updates of the weights, those of the checkpoints it started from included."""
        return int(sum(_number(one.get("updates")) for one in iterate_training_stages(self.training)))

    @property
    def hours(self) -> float:
        """Hours spent in updates, those of the checkpoints it started from included: of the processor's time where that
        was measured, so that a machine shared with others adds nothing."""
        return sum(map(get_hours, iterate_training_stages(self.training)))

    @property
    def dev_bleu(self) -> float | None:
        """The best BLEU of its last training on text held out from it; None where none was measured. Raises
        CheckpointError where the card says something else there than a trainer of ours."""
        curve = self.training.get("curve", [])
        try:
            found = [entry["bleu"]["all"] for entry in curve]
        except (TypeError, KeyError, IndexError):
            found = [None]
        if not all(type(one) in (int, float) and 0 <= one <= 100 for one in found):
            raise CheckpointError(f"the training curve on the card of {self.folder} is none: every entry must have a "
                                  "BLEU from 0 to 100 under bleu.all")
        return max(found, default=None)

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora it was trained on, in all its courses of training."""
        found: dict[str, None] = {}
        for one in iterate_training_stages(self.training):
            recipe = one.get("recipe")
            data = recipe.get("data") if isinstance(recipe, dict) else None
            copies = data.get("copies") if isinstance(data, dict) else None
            found |= {str(name): None for name, times in (copies or {}).items() if times} if isinstance(copies, dict) \
                else {}
        return tuple(found)

    @property
    def source_language(self) -> str:
        return self.languages[0]

    @property
    def target_language(self) -> str:
        return self.languages[1]

    @property
    def kind(self) -> str:
        """The kind of its network, as `model.networks.registry` knows it."""
        return str(self.network.get("kind", ""))

    @cached_property
    def main_map(self) -> MapDescription | None:
        """The map that a reader sees first; None for a model that does not attend."""
        return find_main_map(self.maps)

    @property
    def has_attention(self) -> bool:
        """Whether it makes a map that says where it looks in the source."""
        return self.main_map is not None

    @property
    def fingerprint(self) -> str:
        return self.sha256[WEIGHTS][:FINGERPRINT_DIGITS]


@dataclass(frozen=True)
class Model:
    """A loaded model: the network (a `model.networks.base.Translator`) in float32 and evaluation mode, its vocabulary
    and its card."""

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
    def languages(self) -> tuple[str, str]:
        """The codes of the languages it translates from and into."""
        source, target = self.card.languages
        return source, target


def save_checkpoint(
    folder: Path,
    network: Any,
    vocabulary: Path,
    *,
    name: str,
    training: dict[str, Any],
    title: str = "",
    languages: tuple[str, str] = DEFAULT_PAIR,
    longest_words: int = 0,
    scores: list[dict[str, Any]] | None = None,
    extra: dict[str, bytes] | None = None,
) -> Card:
    """Write a checkpoint so that a reader finds the old one or the new one, never a mixture. Returns its card, whose
    facts are those given here and what the network says of itself.

    `extra` holds further files by name, such as the training diary; their checksums join the card. Raises
    CheckpointError where weights are not finite in half precision, before anything is touched.
    """
    import torch
    from safetensors.torch import save as serialise

    weights = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in network.state_dict().items()}
    for key, value in weights.items():
        if not bool(value.isfinite().all()):
            raise CheckpointError(f"{folder} is not written: {key} has weights that are not finite in half precision")
    files = {WEIGHTS: serialise(weights, metadata={"format": "pt"}), VOCABULARY: vocabulary.read_bytes()}
    files |= extra or {}
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
        scores=scores or [],
    )
    replace_checkpoint(folder, files, card)
    return card


def ship_checkpoint(source: Path, name: str, noted: Callable[[Model], Mapping[str, Any]]) -> Path:
    """Put a checkpoint among the shipped models, under `name` and in eight bits; returns where. What `noted` says of
    the model, which it may change, joins what its card tells of its training: what the rounding cost. The checkpoint is
    read once: a training that replaces it meanwhile has no part in it. Where another shipped model has its title, the
    name is added to it: lists show titles alone. Raises CheckpointError where it is none."""
    from safetensors.torch import save as serialise

    from model.checkpoints.quantization import quantize_weights

    card, files = _read(source)
    model = _built(card, files)
    files[WEIGHTS] = serialise(quantize_weights(model.network.state_dict()), metadata={"format": "pt"})
    digits = {file: hashlib.sha256(content).hexdigest() for file, content in sorted(files.items())}
    titles = {other.title for other in list_shipped_cards() if other.name != name}
    title = f"{card.title} ({name})"[:_LONGEST_NAME] if card.title in titles else card.title
    replace_checkpoint(SHIPPED / name, files,
        replace(card, name=name, title=title, sha256=digits, training={**card.training, **noted(model)}))  # fmt: skip
    return SHIPPED / name


def replace_checkpoint(folder: Path, files: dict[str, bytes], card: Card) -> None:
    """Put files and their card in the place of the checkpoint in `folder`, if there is one."""
    standing = _standing(folder)
    if standing is not None and standing != folder:
        rename_path(standing, folder)  # an earlier save was stopped between its two renames
    replace_folder(folder, files | {CARD: _content(card)})


def write_card(folder: Path, card: Card) -> None:
    """Replace the card of a checkpoint, in one step."""
    replace_file(folder / CARD, _content(card))


def _content(card: Card) -> bytes:
    return (dump_json(to_plain(card), indent=1) + "\n").encode()


def find_checkpoint(name_or_folder: str | os.PathLike[str]) -> Path:
    """The folder of a shipped model by name, of one in the further places (model/checkpoints/model_folders.py), or of any
    checkpoint or run by path. Raises CheckpointError naming what there is.

    Where a save was stopped halfway, this is the last whole checkpoint, which then stands beside its name.
    """
    standing = _standing(SHIPPED / name_or_folder)
    if standing is not None:
        return standing
    for card in list_cards() if model_folders.list_model_folders() else ():
        if card.name == str(name_or_folder):
            return card.folder
    for place in (Path(name_or_folder), Path(name_or_folder) / model_folders.BEST_FOLDER):
        standing = _standing(place)
        if standing is not None:
            return standing
    known = ", ".join(card.name for card in list_cards()) or "none"
    raise CheckpointError(
        f"there is no model {str(name_or_folder)[:100]!r}; there are: {known}; "
        f"or give the path of a checkpoint's folder, or with {model_folders.OPTION} a folder of models"
    )


def read_card(folder: Path) -> Card:
    """The card of a checkpoint, without loading its weights. Raises CheckpointError."""
    try:
        status = (folder / CARD).stat()
        return _card_at(folder, status.st_ino, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise CheckpointError(f"{folder} holds no readable card ({error.strerror}); it is not a checkpoint") from error
    except (CodecError, CheckpointError) as error:
        raise CheckpointError(f"the card of {folder} is damaged ({error}); restore the checkpoint") from error


@lru_cache(maxsize=256)
def _card_at(folder: Path, inode: int, modified: int, size: int) -> Card:
    """The card of a folder as it was written last: pages ask for the same ones many times a second."""
    return replace(read_record(Card, parse_json((folder / CARD).read_bytes(), "a card"), "card"), folder=folder)


def list_cards() -> list[Card]:
    """The cards of the shipped models, by name, and then of those in the further places (model/checkpoints/model_folders.py);
    what cannot be read is not among them, but in `damaged`.

    Of models of one name the first has it, and each further one is called NAME.FOLDER, after the folder it was found
    in; of one title each further one is called TITLE (NAME).
    """
    return [found for found in _everywhere() if isinstance(found, Card)]


def list_shipped_cards() -> list[Card]:
    """The cards of the shipped models alone, by name."""
    return [found for found in _shipped() if isinstance(found, Card)]


def count_target_tokens(training: Mapping[str, Any]) -> int:
    """Target pieces of a card's `training` and of all the trainings it went on from."""
    return sum(map(get_target_tokens, iterate_training_stages(training)))


def get_target_tokens(course: Mapping[str, Any]) -> int:
    """Target pieces of one of `courses` alone."""
    return int(_number(course.get("target_pieces")))


def get_hours(course: Mapping[str, Any]) -> float:
    """Hours that one of `courses` spent in updates, of the processor's time where that was measured."""
    return _number(course.get("processor_hours", course.get("hours_in_updates")))


def iterate_training_stages(training: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """A card's `training` and, one after the other, those it went on from."""
    while isinstance(training, Mapping) and training:
        yield training
        origin = training.get("from")
        training = origin.get("training", {}) if isinstance(origin, Mapping) else {}


def list_corpora(training: Mapping[str, Any]) -> list[str]:
    """The names of the corpora that a card's `training` and those it went on from learnt from, the first ones first."""
    found: dict[str, None] = {}
    for course in reversed(list(iterate_training_stages(training))):
        recipe = course.get("recipe")
        data = recipe.get("data") if isinstance(recipe, Mapping) else None
        copies = data.get("copies") if isinstance(data, Mapping) else None
        found |= dict.fromkeys(map(str, copies if isinstance(copies, Mapping) else ()))
    return list(found)


def _number(value: Any) -> float:
    """A count of a card that may say anything there; 0 for what cannot be one."""
    return float(value) if type(value) in (int, float) and 0 <= value <= _MOST else 0.0


def list_errors() -> list[CheckpointError]:
    """What is wrong with models whose cards cannot be read, and with further places: an error for each."""
    return [found for found in _everywhere() if isinstance(found, CheckpointError)]


def load_model(name_or_folder: str | os.PathLike[str]) -> Model:
    """Load a checkpoint, its checksums verified; the network computes in float32. Raises CheckpointError."""
    card, files = _read(name_or_folder)
    return _built(_as_listed(card), files)


def _built(card: Card, files: Mapping[str, bytes]) -> Model:
    """The model of a card and the contents that it vouches for. Raises CheckpointError."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load as parse_weights

    from model.checkpoints.quantization import dequantize_weights
    from model.text.vocabulary import Vocabulary, VocabularyError

    try:
        vocabulary = Vocabulary(files[VOCABULARY])
        # Weights loaded in inference mode could never be trained or asked for gradients.
        with torch.inference_mode(False):
            kind = registry.find_kind(card.kind)
            config = kind.configure(card.network)
            weights = dequantize_weights(parse_weights(files[WEIGHTS]))
            _check_sizes(kind, config, {key: tuple(value.shape) for key, value in weights.items()})
            network = kind.build(config)
            network.load_state_dict(weights)
    except VocabularyError as error:
        raise CheckpointError(f"the vocabulary of {card.folder} cannot be read: {error}") from error
    except (SafetensorError, RuntimeError, ValueError, TypeError) as error:
        reason = " ".join(line.strip() for line in str(error).splitlines()[:2])[:200]
        raise CheckpointError(f"the weights of {card.folder} do not fit their card: {reason}") from error
    for key, value in weights.items():
        if not bool(value.isfinite().all()):
            raise CheckpointError(f"the weights {key} of {card.folder} are not all finite; restore the checkpoint")
    if len(vocabulary) != network.config.vocabulary:
        raise CheckpointError(
            f"{card.folder}: the network knows {network.config.vocabulary} pieces, "
            f"its vocabulary has {len(vocabulary)}"
        )
    return Model(network.eval(), vocabulary, card)


def _languages(given: Any) -> tuple[str, str]:
    """The two codes of a card's languages; raises CheckpointError."""
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise CheckpointError("languages must be the codes of two, source and target")
    try:
        return validate_code(given[0]), validate_code(given[1])
    except ValueError as error:
        raise CheckpointError(str(error)) from None


def _check_sizes(kind: registry.NetworkKind, config: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    """Raise ValueError unless all sizes are those of the weights, before they claim memory: a card may say anything."""
    import torch

    layers = getattr(config, "layers", 1)
    if layers > len(shapes):  # modules claim memory too, and every layer has weights of its own
        raise ValueError(f"the card has {layers:,} layers, but there are {len(shapes)} weights")
    with torch.device("meta"):  # tensors without memory
        network = kind.build(config)
    network.load_state_dict({key: torch.empty(shape, device="meta") for key, shape in shapes.items()})


def _read(name_or_folder: str | os.PathLike[str]) -> tuple[Card, dict[str, bytes]]:
    """The card and the contents it vouches for; read again where a save replaced the folder in between."""
    while True:
        folder = find_checkpoint(name_or_folder)
        stamp = _stamp(folder)
        try:
            card = read_card(folder)
            return card, {file: _verified(card, file) for file in card.sha256}
        except CheckpointError:
            if _stamp(find_checkpoint(name_or_folder)) == stamp:
                raise


def _verified(card: Card, file: str) -> bytes:
    try:
        content = (card.folder / file).read_bytes()
    except OSError as error:
        raise CheckpointError(f"the checkpoint {card.folder} lacks {file}; restore it") from error
    found, expected = hashlib.sha256(content).hexdigest(), card.sha256[file]
    if found != expected:
        raise CheckpointError(
            f"{file} of the checkpoint {card.folder} is damaged: its SHA-256 begins with {found[:12]}, "
            f"the card says {expected[:12]}; restore it"
        )
    return content


def _shipped() -> list[Card | CheckpointError]:
    """Every shipped model, by name: its card, or what is wrong with it."""
    names = {
        path.name.removesuffix(NEW_SUFFIX).removesuffix(OLD_SUFFIX) for path in SHIPPED.glob("[!.]*") if path.is_dir()
    }
    found: list[Card | CheckpointError] = []
    for name in sorted(names):
        try:
            found.append(read_card(_standing(SHIPPED / name) or SHIPPED / name))
        except CheckpointError as error:
            found.append(error)
    return found


def _everywhere() -> list[Card | CheckpointError]:
    """Every shipped model and then those of the further places, each under a name of its own."""
    found = _shipped()
    for place in model_folders.list_model_folders():
        if not place.is_dir():
            found.append(
                CheckpointError(
                    f"{place} is not a folder; {model_folders.OPTION} and {model_folders.ENVIRONMENT_VARIABLE} name "
                    "folders of models"
                )
            )
            continue
        for folder in model_folders.list_checkpoint_folders(place):
            standing = _standing(folder)
            if standing is None or any(isinstance(one, Card) and _same(one.folder, standing) for one in found):
                continue
            try:
                found.append(_named(read_card(standing), place, [card for card in found if isinstance(card, Card)]))
            except CheckpointError as error:
                found.append(error)
    return found


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one folder; not so where a save has just moved one of them."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _named(card: Card, place: Path, before: list[Card]) -> Card:
    """The card under a name that none of those `before` has, and a title too: lists of models show titles alone."""
    taken, called = {other.name for other in before}, _UNNAMED.sub("-", place.resolve().name) or "models"
    names = chain([card.name, f"{card.name}.{called}"], (f"{card.name}.{called}.{number}" for number in count(2)))
    name, title = next(name for name in names if name not in taken), card.title
    if title in {other.title for other in before}:
        title = whole if len(whole := f"{title} ({name})") <= _LONGEST_NAME else name
    return replace(card, name=name, title=title)


def _as_listed(card: Card) -> Card:
    """The card under the name that its model is listed by."""
    if not model_folders.list_model_folders():
        return card
    return next((listed for listed in list_cards() if listed.folder == card.folder), card)


def _standing(folder: Path) -> Path | None:
    """The checkpoint of this name: in its place, or beside it where a save was stopped between its two renames."""
    try:
        if folder.is_dir():
            return folder if (folder / CARD).is_file() else None
        # A card is written last: a folder that has one is whole. The place itself once more: a save may end just now.
        paths = (append_suffix(folder, NEW_SUFFIX), append_suffix(folder, OLD_SUFFIX), folder) if folder.name else ()
        return next((path for path in paths if (path / CARD).is_file()), None)
    except OSError:  # a name too long for any file
        return None


def _stamp(folder: Path) -> tuple[Path, int, int] | None:
    """What changes when a save puts another checkpoint in this one's place."""
    try:
        status = (folder / CARD).stat()
    except OSError:
        return None
    return folder, status.st_ino, status.st_mtime_ns
