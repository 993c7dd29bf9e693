"""Measure BLEU by beam width, with hypotheses ranked by mean or by sum of log-probabilities.

Ranked by sum, as in the paper's code, wider beams find more likely translations, and these are short (Koehn and Knowles
2017; the "beam search curse" of Yang, Huang and Ma 2018). Ranked by mean, the default here, most of the effect
disappears. A beam of 1 is greedy search with either ranking. Search stops by the rule "exact", unlike that of the BLEU
tables (`model.analysis.paper.measurement_plan.STOP_RULE`), and the record does not say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.evaluation import ParallelText
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.analysis.metrics.length_curve import compute_paired_bleu_difference, estimate_bleu_band
from model.decoding import Settings
from model.decoding.settings import LengthPenalty
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.text.bleu import Counts, compute_bleu, count_statistics, get_bleu_signature

SCHEMA = 1
SIZES = tuple(range(1, 21))
RANKINGS: tuple[LengthPenalty, ...] = ("length", "none")
SENTENCES = 250  # of newstest2014, evenly spaced: 39 searches through all 3,003 would take hours


def measure_beam_sizes(
    model: TranslationModel, text: ParallelText, *, sizes: Sequence[int] = SIZES, command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/beam-sizes-NAME.json`.

    - `points`: for each ranking and size `bleu` with `low` and `high`, and `ratio` (output to reference length, as BLEU
      counts).
    - `wide`: for each ranking the size with the best score (`best`, the smallest of equals) and the paired difference
      of the widest beam to it. The best is selected on the same sentences, which favours it slightly.
    """
    references = [reference for _, reference in text.pairs]
    sources = [source for source, _ in text.pairs]

    def compute_counts(size: int, ranking: LengthPenalty) -> Counts:
        settings = Settings(beam=size, length_penalty=ranking if size > 1 else RANKINGS[0])
        return count_statistics(translate_texts(model, sources, settings), references, model.languages[1])

    total, finished_searches = len(RANKINGS) * len(sizes), 0
    greedy = compute_counts(1, RANKINGS[0])
    points: list[dict[str, Any]] = []
    wide: dict[str, dict[str, Any]] = {}
    for ranking in RANKINGS:
        counts_by_size: dict[int, Counts] = {}
        for size in sizes:
            counts = counts_by_size[size] = compute_counts(size, ranking) if size > 1 else greedy
            low, high = estimate_bleu_band(counts)
            output, reference = counts.sum(axis=0)[-2:].tolist()
            points.append({
                "ranking": ranking, "beam": size, "bleu": compute_bleu(counts.sum(axis=0)), "low": low, "high": high,
                "ratio": output / reference,
            })  # fmt: skip
            finished_searches += 1
            if progress:
                progress("beams", finished_searches, total)
        best = max(sizes, key=lambda size: (compute_bleu(counts_by_size[size].sum(axis=0)), -size))
        wide[ranking] = {"best": best,
                         **asdict(compute_paired_bleu_difference(counts_by_size[max(sizes)], counts_by_size[best]))}
    return {
        **build_record_head("beam-sizes", SCHEMA, model, asdict(text.describe())),
        "signatures": {"bleu": get_bleu_signature(model.languages[1])},
        "sizes": list(sizes), "rankings": list(RANKINGS),
        "points": points, "wide": wide, **build_date_and_command(command),
    }  # fmt: skip
