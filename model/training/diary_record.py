"""The record of a training diary: probes, length bins and moments. Does not import torch."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.serialization.codec import CodecError, check_schema, dump_json, get_schema, parse_json, read_record, to_plain
from model.text.bleu import STATISTIC_COUNT

DIARY = "diary.json"
SCHEMA = 1
_MAX_COUNT = 2**40  # far above any count; sums still fit int64


class DiaryError(CodecError):
    """A diary is inconsistent or of another schema; the message is one sentence for the reader."""


@dataclass(frozen=True)
class Moment:
    """Measurements of a model after `target_pieces` target tokens of training. Raises DiaryError.

    Attributes:
        loss: running mean of the training loss per target token, nats; None before the first update.
        translations: the greedy translation of each probe.
        alpha: the teacher-forced attention weights of each probe, packed by `pack_alpha`; empty without attention.
        bleu_counts: the STATISTIC_COUNT sums of which BLEU is made, for each length bin.
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
            if len(counts) != STATISTIC_COUNT or min(counts) < 0 or max(counts) >= _MAX_COUNT:
                raise DiaryError(f"A moment of a diary has {STATISTIC_COUNT} whole numbers from 0 up in each bin.")


@dataclass(frozen=True)
class Probe:
    """A sentence pair whose alpha and translation are recorded, as text and in subword pieces."""

    source: str
    target: str
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]


@dataclass(frozen=True)
class DiaryRecord:
    """A diary; `bins` are the first and last numbers of source words of each length bin. Raises DiaryError."""

    schema: int
    probes: tuple[Probe, ...]
    bins: tuple[tuple[int, int], ...]
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        check_schema(self.schema, SCHEMA, "diaries", DiaryError)
        for moment in self.moments:
            if len(moment.bleu_counts) != len(self.bins):
                raise DiaryError(f"Each moment of a diary has counts for its {len(self.bins)} bins: "
                                 f"got {len(moment.bleu_counts)}.")

    def to_json(self) -> str:
        """Return the diary as one compact line of JSON."""
        return dump_json(to_plain(self), compact=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> DiaryRecord:
        """Read untrusted JSON. Raises CodecError."""
        return cls.from_plain(parse_json(text, "a diary"))

    @classmethod
    def from_plain(cls, value: dict[str, Any]) -> DiaryRecord:
        """Read plain values, as in a training state. Raises CodecError."""
        check_schema(get_schema(value, "a diary"), SCHEMA, "diaries", DiaryError)
        return read_record(cls, value, "diary")


def pack_alpha(alpha: npt.NDArray[np.float32]) -> str:
    """Return weights (target, source) as bytes of 0 to 255, compressed, in base64."""
    return base64.b64encode(zlib.compress(np.rint(alpha * 255).astype(np.uint8).tobytes(), 9)).decode("ascii")


def encode_alpha(alpha: npt.NDArray[np.floating[Any]]) -> str:
    """Return weights as bytes of 0 to 255, in base64: `pack_alpha` without compression."""
    return base64.b64encode(np.rint(np.clip(alpha, 0, 1) * 255).astype(np.uint8).tobytes()).decode("ascii")


def unpack_alpha(packed: str, target: int, source: int) -> npt.NDArray[np.float32]:
    """Return the weights (target, source) of `pack_alpha`, within 1/510. Raises DiaryError."""
    size, reader = target * source, zlib.decompressobj()
    try:
        content = reader.decompress(base64.b64decode(packed), size + 1)  # bounded: a few bytes can expand to gigabytes
    except (ValueError, zlib.error) as error:
        raise DiaryError("The packed weights of a moment of a diary can't be unpacked.") from error
    if len(content) != size or not reader.eof:
        raise DiaryError(f"The packed weights of a moment of a diary are not those of {target} target and {source} "
                         "source pieces.")
    return np.frombuffer(content, dtype=np.uint8).reshape(target, source).astype(np.float32) / np.float32(255)


def validate_probes(diary: DiaryRecord) -> None:
    """Raise DiaryError unless every probe has pieces on both sides, and every moment a translation and, with attention,
    weights of every probe."""
    for probe in diary.probes:
        if not (probe.source.strip() and probe.target.strip() and probe.source_pieces and probe.target_pieces):
            raise DiaryError("A probe of a diary has a text and pieces on either side.")
    count = len(diary.probes)
    has_attention = bool(diary.moments and diary.moments[0].alpha)
    for moment in diary.moments:
        if len(moment.translations) != count or len(moment.alpha) != (count if has_attention else 0):
            raise DiaryError(f"Each moment of a diary has translations and weights of its {count} probes: got "
                             f"{len(moment.translations)} and {len(moment.alpha)}.")
