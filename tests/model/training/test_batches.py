"""Batches: every pair as often as told, none twice, none too long, and the same order from wherever one begins."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from model.text.prepared import EncodedCorpus
from model.text.vocabulary import EOS, PAD
from model.training.batches import Batch, Batches, DataError, Position, pad_sequences
from model.training.recipe import DataSettings, load_recipe

SETTINGS = replace(load_recipe("tiny").data, copies={"long": 1, "short": 3}, longest_pieces=30, pool=64,
                   batch_pieces=200, batch_pairs=12)
WORDS = 20

Pair = tuple[tuple[int, ...], tuple[int, ...]]


def corpus(pairs: int, longest: int, seed: int) -> EncodedCorpus:
    """Random pieces; every third pair has more words than pieces would tell."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest + 1, (2, pairs))
    sides = [[np.append(random.integers(3, 60000, k - 1), EOS) for k in side] for side in lengths]
    offsets = [np.concatenate([[0], np.cumsum([len(ids) for ids in side])]) for side in sides]
    words = [np.where(np.arange(pairs) % 3 == side, longest, 5).astype(np.uint16) for side in (0, 1)]
    flat = [np.concatenate(side).astype(np.uint16) for side in sides]
    return EncodedCorpus(flat[0], flat[1], offsets[0], offsets[1], words[0], words[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpora")
    corpus(150, 40, 1).save(path / "long.npz")
    corpus(70, 12, 2).save(path / "short.npz")
    return path


def batches(folder: Path, data: DataSettings = SETTINGS, seed: int = 1, words: int = WORDS) -> Batches:
    return Batches(folder, data, words, seed)


def epoch(stream: Batches, number: int = 0) -> list[Batch]:
    """The batches of one epoch: those before the first of the next."""
    found: list[Batch] = []
    for batch in stream.iterate_from(Position(number)):
        if batch.position.epoch > number:
            return found
        found.append(batch)
    raise AssertionError("the stream ended")


def rows(batch: Batch) -> list[Pair]:
    """The pairs of a batch without their padding, which must be on the right and nowhere else."""
    pairs = []
    for source, target in zip(batch.source, batch.target, strict=True):
        sides = []
        for ids in (source, target):
            length = int((ids != PAD).sum())
            assert (ids[:length] != PAD).all()
            assert (ids[length:] == PAD).all()
            assert ids[length - 1] == EOS
            sides.append(tuple(ids[:length].tolist()))
        pairs.append((sides[0], sides[1]))
    return pairs


def expected(folder: Path, data: DataSettings, longest_words: int) -> Counter[Pair]:
    """What an epoch holds, worked out pair by pair."""
    counts: Counter[Pair] = Counter()
    for name, copies in data.copies.items():
        c = EncodedCorpus.load(folder / f"{name}.npz")
        for i in range(len(c)):
            source = c.source[c.source_offsets[i] : c.source_offsets[i + 1]].tolist()
            target = c.target[c.target_offsets[i] : c.target_offsets[i + 1]].tolist()
            words = max(c.source_words[i], c.target_words[i])
            if max(len(source), len(target)) <= data.longest_pieces and words <= longest_words:
                counts[tuple(source), tuple(target)] += copies
    return counts


@pytest.mark.parametrize("data", [SETTINGS, replace(SETTINGS, batch_pieces=0, sort_by="longer", shuffle=False),
                                  replace(SETTINGS, copies={"long": 0, "short": 2}), replace(SETTINGS, pool=10**6)])
@pytest.mark.parametrize("number", [0, 3])
def test_an_epoch_holds_every_pair_as_often_as_told(folder: Path, data: DataSettings, number: int) -> None:
    found = epoch(batches(folder, data), number)
    assert Counter(pair for batch in found for pair in rows(batch)) == expected(folder, data, WORDS)
    assert len(found) > 3
    for batch in found:
        assert batch.source.dtype == batch.target.dtype == np.int64
        assert batch.target_tokens == sum(len(target) for _, target in rows(batch))
        assert batch.source.shape[1] == max(len(source) for source, _ in rows(batch))
        assert batch.target.shape[1] == max(len(target) for _, target in rows(batch))


def test_pairs_over_the_limits_are_left_out(folder: Path) -> None:
    everything = expected(folder, replace(SETTINGS, longest_pieces=100), 100).total()
    for pieces, words in ((100, 100), (10, 100), (100, 12), (5, 5)):
        data = replace(SETTINGS, longest_pieces=pieces)
        found = sum(len(batch.source) for batch in epoch(batches(folder, data, words=words)))
        assert found == expected(folder, data, words).total() > 0
        assert found < everything or pieces == words == 100


def test_batches_keep_to_their_budget_and_use_it(folder: Path) -> None:
    for batch in epoch(batches(folder)):
        pairs, widest = len(batch.source), max(batch.source.shape[1], batch.target.shape[1])
        assert pairs <= SETTINGS.batch_pairs
        assert pairs * widest <= SETTINGS.batch_pieces
    sizes = {len(batch.source) for batch in epoch(batches(folder))}
    assert max(sizes) == SETTINGS.batch_pairs
    assert min(sizes) < SETTINGS.batch_pairs
    areas = [len(batch.source) * max(batch.source.shape[1], batch.target.shape[1])
             for batch in epoch(batches(folder, replace(SETTINGS, batch_pieces=180)))]
    assert max(areas) == 180, "to the last piece"


def test_a_pair_larger_than_the_budget_comes_alone(folder: Path) -> None:
    found = epoch(batches(folder, replace(SETTINGS, batch_pieces=20)))
    large = [batch for batch in found if max(batch.source.shape[1], batch.target.shape[1]) > 20]
    assert large
    assert {len(batch.source) for batch in large} == {1}


def test_a_pool_is_sorted_and_cut(folder: Path) -> None:
    """By target then source, and shuffled; or by the longer side, in that order: the paper's twenty batches."""
    for batch in epoch(batches(folder)):
        by_target = [(len(target), len(source)) for source, target in rows(batch)]
        assert by_target == sorted(by_target)
    data = replace(SETTINGS, batch_pieces=0, batch_pairs=4, pool=80, sort_by="longer", shuffle=False)
    first_pool = list(islice(batches(folder, data).iterate_from(Position()), 20))
    assert [len(batch.source) for batch in first_pool] == [4] * 20
    lengths = [max(len(source), len(target)) for batch in first_pool for source, target in rows(batch)]
    assert lengths == sorted(lengths)
    assert first_pool[-1].position == Position(0, 0, 20)
    shuffled = list(islice(batches(folder, replace(data, shuffle=True)).iterate_from(Position()), 20))
    assert [rows(batch) for batch in shuffled] != [rows(batch) for batch in first_pool]
    assert sorted(map(rows, shuffled)) == sorted(map(rows, first_pool))


def order(stream: Batches, number: int = 0) -> list[list[Pair]]:
    return [rows(batch) for batch in epoch(stream, number)]


def test_the_order_depends_on_seed_and_epoch_alone(folder: Path) -> None:
    first = order(batches(folder))
    assert order(batches(folder)) == first
    stream = batches(folder)
    assert (order(stream, 2), order(stream, 0)) == (order(batches(folder), 2), first), "not on what was asked before"
    assert order(batches(folder, seed=2)) != first
    assert order(batches(folder), 1) != first


def test_the_order_is_what_it_always_was(folder: Path) -> None:
    """Runs in progress go on in it: a change here would make them see some pairs twice and others never."""
    stream = batches(folder)
    found = [(batch.source.shape, batch.target.shape, int(batch.source.sum() % 9973), batch.position)
             for batch in islice(stream.iterate_from(Position(1, 1, 2)), 4)]
    assert found == [
        ((10, 19), (10, 6), 7865, Position(1, 1, 3)),
        ((12, 12), (12, 9), 4664, Position(1, 1, 4)),
        ((6, 27), (6, 27), 5882, Position(1, 1, 5)),
        ((12, 11), (12, 3), 8926, Position(1, 1, 6)),
    ]


def test_whoever_knows_the_position_goes_on_there(folder: Path) -> None:
    """From every position of an epoch and into the next."""
    whole = list(islice(batches(folder).iterate_from(Position()), 60))
    assert whole[-1].position.epoch >= 1
    for done, batch in enumerate(whole[:-1], 1):
        following = next(batches(folder).iterate_from(batch.position))
        assert np.array_equal(following.source, whole[done].source)
        assert np.array_equal(following.target, whole[done].target)
        assert following.position == whole[done].position
    for before, after in pairwise(batch.position for batch in whole):
        assert (after.epoch, after.pool, after.batch) > (before.epoch, before.pool, before.batch)


@pytest.mark.parametrize("processes", [1, 2, 3, 20])
def test_shares_make_up_the_batch(folder: Path, processes: int) -> None:
    for batch in islice(batches(folder).iterate_from(Position()), 10):
        shares = [batch.select_rank_rows(rank, processes) for rank in range(processes)]
        parts = [Batch(*share, 0, Position()) for share in shares if len(share[0])]
        assert Counter(pair for part in parts for pair in rows(part)) == Counter(rows(batch))
        sizes = [len(source) for source, _ in shares]
        assert max(sizes) - min(sizes) <= 1
        for part in parts:
            assert (part.source != PAD).any(0).all(), "no column is padding alone"
        if processes == 1:
            assert np.array_equal(shares[0][0], batch.source)


def test_padding() -> None:
    assert pad_sequences([[5, 1], [1], [7, 8, 1]]).tolist() == [[5, 1, 0], [1, 0, 0], [7, 8, 1]]


# --- data that does not fit


def test_what_is_missing_or_damaged_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"long.* cannot be read.*python -m model data"):
        batches(tmp_path)
    content = bytearray((folder / "long.npz").read_bytes())
    for damage in (content[: len(content) // 2], b"", b"\x00" * 100, content[:2000] + b"\xff" * 64 + content[2064:]):
        (tmp_path / "long.npz").write_bytes(damage)
        with pytest.raises(DataError, match="long") as refused:
            batches(tmp_path)
        assert "\n" not in str(refused.value)


def test_a_folder_that_has_some_of_the_corpora_says_which_and_what_to_do(folder: Path) -> None:
    with pytest.raises(DataError, match=r"asks for nowhere, and .* holds only .*long.* copies = \{ NAME = 1 \}"):
        batches(folder, replace(SETTINGS, copies={"long": 1, "nowhere": 1, "unasked": 0}))


def test_data_of_another_vocabulary_or_format_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has the token \d+, but its vocabulary ends at 399"):
        Batches(folder, SETTINGS, WORDS, 1, vocabulary=400)
    Batches(folder, SETTINGS, WORDS, 1, vocabulary=60000)
    whole = corpus(10, 5, 3)
    for last in (EOS + 3, PAD):
        target = whole.target.copy()
        target[-1] = last
        replace(whole, target=target).save(tmp_path / "long.npz")
        with pytest.raises(DataError, match="do not end in EOS or hold padding"):
            batches(tmp_path, replace(SETTINGS, copies={"long": 1}))


def test_nothing_left_is_an_error(folder: Path) -> None:
    with pytest.raises(DataError, match=r"no pair in .* has at most 1 words and 30 tokens a side"):
        batches(folder, words=1)
