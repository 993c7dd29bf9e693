"""The alignment error rate of a model's attention: it is made to write people's translations, and its links are judged.

Each target token is linked to the source token it looked at most (`model.analysis.alignment`); one that looked at
"</s>" most is linked to nothing. The file's tokens are given to the model in two ways: as they are written, and as real
text (`model.analysis.alignment.detokenize`), the only French it has seen, with its rows mapped back to the tokens.

An attention row that explains the word before or after its own is the commonest mistake there is with attention, and
costs no error message. So the rows of the pieces are moved by one either way, and what fits best is said. The columns
are, too: what a recurrent encoder says at a piece may be about the one it has read before, and a model then looks one
place beside what it writes, without any mistake ("off by one", Koehn and Knowles 2017, "Six Challenges for Neural
Machine Translation", section 3.5).

Where a model has several maps, each of them is judged. To pick the best by the very pairs that it is then judged by
would flatter it: it is chosen on half of the pairs and judged on the other half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
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
from model.analysis.alignment.detokenize import RULES, detokenize
from model.analysis.alignment.hand_aligned import (
    COUNTS,
    AlignedPair,
    AlignedText,
    Link,
    count_links,
    diagonal_links,
    error_rate,
    score_links,
)
from model.analysis.paper.published import ALIGNERS
from model.decoding import Settings
from model.decoding.forced_decoding import force
from model.decoding.translate import Model
from model.progress import ProgressCallback
from model.text.bleu import Counts
from model.text.normalise import normalise
from model.trace import MapDescription, find_main_map
from model.trace.maps import select_attention_maps

SCHEMA = 1
BASELINE = "diagonal"
SHIFTS = (-1, 0, 1)
BATCH = 64

@dataclass(frozen=True)
class PairAttention:
    """Where a model looked in one pair: α over the file's tokens, by how far the pieces' rows are moved (SHIFTS), and
    the same by how far their columns are; and, where it has several maps that say so, the links of each by its key."""

    pair: AlignedPair
    row_shifted: dict[int, Weights]
    column_shifted: dict[int, Weights]
    links_by_map: dict[str, tuple[Link, ...]]

    def links(self) -> tuple[Link, ...]:
        """The hard alignment, (source token, target token)."""
        return _links(self.pair, self.row_shifted[0])


def compute_pair_attention(
    model: Model, pairs: Sequence[AlignedPair], form: TokenForm, progress: ProgressCallback | None = None
) -> list[PairAttention]:
    """Where the model looks while it writes each target, given in one of WAYS.

    Raises AlignmentError for a model without attention, SentenceError for a pair too long for it.
    """
    report = progress or (lambda stage, done, total: None)
    texts = [render_pair(pair.source, pair.target, form) for pair in pairs]
    found = []
    given = [(normalise(source.text), normalise(target.text)) for source, target in texts]
    traces = force(model, given, Settings(candidates=0), BATCH)
    for number, (trace, pair, (source, target)) in enumerate(zip(traces, pairs, texts, strict=True), 1):
        if trace is None:
            raise AlignmentError(f"Pair {number} has a side without a letter or sign.")
        if not trace.has_attention:
            raise AlignmentError(f"{model.name} has no attention, so that it aligns nothing: choose one that attends.")
        values = trace.get_map().values
        rows = build_token_membership(target, len(pair.target), model.vocabulary)
        columns = build_token_membership(source, len(pair.source), model.vocabulary)
        weights = {shift: pool_to_tokens(shift_rows(values, shift), rows, columns) for shift in SHIFTS}
        beside = {shift: pool_to_tokens(shift_columns(values, shift), rows, columns) for shift in SHIFTS}
        keys = select_maps(one.description for one in trace.maps)
        maps = {key: _links(pair, pool_to_tokens(trace.get_map(key).values, rows, columns)) for key in keys}
        found.append(PairAttention(pair, weights, beside, maps))
        report(f"aligning ({form})", number, len(pairs))
    return found


def select_maps(maps: Iterable[MapDescription]) -> list[str]:
    """The keys of the maps that are judged: those of the first look's name, heads and their means; [] for one alone."""
    given = list(maps)
    first = find_main_map(given)
    keys = [one.key for one in given if one.is_source_attention and first is not None and one.name == first.name]
    return keys if len(keys) > 1 else []


def shift_rows(weights: NDArray[Any], shift: int) -> NDArray[Any]:
    """Each row replaced by the one `shift` further down, (target, source); the first or last row stands for none."""
    moved: NDArray[Any] = weights[np.clip(np.arange(len(weights)) + shift, 0, len(weights) - 1)]
    return moved


def shift_columns(weights: NDArray[Any], shift: int) -> NDArray[Any]:
    """Each row's weights moved by `shift` columns to the right, (target, source); what leaves on one side comes back on
    the other, as "</s>" is what a network that reads backwards has read after the first word."""
    return np.roll(weights, shift, axis=1)


