"""Tests of other toolkits' files, written by hand in their formats."""

import json

import numpy as np
import pytest

from model.importers import ImportedFile, is_attention_file, read_attention
from model.trace import END_PIECE, Trace
from tests.model.importers.test_attention_files import build_npy, random_attention, read_error

# Nematus' translate.py -a: two lengths in separate fields, a space after each weight, and weights of end tokens that
# the text lacks.
NEMATUS = """\
0 ||| le pain chaud ||| 2.5 ||| warm bread ||| 3 ||| 4
0.7 0.2 0.1\x20
0.1 0.8 0.1\x20
0.6 0.3 0.1\x20
0.0 0.1 0.9\x20

1 ||| oui ||| 0.4 ||| yes ||| 2 ||| 2
0.9 0.1\x20
0.2 0.8\x20

"""
# marian-decoder --alignment soft --no-spm-decode, and as an n-best list: a group for each target token.
MARIAN = "▁le ▁pain </s> ||| 0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9\n▁oui </s> ||| 0.9,0.1 0.3,0.7\n"
MARIAN_NBEST = """\
0 ||| le pain ||| 0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9 ||| F0= -1.5 ||| -0.5
0 ||| du pain ||| 0.6,0.3,0.1 0.2,0.7,0.1 0,0.1,0.9 ||| F0= -2.5 ||| -0.8
1 ||| oui ||| 0.9,0.1 0.3,0.7 ||| F0= -0.5 ||| -0.2
"""
MARIAN_SOURCE = "▁the ▁bread\n▁yes\n"
# fairseq-generate --print-alignment soft, which sorts by length: id 1 before id 0.
FAIRSEQ = """\
2026-01-05 11:00:00 | INFO | fairseq_cli.generate | loading model(s) from model.pt
S-1\tyes
T-1\toui
H-1\t-0.25\toui
D-1\t-0.25\toui
P-1\t-0.3 -0.2
A-1\t0.900000,0.100000 0.300000,0.700000
S-0\tthe b@@ read
H-0\t-0.5\tle pa@@ in
D-0\t-0.5\tle pain
P-0\t-0.5 -0.1 -0.2 -0.1
A-0\t0.7,0.1,0.1,0.1 0.1,0.6,0.2,0.1 0.1,0.2,0.6,0.1 0,0,0.1,0.9
Generate test with beam=5: BLEU4 = 40.00
"""
# onmt_translate -attn_debug: cells of ten characters, truncated tokens, a star before the largest weight of a row.
OPENNMT = """\
[2026-01-05 11:00:00,123 INFO] Loading checkpoint from model.pt
[2026-01-05 11:00:01,456 INFO]                   the    unbelie      bread\x20
        le *0.8000000  0.1000000  0.1000000\x20
incroyable  0.1000000 *0.7000000  0.2000000\x20
      pain  0.1000000  0.2000000 *0.7000000\x20
      </s>  0.3000000  0.3000000 *0.4000000\x20

"""
OPENNMT_VERBOSE = """\

SENT 1: ['the', 'unbelievable', 'bread']
PRED 1: le incroyablement pain
PRED SCORE: -0.5

""" + OPENNMT.split("INFO] ")[-1]


def import_text(text: str, source: str = "", target: str = "") -> ImportedFile:
    assert is_attention_file("attention.txt", text.encode())
    return read_attention(text.encode(), "attention.txt", source=source, target=target)


def get_texts(imported: ImportedFile) -> list[tuple[str, str]]:
    return [(sentence.trace.source.text, sentence.trace.target.text) for sentence in imported.sentences]


def get_weights(trace: Trace) -> list[list[float]]:
    return [[round(value, 6) for value in row] for row in trace.get_map().values.astype(float).tolist()]


# ---- Nematus -------------------------------------------------------------------------------------------------------


def test_nematus() -> None:
    imported = import_text(NEMATUS)
    assert get_texts(imported) == [("warm bread", "le pain chaud"), ("yes", "oui")]
    first = imported.sentences[0].trace
    assert (first.source.pieces[-1], first.target.pieces[-1]) == (END_PIECE, END_PIECE)
    assert get_weights(first)[1] == [0.1, 0.8, 0.1]
    assert not imported.notes  # missing end tokens are usual in this format


