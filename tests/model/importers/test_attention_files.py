"""Attention from other toolkits: every form becomes the same Trace, and whatever is wrong is said in one sentence."""

import io
import json
import math
import pickle
import random
import re
import time
import tracemalloc
import zipfile
from contextlib import suppress
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.alignment.trace_formats import format_nematus
from model.importers import LENGTH_LIMIT, MAP_LIMIT, AttentionFileError, is_attention_file, read_attention
from model.importers.attention_files import BYTE_LIMIT
from model.importers.errors import ImportProblem
from model.trace import END_PIECE, Trace, WeightMap
from tests.hostile import CASES
from tests.pages.traces import trace

KEYS = st.sampled_from(["source", "target", "attention", "maps", "made_by", "steps"])
SOURCE, TARGET = ["The", "cat", "sleeps", "."], ["Le", "chat", "dort", "."]
MATRIX = [[0.7, 0.1, 0.1, 0.1], [0.1, 0.8, 0.05, 0.05], [0.0, 0.1, 0.9, 0.0], [0.25, 0.25, 0.25, 0.25]]


def read(data: bytes, name: str) -> tuple[Trace, ...]:
    return tuple(one.trace for one in read_attention(data, name).sentences)


def of(value: Any, name: str = "mine.json") -> tuple[Trace, ...]:
    return read(json.dumps(value).encode(), name)


def build_npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def packed(method: int, **members: bytes) -> bytes:
    """An archive of arrays as the bytes of their files, packed in one of zipfile's ways."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in members.items():
            made.writestr(name if "." in name else f"{name}.npy", content)
    return file.getvalue()


def npy(header: str) -> bytes:
    """An array's file that says this of itself and holds nothing."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def build_npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def random_attention(*shape: int) -> np.ndarray:
    values = np.random.default_rng(3).random(shape)
    return values / values.sum(-1, keepdims=True)


def read_error(data: bytes, source: str = "", target: str = "") -> AttentionFileError:
    with pytest.raises(AttentionFileError) as caught:
        read_attention(data, "bad", source=source, target=target)
    assert str(caught.value).startswith("The file ")
    assert str(caught.value).endswith((".", "}"))
    return caught.value


@pytest.mark.verdict
def test_plain_json() -> None:
    (one,) = of({"source": SOURCE, "target": TARGET, "attention": MATRIX, "score": -3.5, "id": 7})
    assert one.source.words == tuple(SOURCE)
    assert one.target.words == tuple(TARGET)
    assert np.allclose(one.get_map().values, MATRIX)
    assert one.get_map().rows_sum_to_one
    assert not one.has_probabilities
    assert one.made_by.model == "mine.json"
    assert not one.finished


def test_a_row_and_a_column_more_are_the_ends_of_the_sentences() -> None:
    (one,) = of({"source_sent": "The cat sleeps .", "target_sent": "Le chat dort .", "matrix": random_attention(5, 5).tolist()})
    assert one.source.pieces[-1] == one.target.pieces[-1] == END_PIECE
    assert one.finished
    assert one.source.words == tuple(SOURCE)
    (column,) = of({"source": SOURCE, "target": TARGET, "attention": random_attention(4, 5).tolist()})
    assert column.source.has_end
    assert not column.target.has_end


ENDLESS = {  # tokens of source and target, what a file without their ends holds, and which sides get one
    "cross and encoder": (3, 4, {"cross": (5, 4), "encoder": (4, 4)}, (True, True)),
    "cross and encoder under other names": (3, 4, {"cross_attn": (5, 4), "enc_self_attn": (4, 4)}, (True, True)),
    "cross and decoder": (4, 3, {"cross": (4, 5), "decoder": (4, 4)}, (True, True)),
    "all three": (3, 4, {"cross": (5, 4), "encoder": (4, 4), "decoder": (5, 5)}, (True, True)),
    "all three of sides as long": (4, 4, {"cross": (5, 5), "encoder": (5, 5), "decoder": (5, 5)}, (True, True)),
    "of sides as long, under other names": (4, 4, {"decoded": (5, 5), "looks": (5, 5)}, (True, True)),
    "the source alone": (3, 4, {"cross": (4, 4), "encoder": (4, 4)}, (True, False)),
    "the source alone, all three": (3, 5, {"cross": (5, 4), "encoder": (4, 4), "decoder": (5, 5)}, (True, False)),
    "the target alone": (4, 3, {"cross": (4, 4), "decoder": (4, 4)}, (False, True)),
    "nothing is missing": (4, 3, {"cross": (3, 4), "encoder": (4, 4), "decoder": (3, 3)}, (False, False)),
    "nothing is missing of sides as long": (4, 4, {"cross": (4, 4), "encoder": (4, 4)}, (False, False)),
    "no looks": (3, 4, {"encoder": (4, 4), "decoder": (5, 5)}, (True, True)),
}


