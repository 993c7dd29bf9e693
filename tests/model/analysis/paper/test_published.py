"""Check the published tables against statements in the papers."""

from model.analysis.paper.published import ALIGNERS, TABLE_1, TABLE_2


def test_table_1_agrees_with_the_papers_text() -> None:
    scores = {row.system: row for row in TABLE_1}
    assert len(scores) == len(TABLE_1) == 6
    # "RNNsearch outperforms the conventional RNNencdec" at both lengths, RNNsearch-30 even RNNencdec-50.
    assert scores["RNNsearch-30"].bleu - scores["RNNencdec-30"].bleu == 21.50 - 13.93
    assert scores["RNNsearch-50"].bleu - scores["RNNencdec-50"].bleu == 26.75 - 17.82
    assert scores["RNNsearch-30"].bleu > scores["RNNencdec-50"].bleu
    # Without unknown words the longest trained one is above the phrase-based system, and on all sentences below it.
    assert scores["RNNsearch-50*"].no_unknown > scores["Moses"].no_unknown
    assert scores["RNNsearch-50*"].bleu < scores["Moses"].bleu
    assert all(row.bleu < row.no_unknown for row in TABLE_1)


def test_table_2_has_the_same_systems() -> None:
    assert {row.system for row in TABLE_2} == {row.system for row in TABLE_1} - {"Moses"}
    # The two of 50 words with attention share a card; hours an epoch agree between its two trainings.
    hours = {row.system: row.hours / row.epochs for row in TABLE_2}
    assert abs(hours["RNNsearch-50"] - hours["RNNsearch-50*"]) < 0.1 * hours["RNNsearch-50"]
    assert all(0 < row.epochs < row.updates for row in TABLE_2)


def test_an_aligners_error_rate_fits_its_precision_and_recall() -> None:
    # 1 - AER is a mean of precision and recall weighted by the numbers of links and of sure links.
    for aligner in ALIGNERS:
        if aligner.aer is not None and aligner.precision is not None and aligner.recall is not None:
            errors = sorted((100 - aligner.precision, 100 - aligner.recall))
            assert errors[0] < aligner.aer < errors[1]
            assert aligner.symmetrised < aligner.aer
