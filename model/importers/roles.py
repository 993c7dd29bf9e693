"""Decides what a map of attention is: cross-attention, or the self-attention of the encoder or of the decoder.

The shape decides where the two sides have different lengths, and must not contradict the name. Where the lengths are
equal the name decides; where it leaves the choice open, the reader is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Role = Literal["cross", "encoder", "decoder"]
AXES: dict[Role, tuple[str, str]] = {"cross": ("target", "source"), "encoder": ("source", "source"),
                                     "decoder": ("target", "target")}  # fmt: skip
"""The sides that the rows and the columns of a map go over."""
ROLE_NAMES: dict[Role, str] = {"cross": "cross-attention", "encoder": "encoder self-attention",
                              "decoder": "decoder self-attention"}  # fmt: skip

_STEMS = ("encoder", "decoder", "attentions", "attention", "attns", "attn", "cross", "inter", "self", "source",
          "target", "enc", "dec", "src", "tgt", "trg", "att", "to")  # fmt: skip
_RUN_TOGETHER = re.compile(f"(?:{'|'.join(_STEMS)})+")
_STEM = re.compile("|".join(_STEMS))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENCODER, _DECODER = {"encoder", "enc"}, {"decoder", "dec"}
_SOURCE, _TARGET = {"source", "src"}, {"target", "tgt", "trg"}
_GENERAL = {"attention", "attentions", "attn", "attns", "att", "probs", "prob", "weights", "weight", "scores", "matrix",
            "alpha", "soft", "align", "alignment", "alignments", "std"}  # fmt: skip


class Candidates(NamedTuple):
    """The roles that a name allows, likeliest first; `is_open`: whether another of them is as good on a square."""

    roles: tuple[Role, ...]
    is_open: bool = False


def split_map_name(name: str) -> list[str]:
    """Split the name of a map into lower-case words: snake_case, camelCase, dotted and run together."""
    words = []
    for word in (found.lower() for found in _WORD.findall(name)):
        words += _STEM.findall(word) if _RUN_TOGETHER.fullmatch(word) else [word]
    return words


def get_candidate_roles(name: str) -> Candidates:
    """Return the roles that a name allows; any role, cross-attention first, where it says nothing."""
    words = split_map_name(name)
    said = set(words)
    encoder, decoder = bool(said & _ENCODER), bool(said & _DECODER)
    is_self = "self" in said
    if said & {"cross", "inter"} or (encoder and decoder) or (said & _SOURCE and said & _TARGET):
        return Candidates(("cross",))
    if is_self and (encoder or said & _SOURCE):
        return Candidates(("encoder",))
    if is_self and (decoder or said & _TARGET):
        return Candidates(("decoder",))
    if is_self:
        return Candidates(("encoder", "decoder"), is_open=True)
    if encoder and said & {"attn", "attns"}:  # what fairseq calls the cross-attention of its decoder
        return Candidates(("cross",))
    if encoder:  # what Hugging Face calls the self-attention of the encoder
        return Candidates(("encoder",), is_open=bool(said & _GENERAL))
    if decoder:  # in Hugging Face self-attention, in tutorials of recurrent networks cross-attention
        return Candidates(("decoder", "cross"), is_open=True)
    if (said & _SOURCE and said & _GENERAL) or "context" in said:
        return Candidates(("cross",))
    return Candidates(("cross", "encoder", "decoder"))


def is_generic_name(name: str) -> bool:
    """Say whether a name says nothing about the role, so that only the shape does."""
    return len(get_candidate_roles(name).roles) == 3


def has_hugging_face_names(names: Collection[str]) -> bool:
    """Say whether maps are named as Hugging Face names them, where `encoder` and `decoder` mean self-attention: beside
    a map that is cross-attention by its name, or beside one another."""
    said = [set(split_map_name(name)) for name in names]
    cross = any(get_candidate_roles(name).roles == ("cross",) for name in names)
    lone = [one for one in said if not {"cross", "self", "attn"} & one]
    return cross or (any(one & _ENCODER for one in lone) and any(one & _DECODER for one in lone))


def build_display_name(name: str, role: Role) -> str:
    """Return what a reader is shown: the usual name of the role where the given one says no more than that."""
    words = split_map_name(name)
    if all(word in _GENERAL for word in words):
        return ROLE_NAMES[role] if role != "cross" else "attention"
    if all(word in _GENERAL or _STEM.fullmatch(word) for word in words):
        return ROLE_NAMES[role]
    return sanitise_name(name)


def sanitise_name(name: str) -> str:
    """Return the name in letters, digits and spaces, as maps are called."""
    return re.sub(r"[^A-Za-z0-9]+", " ", name).strip()[:40].strip() or "attention"


def get_shape(role: Role, target: int, source: int) -> tuple[int, int]:
    """Return the rows and columns of a map for so many tokens."""
    length = {"target": target, "source": source}
    rows, columns = AXES[role]
    return length[rows], length[columns]


def is_causal(matrix: NDArray[np.float64]) -> bool:
    """Say whether no row looks ahead, though some look back: as a decoder's self-attention does, and hardly any
    cross-attention."""
    return not np.triu(matrix, 1).any() and bool(np.tril(matrix, -1).any())