@pytest.mark.parametrize(("source", "target", "shapes", "ended"), ENDLESS.values(), ids=ENDLESS)
def test_ends_are_found_beside_self_attention(source: int, target: int, shapes: dict[str, tuple[int, int]],
                                              ended: tuple[bool, bool]) -> None:
    (one,) = read(build_npz(source=np.array(["a"] * source), target=np.array(["b"] * target),
                          **{name: random_attention(*shape) for name, shape in shapes.items()}), "n")
    assert (one.source.has_end, one.target.has_end) == ended
    long = {"source": len(one.source.pieces), "target": len(one.target.pieces)}
    known = {"encoder self-attention": ("source", "source"), "decoder self-attention": ("target", "target"),
             "enc self attn": ("source", "source")}  # fmt: skip
    assert len(one.maps) == len(shapes)
    for weights in one.maps:
        assert (weights.rows, weights.columns) == known.get(weights.name, ("target", "source"))
        assert weights.values.shape == (long[weights.rows], long[weights.columns])


def test_every_character_that_stands_for_a_byte() -> None:
    """GPT-2's own table, told once more: bytes that can be printed are their characters, others follow at U+0100."""
    printed = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = iter(range(0x100, 0x200))
    table = {byte: chr(byte) if byte in printed else chr(next(others)) for byte in range(256)}
    text = "".join(chr(number) for number in [*range(0x21, 0x7F), *range(0xA1, 0x180), 0x2026, 0x65E5, 0x1F600])
    for character in text:
        token = "".join(table[byte] for byte in f" a{character}".encode())
        (one,) = of({"src": [token], "trg": ["a"], "attention": [[1.0]]})
        assert one.source.words == (f"a{character}",)


def test_layers_and_heads_of_an_archive() -> None:
    cross, encoder, decoder = random_attention(3, 2, 4, 5), random_attention(3, 2, 5, 5), random_attention(3, 2, 4, 4)
    data = build_npz(source=np.array([*SOURCE, "</s>"]), target=np.array([*TARGET[:3], "</s>"]), cross=cross,
                   encoder=encoder, decoder=decoder)  # fmt: skip
    (one,) = read(data, "attention.npz")
    assert one.shown == "cross-attention-l2"  # the mean of the last layer but one
    assert np.allclose(one.get_map().values, cross[1].mean(0), atol=1e-6)
    assert np.allclose(one.get_map("cross-attention-l3-h2").values, cross[2, 1], atol=1e-6)
    inner = one.get_map("encoder-self-attention-l1-h1")
    assert (inner.rows, inner.columns) == ("source", "source")
    assert np.allclose(inner.values, encoder[0, 0], atol=1e-6)
    assert one.get_map("decoder-self-attention-l2-h1").columns == "target"
    assert len(one.maps) == 3 + 3 * 3 * 2


def test_of_squares_the_name_decides() -> None:
    (one,) = of({"source": SOURCE, "target": TARGET, "cross": MATRIX, "encoder": MATRIX, "decoder": MATRIX})
    assert [(weights.rows, weights.columns) for weights in one.maps] == [
        ("target", "source"), ("source", "source"), ("target", "target")]  # fmt: skip


def test_rows_that_are_no_shares_say_so() -> None:
    (one,) = of({"source": SOURCE, "target": TARGET, "local": [[0.2] * 4] * 4})
    assert not one.get_map().rows_sum_to_one