@pytest.mark.parametrize(("lengths", "source_ends", "target_ends", "blank_text"), [
    (" ||| 3 4", 0, 0, ""), (" ||| 0 0", 1, 1, " "), (" ||| 2 3", 0, 1, "\n\n"), (" ||| 1 ||| 1", 1, 0, ""),
    ("", 0, 0, " "),
])  # fmt: skip
def test_lengths_in_nematus_headers_are_ignored(
    lengths: str, source_ends: int, target_ends: int, blank_text: str
) -> None:
    weights = random_attention(3 + target_ends, 2 + source_ends)
    rows = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in weights.tolist())
    first = f"1 ||| le pain chaud ||| 0.0 ||| warm bread{lengths}\n{rows}\n"
    imported = import_text(f"{blank_text}{first}\n2 ||| oui ||| 0 ||| yes{lengths}\n1.0\n")
    assert get_texts(imported) == [("warm bread", "le pain chaud"), ("yes", "oui")]
    trace = imported.sentences[0].trace
    assert trace.get_map().values.shape == weights.shape
    assert (trace.source.has_end, trace.target.has_end) == (bool(source_ends), bool(target_ends))


def test_invalid_nematus_sentence_is_left_out_with_a_note() -> None:
    first, second = NEMATUS.split("\n\n")[:2]
    imported = import_text(f"{first}\n\n1 ||| oui ||| 0 ||| yes ||| 2 2\n0.5 0.5\n0.5\n\n2{second[1:]}\n")
    assert [sentence.number for sentence in imported.sentences] == [1, 3]
    assert [(note.kind, note.sentences) for note in imported.notes] == [("left_out", (2,))]


def test_nematus_json() -> None:
    weights = [[0.75, 0.25], [0.5, 0.5], [0.125, 0.875]]
    links = [[target, source, str(weights[row][column]), 0, 0] for row, target in enumerate(["un", "chat", "</s>"])
             for column, source in enumerate(["cats", "</s>"])]  # fmt: skip
    (sentence,) = import_text(json.dumps(links, indent=2)).sentences
    assert (sentence.source, sentence.target) == (("cats", "</s>"), ("un", "chat", "</s>"))
    assert get_weights(sentence.trace) == weights


# ---- marian and fairseq --------------------------------------------------------------------------------------------


def test_marian_needs_the_source() -> None:
    assert read_error(MARIAN.encode()).kind == "need_tokens"
    imported = import_text(MARIAN, MARIAN_SOURCE)
    assert get_texts(imported) == [("the bread", "le pain"), ("yes", "oui")]
    assert get_weights(imported.sentences[0].trace) == [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0, 0.1, 0.9]]
    assert imported.sentences[0].trace.source.pieces[-1] == END_PIECE


@pytest.mark.parametrize("weights", ["", "nan,nan"])
def test_a_marian_file_may_have_a_sentence_without_weights(weights: str) -> None:
    imported = import_text(f"{MARIAN}non ||| {weights}\n", f"{MARIAN_SOURCE}\nno")
    assert get_texts(imported) == [("the bread", "le pain"), ("yes", "oui")]
    first_line, *other_lines = MARIAN.splitlines(keepends=True)
    assert is_attention_file("text.txt", f"{first_line}non ||| {weights}\n{''.join(other_lines)}".encode())


def test_marian_nbest_numbers_select_the_source() -> None:
    imported = import_text(MARIAN_NBEST, "the bread\nyes")
    assert get_texts(imported) == [("the bread", "le pain"), ("the bread", "du pain"), ("yes", "oui")]
    assert imported.sentences[0].trace.target.has_end


@pytest.mark.parametrize("score", ["", "-1.234567 ||| "])
def test_alignments_alone_need_both_sides(score: str) -> None:
    """marian-scorer prints them after a score."""
    line = f"{score}0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9"
    error = read_error(line.encode())
    assert (error.kind, error.values["side"]) == ("need_tokens", "source, target")
    assert get_texts(import_text(line, "the bread", "le pain")) == [("the bread", "le pain")]


def test_words_instead_of_subwords_are_refused() -> None:
    error = read_error(b"le pain chaud ||| 0.8,0.2 0.2,0.8 0.1,0.9 0.5,0.5 0.5,0.5 0.1,0.9", source="bread")
    assert "marian-decoder --no-spm-decode" in str(error)
    assert (error.values["side"], error.values["got"], error.values["expected"]) == ("target", "3", "6")
    alignment = "le pain chaud ||| 0.8,0.2 0.2,0.8 0.1,0.9 0.1,0.9"
    assert get_texts(import_text(alignment, "bread", "▁le ▁pa in")) == [("bread", "le pain")]
    imported = import_text(FAIRSEQ.replace("the b@@ read", "the bread"))
    assert get_texts(imported) == [("yes", "oui")]
    (note,) = imported.notes
    assert "has 2 source tokens in sentence 2, and its weights are for 4" in str(note)
    assert "fairseq-generate without --remove-bpe" in str(note)


