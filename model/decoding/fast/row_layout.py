"""Tell which sentence each row of a batch belongs to, so that the rows of a beam share one encoder output."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class RowLayout:
    """The sentence of each row, for batches with more rows than sentences.

    sentence (rows,): its index. rank (rows,): the index of the row among those of its sentence, below `max_rows`.
    """

    sentence: Tensor
    rank: Tensor
    max_rows: int

    @classmethod
    def from_sentences(cls, sentence: Tensor, sentence_count: int) -> RowLayout:
        row_counts = torch.bincount(sentence, minlength=sentence_count)
        order = sentence.argsort(stable=True)
        rank = torch.empty_like(order)
        first_rows = row_counts.cumsum(0) - row_counts
        rank[order] = torch.arange(len(order), device=order.device) - first_rows[sentence[order]]
        return cls(sentence, rank, int(row_counts.max()))

    def scatter(self, values: Tensor, sentence_count: int) -> Tensor:
        """Group rows by sentence: (rows, ...) -> (sentences, max_rows, ...), 0 where a sentence has fewer rows."""
        grouped = values.new_zeros(sentence_count, self.max_rows, *values.shape[1:])
        grouped[self.sentence, self.rank] = values
        return grouped


def select_rows(
    rows: Tensor, layout: RowLayout | None, sentence_count: int
) -> tuple[Tensor | None, RowLayout | None]:
    """Find what selected `rows` of a batch still read.

    Returns the sentences to keep, or None for all, and the new layout, or None if row i belongs to sentence i.
    Sentences are dropped only when at least a quarter of them is unused, because the others are then copied.
    """
    sentence = rows if layout is None else layout.sentence.index_select(0, rows)
    kept_sentences, index_in_kept = sentence.unique(return_inverse=True)
    drops_sentences = 4 * len(kept_sentences) <= 3 * sentence_count
    if drops_sentences:
        sentence, sentence_count = index_in_kept, len(kept_sentences)
    is_identity = len(sentence) == sentence_count and torch.equal(
        sentence, torch.arange(sentence_count, device=sentence.device))
    return kept_sentences if drops_sentences else None, None if is_identity else RowLayout.from_sentences(
        sentence, sentence_count)