@pytest.mark.parametrize(("row", "whole"), [([0.5005, 0.5005], True), ([0.4995, 0.4995], True), ([0.5, 0.502], False)])
def test_weights_that_were_rounded_are_shares(row: list[float], whole: bool) -> None:
    (found,) = of({"source": ["a", "b"], "target": ["c", "d"], "attention": [[row, [0.5, 0.5]]] * 2})
    assert [one.rows_sum_to_one for one in found.maps] == [whole] * len(found.maps)


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_weights_of_three_decimals_are_read(size: int, seed: int) -> None:
    weights = np.random.default_rng(seed).dirichlet(np.ones(size), (2, 3, size)).round(3)
    (found,) = read(build_npz(source=np.array(SOURCE[:1] * size), target=np.array(TARGET[:1] * size), attention=weights),
                    "a.npz")  # fmt: skip
    assert len(found.maps) >= 6


def test_an_array_called_maps_is_one() -> None:
    values = np.array(MATRIX)
    (found,) = read(build_npz(source=np.array(SOURCE), target=np.array(TARGET), maps=values), "a.npz")
    assert found.get_map().values.tolist() == values.astype(np.float32).tolist()


def test_many_sentences_in_a_list_in_lines_and_in_nematus() -> None:
    given = [{"source": SOURCE, "target": TARGET, "attention": MATRIX}, {"source": "A b", "target": "c", "x": [[1, 0]]}]
    lines = "\n".join(map(json.dumps, given)).encode()
    assert of(given, "n") == read(lines, "n")
    assert len(of(given)) == 2


def test_our_own_files_come_back() -> None:
    ours = trace()
    assert read((ours.to_json() + "\n").encode(), "x") == (ours,)
    assert read(f"{ours.to_json()}\n{trace(order=None).to_json()}\n".encode(), "x") == (ours, trace(order=None))
    text = format_nematus(0, ours) + format_nematus(1, trace(target="le chat ||| dort .", order=(0, 4, 5, 4, 13)))
    first, second = read(text.encode(), "n")
    assert first.source == ours.source
    assert first.target == ours.target
    assert not first.has_probabilities
    assert np.allclose(first.get_map().values, ours.get_map().values, atol=1e-5)
    assert second.target.words == ("le", "chat", "|||", "dort", ".")


def test_what_nematus_itself_writes() -> None:
    """As its translate.py: a space after every weight, an empty line at the end, words without marks."""
    rows = "".join(" ".join(map(str, row)) + " \n" for row in random_attention(5, 4).tolist())
    (one,) = read(f"0 ||| Le chat dort . ||| 0 ||| The cat sleeps ||| 4 5\n{rows}\n".encode(), "alignment")
    assert one.target.pieces[-1] == END_PIECE
    assert one.source.words == ("The", "cat", "sleeps")


@pytest.mark.parametrize("before", ["", "\n", "\r\n \r\n", "\r"])
def test_lines_count_from_the_top_of_the_file(before: str) -> None:
    """The empty ones too, whatever ends them, and by nothing that JSON allows inside of a text."""
    above = before.replace("\r\n", "\n").count("\n") or before.count("\r")
    good = json.dumps({"source": "a\u2028b", "target": "c\x85", "x": [[1.0, 0.0]]}, ensure_ascii=False)
    bad = '{"source": '
    found = read_attention(f"{before}{good}\n{good}\r\n{bad}".encode(), "n")
    assert len(found.sentences) == 2
    (left_out,) = [note.reason for note in found.notes if note.reason]
    assert (left_out.kind, left_out.values["line"]) == ("json", str(above + 3))
    spread = read_error(f'{before}{{"source": ["a"],\r"target": [}}'.encode())
    assert (spread.kind, spread.values["line"]) == ("json", str(above + 2))
    nematus = read_error(f"{before}0 ||| b ||| 0 ||| a ||| 1 1\n1\n\n0 ||| b\n".encode())
    assert (nematus.kind, nematus.values["line"]) == ("header", str(above + 4))


