"""Files of other toolkits, made by hand in the formats that they print."""

import io
import json

import numpy as np
import pytest

from model.importers import AttentionFileError, ImportedFile, is_attention_file, read_attention
from model.trace import END_PIECE, Trace
from tests.model.importers.test_attention_files import build_npy, random_attention, read_error

# What Nematus' translate.py prints with -a: two lengths in fields of their own, a space after each weight, and the end
# of both sentences, which its text lacks, in the weights.
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
# marian-decoder --alignment soft --no-spm-decode, and the same as an n-best list: a group for each target token.
MARIAN = "▁le ▁pain </s> ||| 0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9\n▁oui </s> ||| 0.9,0.1 0.3,0.7\n"
MARIAN_NBEST = """\
0 ||| le pain ||| 0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9 ||| F0= -1.5 ||| -0.5
0 ||| du pain ||| 0.6,0.3,0.1 0.2,0.7,0.1 0,0.1,0.9 ||| F0= -2.5 ||| -0.8
1 ||| oui ||| 0.9,0.1 0.3,0.7 ||| F0= -0.5 ||| -0.2
"""
MARIAN_SOURCE = "▁the ▁bread\n▁yes\n"
# fairseq-generate --print-alignment soft, sorted by length as it is: id 1 before id 0.
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
# onmt_translate -attn_debug: cells of ten characters, tokens cut to seven and ten, the largest of a row after a star.
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


def opened(text: str, source: str = "", target: str = "") -> ImportedFile:
    assert is_attention_file("attention.txt", text.encode())
    return read_attention(text.encode(), "attention.txt", source=source, target=target)


def words(found: ImportedFile) -> list[tuple[str, str]]:
    return [(one.trace.source.text, one.trace.target.text) for one in found.sentences]


def weights(trace: Trace) -> list[list[float]]:
    return [[round(value, 6) for value in row] for row in trace.get_map().values.astype(float).tolist()]


def test_nematus() -> None:
    found = opened(NEMATUS)
    assert words(found) == [("warm bread", "le pain chaud"), ("yes", "oui")]
    first = found.sentences[0].trace
    assert first.source.has_end
    assert first.target.has_end
    assert weights(first)[1] == [0.1, 0.8, 0.1]
    assert not found.notes, "that it leaves the ends out is its format"


@pytest.mark.parametrize("lengths", [" ||| 3 4", " ||| 0 0", " ||| 2 3", " ||| 1 ||| 1", ""])
@pytest.mark.parametrize("ends", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("before", ["", " ", "\n\n"])
def test_relatives_of_nematus_whose_lengths_say_nothing(lengths: str, ends: tuple[int, int], before: str) -> None:
    """Rows go on to the empty line, with or without the ends of either side."""
    values = random_attention(3 + ends[1], 2 + ends[0])
    rows = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in values.tolist())
    first = f"1 ||| le pain chaud ||| 0.0 ||| warm bread{lengths}\n{rows}\n"
    found = opened(f"{before}{first}\n2 ||| oui ||| 0 ||| yes{lengths}\n1.0\n")
    assert words(found) == [("warm bread", "le pain chaud"), ("yes", "oui")]
    assert found.sentences[0].trace.get_map().values.shape == values.shape
    assert [found.sentences[0].trace.source.has_end, found.sentences[0].trace.target.has_end] == list(map(bool, ends))


@pytest.mark.parametrize("empty", [
    "1 |||  ||| 0 ||| yes ||| 2 1\n0.5 0.5\n", "1 ||| oui ||| 0 |||  ||| 1 2\n1.0\n1.0\n",
    "1 ||| oui ||| 0 ||| yes ||| 2 2\n", "1 ||| oui ||| 0 ||| yes ||| 2 2\n0.5 0.5\n0.5\n",
])  # fmt: skip
def test_an_empty_or_broken_sentence_loses_no_other(empty: str) -> None:
    first, second = NEMATUS.split("\n\n")[:2]
    found = opened(f"{first}\n\n{empty}\n2{second[1:]}\n")
    assert [one.number for one in found.sentences] == [1, 3]
    assert found.count == 3
    (note,) = found.notes
    assert (note.kind, note.sentences) == ("left_out", (2,))