def measure_alignment_error(
    model: Model, text: AlignedText, *, wiring: str, command: str = "", progress: ProgressCallback | None = None
) -> dict[str, Any]:
    """The error rates of a model's attention, as `assets/evaluations/alignment-NAME.json` holds them.

    "scores": precision, recall and AER (`LinkScores`) for each of WAYS and the diagonal; "shifts": the AER with rows
    moved by -1, 0 and +1 and, "best", which of these fits; "columns": the same with columns moved; "maps": `by_map`, of
    a model with several; "rules": how many pairs each rule of `surface` changed; "questions": COLUMNS of
    `alignment_questions`, and "counts": COUNTS, for each sentence, no text.
    """
    looked = {way: compute_pair_attention(model, text.pairs, way, progress) for way in TOKEN_FORMS}
    counts: dict[str, Counts] = {}
    for way, found in looked.items():
        counts[way] = _counts([(one.links(), one.pair) for one in found])
    counts[BASELINE] = _counts([(diagonal_links(len(pair.source), len(pair.target)), pair) for pair in text.pairs])
    questions = np.array(
        [count_alignment_statistics(one.pair, one.links(), one.row_shifted[0]) for one in looked["surface"]]
    )
    changed = [detokenize(pair.target, "fr").rules | detokenize(pair.source, "en").rules for pair in text.pairs]
    several = (
        {"maps": score_maps(looked["surface"], select_attention_maps(model.network.maps))}
        if looked["surface"][0].links_by_map
        else {}
    )
    return {
        "schema": SCHEMA, "kind": "alignment-error", "model": model.name, "fingerprint": model.fingerprint,
        "wiring": wiring,
        "data": {"name": text.name, "sha256": text.sha256, "gold_sha256": text.gold_sha256,
                 "sentences": len(text.pairs), "sure": sum(len(pair.sure) for pair in text.pairs),
                 "possible": sum(len(pair.possible) for pair in text.pairs)},
        "search": "teacher-forced; each target token linked to the source token it looked at most, </s> to nothing",
        "scores": {name: asdict(score_links(found)) for name, found in counts.items()},
        "shifts": _by_shift([(one.pair, one.row_shifted) for one in looked["surface"]]),
        "columns": _by_shift([(one.pair, one.column_shifted) for one in looked["surface"]]),
        "rules": {rule: sum(rule in rules for rules in changed) for rule in RULES},
        "published": [asdict(aligner) for aligner in ALIGNERS],
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command,
        "counts": {name: dict(zip(COUNTS, found.T.tolist(), strict=True)) for name, found in counts.items()},
        "questions": dict(zip(COLUMNS, questions.T.tolist(), strict=True)),
        **several,
    }  # fmt: skip


def score_maps(looked: Sequence[PairAttention], heads: Sequence[MapDescription]) -> dict[str, Any]:
    """How each of several maps fares. "aer": of each by its key, all pairs; "heads": the mean of the rates of the
    `heads`; "best": the key of the map with the lowest rate on every second pair, from the first on, with its
    `LinkScores` on the others, which did not choose it."""
    counts = {key: _counts([(one.links_by_map[key], one.pair) for one in looked]) for key in looked[0].links_by_map}
    rates = {key: error_rate(found.sum(axis=0).tolist()) for key, found in counts.items()}
    choosing = {key: error_rate(found[::2].sum(axis=0).tolist()) for key, found in counts.items()}
    best = min(choosing, key=choosing.__getitem__)
    others = counts[best][1::2]
    return {
        "aer": rates,
        "heads": float(np.mean([rates[one.key] for one in heads])),
        "best": {"map": best, "chosen_on": len(looked) - len(others), "sentences": len(others),
                 **(asdict(score_links(others)) if len(others) else {})},
    }  # fmt: skip


def _by_shift(moved: Sequence[tuple[AlignedPair, dict[int, Weights]]]) -> dict[str, float]:
    """The rate of each of SHIFTS, and which is the lowest."""
    counts = {shift: _counts([(_links(pair, weights[shift]), pair) for pair, weights in moved]) for shift in SHIFTS}
    rates = {shift: error_rate(found.sum(axis=0).tolist()) for shift, found in counts.items()}
    return {**{f"{shift:+d}" if shift else "0": rate for shift, rate in rates.items()},
            "best": min(SHIFTS, key=lambda shift: rates[shift])}


def _links(pair: AlignedPair, weights: Weights) -> tuple[Link, ...]:
    return Alignment(pair.source, pair.target, weights, None, True).links


def _counts(found: Sequence[tuple[Sequence[Link], AlignedPair]]) -> Counts:
    return np.array([count_links(links, pair) for links, pair in found], dtype=np.int64)