def test_ends_of_a_line_inside_of_a_text_cut_nothing() -> None:
    tokens = ["a\u2028b", "c\x85d", "e\x0cf"]
    lines = [json.dumps({"source": tokens, "target": ["x"], "m": [[1.0, 0.0, 0.0]]}, ensure_ascii=False)] * 2
    for one in read("\n".join(lines).encode(), "n"):
        assert one.source.words == tuple(tokens)


def test_a_long_line_of_bars_is_refused_at_once() -> None:
    """By the time that this process computes: to look for the fields in every way there is would take hours."""
    began = time.thread_time()
    assert read_error(("0 ||| " + "||| a " * 50_000).encode()).kind == "format"
    assert time.thread_time() - began < 5


def spoilt(name: str, rows: int, columns: int, source: str = "a b c </s>", target: str = "d e f g h </s>") -> bytes:
    """A sentence with one map of that name and shape."""
    tokens = {"source": source.split(), "target": target.split()}
    return json.dumps(tokens | {name: random_attention(rows, columns).tolist()}).encode()


INVALID_FILES: dict[ImportProblem, bytes] = {
    "size": b" " * (BYTE_LIMIT + 1),
    "unpacked": build_npz(source=np.zeros(1), zeros=np.zeros((9, 1_000_000))),
    "format": b"The cat sleeps.\n",
    "json": b'[{"source": ["a"],\n "target": [}]',
    "npz": b"PK\x03\x04 and nothing more",
    "pickled": build_npz(source=np.array([{"a": 1}], dtype=object)),
    "empty": b" \n ",
    "no_tokens": b'{"target": ["a"], "attention": [[1]]}',
    "no_maps": b'{"source": ["a"], "target": ["b"], "attention": 3}',
    "tokens": b'{"source": ["a", 4], "target": ["b"], "attention": [[1]]}',
    "empty_token": b'{"source": ["a", ""], "target": ["b"], "attention": [[1]]}',
    "ids": b'{"source": [17, 4, 2], "target": ["b"], "attention": [[1]]}',
    "long": json.dumps({"source": ["a" * 101], "target": ["b"], "attention": [[1]]}).encode(),
    "length": json.dumps({"source": ["a"] * (LENGTH_LIMIT + 1), "target": ["b"], "attention": [[1]]}).encode(),
    "no_words": b'{"source": [], "target": ["b"], "attention": [[1]]}',
    "shape": b'{"source": ["a"], "target": ["b"], "attention": [[[[[[[1]]]]]]]}',
    "ragged": b'{"source": ["a"], "target": ["b"], "attention": [[1], [0.5, 0.5]]}',
    "batch": build_npz(source=np.array(["a"]), target=np.array(["b"]), cross=np.ones((2, 3, 4, 1, 1))),
    "sides": b'{"source": ["a", "b", "c", "d"], "target": ["b"], "attention": [[0.5, 0.5]]}',
    "not_cross": spoilt("cross_attentions", 4, 4),
    "not_encoder": spoilt("encoder_attentions", 6, 4),
    "not_decoder": spoilt("decoder_self_attn", 6, 4),
    "start": spoilt("cross_attentions", 5, 4, target="<s> d e f g </s>"),
    "missing_source": spoilt("cross_attentions", 6, 5),
    "missing_target": spoilt("cross_attentions", 7, 4),
    "unclear": spoilt("attention", 5, 5, source="a b c d </s>"),
    "transposed": spoilt("cross_attentions", 4, 6),
    "subwords": b"0 ||| d e f ||| 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 ||| F0= -1 ||| -1",
    "values": b'{"source": ["a"], "target": ["b"], "attention": [[NaN]]}',
    "range": b'{"source": ["a"], "target": ["b"], "attention": [[-4.25]]}',
    "maps": build_npz(source=np.array(["a"]), target=np.array(["b"]), cross=np.ones((30, 20, 1, 1))),
    "names": b'{"source": ["a"], "target": ["b"], "one map": [[1]], "one_map": [[1]]}',
    "axes": b'{"source": ["a"], "target": ["b"], "attention": [[1]], "axes": {"attention": ["source", "target"]}}',
    "header": b"0 ||| b ||| 0 ||| a ||| 1 1\n1\n0 ||| b\n",
    "rows": b"0 ||| b ||| 0 ||| a ||| 2 2\n0.5 0.5\n0.5\n",
    "hard": b"le chat ||| 0-0 1-1\n",
    "no_attention": b"S-0\tthe cat\nH-0\t-0.3\tle chat\n",
    "need_tokens": b"[[0.5, 0.5], [0.25, 0.75]]",
    "lines": b"0.5,0.5 0.2,0.8\n0.5,0.5 0.2,0.8\n",
    "sentences": json.dumps([{"source": "a", "target": "b", "attention": [[1]]}] * 501).encode(),
    "trace": b'{"made_by": 1, "steps": []}',
}  # fmt: skip
PASTED_TOKENS = {kind: {"source": "a", "target": "b c"} for kind in ("lines", "subwords")}
"""The lines that the reader gave for files without tokens, of the wrong files that need some."""


