"""Check the onsets of diagonal and reordered attention on known rows and in the shipped diaries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.analysis.alignment.onset import (
    find_lasting_onset,
    find_onsets,
    find_word_of_tokens,
    is_diagonal,
    is_reordered,
    pool_to_words,
)
from model.checkpoints import checkpoint
from model.text.languages import DEFAULT_PAIR
from model.training.diary_record import DIARY, DiaryError, DiaryRecord, pack_alpha

ATTENDING = [card for card in checkpoint.list_shipped_cards() if card.has_attention]
EYE = np.eye(4, 5)  # the last column is the end
FLAT = np.full((4, 5), 0.2)


def test_only_sharp_rising_attention_is_diagonal() -> None:
    assert is_diagonal(EYE)
    assert is_diagonal(0.6 * EYE + 0.4 * FLAT)
    assert not is_diagonal(0.1 * EYE + 0.9 * FLAT)  # rises, but too weakly
    assert not is_diagonal(EYE[::-1])
    assert not is_diagonal(np.tile(EYE[1], (4, 1)))  # one place for all
    attends_to_end = np.array([0.0, 0.0, 0.0, 0.02, 0.98])
    assert is_diagonal(np.vstack([attends_to_end, EYE[:3]]))
    assert not is_diagonal(np.vstack([np.tile(attends_to_end, (2, 1)), EYE[1], EYE[1]]))
    assert is_diagonal(0.45 * EYE)  # weights that are missing from a row, as in Luong's local-p, are not at the end


def test_two_sharp_falling_neighbours_are_reordered() -> None:
    reordered_rows = np.eye(6, 7)[[0, 2, 1, 3, 4, 5]]
    assert is_reordered(reordered_rows)
    assert is_diagonal(reordered_rows)  # one exchange of neighbours leaves it a diagonal
    assert not is_reordered(EYE)
    assert not is_reordered(0.3 * reordered_rows + 0.7 / 6)  # it falls, but not surely


@pytest.mark.parametrize(("rows", "onset"), [([0, 1, 1], 1), ([1, 0, 1], 2), ([1, 0], None), ([1, 1], 0), ([], None)])
def test_the_onset_is_the_first_of_all_later_moments(rows: list[int], onset: int | None) -> None:
    assert find_lasting_onset([np.array([[row]]) for row in rows], lambda row: bool(row[0, 0])) == onset


def test_tokens_are_pooled_to_words() -> None:
    pieces = ["▁Il", "▁m", "'", "a", "▁dit", "▁clé", "s", ".", "</s>"]
    assert find_word_of_tokens("Il m'a dit clés.", pieces, "fr") == [0, 1, 1, 2, 3, 4, 4, 5, -1]
    alpha = np.array([[0.5, 0.2, 0.3], [0.1, 0.1, 0.8], [0.0, 0.0, 1.0]], np.float32)
    result = pool_to_words(alpha, [0, 0, -1], [0, 0, -1], (1, 1))
    assert result == pytest.approx(np.array([[0.45, 0.55]]))


@pytest.mark.parametrize(("text", "pieces", "words"), [
    ("The zorp cat sleeps.", "▁The <unk> ▁cat <unk> . </s>", [0, 1, 2, 3, 4, -1]),
    ("He met Zbig Nowak, and left.", "▁He ▁met <unk> , ▁and <unk> </s>", [0, 1, 2, 4, 5, 6, -1]),  # two, and two
    ("Zorp (a cat) is a cat.", "<unk> ) ▁is ▁a ▁cat . </s>", [0, 4, 5, 6, 7, 8, -1]),
    ("The Œuf ŷ!", "▁The ▁ <0xC5> <0x92> u f ▁ <0xC5> <0xB7> ! </s>", [0, 1, 1, 1, 1, 1, 2, 2, 2, 3, -1]),
    ("é", "<0xC3> <0xA9> <0xC3> <0xA9> ▁more <unk>", [0, 0, 0, 0, 0, 0]),  # tokens of another text
])  # fmt: skip
def test_unknown_tokens_and_bytes_belong_to_their_words(text: str, pieces: str, words: list[int]) -> None:
    assert find_word_of_tokens(text, pieces.split(), "en") == words


@pytest.mark.verdict
@pytest.mark.parametrize("card", ATTENDING, ids=[card.name for card in ATTENDING])
def test_the_shipped_diaries_show_a_diagonal_and_reordering(card: checkpoint.Card) -> None:
    diary = DiaryRecord.from_json((card.folder / DIARY).read_bytes())
    result = find_onsets(diary, (card.source_language, card.target_language))
    assert len(result) == len(diary.probes)
    for onset in result:
        assert len(onset.rows) == len(diary.moments)
        assert onset.rows[-1].sum(axis=1) == pytest.approx(1, abs=0.1)  # weights of a diary are whole 255ths
        assert onset.diagonal is None or not is_diagonal(onset.rows[0])
    if card.languages != DEFAULT_PAIR:
        return  # Korean and English order their words differently: few diagonals
    assert sum(onset.diagonal is not None for onset in result) >= len(result) - 1
    reordered_onsets = [onset for onset in result if onset.reordering is not None]
    assert reordered_onsets
    assert all(onset.diagonal is not None for onset in reordered_onsets)


def test_damaged_moments_are_refused() -> None:
    diary = DiaryRecord.from_json((ATTENDING[0].folder / DIARY).read_bytes())
    *earlier_moments, last_moment = diary.moments
    huge = pack_alpha(np.zeros((1, 10**7), np.float32))
    for damaged_moment in (
        replace(last_moment, alpha=("AAAA",) * 8),
        replace(last_moment, alpha=last_moment.alpha[1:] + last_moment.alpha[:1]),
        replace(last_moment, alpha=(huge, *last_moment.alpha[1:])),
        replace(last_moment, translations=()),
    ):
        moments = (*earlier_moments, damaged_moment)
        with pytest.raises(DiaryError, match=r"oment.* of a diary"):
            find_onsets(DiaryRecord.from_json(replace(diary, moments=moments).to_json()), ("en", "fr"))
