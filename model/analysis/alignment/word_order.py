"""Word order: how often the links of an alignment turn back, in a sentence and in the stored records of test sets.

Links are read in the order of the target. A link turns back if its source word stands before that of the link before.
From English into French few do; between Korean, whose verb comes last, and English many do. Punctuation and the end of
the sentence have no links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.evaluation.evaluation import EvaluationError
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER
from model.analysis.metrics.estimates import Estimate, estimate_with_band
from model.serialization.codec import CodecError, parse_json, read_record
from model.serialization.messages import quote_value
from model.serialization.timestamps import format_current_time
from model.text.politeness import TAGS
from model.text.words import is_word

SCHEMA = 1
KIND = "word-order"
FILE_PREFIX = "word-order-"

_TAGS = frozenset(TAGS.values())

Links = Sequence[tuple[int, int]]
"""Links (source word, target word), in the order of the target."""


@dataclass(frozen=True)
class WordOrder:
    """How often links turn back on one test set, by the attention of one model in given translations.

    The fields are the JSON keys of `assets/evaluations/word-order-NAME.json`. `data` counts only the sentences with two
    links or more; `links` counts those that follow another one; `share` is the part of them that turn back.
    """

    schema: int
    kind: str
    model: str
    fingerprint: str
    languages: tuple[str, str]
    data: dict[str, Any]
    links: int
    turned: int
    share: Estimate
    date: str
    command: str


def find_links(weights: NDArray[np.floating[Any]], source: Sequence[str], target: Sequence[str]) -> Links:
    """Return the link of each target word to the source word with the greatest weight, without punctuation and tags.

    `weights` has a row per target word and a column per source word, and perhaps more for the end of the sentence.
    """
    links: list[tuple[int, int]] = []
    for index, word in enumerate(target):
        attended = int(np.argmax(weights[index]))
        if is_word(word) and attended < len(source) and is_word(source[attended]) and source[attended] not in _TAGS:
            links.append((attended, index))
    return links


def find_turns(links: Links) -> list[int]:
    """Return the target words whose link turns back."""
    return [target for (previous_source, _), (source, target) in pairwise(links) if source < previous_source]


def measure_word_order(
    sentences: Iterable[Links], *, model: str, fingerprint: str, languages: tuple[str, str], data: dict[str, Any],
    command: str = "",
) -> WordOrder:  # fmt: skip
    """Count over the links of all sentences, and resample sentences for the band.

    Raises EvaluationError if no sentence has two links.
    """
    linked_sentences = [links for links in sentences if len(links) > 1]
    if not linked_sentences:
        raise EvaluationError(f"No sentence of {data.get('name', 'the text')} has two links, so that no order can be "
                              "measured: give longer sentences.")
    columns = {"links": [len(links) - 1 for links in linked_sentences],
               "turned": [len(find_turns(links)) for links in linked_sentences]}
    share = estimate_with_band(columns, lambda sums: sums["turned"] / sums["links"])
    return WordOrder(SCHEMA, KIND, model, fingerprint, languages, {**data, "sentences": len(linked_sentences)},
                     sum(columns["links"]), sum(columns["turned"]), share, format_current_time(),
                     command)  # fmt: skip


@cache
def load_word_orders(folder: Path = EVALUATIONS_FOLDER) -> tuple[WordOrder, ...]:
    """Return the stored records, by the name of their file; damaged and unreadable ones are left out."""
    records = []
    for path in sorted(folder.glob(f"{FILE_PREFIX}*.json")):
        try:
            records.append(parse_word_order(path.read_bytes()))
        except (OSError, CodecError):
            continue
    return tuple(records)


def parse_word_order(content: bytes) -> WordOrder:
    """Read a record. Raises CodecError."""
    record = read_record(WordOrder, parse_json(content, "a record of word order"), "word order")
    if record.schema != SCHEMA or record.kind != KIND:
        raise CodecError(f"A record of word order of schema {SCHEMA} is needed: got schema {record.schema} and kind "
                         f"{quote_value(record.kind)}.")
    return record