def test_the_json_of_nematus() -> None:
    values = [[0.75, 0.25], [0.5, 0.5], [0.125, 0.875]]
    links = [[target, source, str(values[row][column]), 0, 0] for row, target in enumerate(["un", "chat", "</s>"])
             for column, source in enumerate(["cats", "</s>"])]  # fmt: skip
    (one,) = opened(json.dumps(links, indent=2)).sentences
    assert (one.source, one.target) == (("cats", "</s>"), ("un", "chat", "</s>"))
    assert weights(one.trace) == values


def test_marian_asks_for_the_source() -> None:
    assert read_error(MARIAN.encode()).kind == "need_tokens"
    found = opened(MARIAN, MARIAN_SOURCE)
    assert words(found) == [("the bread", "le pain"), ("yes", "oui")]
    assert weights(found.sentences[0].trace) == [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0, 0.1, 0.9]]
    assert found.sentences[0].trace.source.pieces[-1] == END_PIECE


def test_an_n_best_list_of_marian_goes_by_its_numbers() -> None:
    found = opened(MARIAN_NBEST, "the bread\nyes")
    assert words(found) == [("the bread", "le pain"), ("the bread", "du pain"), ("yes", "oui")]
    assert found.sentences[0].trace.target.has_end


@pytest.mark.parametrize("before", ["", "-1.234567 ||| "])
def test_alignments_alone_need_both_sides(before: str) -> None:
    """As a file of alignments cut out, and as marian-scorer prints them after a score."""
    line = f"{before}0.8,0.1,0.1 0.2,0.7,0.1 0,0.1,0.9"
    found = read_error(line.encode())
    assert (found.kind, found.values["side"]) == ("need_tokens", "source and target")
    assert words(opened(line, "the bread", "le pain")) == [("the bread", "le pain")]


def test_words_in_the_place_of_subwords_are_refused_with_the_option_that_keeps_them() -> None:
    with pytest.raises(AttentionFileError) as caught:
        opened("le pain chaud ||| 0.8,0.2 0.2,0.8 0.1,0.9 0.5,0.5 0.5,0.5 0.1,0.9", "bread")
    assert "marian-decoder --no-spm-decode" in str(caught.value)
    assert words(opened("le pain chaud ||| 0.8,0.2 0.2,0.8 0.1,0.9 0.1,0.9", "bread", "▁le ▁pa in")) == [
        ("bread", "le pain")]  # fmt: skip
    found = opened(FAIRSEQ.replace("the b@@ read", "the bread").replace("le pa@@ in", "le pain"))
    assert words(found) == [("yes", "oui")]
    (note,) = found.notes
    assert "fairseq-generate without --remove-bpe" in str(note)


@pytest.mark.parametrize(("text", "option"), [
    ("le pain ||| 0-0 1-1\n", "marian --alignment soft"),
    ("S-0\tbread\nH-0\t-1\tpain\nA-0\t0-0\n", "fairseq-generate --print-alignment soft"),
    ("S-0\tbread\nH-0\t-1\tpain\n", "--print-alignment soft"),
])  # fmt: skip
def test_hard_links_or_none_are_refused_with_the_option_to_add(text: str, option: str) -> None:
    assert option in str(read_error(text.encode()))


def test_fairseq() -> None:
    found = opened(FAIRSEQ)
    assert words(found) == [("yes", "oui"), ("the bread", "le pain")]
    second = found.sentences[1].trace
    assert second.target.pieces == ("▁le", "▁pa", "in", "</s>")
    assert weights(second)[1] == [0.1, 0.6, 0.2, 0.1]
    assert not found.notes


def test_fairseq_without_its_sources_asks_for_them_by_their_numbers() -> None:
    lines = "\n".join(line for line in FAIRSEQ.splitlines() if line[:2] in ("H-", "A-"))
    assert read_error(lines.encode()).kind == "need_tokens"
    assert words(opened(lines, "the b@@ read\nyes")) == [("yes", "oui"), ("the bread", "le pain")]


