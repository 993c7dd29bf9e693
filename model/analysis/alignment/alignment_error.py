"""Measure the alignment error rate of a model's attention on hand-aligned pairs, by forced decoding of their targets.

Each target token is linked to the source token with the largest attention weight, to nothing if that is "</s>". The
file's tokens are given to the model as they are written and detokenised (`model.analysis.alignment.detokenize`).

A common silent mistake with attention is a row that belongs to the word before or after. So the error rate is also
measured with the rows of the model's tokens shifted by one in either direction. So are the columns: a recurrent encoder
output may describe the token before its own. A correct model then attends one token beside the one it translates
(Koehn and Knowles 2017, "Six Challenges for Neural Machine Translation", section 3.5).

A model with several maps gets an error rate for each. The best map is selected on half of the pairs and scored on the
other half, so that the selection does not flatter it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis.alignment.alignment import (
    TOKEN_FORMS,
    Alignment,
    AlignmentError,
    TokenForm,
    Weights,
    build_token_membership,
    pool_to_tokens,
    render_pair,
)
from model.analysis.alignment.alignment_statistics import COLUMNS, count_alignment_statistics
from model.analysis.alignment.detokenize import DETOKENIZATION_RULES, detokenize
from model.analysis.alignment.hand_aligned import (
    COUNTS,
    AlignedPair,
    AlignedText,
    Link,
    LinkScores,
    build_diagonal_links,
    compute_error_rate,
    count_links,
    score_links,
)
from model.analysis.evaluation.stored import build_date_and_command
from model.analysis.paper.published import ALIGNERS
from model.decoding import Settings
from model.decoding.forced_decoding import build_forced_traces
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback, ignore_progress
from model.text.bleu import Counts
from model.text.normalise import normalise
from model.trace import MapDescription
from model.trace.maps import select_head_maps, select_main_maps

SCHEMA = 1
BASELINE = "diagonal"
SHIFTS = (-1, 0, 1)
BATCH_SIZE = 64


@dataclass(frozen=True)
class PairAttention:
    """A model's attention on one pair.

    Attributes:
        pair: the hand-aligned pair.
        weights_by_row_shift: α over the file's tokens, by how far the rows of model tokens are shifted (SHIFTS).
        weights_by_column_shift: the same with shifted columns.
        links_by_map: for a model with several attention maps, the links of each by its key.
    """

    pair: AlignedPair
    weights_by_row_shift: dict[int, Weights]
    weights_by_column_shift: dict[int, Weights]
    links_by_map: dict[str, tuple[Link, ...]]

    @property
    def links(self) -> tuple[Link, ...]:
        """The hard alignment, (source token, target token)."""
        return _extract_links(self.pair, self.weights_by_row_shift[0])


def compute_pair_attention(
    model: TranslationModel, pairs: Sequence[AlignedPair], form: TokenForm, progress: ProgressCallback | None = None
) -> list[PairAttention]:
    """Compute the attention of a model on each pair, given in one of TOKEN_FORMS.

    Raises AlignmentError for a model without attention, SentenceError for a pair that is too long.
    """
    report = progress or ignore_progress
    texts = [render_pair(pair.source, pair.target, form) for pair in pairs]
    results = []
    texts_given = [(normalise(source.text), normalise(target.text)) for source, target in texts]
    traces = build_forced_traces(model, texts_given, Settings(candidates=0), BATCH_SIZE)
    for number, (trace, pair, (source, target)) in enumerate(zip(traces, pairs, texts, strict=True), 1):
        if trace is None:
            raise AlignmentError(f"Pair {number} has a side without a letter or sign.")
        if not trace.has_attention:
            raise AlignmentError(f"{model.name} has no attention, so that it aligns nothing: choose one that attends.")
        values = trace.get_map().values
        rows = build_token_membership(target, len(pair.target), model.vocabulary)
        columns = build_token_membership(source, len(pair.source), model.vocabulary)
        weights_by_row_shift, weights_by_column_shift = (
            {shift: pool_to_tokens(shift_values(values, shift), rows, columns) for shift in SHIFTS}
            for shift_values in (shift_rows, shift_columns)
        )
        keys = [description.key for description in select_main_maps(item.description for item in trace.maps)]
        links_by_map = {key: _extract_links(pair, pool_to_tokens(trace.get_map(key).values, rows, columns))
                        for key in keys} if len(keys) > 1 else {}  # fmt: skip
        results.append(PairAttention(pair, weights_by_row_shift, weights_by_column_shift, links_by_map))
        report(f"aligning ({form})", number, len(pairs))
    return results


def shift_rows(weights: NDArray[Any], shift: int) -> NDArray[Any]:
    """Replace each row (target, source) by the one `shift` further down; the first or last row is repeated."""
    shifted: NDArray[Any] = weights[np.clip(np.arange(len(weights)) + shift, 0, len(weights) - 1)]
    return shifted


def shift_columns(weights: NDArray[Any], shift: int) -> NDArray[Any]:
    """Move each row's weights (target, source) by `shift` columns to the right, cyclically.

    A backward encoder has read "</s>" before the last word, so that the shift wraps around.
    """
    return np.roll(weights, shift, axis=1)


def measure_alignment_error(
    model: TranslationModel, text: AlignedText, *, wiring: str, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/alignment-NAME.json`: error rates of a model's attention, no text.

    - `scores`: LinkScores for each of TOKEN_FORMS and the diagonal.
    - `shifts`: AER with rows shifted by -1, 0 and +1, and the `best` shift. `columns`: the same with columns.
    - `maps`: the result of `score_maps`, for a model with several maps.
    - `rules`: how many pairs each detokenisation rule changed.
    - `statistics`: COLUMNS of `alignment_statistics` for each sentence. `counts`: COUNTS for each sentence.
    """
    attention = {form: compute_pair_attention(model, text.pairs, form, progress) for form in TOKEN_FORMS}
    counts: dict[str, Counts] = {}
    for form, pairs in attention.items():
        counts[form] = _count_all([(attended.links, attended.pair) for attended in pairs])
    counts[BASELINE] = _count_all(
        [(build_diagonal_links(len(pair.source), len(pair.target)), pair) for pair in text.pairs]
    )
    surface = attention["surface"]
    statistics = np.array([count_alignment_statistics(attended.pair, attended.links, attended.weights_by_row_shift[0])
                           for attended in surface])  # fmt: skip
    applied_rules = [detokenize(pair.target, "fr").rules | detokenize(pair.source, "en").rules for pair in text.pairs]
    maps = {}
    if surface[0].links_by_map:
        maps = {"maps": score_maps(surface, select_head_maps(model.network.maps))}
    return {
        "schema": SCHEMA, "kind": "alignment-error", "model": model.name, "fingerprint": model.fingerprint,
        "wiring": wiring,
        "data": {"name": text.name, "sha256": text.sha256, "gold_sha256": text.gold_sha256,
                 "sentences": len(text.pairs), "sure": sum(len(pair.sure_links) for pair in text.pairs),
                 "possible": sum(len(pair.possible_links) for pair in text.pairs)},
        "search": "teacher-forced; each target token linked to the source token it attended to most, </s> to nothing",
        "scores": {name: asdict(score_links(rows)) for name, rows in counts.items()},
        "shifts": _score_shifts([(attended.pair, attended.weights_by_row_shift) for attended in surface]),
        "columns": _score_shifts([(attended.pair, attended.weights_by_column_shift) for attended in surface]),
        "rules": {rule: sum(rule in rules for rules in applied_rules) for rule in DETOKENIZATION_RULES},
        "published": [asdict(aligner) for aligner in ALIGNERS],
        **build_date_and_command(command),
        "counts": {name: dict(zip(COUNTS, rows.T.tolist(), strict=True)) for name, rows in counts.items()},
        "statistics": dict(zip(COLUMNS, statistics.T.tolist(), strict=True)),
        **maps,
    }  # fmt: skip


