"""Check the breakdown of BLEU against sacreBLEU."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from model.analysis.metrics.bleu_breakdown import break_down_bleu
from model.text.bleu import NGRAM_ORDERS, count_statistics

WORDS = ["le", "chat", "noir", "dort", ",", ".", "l'eau", "3.5", "-"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@given(SENTENCES, SENTENCES)
def test_numbers_equal_sacrebleu(output: str, reference: str) -> None:
    result = break_down_bleu(output, reference)
    (sums,) = count_statistics([output], [reference])
    order_count = len(result.orders)
    assert [len(order.shared_ngrams) for order in result.orders] == list(sums[:order_count])
    assert [order.ngram_count for order in result.orders] == list(sums[NGRAM_ORDERS : NGRAM_ORDERS + order_count])
    assert not sums[NGRAM_ORDERS + order_count : 2 * NGRAM_ORDERS].any()
    assert (len(result.words), len(result.reference)) == tuple(sums[2 * NGRAM_ORDERS :])
    assert result.score == pytest.approx(BLEU(effective_order=True).sentence_score(output, [reference]).score)


def test_the_brevity_penalty_of_an_empty_output_is_zero() -> None:
    assert break_down_bleu("", "le chat").brevity_penalty == 0
    assert break_down_bleu("", "").brevity_penalty == 1


@pytest.mark.verdict
def test_a_known_example() -> None:
    result = break_down_bleu("le chat dort sur la chaise", "le chat noir dort sur la chaise .")
    assert result.orders[0].shared_ngrams == ("le", "chat", "dort", "sur", "la", "chaise")
    assert result.orders[1].shared_ngrams == ("le chat", "dort sur", "sur la", "la chaise")
    assert result.orders[2].shared_ngrams == ("dort sur la", "sur la chaise")
    assert result.orders[3].shared_ngrams == ("dort sur la chaise",)
    assert [order.precision for order in result.orders] == pytest.approx([6 / 6, 4 / 5, 2 / 4, 1 / 3])
    assert result.longest_shared_orders == (2, 2, 4, 4, 4, 4)
    assert result.brevity_penalty == pytest.approx(math.exp(1 - 8 / 6))
    assert result.score == pytest.approx(100 * math.exp(1 - 8 / 6) * (4 / 5 * 2 / 4 * 1 / 3) ** 0.25)
