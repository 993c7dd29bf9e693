"""The diary: when it is written, what it records, and its file."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from model.networks.rnnsearch import RNNencdec, RNNsearch, RNNsearchConfig
from model.serialization.codec import CodecError
from model.text.vocabulary import Vocabulary
from model.training import development
from model.training.development import BINS, DevelopmentSet
from model.training.diary import MOMENT_TOKENS, PROBES, Diary
from model.training.diary_record import SCHEMA, DiaryRecord, Moment, unpack_alpha
from tests.networks import build_network


def build_tiny_model(kind: str, vocabulary: Vocabulary) -> RNNsearch | RNNencdec:
    torch.manual_seed(4)
    network = build_network(RNNsearchConfig(kind, len(vocabulary), 8, 10, 9, 7)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(40)
        network.b_w[1] = 3.0  # favours EOS
        if isinstance(network, RNNsearch):
            network.v_a.normal_(0.0, 20.0)
    return network


def test_a_moment_is_due_once(tiny_vocabulary: Vocabulary) -> None:
    diary = Diary(tiny_vocabulary)
    assert [diary.is_due(tokens) for tokens in (99_999, 100_000, 130_000)] == [False, True, True]
    diary.moments.append(Moment(130_000, 3.0, (), (), ()))  # late: past the moments at 100,000 and 121,153
    due = [diary.is_due(tokens) for tokens in (130_000, MOMENT_TOKENS[2] - 1, MOMENT_TOKENS[2])]
    assert due == [False, False, True]
    diary.moments.append(Moment(MOMENT_TOKENS[-1], None, (), (), ()))
    assert not diary.is_due(10**12)


@pytest.mark.parametrize("kind", ["rnnsearch", "rnnencdec"])
def test_a_moment_records_attention_translations_and_bleu_counts(
    kind: str, tiny_vocabulary: Vocabulary, data: Path
) -> None:
    diary, network = Diary(tiny_vocabulary), build_tiny_model(kind, tiny_vocabulary)
    random_state = torch.get_rng_state()
    diary.write(network, 123_456, 2.345678, DevelopmentSet(data, tiny_vocabulary))
    assert torch.equal(torch.get_rng_state(), random_state)
    (moment,) = diary.moments
    assert (moment.target_pieces, moment.loss) == (123_456, 2.3457)
    assert len(moment.translations) == 8
    assert len(moment.bleu_counts) == len(BINS)
    assert all(len(counts) == 10 for counts in moment.bleu_counts)
    assert sum(counts[9] for counts in moment.bleu_counts) > 0  # reference words
    if kind == "rnnencdec":
        assert moment.alpha == ()
        return
    for probe, packed, (source, target) in zip(diary.to_dict()["probes"], moment.alpha, PROBES, strict=True):
        ids = [tiny_vocabulary.encode(text) for text in (source, target)]
        assert probe["source_pieces"] == [tiny_vocabulary.id_to_piece(token) for token in ids[0]]
        alpha = unpack_alpha(packed, len(probe["target_pieces"]), len(probe["source_pieces"]))
        exact = copy.deepcopy(network).double()  # with these weights float32 differs by up to 2e-4
        expected = exact(*(torch.tensor([side]) for side in ids)).weights["attention"][0].detach().numpy()
        assert np.abs(alpha - expected).max() <= 1 / 510 + 2e-4
        assert np.ptp(expected) > 0.01  # not uniform


def test_a_diary_survives_its_file_and_a_state(tiny_vocabulary: Vocabulary, data: Path) -> None:
    diary = Diary(tiny_vocabulary)
    diary.write(build_tiny_model("rnnsearch", tiny_vocabulary), 100_000, 3.0, DevelopmentSet(data, tiny_vocabulary))
    for record in (DiaryRecord.from_json(diary.to_bytes()), DiaryRecord.from_plain(diary.to_dict())):
        assert Diary.from_record(tiny_vocabulary, record).to_bytes() == diary.to_bytes()
    assert json.loads(diary.to_bytes())["schema"] == SCHEMA
    for schema in (None, SCHEMA + 1):
        with pytest.raises(CodecError, match="reads diaries of schema 1: got"):
            DiaryRecord.from_plain({**diary.to_dict(), "schema": schema})

@pytest.mark.parametrize("change", [
    {"target_pieces": 0}, {"bleu_counts": [[1] * 10]}, {"bleu_counts": [[1] * 9] * 6}, {"bleu_counts": [[-1] * 10] * 6},
    {"bleu_counts": [[10**30] * 10] * 6}, {"loss": "low"}, {"surprise": 1},
])  # fmt: skip
def test_invalid_moments_are_refused(tiny_vocabulary: Vocabulary, change: dict[str, object]) -> None:
    diary = Diary(tiny_vocabulary)
    diary.moments.append(Moment(100_000, 3.0, ("Je",), (), ((1,) * 10,) * len(BINS)))
    content = diary.to_dict()
    assert DiaryRecord.from_plain(content) == diary.to_record()
    content["moments"][0] |= change
    with pytest.raises(CodecError, match="moment") as refused:
        DiaryRecord.from_plain(content)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_dev_bleu_uses_the_tokenizer_of_the_target_language(
    tiny_vocabulary: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 13a a Chinese sentence would be one word, and BLEU zero."""
    (tmp_path / "meta.json").write_text('{"languages": ["en", "zh"]}', "utf-8")
    references = ["老师说学生们在学校学习中文。", "我的哥哥上个星期买了一辆新的车。"]
    (tmp_path / "dev-mine.tsv").write_text("".join(f"The cat sleeps.\t{text}\n" for text in references), "utf-8")
    outputs = [text.replace("中文", "英文") for text in references]
    monkeypatch.setattr(development, "translate_greedily", lambda *_: outputs)
    network, dev_set = build_tiny_model("rnnsearch", tiny_vocabulary), DevelopmentSet(tmp_path, tiny_vocabulary)
    assert "|tok:zh|" in dev_set.description
    assert 70 < dev_set.compute_bleu(network)["all"] < 100
    assert sum(counts[0] for counts in dev_set.count_ngrams_by_length(network)) > 20