@pytest.mark.verdict
@pytest.mark.parametrize("kind", get_args(ImportProblem))
def test_every_problem_is_one_sentence(kind: ImportProblem) -> None:
    found = read_error(INVALID_FILES[kind], **PASTED_TOKENS.get(kind, {}))
    assert found.kind == kind
    assert not re.search(r"\{[a-z]", str(found))


def test_nothing_is_run_that_an_archive_holds() -> None:
    """Nor by an array of its own, nor what torch.save and pickle.dump write."""
    objects = np.array([{"a": 1}], dtype=object)
    for data in (build_npz(source=objects, target=np.array(["b"])), build_npy(objects), pickle.dumps({"source": ["a"]}),
                 packed(zipfile.ZIP_STORED, **{"archive/data.pkl": pickle.dumps([1])})):  # fmt: skip
        assert read_error(data).kind == "pickled"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_archive_is_read_or_refused(method: int) -> None:
    members = {"source": np.array(SOURCE), "target": np.array(TARGET), "cross": random_attention(2, 4, 4)}
    whole = packed(method, **{name: build_npy(values) for name, values in members.items()})
    assert read(whole, "whole")[0].source.words == tuple(SOURCE)
    draw = random.Random(method)
    kinds = set()
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[draw.randrange(4, len(whole))] ^= draw.randrange(1, 256)
        try:
            read(bytes(damaged), "damaged")
        except AttentionFileError as error:
            kinds.add(error.kind)
    assert "npz" in kinds


def test_a_locked_archive_is_refused() -> None:
    data = bytearray(build_npz(source=np.array(["a"]), target=np.array(["b"]), cross=np.ones((1, 1))))
    place = -1
    while (place := data.find(b"PK\x01\x02", place + 1)) >= 0:
        data[place + 8] |= 1  # the flag that says that a member is encrypted
    assert read_error(bytes(data)).kind == "npz"


@pytest.mark.parametrize("header", [
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2L\n",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }\n",
    "{'descr': ('x',), 'fortran_order': False, 'shape': (1,), }\n",
    "(" * 5000,
])  # fmt: skip
def test_a_malformed_header_is_refused(header: str) -> None:
    assert read_error(packed(zipfile.ZIP_STORED, source=npy(header))).kind == "npz"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"source": ' * 100_000, "{}" * 600, "[[" * 40 + "1" + "]]" * 40])
def test_nesting_and_objects_without_end_are_refused(text: str) -> None:
    assert read_error(text.encode()).kind in ("json", "sentences", "shape", "need_tokens")
    assert not is_attention_file("text.txt", b"SENT 1: " + text.encode())


def test_tokens_without_number_are_refused_before_they_are_made() -> None:
    """Texts without a letter take no place in a file, however many it says it has."""
    header = "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000,), }\n"
    found = read_error(packed(zipfile.ZIP_STORED, source=npy(header), target=npy(header), cross=build_npy(random_attention(2, 2))))
    assert (found.kind, found.values["got"]) == ("length", "1,000,000,000")