def score_maps(attention: Sequence[PairAttention], heads: Sequence[MapDescription]) -> dict[str, Any]:
    """Score each of several maps.

    `aer` is the error rate of each map on all pairs, `heads` the mean rate of the maps in `heads`. `best` is the one of
    these with the lowest rate on every second pair, with its LinkScores on the other pairs, None without other pairs.
    """
    counts = {key: _count_all([(attended.links_by_map[key], attended.pair) for attended in attention])
              for key in attention[0].links_by_map}  # fmt: skip
    rates = {key: compute_error_rate(map_counts.sum(axis=0)) for key, map_counts in counts.items()}
    selection_rates = {head.key: compute_error_rate(counts[head.key][::2].sum(axis=0)) for head in heads}
    best = min(selection_rates, key=selection_rates.__getitem__)
    held_out = counts[best][1::2]
    scores = asdict(score_links(held_out)) if len(held_out) else {field.name: None for field in fields(LinkScores)}
    return {
        "aer": rates,
        "heads": float(np.mean([rates[description.key] for description in heads])),
        "best": {"map": best, "chosen_on": len(attention) - len(held_out), "sentences": len(held_out), **scores},
    }  # fmt: skip


def _score_shifts(shifted: Sequence[tuple[AlignedPair, dict[int, Weights]]]) -> dict[str, float]:
    """Return the error rate at each of SHIFTS, and the best shift."""
    counts = {shift: _count_all([(_extract_links(pair, weights[shift]), pair) for pair, weights in shifted])
              for shift in SHIFTS}  # fmt: skip
    rates = {shift: compute_error_rate(shift_counts.sum(axis=0)) for shift, shift_counts in counts.items()}
    return {**{f"{shift:+d}" if shift else "0": rate for shift, rate in rates.items()},
            "best": min(SHIFTS, key=lambda shift: rates[shift])}


def _extract_links(pair: AlignedPair, weights: Weights) -> tuple[Link, ...]:
    return Alignment(pair.source, pair.target, weights, None, True).links


def _count_all(linked_pairs: Sequence[tuple[Sequence[Link], AlignedPair]]) -> Counts:
    return np.array([count_links(links, pair) for links, pair in linked_pairs], dtype=np.int64)
