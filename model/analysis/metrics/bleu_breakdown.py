"""Break down sentence BLEU for display: the n-grams shared with the reference, and the brevity penalty.

The numbers are sacreBLEU's (`model.text.bleu`); this module finds the n-grams behind them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from model.analysis.metrics.sentences import compute_sentence_bleu
from model.text.bleu import NGRAM_ORDERS, clear_tokenizer_cache, count_statistics, create_bleu_metric
from model.text.languages import DEFAULT_PAIR


@dataclass(frozen=True)
class NgramOrder:
    """The n-grams of one order.

    Attributes:
        n: the order.
        shared_ngrams: those that count as shared with the reference, with repetitions.
        ngram_count: their number in the translation.
        precision: the smoothed precision, which is not 0 if none is shared.
    """

    n: int
    shared_ngrams: tuple[str, ...]
    ngram_count: int
    precision: float


@dataclass(frozen=True)
class BleuBreakdown:
    """The breakdown of one sentence's BLEU.

    Attributes:
        words: the translation as sacreBLEU tokenises it.
        reference: the reference as sacreBLEU tokenises it.
        longest_shared_orders: for each word the order of the longest shared n-gram that contains it, 0 for none.
        orders: the orders, up to the number of words.
        brevity_penalty: the brevity penalty.
        score: from 0 to 100.
    """

    words: tuple[str, ...]
    reference: tuple[str, ...]
    longest_shared_orders: tuple[int, ...]
    orders: tuple[NgramOrder, ...]
    brevity_penalty: float
    score: float


def break_down_bleu(output: str, reference: str, language: str = DEFAULT_PAIR[1]) -> BleuBreakdown:
    """Break down the BLEU of `output` against one reference (Papineni et al. 2002), as sacreBLEU scores one sentence.

    Smoothing is exponential; orders longer than the output are left out. `language` is that of both texts.
    """
    (sums,) = count_statistics([output], [reference], language)
    metric = create_bleu_metric(language)
    words, reference_words = (tuple(str(metric.tokenizer(text.rstrip())).split()) for text in (output, reference))
    clear_tokenizer_cache(metric)
    longest = [0] * len(words)
    orders = []
    zero_orders = 0
    for n in range(1, NGRAM_ORDERS + 1):
        remaining = Counter(_list_ngrams(reference_words, n))
        shared_ngrams = []
        for index, ngram in enumerate(_list_ngrams(words, n)):
            if remaining[ngram]:
                remaining[ngram] -= 1
                shared_ngrams.append(" ".join(ngram))
                longest[index : index + n] = [n] * n
        total = int(sums[NGRAM_ORDERS + n - 1])
        if not total:
            break
        zero_orders += not shared_ngrams
        orders.append(NgramOrder(n, tuple(shared_ngrams), total, (len(shared_ngrams) or 0.5**zero_orders) / total))
    lengths = len(words), len(reference_words)
    penalty = math.exp(min(0.0, 1 - lengths[1] / lengths[0])) if words else float(not reference_words)
    return BleuBreakdown(
        words, reference_words, tuple(longest), tuple(orders), penalty, float(compute_sentence_bleu(sums[None])[0])
    )


def _list_ngrams(words: tuple[str, ...], n: int) -> list[tuple[str, ...]]:
    return [words[place : place + n] for place in range(len(words) - n + 1)]