def test_opennmt() -> None:
    found = opened(OPENNMT)
    (one,) = found.sentences
    assert (one.source, one.target) == (("the", "unbelie", "bread"), ("le", "incroyable", "pain", "</s>"))
    assert weights(one.trace)[0] == [0.8, 0.1, 0.1]
    assert [note.kind for note in found.notes] == ["cut"]


def test_opennmt_with_whole_tokens_beside_its_tables() -> None:
    found = opened(OPENNMT_VERBOSE + OPENNMT_VERBOSE.replace("1:", "2:"))
    assert words(found) == [("the unbelievable bread", "le incroyablement pain")] * 2
    assert not found.notes


def test_an_array_of_neural_monkey_is_source_by_target() -> None:
    values = random_attention(4, 3)
    data = build_npy(values.T)
    assert is_attention_file("alignment.npy", data)
    assert read_error(data).kind == "need_tokens"
    (one,) = read_attention(data, "alignment.npy", source="the bread", target="le pain chaud").sentences
    assert np.allclose(one.trace.get_map().values, values, atol=1e-6)
    assert one.target[-1] == one.source[-1] == END_PIECE


def test_an_array_of_several_sentences_is_cut_to_each() -> None:
    long, short = random_attention(5, 4), random_attention(3, 2)
    batch = np.zeros((2, 4, 5))
    batch[0], batch[1, :2, :3], batch[1, 0, 3:] = long.T, short.T, 1.0  # a decoder goes on after its end
    found = read_attention(build_npy(batch), "a.npy", source="the good bread\nyes", target="le bon pain chaud\noui bien")
    assert [one.trace.get_map().values.shape for one in found.sentences] == [(5, 4), (3, 2)]
    assert np.allclose(found.sentences[1].trace.get_map().values, short, atol=1e-6)
    assert [(note.kind, note.sentences) for note in found.notes if note.kind == "padded"] == [("padded", (2,))]


@pytest.mark.parametrize("form", ["rows", "list", "lines", "pretty"])
def test_objects_in_a_list_in_lines_and_one_after_another(form: str) -> None:
    objects = [{"source": "the bread", "target": "le pain", "matrix": random_attention(3, 3).tolist()},
               {"source": "yes", "target": "oui", "matrix": random_attention(2, 2).tolist()}]  # fmt: skip
    text = {"rows": "\n".join(map(json.dumps, objects)), "list": json.dumps(objects), "lines": ",\n".join(
        map(json.dumps, objects)), "pretty": "\n".join(json.dumps(one, indent=2) for one in objects)}[form]  # fmt: skip
    assert words(opened(text)) == [("the bread", "le pain"), ("yes", "oui")]


def test_a_bad_sentence_among_many_is_left_out_and_said() -> None:
    good = {"source": "yes", "target": "oui", "attention": [[1.0]]}
    bad = [{"source": [], "target": [], "attention": []}, {**good, "attention": [[2.0]]}, {"source": "yes"}, 7]
    found = opened(json.dumps([good, *bad, good]))
    assert [one.number for one in found.sentences] == [1, 6]
    assert sorted(number for note in found.notes for number in note.sentences) == [2, 3, 4, 5]
    assert all(note.kind == "left_out" and note.reason is not None for note in found.notes)


@pytest.mark.parametrize("text", [
    "[Applause] Thank you, thank you.\n", "{laughs} What?\n", "The price is 1,5 or 2,5.\n", "1,000 2,000\n",
    "the bread\tle pain\n", "the bread ||| le pain\n", "0 ||| le pain\n", "What is 3-1?\n", '["a", "b"]', "",
])  # fmt: skip
def test_a_text_is_no_file_of_attention(text: str) -> None:
    assert not is_attention_file("text.txt", text.encode())


def test_other_archives_are_none() -> None:
    import zipfile

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    assert not is_attention_file("table.xlsx", file.getvalue())
