"""What stands in a diary's file: the probes, the bins, and what was noted at each moment. Needs no torch."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.serialization.codec import CodecError, dump_json, get_schema, parse_json, read_record, to_plain
from model.text.bleu import STATISTIC_COUNT

DIARY = "diary.json"
SCHEMA = 1
_LARGEST = 2**40  # far above any count, far below what int64 sums can hold


class DiaryError(CodecError):
    """A diary that contradicts itself or is of another schema; the message is one sentence for the reader."""


@dataclass(frozen=True)
class Moment:
    """What a model saw and said after `target_pieces` of training.

    `loss`: running mean of a target piece, nats, of what is minimised (None before the first); `translations`: greedy,
    of each probe's source; `alpha`: teacher-forced, of each probe, packed (`unpack`), none for RNNencdec;
    `bleu_counts`: for each bin the STATISTICS that BLEU is made of. Raises DiaryError.
    """

    target_pieces: int
    loss: float | None
    translations: tuple[str, ...]
    alpha: tuple[str, ...]
    bleu_counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if self.target_pieces < 1:
            raise DiaryError(f"A moment of a diary comes after at least 1 target piece: got {self.target_pieces}.")
        for counts in self.bleu_counts:
            if len(counts) != STATISTIC_COUNT or min(counts) < 0 or max(counts) >= _LARGEST:
                raise DiaryError(f"A moment of a diary has {STATISTIC_COUNT} whole numbers from 0 up in each bin.")


@dataclass(frozen=True)
class Probe:
    """A pair whose alpha and translation are followed, as it is and in pieces."""

    source: str
    target: str
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]


@dataclass(frozen=True)
class DiaryRecord:
    """A diary: `bins` has the first and the last number of source words of each. Raises DiaryError."""

    schema: int
    probes: tuple[Probe, ...]
    bins: tuple[tuple[int, int], ...]
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        _check_schema(self.schema)
        for moment in self.moments:
            if len(moment.bleu_counts) != len(self.bins):
                raise DiaryError(f"Each moment of a diary has counts for its {len(self.bins)} bins: "
                                 f"got {len(moment.bleu_counts)}.")

    def to_json(self) -> str:
        """The diary as one compact line of JSON; `from_json` gives back an equal one."""
        return dump_json(to_plain(self), compact=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> DiaryRecord:
        """The diary in a JSON text that may come from anywhere; CodecError, in one sentence, if it holds none."""
        return cls.from_plain(parse_json(text, "a diary"))

    @classmethod
    def from_plain(cls, value: dict[str, Any]) -> DiaryRecord:
        """The diary in plain values, as a training state keeps it. Raises CodecError."""
        _check_schema(get_schema(value, "a diary"))
        return read_record(cls, value, "diary")


def pack_alpha(alpha: npt.NDArray[np.float32]) -> str:
    """Weights (target, source) as bytes, 255 for 1, compressed, in base64; `unpack` takes them back within 1/510."""
    return base64.b64encode(zlib.compress(np.rint(alpha * 255).astype(np.uint8).tobytes(), 9)).decode("ascii")


def unpack_alpha(packed: str, target: int, source: int) -> npt.NDArray[np.float32]:
    """The weights `pack` was given, (target, source), within 1/510. Raises DiaryError for what is none such."""
    size, reader = target * source, zlib.decompressobj()
    try:
        content = reader.decompress(base64.b64decode(packed), size + 1)  # a few bytes may unpack to any number
    except (ValueError, zlib.error) as error:
        raise DiaryError("The packed weights of a moment of a diary can't be unpacked.") from error
    if len(content) != size or not reader.eof:
        raise DiaryError(f"The packed weights of a moment of a diary are not those of {target} target and {source} "
                         "source pieces.")
    return np.frombuffer(content, dtype=np.uint8).reshape(target, source).astype(np.float32) / np.float32(255)


def validate_probes(diary: DiaryRecord) -> None:
    """Raise DiaryError unless every probe has pieces on either side, and every moment a translation of each and, where
    the model attends, the weights of each."""
    for probe in diary.probes:
        if not (probe.source.strip() and probe.target.strip() and probe.source_pieces and probe.target_pieces):
            raise DiaryError("A probe of a diary has a text and pieces on either side.")
    count = len(diary.probes)
    attends = bool(diary.moments and diary.moments[0].alpha)
    for moment in diary.moments:
        if len(moment.translations) != count or len(moment.alpha) != (count if attends else 0):
            raise DiaryError(f"Each moment of a diary has translations and weights of its {count} probes: got "
                             f"{len(moment.translations)} and {len(moment.alpha)}.")


def _check_schema(schema: object) -> None:
    if schema != SCHEMA or isinstance(schema, bool):
        raise DiaryError(f"This version reads diaries of schema {SCHEMA}: got {str(schema)[:40]!r}.")
