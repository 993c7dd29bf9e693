"""BLEU of one translation worked out for a reader: which runs of words it shares with a reference, and what it loses by
being short. The numbers are sacreBLEU's own (bleu.py); here the words are found that they stand for."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from model.analysis.metrics.sentences import compute_sentence_bleu
from model.text.bleu import NGRAM_ORDERS, clear_tokenizer_cache, count_statistics, create_bleu_metric
from model.text.languages import DEFAULT_PAIR


@dataclass(frozen=True)
class NgramOrder:
    """The runs of n words: those that the reference has too (`shared`, each as often as it counts), how many there are
    in all, and the share that goes into the score, which is not 0 where none is shared."""

    n: int
    shared: tuple[str, ...]
    total: int
    share: float


@dataclass(frozen=True)
class BleuBreakdown:
    """A translation's words and the reference's, as sacreBLEU cuts them; for each word of the translation the length of
    the longest shared run it stands in, 0 for none; the orders, up to as many as there are words; the brevity penalty;
    the score, 0 to 100."""

    words: tuple[str, ...]
    reference: tuple[str, ...]
    longest: tuple[int, ...]
    orders: tuple[NgramOrder, ...]
    penalty: float
    score: float


def break_down_bleu(output: str, reference: str, language: str = DEFAULT_PAIR[1]) -> BleuBreakdown:
    """BLEU of `output` against one reference, step by step (Papineni et al. 2002; exponential smoothing), as sacreBLEU
    scores one sentence: of the orders that an output of that length has. `language` is that of both."""
    (sums,) = count_statistics([output], [reference], language)
    metric = create_bleu_metric(language)
    words, against = (tuple(str(metric.tokenizer(text.rstrip())).split()) for text in (output, reference))
    clear_tokenizer_cache(metric)
    longest = [0] * len(words)
    orders = []
    missed = 0
    for n in range(1, NGRAM_ORDERS + 1):
        left = Counter(_runs(against, n))
        shared = []
        for place, run in enumerate(_runs(words, n)):
            if left[run]:
                left[run] -= 1
                shared.append(" ".join(run))
                longest[place : place + n] = [n] * n
        total = int(sums[NGRAM_ORDERS + n - 1])
        if not total:
            break
        missed += not shared
        orders.append(NgramOrder(n, tuple(shared), total, (len(shared) or 0.5**missed) / total))
    lengths = len(words), len(against)
    penalty = 1.0 if not words or lengths[0] >= lengths[1] else math.exp(1 - lengths[1] / lengths[0])
    return BleuBreakdown(
        words, against, tuple(longest), tuple(orders), penalty, float(compute_sentence_bleu(sums[None])[0])
    )


def _runs(words: tuple[str, ...], n: int) -> list[tuple[str, ...]]:
    return [words[place : place + n] for place in range(len(words) - n + 1)]
