"""Batches: content and order of an epoch, limits, and resuming at any position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from model.text.prepared import EncodedCorpus
from model.text.vocabulary import EOS, PAD
from model.training.batches import Batch, Batches, DataError, Position, Segment
from model.training.recipe import DataSettings, load_recipe

SETTINGS = replace(load_recipe("tiny").data, copies={"long": 1, "short": 3}, longest_pieces=30, pool=64,
                   batch_pieces=200, batch_pairs=12)
MAX_WORDS = 12  # as many as a third of the short corpus has

Pair = tuple[tuple[int, ...], tuple[int, ...]]


def build_corpus(pairs: int, longest: int, seed: int) -> EncodedCorpus:
    """Return random pairs. Their word counts do not follow from their token counts."""
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
    build_corpus(150, 40, 1).save(path / "long.npz")
    build_corpus(70, 12, 2).save(path / "short.npz")
    return path


def open_batches(folder: Path, data: DataSettings = SETTINGS, max_words: int = MAX_WORDS) -> Batches:
    return Batches(folder, data, max_words, 1)


def list_epoch(stream: Batches, number: int = 0) -> list[Batch]:
    epoch: list[Batch] = []
    for batch in stream.iterate_from(Position(number)):
        if batch.next_position.epoch > number:
            return epoch
        epoch.append(batch)
    raise AssertionError("the stream ended")


def list_pairs(batch: Batch) -> list[Pair]:
    """Return the pairs of a batch without padding, which must be on the right."""
    pairs = []
    for row in zip(batch.source, batch.target, strict=True):
        sides = []
        for ids in row:
            length = int((ids != PAD).sum())
            assert (ids[:length] != PAD).all()
            assert ids[length - 1] == EOS
            sides.append(tuple(ids[:length].tolist()))
        pairs.append((sides[0], sides[1]))
    return pairs


def count_expected_pairs(folder: Path, data: DataSettings, longest_words: int) -> Counter[Pair]:
    """Count the pairs of an epoch one by one."""
    counts: Counter[Pair] = Counter()
    for name, copies in data.copies.items():
        corpus = EncodedCorpus.load(folder / f"{name}.npz")
        for row in range(len(corpus)):
            source = corpus.source[corpus.source_offsets[row] : corpus.source_offsets[row + 1]].tolist()
            target = corpus.target[corpus.target_offsets[row] : corpus.target_offsets[row + 1]].tolist()
            words = max(corpus.source_words[row], corpus.target_words[row])
            if max(len(source), len(target)) <= data.longest_pieces and words <= longest_words:
                counts[tuple(source), tuple(target)] += copies
    return counts


@pytest.mark.parametrize(("data", "number"), [
    (SETTINGS, 3), (replace(SETTINGS, batch_pieces=0, sort_by="longer", shuffle=False), 0),
    (replace(SETTINGS, copies={"long": 0, "short": 2}, pool=10**6), 0),
])  # fmt: skip
def test_epoch_has_every_pair_as_often_as_the_recipe_says(folder: Path, data: DataSettings, number: int) -> None:
    epoch = list_epoch(open_batches(folder, data), number)
    assert Counter(pair for batch in epoch for pair in list_pairs(batch)) == \
        count_expected_pairs(folder, data, MAX_WORDS)
    assert len(epoch) > 3
    for batch in epoch:
        assert batch.source.dtype == batch.target.dtype == np.int64
        assert batch.target_tokens == sum(len(target) for _, target in list_pairs(batch))
        assert batch.source.shape[1] == max(len(source) for source, _ in list_pairs(batch))
        assert batch.target.shape[1] == max(len(target) for _, target in list_pairs(batch))


def test_batches_use_their_token_budget_and_never_exceed_it(folder: Path) -> None:
    epoch = list_epoch(open_batches(folder, replace(SETTINGS, batch_pieces=180)))
    assert max(len(batch.source) * max(batch.source.shape[1], batch.target.shape[1]) for batch in epoch) == 180
    assert max(len(batch.source) for batch in epoch) == SETTINGS.batch_pairs
    large = [batch for batch in list_epoch(open_batches(folder, replace(SETTINGS, batch_pieces=20)))
             if max(batch.source.shape[1], batch.target.shape[1]) > 20]  # fmt: skip
    assert {len(batch.source) for batch in large} == {1}  # a pair over the budget


def test_pools_are_sorted_by_target_or_longer_side(folder: Path) -> None:
    for batch in list_epoch(open_batches(folder)):
        lengths = [(len(target), len(source)) for source, target in list_pairs(batch)]
        assert lengths == sorted(lengths)
    data = replace(SETTINGS, batch_pieces=0, batch_pairs=4, pool=80, sort_by="longer", shuffle=False)
    pool = list(islice(open_batches(folder, data).iterate_from(Position()), 20))
    longer = [max(map(len, pair)) for batch in pool for pair in list_pairs(batch)]
    assert longer == sorted(longer)
    shuffled = list(islice(open_batches(folder, replace(data, shuffle=True)).iterate_from(Position()), 20))
    assert [list_pairs(batch) for batch in shuffled] != [list_pairs(batch) for batch in pool]
    assert sorted(map(list_pairs, shuffled)) == sorted(map(list_pairs, pool))


def test_order_is_unchanged_since_the_first_release(folder: Path) -> None:
    """A changed order would show resumed runs some pairs twice and others never."""
    batches = islice(open_batches(folder).iterate_from(Position(1, 1, 2)), 4)
    assert [(batch.source.shape, batch.target.shape, int(batch.source.sum() % 9973), batch.next_position)
            for batch in batches] == [
        ((10, 19), (10, 6), 7865, Position(1, 1, 3)),
        ((12, 12), (12, 9), 4664, Position(1, 1, 4)),
        ((6, 27), (6, 27), 5882, Position(1, 1, 5)),
        ((12, 11), (12, 3), 8926, Position(1, 1, 6)),
    ]  # fmt: skip


def split_some_ids(sentences: Sequence[Sequence[int]], random: np.random.Generator) -> list[list[int]]:
    """Repeat some of the ids, as if they had been cut in two."""
    return [[index for index in ids for _ in range(random.integers(1, 3))] for ids in sentences]


@pytest.mark.parametrize("segment", [None, split_some_ids])
def test_iteration_continues_from_every_position(folder: Path, segment: Segment | None) -> None:
    batches = list(islice(Batches(folder, SETTINGS, MAX_WORDS, 1, segment=segment).iterate_from(Position()), 60))
    assert batches[-1].next_position.epoch >= 1
    for batch, expected in pairwise(batches):
        next_batch = next(Batches(folder, SETTINGS, MAX_WORDS, 1, segment=segment).iterate_from(batch.next_position))
        assert np.array_equal(next_batch.source, expected.source)
        assert np.array_equal(next_batch.target, expected.target)
        assert next_batch.next_position == expected.next_position


@pytest.mark.parametrize("processes", [3, 20])
def test_the_rows_of_all_processes_make_up_the_batch(folder: Path, processes: int) -> None:
    for batch in islice(open_batches(folder).iterate_from(Position()), 4):
        shares = [batch.select_rank_rows(rank, processes) for rank in range(processes)]
        parts = [Batch(*share, 0, Position()) for share in shares if len(share[0])]
        assert Counter(pair for part in parts for pair in list_pairs(part)) == Counter(list_pairs(batch))
        sizes = [len(source) for source, _ in shares]
        assert max(sizes) - min(sizes) <= 1
        for part in parts:
            assert (part.source != PAD).any(0).all(), "a column is only padding"


def test_missing_or_damaged_corpora_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"long.* cannot be read.*python -m model data"):
        open_batches(tmp_path)
    with pytest.raises(DataError, match=r"asks for nowhere, and .* holds only .*long.* copies = \{ NAME = 1 \}"):
        open_batches(folder, replace(SETTINGS, copies={"long": 1, "nowhere": 1, "unused": 0}))
    with pytest.raises(DataError, match=r"no pair in .* has at most 1 words and 30 tokens a side"):
        open_batches(folder, max_words=1)
    content = bytearray((folder / "long.npz").read_bytes())
    for damage in (content[: len(content) // 2], b"", b"\x00" * 100, content[:2000] + b"\xff" * 64 + content[2064:]):
        (tmp_path / "long.npz").write_bytes(damage)
        with pytest.raises(DataError, match="long") as refused:
            open_batches(tmp_path)
        assert "\n" not in str(refused.value)


def test_corpora_with_unknown_ids_or_without_eos_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has the token \d+, but its vocabulary ends at 399"):
        Batches(folder, SETTINGS, MAX_WORDS, 1, vocabulary=400)
    Batches(folder, SETTINGS, MAX_WORDS, 1, vocabulary=60000)
    corpus = build_corpus(10, 5, 3)
    for last in (EOS + 3, PAD):
        target = corpus.target.copy()
        target[-1] = last
        replace(corpus, target=target).save(tmp_path / "long.npz")
        with pytest.raises(DataError, match="do not end in EOS or hold padding"):
            open_batches(tmp_path, replace(SETTINGS, copies={"long": 1}))
