"""Words and special tokens of every usual kind of tokens."""

import json

import numpy as np
import pytest

from model.importers import has_special_tokens, read_attention, remove_special_tokens
from model.trace import Trace
from tests.model.importers.test_attention_files import random_attention


def of(source: list[str], target: list[str] | None = None) -> Trace:
    tokens = {"source": source, "target": target or ["x"]}
    values = random_attention(len(tokens["target"]), len(source))
    (one,) = read_attention(json.dumps(tokens | {"attention": values.tolist()}).encode(), "mine.json").sentences
    return one.trace


@pytest.mark.parametrize(("tokens", "words", "pieces"), [
    ("▁Old ▁har bour ▁walls .", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("Old Ġhar bour Ġwalls .", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("Old Ġhar bour Ċ walls ĊĊ .", "Old harbour walls .", "▁Old ▁har bour Ċ ▁walls ĊĊ ▁."),
    ("Old ĊHar bour", "Old Harbour", "▁Old ▁Har bour"),
    ("Old</w> har bour</w> walls</w> .</w>", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har@@ bour walls .", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har ##bour walls .", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har￭ bour walls ￭.", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("Old har ￭bour walls ￭.", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("sea ￭-￭ side ￭' s", "sea-side' s", "▁sea - side ' ▁s"),
    ("Old har bour", "Old har bour", "▁Old ▁har ▁bour"),
    ("C# a ## @@", "C# a ## @@", "▁C# ▁a ▁## ▁@@"),  # no marks but signs
    # bytes
    ("Le ĠcafÃ© ĠÃ© tait Ġbon", "Le café était bon", "▁Le ▁café ▁é tait ▁bon"),
    ("Un ĠðŁ ĺ Ģ !", "Un 😀!", "▁Un ▁ðŁ ĺ Ģ !"),  # three pieces of one character
    ("A Ġ Ã© b", "A éb", "▁A ▁Ġ é b"),
    ("Ġcaf é Ġ日", "café 日", "▁caf é ▁日"),  # text already
    ("Ġa Ã b", "aÃb", "▁a Ã b"),  # half a character
    ("▁Le ▁caf <0xC3> <0xA9> s ▁noir", "Le cafés noir", "▁Le ▁caf <0xC3> <0xA9> s ▁noir"),
    ("▁A ▁ <0xE6> <0x97> <0xA5> ▁b", "A 日 b", "▁A ▁▁ <0xE6> <0x97> <0xA5> ▁b"),
    ("▁a <0xC3> ▁b <0x0A>", "a<0xC3> b<0x0A>", "▁a <0xC3> ▁b <0x0A>"),
    ("▁a <unk> b <0xc3>", "a <unk> b <0xc3>", "▁a ▁<unk> ▁b ▁<0xc3>"),  # other pieces in brackets are words
])  # fmt: skip
@pytest.mark.parametrize("ended", [True, False])
def test_pieces_of_every_kind_make_words(tokens: str, words: str, pieces: str, ended: bool) -> None:
    trace = of([*tokens.split(), *["</s>"] * ended])
    assert " ".join(trace.source.words) == trace.source.text == words
    assert " ".join(trace.source.pieces) == pieces + " </s>" * ended
    assert trace.source.has_end == ended


@pytest.mark.parametrize(("tokens", "special", "words"), [
    ("▁The ▁quay </s> <pad> <pad>", [2, 3, 4], "The quay"),
    ("<s> ▁The ▁quay </s>", [0, 3], "The quay"),
    ("[CLS] the qu ##ay [SEP] [PAD]", [0, 4, 5], "the quay"),
    (">>fra<< ▁The ▁quay </s>", [0, 3], "The quay"),
    (">>cmn_Hans<< ▁The ▁quay </s>", [0, 3], "The quay"),
    ("__en__ ▁The ▁quay </s>", [0, 3], "The quay"),
    ("eng_Latn ▁The ▁quay </s>", [0, 3], "The quay"),
    ("</s> fra_Latn ▁The ▁quay </s>", [0, 1, 4], "The quay"),
    ("▁The ▁quay </s> en_XX", [2, 3], "The quay"),
    ("[fr_XX] the quay </s>", [0, 3], "the quay"),
    ("<2fr> ▁The ▁quay </s>", [0, 3], "The quay"),
    ("SOS the quay EOS", [0, 3], "the quay"),
    ("<SOS> the quay <EOS> PAD", [0, 3, 4], "the quay"),
    ("<bos> the quay <eos>", [0, 3], "the quay"),
    ("The Ġquay <|endoftext|>", [2], "The quay"),
    ("▁The </s> ▁quay </s>", [1, 3], "The quay"),  # two sentences in one
    ("my EOS camera", [], "my EOS camera"),  # what may be a word counts at the edges only
    ("set en_US here", [], "set en_US here"),
    ("a <b> c", [], "a <b> c"),  # mark-up is no special token
    ("the <unk> quay [MASK]", [], "the <unk> quay [MASK]"),
])  # fmt: skip
def test_special_tokens_belong_to_no_word(tokens: str, special: list[int], words: str) -> None:
    source = of(tokens.split()).source
    assert [place for place, word in enumerate(source.word_of) if word == -1] == special
    assert source.text == words


def test_special_tokens_left_out_leave_the_others_their_shares() -> None:
    source, target = ["<s>", "▁The", "▁quay", "</s>", "<pad>"], ["▁Le", "▁quai", "</s>"]
    values = np.array([[0.5, 0.1, 0.3, 0.1, 0.0], [0.0, 0.2, 0.2, 0.6, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]])
    own = np.array([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0], [0.1, 0.3, 0.6]])
    data = {"source": source, "target": target, "cross": values.tolist(), "decoder": own.tolist()}
    (one,) = read_attention(json.dumps(data).encode(), "mine.json").sentences
    assert has_special_tokens(one.trace)
    bare = remove_special_tokens(one.trace)
    assert not has_special_tokens(bare)
    assert (bare.source.pieces, bare.target.pieces) == (("▁The", "▁quay"), ("▁Le", "▁quai"))
    assert np.allclose(bare.get_map("cross-attention").values, [[0.25, 0.75], [0.5, 0.5]])
    # Its columns are nothing and "Le", what the decoder was given; "quai" it was given when it wrote the end.
    assert np.allclose(bare.get_map("decoder-self-attention").values, [[1.0, 0.0], [0.2, 0.8]])
    assert bare.made_by == one.trace.made_by


def test_a_row_that_gives_all_to_special_tokens_stays_empty() -> None:
    data = {"source": ["a", "</s>"], "target": ["b", "c"], "attention": [[0.0, 1.0], [0.5, 0.5]]}
    (one,) = read_attention(json.dumps(data).encode(), "mine.json").sentences
    assert remove_special_tokens(one.trace).get_map().values.tolist() == [[0.0], [1.0]]
