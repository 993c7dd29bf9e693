"""Tests of words and special tokens in the tokens of other toolkits."""

import json

import numpy as np
import pytest

from model.importers import has_special_tokens, read_attention, remove_special_tokens
from model.trace import Side
from tests.model.importers.test_attention_files import random_attention


def import_tokens(source: list[str]) -> Side:
    """Return the source side of an imported sentence."""
    data = {"source": source, "target": ["x"], "attention": random_attention(1, len(source)).tolist()}
    (sentence,) = read_attention(json.dumps(data).encode(), "mine.json").sentences
    return sentence.trace.source


@pytest.mark.parametrize(("tokens", "words", "pieces"), [
    ("▁Old ▁har bour ▁walls .", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("Old Ġhar bour Ġwalls .", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("Old Ġhar bour Ċ walls ĊĊ .", "Old harbour walls .", "▁Old ▁har bour Ċ ▁walls ĊĊ ▁."),
    ("Old</w> har bour</w> walls</w> .</w>", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har@@ bour walls .", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har ##bour walls .", "Old harbour walls .", "▁Old ▁har bour ▁walls ▁."),
    ("Old har￭ bour walls ￭.", "Old harbour walls.", "▁Old ▁har bour ▁walls ."),
    ("sea ￭-￭ side ￭' s", "sea-side' s", "▁sea - side ' ▁s"),
    ("Old har bour", "Old har bour", "▁Old ▁har ▁bour"),
    ("C# a ## @@", "C# a ## @@", "▁C# ▁a ▁## ▁@@"),  # not marks
    # bytes
    ("Le ĠcafÃ© ĠÃ© tait Ġbon", "Le café était bon", "▁Le ▁café ▁é tait ▁bon"),
    ("Un ĠðŁ ĺ Ģ !", "Un 😀!", "▁Un ▁ðŁ ĺ Ģ !"),  # three tokens of one character
    ("A Ġ Ã© b", "A éb", "▁A ▁Ġ é b"),
    ("Ġcaf é Ġ日", "café 日", "▁caf é ▁日"),  # plain text
    ("Ġa Ã b", "aÃb", "▁a Ã b"),  # half a character
    ("▁Le ▁caf <0xC3> <0xA9> s ▁noir", "Le cafés noir", "▁Le ▁caf <0xC3> <0xA9> s ▁noir"),
    ("▁a <0xC3> ▁b <0x0A>", "a<0xC3> b<0x0A>", "▁a <0xC3> ▁b <0x0A>"),
    ("▁a <unk> b <0xc3>", "a <unk> b <0xc3>", "▁a ▁<unk> ▁b ▁<0xc3>"),  # other tokens in brackets are words
])  # fmt: skip
@pytest.mark.parametrize("has_end", [True, False])
def test_tokens_are_grouped_into_words(tokens: str, words: str, pieces: str, has_end: bool) -> None:
    side = import_tokens([*tokens.split(), *["</s>"] * has_end])
    assert " ".join(side.words) == side.text == words
    assert " ".join(side.pieces) == pieces + " </s>" * has_end
    assert side.has_end == has_end


@pytest.mark.parametrize(("tokens", "special", "words"), [
    ("▁The ▁quay </s> <pad> <pad>", [2, 3, 4], "The quay"),
    ("<s> ▁The ▁quay </s>", [0, 3], "The quay"),
    ("[CLS] the qu ##ay [SEP] [PAD]", [0, 4, 5], "the quay"),
    (">>fra<< ▁The ▁quay </s>", [0, 3], "The quay"),
    ("__en__ ▁The ▁quay </s>", [0, 3], "The quay"),
    ("eng_Latn ▁The ▁quay </s>", [0, 3], "The quay"),
    ("</s> fra_Latn ▁The ▁quay </s>", [0, 1, 4], "The quay"),
    ("▁The ▁quay </s> en_XX", [2, 3], "The quay"),
    ("[fr_XX] the quay </s>", [0, 3], "the quay"),
    ("<2fr> ▁The ▁quay </s>", [0, 3], "The quay"),
    ("SOS the quay EOS", [0, 3], "the quay"),
    ("The Ġquay <|endoftext|>", [2], "The quay"),
    ("▁The </s> ▁quay </s>", [1, 3], "The quay"),  # two sentences
    ("my EOS camera", [], "my EOS camera"),  # possible words are special at the edges only
    ("set en_US here", [], "set en_US here"),
    ("the <unk> quay [MASK]", [], "the <unk> quay [MASK]"),
])  # fmt: skip
def test_special_tokens_belong_to_no_word(tokens: str, special: list[int], words: str) -> None:
    side = import_tokens(tokens.split())
    assert [position for position, word in enumerate(side.word_of) if word == -1] == special
    assert side.text == words


def test_weights_are_renormalised_without_special_tokens() -> None:
    source, target = ["<s>", "▁The", "▁quay", "</s>", "<pad>"], ["▁Le", "▁quai", "▁là", "</s>"]
    cross = [[0.5, 0.1, 0.3, 0.1, 0.0], [0.0, 0.2, 0.2, 0.6, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]
    decoder = [[1.0, 0.0, 0.0, 0.0], [0.2, 0.8, 0.0, 0.0], [0.1, 0.3, 0.6, 0.0], [0.1, 0.2, 0.3, 0.4]]
    data = {"source": source, "target": target, "cross": cross, "decoder": decoder}
    trace = read_attention(json.dumps(data).encode(), "mine.json").sentences[0].trace
    words_only = remove_special_tokens(trace)
    assert has_special_tokens(trace)
    assert not has_special_tokens(words_only)
    assert (words_only.source.pieces, words_only.target.pieces) == (("▁The", "▁quay"), ("▁Le", "▁quai", "▁là"))
    # A row with all its weight on special tokens becomes zeros.
    assert np.allclose(words_only.get_map("cross-attention").values, [[0.25, 0.75], [0.5, 0.5], [0.0, 0.0]])
    # The columns are the decoder's inputs: the start, "Le" and "quai".
    decoder_weights = words_only.get_map("decoder-self-attention").values
    assert np.allclose(decoder_weights, [[1.0, 0.0, 0.0], [0.2, 0.8, 0.0], [0.1, 0.3, 0.6]])
    assert words_only.provenance == trace.provenance
