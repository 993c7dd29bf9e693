"""How a network treats words that a vocabulary of whole words lacks. Needs no torch.

`set_has_unk` sets the attribute `has_unk` of a network that is loaded or trained: whether search may write UNK.
`extends_vocabulary` is an attribute of networks that copy unknown source words (See et al. 2017): whether the tokens
that they read and write include those of an extended vocabulary (`Vocabulary.encode`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.text.normalise import NormalisedText

if TYPE_CHECKING:
    from model.text.vocabulary import Vocabulary


def set_has_unk(network: Any, vocabulary: Vocabulary) -> None:
    """Let search write UNK if the network's vocabulary has whole words; subwords spell everything."""
    network.has_unk = vocabulary.kind == "word"


def may_write_unk(network: object) -> bool:
    """Return whether search may write UNK."""
    return bool(getattr(network, "has_unk", False))


def extends_vocabulary(network: object) -> bool:
    """Return whether a network copies unknown source words."""
    return bool(getattr(network, "extends_vocabulary", False))


def find_copied_words(network: object, vocabulary: Vocabulary, source: NormalisedText) -> tuple[str, ...]:
    """Return the unknown words of a source that the network can copy, which extend the vocabulary in this order."""
    return vocabulary.find_unknown_words(source) if extends_vocabulary(network) else ()
