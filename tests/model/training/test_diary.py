"""The diary: written at its moments, small, and the same after a card or a state."""

from __future__ import annotations

import copy
import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoints.checkpoint import list_cards
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.serialization.codec import CodecError
from model.text.vocabulary import Vocabulary
from model.training import development
from model.training.development import BINS, DevelopmentSet
from model.training.diary import MOMENT_TOKENS, PROBES, Diary
from model.training.diary_record import DIARY, SCHEMA, DiaryRecord, Moment, pack_alpha, unpack_alpha


def network(kind: str, vocabulary: Vocabulary) -> RNNsearch | RNNencdec:
    torch.manual_seed(4)
    made = build_network(RNNsearchConfig(kind, len(vocabulary), 8, 10, 9, 7)).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(40)
        made.b_w[1] = 3.0  # ends soon
        if isinstance(made, RNNsearch):
            made.v_a.normal_(0.0, 20.0)
    return made


def test_some_forty_moments_evenly_spaced_in_the_logarithm() -> None:
    assert 38 <= sum(moment <= 200_000_000 for moment in MOMENT_TOKENS) <= 45
    ratios = [after / before for before, after in itertools.pairwise(MOMENT_TOKENS)]
    assert max(ratios) - min(ratios) < 1e-4
    assert len(PROBES) == 8


def test_a_moment_is_due_once(tiny_vocabulary: Vocabulary) -> None:
    diary = Diary(tiny_vocabulary)
    assert not diary.is_due(99_999)
    assert diary.is_due(100_000)
    assert diary.is_due(130_000)
    diary.moments.append(Moment(130_000, 3.0, (), (), ()))  # late: the moments at 100,000 and 121,153 are past
    assert not diary.is_due(130_000)
    assert not diary.is_due(MOMENT_TOKENS[2] - 1)
    assert diary.is_due(MOMENT_TOKENS[2])
    diary.moments.append(Moment(MOMENT_TOKENS[-1], None, (), (), ()))
    assert not diary.is_due(10**12)


def test_alpha_is_kept_to_a_byte() -> None:
    alpha = np.random.default_rng(3).dirichlet(np.ones(9), 7).astype(np.float32)
    kept = unpack_alpha(pack_alpha(alpha), 7, 9)
    assert kept.dtype == np.float32
    assert np.abs(kept - alpha).max() <= 1 / 510 + 1e-7
    assert (unpack_alpha(pack_alpha(np.eye(3, dtype=np.float32)), 3, 3) == np.eye(3)).all()


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_a_moment_tells_what_the_model_saw_and_said(kind: str, tiny_vocabulary: Vocabulary, data: Path) -> None:
    diary, model = Diary(tiny_vocabulary), network(kind, tiny_vocabulary)
    development = DevelopmentSet(data, tiny_vocabulary)
    before = torch.get_rng_state()
    diary.write(model, 123_456, 2.345678, development)
    assert torch.equal(torch.get_rng_state(), before), "no random number is drawn"
    (moment,) = diary.moments
    assert (moment.target_pieces, moment.loss) == (123_456, 2.3457)
    assert len(moment.translations) == 8
    assert len(moment.bleu_counts) == len(BINS)
    assert all(len(counts) == 10 for counts in moment.bleu_counts)
    assert sum(counts[9] for counts in moment.bleu_counts) > 0, "reference words were counted"
    content = diary.to_dict()
    if kind == "rnnencdec":
        assert moment.alpha == ()
        return
    for probe, packed, (source, target) in zip(content["probes"], moment.alpha, PROBES, strict=True):
        pieces = [tiny_vocabulary.encode(text) for text in (source, target)]
        assert probe["source_pieces"] == [tiny_vocabulary.id_to_piece(piece) for piece in pieces[0]]
        alpha = unpack_alpha(packed, len(probe["target_pieces"]), len(probe["source_pieces"]))
        # In float64: with these weights float32 strays by up to 2e-4 from it, whichever way a product is taken.
        exact = copy.deepcopy(model).double()
        expected = exact(*(torch.tensor([ids]) for ids in pieces)).weights["attention"][0].detach().numpy()
        assert np.abs(alpha - expected).max() <= 1 / 510 + 2e-4
        assert np.ptp(expected) > 0.01, "not uniform: else rows and columns could be anything"