@pytest.mark.parametrize("heads", [(1001,), (200, 200), (MAP_LIMIT + 1,)])
def test_too_many_maps_are_refused_before_they_are_made(heads: tuple[int, ...],
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*_: object) -> WeightMap:
        raise AssertionError("a map was made")

    monkeypatch.setattr(WeightMap, "from_description", made)
    pairs = {"source": np.array(["a", "b"]), "target": np.array(["c", "d"])}
    found = read_error(build_npz(**pairs, cross=np.full((*heads, 2, 2), 0.5)))
    assert (found.kind, found.values["got"]) == ("maps", f"{math.prod(heads):,}")


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_hostile_tokens_are_kept_or_refused(text: str) -> None:
    tokens = text.split()[:50] or ["x"]
    square = np.eye(len(tokens)).tolist()
    data = json.dumps({"source": tokens, "target": tokens, "attention": square, text: square}).encode()
    found: tuple[Trace, ...] = ()
    refused: AttentionFileError | None = None
    try:
        found = read(data, text[:20])
    except AttentionFileError as error:
        refused = error
    for one in found:
        assert Trace.from_json(one.to_json()) == one
    unwritable = any(not token or any("\ud800" <= sign <= "\udfff" for sign in token) for token in tokens)
    assert refused is None or "\n" not in str(refused)
    assert refused is None or unwritable or refused.kind in ("length", "long", "tokens", "no_words", "names"), refused


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
                    lambda inner: st.lists(inner, max_size=4)
                    | st.dictionaries(KEYS, inner),
                    max_leaves=20))  # fmt: skip
def test_any_json_is_read_or_refused(value: Any) -> None:
    with suppress(AttentionFileError):
        of(value)
    is_attention_file("any.txt", json.dumps(value).encode())


@given(st.binary(max_size=200), st.sampled_from([
    b"", b"{", b"[", b"PK\x03\x04", b"0 ||| a ||| 0 ||| b ||| ", b"\x93NUMPY", b"a ||| 0.5,0.5",
    b"S-0\ta\nH-0\t1\tb\nA-0\t", b"  a\nb 1.0000000\nSENT 1: [", b"\x80\x04",
]))  # fmt: skip
def test_any_bytes_are_read_or_refused(data: bytes, beginning: bytes) -> None:
    with suppress(AttentionFileError):
        read(beginning + data, "any")
    is_attention_file("any.txt", beginning + data)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_is_packed_as_numpy_packs_none_is_not_unpacked(method: int) -> None:
    """Such members unpack to any size, whatever the archive says of them: 293 bytes took 400 MB."""
    assert read_error(packed(method, source=b"\0" * 1_000_000)).kind == "npz"


def test_small_numbers_count_as_what_they_become() -> None:
    weights = np.zeros((2, 3000, 3000), dtype=np.int8)  # 18 MB, and 144 as floats
    assert read_error(build_npz(source=np.array(["a"]), target=np.array(["b"]), weights=weights)).kind == "unpacked"


def test_our_own_files_have_an_end_too() -> None:
    """For each word and piece of a side a place is kept: a small file of many words took half a gigabyte."""
    words = ["a"] * 3000
    side = {"text": " ".join(words), "words": words, "pieces": words, "word_of": list(range(3000))}
    given = json.dumps({"made_by": {}, "steps": [], "source": side, "target": side}).encode()
    found = read_error(given)
    assert (found.kind, found.values["got"]) == ("length", "3,000")


@pytest.mark.parametrize("matrix", [
    [["x" * 100_000, *[""] * 30_000]],  # 12 GB as an array of texts
    [[1, True]], [[1, None]], [[1, {}]],
], ids=["texts", "truth", "nothing", "object"])  # fmt: skip
def test_cells_that_are_no_numbers_are_refused_before_they_take_memory(matrix: Any) -> None:
    tracemalloc.start()
    try:
        data = json.dumps({"source": ["a"], "target": ["b"], "m": matrix}).encode()
        assert read_error(data).kind == "values"
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_a_trace_of_ours_has_no_more_maps_than_any_other_file() -> None:
    (one,) = of({"source": SOURCE, "target": TARGET, "attention": MATRIX})
    saved = json.loads(one.to_json())
    saved["maps"] = [saved["maps"][0] | {"layer": 1 + place, "head": 1} for place in range(MAP_LIMIT + 1)]
    assert read_error(json.dumps(saved).encode()).kind == "maps"