def test_fairseq() -> None:
    imported = import_text(FAIRSEQ)
    assert get_texts(imported) == [("yes", "oui"), ("the bread", "le pain")]
    second = imported.sentences[1].trace
    assert second.target.pieces == ("▁le", "▁pa", "in", "</s>")
    assert get_weights(second)[1] == [0.1, 0.6, 0.2, 0.1]
    assert not imported.notes
    without_sources = "\n".join(line for line in FAIRSEQ.splitlines() if line[:2] in ("H-", "A-"))
    assert read_error(without_sources.encode()).kind == "need_tokens"
    imported = import_text(without_sources, "the b@@ read\nyes")
    assert get_texts(imported) == [("yes", "oui"), ("the bread", "le pain")]


# ---- OpenNMT-py and Neural Monkey ----------------------------------------------------------------------------------


def test_opennmt_tables_have_truncated_tokens() -> None:
    imported = import_text(OPENNMT)
    (sentence,) = imported.sentences
    assert sentence.source == ("the", "unbelie", "bread")
    assert sentence.target == ("le", "incroyable", "pain", "</s>")
    assert get_weights(sentence.trace)[0] == [0.8, 0.1, 0.1]
    assert [note.kind for note in imported.notes] == ["cut"]


def test_opennmt_verbose_lines_restore_the_tokens() -> None:
    imported = import_text(OPENNMT_VERBOSE + OPENNMT_VERBOSE.replace("1:", "2:"))
    assert get_texts(imported) == [("the unbelievable bread", "le incroyablement pain")] * 2
    assert not imported.notes


def test_neural_monkey_array_has_source_rows() -> None:
    weights = random_attention(4, 3)
    data = build_npy(weights.T)
    assert is_attention_file("alignment.npy", data)
    assert read_error(data).kind == "need_tokens"
    (sentence,) = read_attention(data, "alignment.npy", source="the bread", target="le pain chaud").sentences
    assert np.allclose(sentence.trace.get_map().values, weights, atol=1e-6)
    assert (sentence.source[-1], sentence.target[-1]) == (END_PIECE, END_PIECE)


def test_neural_monkey_batch_is_trimmed_to_each_sentence() -> None:
    long, short = random_attention(5, 4), random_attention(3, 2)
    batch = np.zeros((2, 4, 5))
    batch[0], batch[1, :2, :3], batch[1, 0, 3:] = long.T, short.T, 1.0  # steps after the end of the sentence
    imported = read_attention(build_npy(batch), "a.npy", source="the good bread\nyes",
                              target="le bon pain chaud\noui bien")  # fmt: skip
    assert [sentence.trace.get_map().values.shape for sentence in imported.sentences] == [(5, 4), (3, 2)]
    assert np.allclose(imported.sentences[1].trace.get_map().values, short, atol=1e-6)
    assert [note.sentences for note in imported.notes if note.kind == "padded"] == [(2,)]


# ---- Any format ----------------------------------------------------------------------------------------------------


def test_json_objects_may_be_listed_or_follow_each_other() -> None:
    objects = [{"source": "the bread", "target": "le pain", "matrix": random_attention(3, 3).tolist()},
               {"source": "yes", "target": "oui", "matrix": random_attention(2, 2).tolist()}]  # fmt: skip
    lines, indented = [json.dumps(item) for item in objects], [json.dumps(item, indent=2) for item in objects]
    for text in ("\n".join(lines), json.dumps(objects), ",\n".join(lines), "\n".join(indented)):
        assert get_texts(import_text(text)) == [("the bread", "le pain"), ("yes", "oui")]


def test_invalid_sentences_are_left_out_with_notes() -> None:
    good = {"source": "yes", "target": "oui", "attention": [[1.0]]}
    bad = [{"source": [], "target": [], "attention": []}, {**good, "attention": [[2.0]]}, {"source": "yes"}, 7]
    imported = import_text(json.dumps([good, *bad, good]))
    assert [sentence.number for sentence in imported.sentences] == [1, 6]
    assert sorted(number for note in imported.notes for number in note.sentences) == [2, 3, 4, 5]
    assert all(note.kind == "left_out" and note.reason is not None for note in imported.notes)
    (note,) = import_text(json.dumps([good, *[bad[1]] * 6])).notes
    assert note.sentence_list == "2, 3, 4, 5, 6, …"


@pytest.mark.parametrize("text", [
    "[Applause] Thank you, thank you.\n", "{laughs} What?\n", "The price is 1,5 or 2,5.\n", "1,000 2,000\n",
    "the bread\tle pain\n", "the bread ||| le pain\n", "0 ||| le pain\n", "What is 3-1?\n", '["a", "b"]', "",
    "PK\x03\x04 xl/workbook.xml", "One ||| 1\nTwo ||| 2\n", "One ||| 1\n", "1,0\n2,3\n", "1,0\n0,1\n",
    "World War I ||| 1914-1918\nHello ||| Bonjour\n", "World War I ||| 1914-1918\n",
])  # fmt: skip
def test_other_file_is_no_attention_file(text: str) -> None:
    assert not is_attention_file("text.txt", text.encode())