def test_it_survives_a_state_and_a_file(tiny_vocabulary: Vocabulary, data: Path) -> None:
    diary = Diary(tiny_vocabulary)
    diary.write(network("rnnsearch", tiny_vocabulary), 100_000, 3.0, DevelopmentSet(data, tiny_vocabulary))
    for record in (DiaryRecord.from_json(diary.to_bytes()), DiaryRecord.from_plain(diary.to_dict())):
        assert Diary.from_record(tiny_vocabulary, record).to_bytes() == diary.to_bytes()
    assert json.loads(diary.to_bytes())["schema"] == SCHEMA
    for schema in (None, SCHEMA + 1):
        with pytest.raises(CodecError, match="reads diaries of schema 1: got"):
            DiaryRecord.from_plain({**diary.to_dict(), "schema": schema})


@pytest.mark.parametrize("wrong", [
    {"target_pieces": 0}, {"bleu_counts": [[1] * 10]}, {"bleu_counts": [[1] * 9] * 6}, {"bleu_counts": [[-1] * 10] * 6},
    {"bleu_counts": [[10**30] * 10] * 6}, {"bleu_counts": [[0.5] * 10] * 6}, {"translations": "Je"}, {"loss": "low"},
    {"surprise": 1},
])  # fmt: skip
def test_a_moment_that_cannot_have_been_is_refused(tiny_vocabulary: Vocabulary, wrong: dict[str, object]) -> None:
    diary = Diary(tiny_vocabulary)
    diary.moments.append(Moment(100_000, 3.0, ("Je",), (), ((1,) * 10,) * len(BINS)))
    content = diary.to_dict()
    assert DiaryRecord.from_plain(content) == diary.to_record()
    content["moments"][0] |= wrong
    with pytest.raises(CodecError, match="moment") as caught:
        DiaryRecord.from_plain(content)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_every_shipped_diary_is_written_again_byte_for_byte() -> None:
    for card in list_cards():
        content = (card.folder / DIARY).read_bytes()
        assert (DiaryRecord.from_json(content).to_json() + "\n").encode() == content


def test_all_its_moments_stay_within_500_kilobytes(tiny_vocabulary: Vocabulary, data: Path) -> None:
    """With two pieces a word on either side, which is more than the shipped vocabulary needs, and alpha all noise."""
    diary = Diary(tiny_vocabulary)
    diary.write(network("rnnsearch", tiny_vocabulary), 100_000, 3.0, DevelopmentSet(data, tiny_vocabulary))
    random = np.random.default_rng(5)
    sizes = [[2 * len(text.split()) + 1 for text in probe] for probe in PROBES]
    noisy = tuple(pack_alpha(random.dirichlet(np.ones(source), target).astype(np.float32)) for source, target in sizes)
    longest = tuple(target for _, target in PROBES)
    for moment in MOMENT_TOKENS:
        diary.moments.append(replace(diary.moments[0], target_pieces=moment, alpha=noisy, translations=longest))
    assert len(diary.to_bytes()) < 500_000


def test_development_texts_are_scored_in_words_of_their_language(
    tiny_vocabulary: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By 13a a Chinese sentence is one word, and whatever is written short of it all has no BLEU: the first weights
    that are measured would be the best for ever."""
    (tmp_path / "meta.json").write_text('{"languages": ["en", "zh"]}', "utf-8")
    references = ["老师说学生们在学校学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    (tmp_path / "dev-mine.tsv").write_text("".join(f"The cat sleeps.\t{text}\n" for text in references), "utf-8")
    said = [text.replace("中文", "英文") for text in references]
    monkeypatch.setattr(development, "translate_greedily", lambda *_: said)
    found = DevelopmentSet(tmp_path, tiny_vocabulary)
    assert "|tok:zh|" in found.description
    assert 70 < found.compute_bleu(network("rnnsearch", tiny_vocabulary))["all"] < 100
    assert sum(counts[0] for counts in found.count_ngrams_by_length(network("rnnsearch", tiny_vocabulary))) > 20
