"""Roles of attention maps: cross-attention, encoder self-attention, decoder self-attention.

If the sides have different lengths, the shape decides and must not contradict the name. If they are equal, the name
decides; if it is ambiguous, the user is asked.
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
"""The sides of the rows and the columns."""
ROLE_BY_AXES = {axes: role for role, axes in AXES.items()}
ROLE_NAMES: dict[Role, str] = {"cross": "cross-attention", "encoder": "encoder self-attention",
                              "decoder": "decoder self-attention"}  # fmt: skip
NAME_LIMIT = 40  # characters of a map's name in a Trace

_STEMS = ("encoder", "decoder", "attentions", "attention", "attns", "attn", "cross", "inter", "self", "source",
          "target", "enc", "dec", "src", "tgt", "trg", "att", "to")  # fmt: skip
_CONCATENATED = re.compile(f"(?:{'|'.join(_STEMS)})+")
_STEM = re.compile("|".join(_STEMS))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENCODER, _DECODER = {"encoder", "enc"}, {"decoder", "dec"}
_SOURCE, _TARGET = {"source", "src"}, {"target", "tgt", "trg"}
_GENERIC = {"attention", "attentions", "attn", "attns", "att", "probs", "prob", "weights", "weight", "scores", "matrix",
            "alpha", "soft", "align", "alignment", "alignments", "std"}  # fmt: skip


class CandidateRoles(NamedTuple):
    """The roles that a name allows, likeliest first; `is_open`: whether a square map leaves the choice open."""

    roles: tuple[Role, ...]
    is_open: bool = False


def split_map_name(name: str) -> list[str]:
    """Split the name of a map into lower-case words: snake_case, camelCase, dotted or without separators."""
    words: list[str] = []
    for word in map(str.lower, _WORD.findall(name)):
        words += _STEM.findall(word) if _CONCATENATED.fullmatch(word) else [word]
    return words


def get_candidate_roles(name: str) -> CandidateRoles:
    """Return the roles that a name allows; all, cross-attention first, for a name without information."""
    words = set(split_map_name(name))
    has_encoder, has_decoder, is_self = bool(words & _ENCODER), bool(words & _DECODER), "self" in words
    if words & {"cross", "inter"} or (has_encoder and has_decoder) or (words & _SOURCE and words & _TARGET):
        return CandidateRoles(("cross",))
    if is_self and (has_encoder or words & _SOURCE):
        return CandidateRoles(("encoder",))
    if is_self and (has_decoder or words & _TARGET):
        return CandidateRoles(("decoder",))
    if is_self:
        return CandidateRoles(("encoder", "decoder"), is_open=True)
    if has_encoder and words & {"attn", "attns"}:  # cross-attention in fairseq
        return CandidateRoles(("cross",))
    if has_encoder:  # encoder self-attention in Hugging Face
        return CandidateRoles(("encoder",), is_open=bool(words & _GENERIC))
    if has_decoder:  # self-attention in Hugging Face, cross-attention in tutorials on recurrent networks
        return CandidateRoles(("decoder", "cross"), is_open=True)
    if (words & _SOURCE and words & _GENERIC) or "context" in words:
        return CandidateRoles(("cross",))
    return CandidateRoles(("cross", "encoder", "decoder"))


def is_generic_name(name: str) -> bool:
    """Return whether a name has no information about the role, so that only the shape decides."""
    return len(get_candidate_roles(name).roles) == 3


def has_hugging_face_names(names: Collection[str]) -> bool:
    """Return whether "encoder" and "decoder" in map names mean self-attention, as in Hugging Face.

    They do beside a map that is cross-attention by its name, and beside each other.
    """
    has_cross = any(get_candidate_roles(name).roles == ("cross",) for name in names)
    plain = [words for words in map(set, map(split_map_name, names)) if not words & {"cross", "self", "attn"}]
    return has_cross or (any(words & _ENCODER for words in plain) and any(words & _DECODER for words in plain))


def build_display_name(name: str, role: Role) -> str:
    """Return the name to display: the usual name of the role if the given name says no more."""
    words = split_map_name(name)
    if all(word in _GENERIC for word in words):
        return ROLE_NAMES[role] if role != "cross" else "attention"
    if all(word in _GENERIC or _STEM.fullmatch(word) for word in words):
        return ROLE_NAMES[role]
    return sanitise_name(name)


def sanitise_name(name: str) -> str:
    """Return the name with letters, digits and spaces only."""
    return re.sub(r"[^A-Za-z0-9]+", " ", name).strip()[:NAME_LIMIT].strip() or "attention"


def get_shape(role: Role, target_length: int, source_length: int) -> tuple[int, int]:
    """Return the rows and columns of a map with this role, for numbers of tokens."""
    lengths = {"target": target_length, "source": source_length}
    rows, columns = AXES[role]
    return lengths[rows], lengths[columns]


def is_causal(matrix: NDArray[np.float64]) -> bool:
    """Return whether rows attend to earlier positions and never to later ones, as decoder self-attention does."""
    return not np.triu(matrix, 1).any() and bool(np.tril(matrix, -1).any())
