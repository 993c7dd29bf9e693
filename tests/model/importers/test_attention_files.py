"""Tests of attention files: JSON, NPZ and NPY become Traces; anything else raises an error of one sentence."""

import io
import json
import pickle
import random
import re
import sys
import tracemalloc
import zipfile
from contextlib import suppress
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.analysis.alignment.trace_formats import format_nematus
from model.importers import (
    LENGTH_LIMIT,
    MAP_LIMIT,
    AttentionFileError,
    describe_attention_file,
    has_special_tokens,
    is_attention_file,
    read_attention,
)
from model.importers.errors import ImportProblem
from model.text.documents import BYTE_LIMIT
from model.trace import END_PIECE, Trace
from tests.hostile import CASES
from tests.traces import make_trace

KEYS = st.sampled_from(["source", "target", "attention", "maps", "provenance", "steps"])
SOURCE, TARGET = ["The", "cat", "sleeps", "."], ["Le", "chat", "dort", "."]
MATRIX = [[0.7, 0.1, 0.1, 0.1], [0.1, 0.8, 0.05, 0.05], [0.0, 0.1, 0.9, 0.0], [0.25, 0.25, 0.25, 0.25]]


def read_traces(data: bytes, name: str = "attention") -> tuple[Trace, ...]:
    return tuple(sentence.trace for sentence in read_attention(data, name).sentences)


def read_json_traces(value: Any, name: str = "mine.json") -> tuple[Trace, ...]:
    return read_traces(json.dumps(value).encode(), name)


def build_npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def build_zip(method: int, **members: bytes) -> bytes:
    """Return an archive of files with a compression method; a name without a dot gets the ending .npy."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name if "." in name else f"{name}.npy", content)
    return file.getvalue()


def build_npy_header(header: str) -> bytes:
    """Return an NPY file with this header and no data."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def build_npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def random_attention(*shape: int) -> np.ndarray:
    values = np.random.default_rng(3).random(shape)
    return values / values.sum(-1, keepdims=True)


def read_error(data: bytes, source: str = "", target: str = "") -> AttentionFileError:
    """Return the error of a file, after checking that its message is one sentence."""
    with pytest.raises(AttentionFileError) as caught:
        read_attention(data, "bad", source=source, target=target)
    message = str(caught.value)
    assert message.startswith("The file ")
    assert message.endswith((".", "}"))
    assert not re.search(r"\{[a-z]", message)
    return caught.value


# ---- JSON and NPZ --------------------------------------------------------------------------------------------------


@pytest.mark.verdict
def test_json_object_becomes_a_trace() -> None:
    (trace,) = read_json_traces({"source": SOURCE, "target": TARGET, "attention": MATRIX, "score": -3.5, "id": 7})
    assert (trace.source.words, trace.target.words) == (tuple(SOURCE), tuple(TARGET))
    assert np.allclose(trace.get_map().values, MATRIX)
    assert trace.get_map().rows_sum_to_one
    assert not trace.has_probabilities
    assert trace.provenance.model == "mine.json"
    assert not trace.is_finished


MISSING_ENDS = {  # lengths of source and target, shapes of maps, and the sides that get an end token
    "both": (3, 4, {"cross": (5, 4), "encoder": (4, 4), "decoder": (5, 5)}, (True, True)),
    "both, equal lengths": (4, 4, {"cross": (5, 5), "encoder": (5, 5), "decoder": (5, 5)}, (True, True)),
    "both, names without a role": (4, 4, {"decoded": (5, 5), "looks": (5, 5)}, (True, True)),
    "source": (3, 5, {"cross": (5, 4), "encoder": (4, 4), "decoder": (5, 5)}, (True, False)),
    "target": (4, 3, {"cross": (4, 4), "decoder": (4, 4)}, (False, True)),
    "none": (4, 3, {"cross": (3, 4), "encoder": (4, 4), "decoder": (3, 3)}, (False, False)),
}


@pytest.mark.parametrize(("source", "target", "shapes", "has_end"), MISSING_ENDS.values(), ids=MISSING_ENDS)
def test_missing_end_tokens_are_added_with_notes(
    source: int, target: int, shapes: dict[str, tuple[int, int]], has_end: tuple[bool, bool]
) -> None:
    maps = {name: random_attention(*shape) for name, shape in shapes.items()}
    data = build_npz(source=np.array(["a"] * source), target=np.array(["b"] * target), **maps)
    imported = read_attention(data, "attention.npz")
    note_kinds = {note.kind for note in imported.notes}
    assert ("end_of_source" in note_kinds, "end_of_target" in note_kinds) == has_end
    trace = imported.sentences[0].trace
    assert (trace.source.has_end, trace.target.has_end) == has_end
    assert (trace.source.pieces[-1] == END_PIECE, trace.is_finished) == has_end
    lengths = {"source": len(trace.source.pieces), "target": len(trace.target.pieces)}
    axes = {"encoder self-attention": ("source", "source"), "decoder self-attention": ("target", "target")}
    assert len(trace.maps) == len(shapes)
    for weight_map in trace.maps:
        assert (weight_map.rows, weight_map.columns) == axes.get(weight_map.name, ("target", "source"))
        assert weight_map.values.shape == (lengths[weight_map.rows], lengths[weight_map.columns])


def test_byte_level_characters_follow_gpt2_table() -> None:
    """Printable bytes stand for themselves, the others are characters from U+0100 on."""
    printable = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    code_points = iter(range(0x100, 0x200))
    table = {byte: chr(byte) if byte in printable else chr(next(code_points)) for byte in range(256)}
    characters = [chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0x180), 0x2026, 0x65E5, 0x1F600)]
    tokens = ["".join(table[byte] for byte in f" a{character}".encode()) for character in characters]
    for token, character in zip(tokens, characters, strict=True):
        (trace,) = read_json_traces({"src": [token], "trg": ["a"], "attention": [[1.0]]})
        assert trace.source.words == (f"a{character}",)


def test_archive_has_layers_and_heads() -> None:
    cross, encoder, decoder = (random_attention(3, 2, *shape) for shape in ((4, 5), (5, 5), (4, 4)))
    data = build_npz(source=np.array([*SOURCE, "</s>"]), target=np.array([*TARGET[:3], "</s>"]), cross=cross,
                     encoder=encoder, decoder=decoder)  # fmt: skip
    (trace,) = read_traces(data)
    assert trace.displayed_map_key == "cross-attention-l2"  # the mean of the last but one layer
    assert np.allclose(trace.get_map().values, cross[1].mean(0), atol=1e-6)
    assert np.allclose(trace.get_map("cross-attention-l3-h2").values, cross[2, 1], atol=1e-6)
    encoder_map = trace.get_map("encoder-self-attention-l1-h1")
    assert (encoder_map.rows, encoder_map.columns) == ("source", "source")
    assert np.allclose(encoder_map.values, encoder[0, 0], atol=1e-6)
    assert trace.get_map("decoder-self-attention-l2-h1").columns == "target"
    assert len(trace.maps) == 3 + 3 * 3 * 2


@pytest.mark.parametrize(("row", "sums_to_one"), [
    ([0.5005, 0.5005], True), ([0.4995, 0.4995], True), ([0.5, 0.502], False), ([0.2, 0.2], False),
])  # fmt: skip
def test_rounded_weights_sum_to_one(row: list[float], sums_to_one: bool) -> None:
    (trace,) = read_json_traces({"source": ["a", "b"], "target": ["c", "d"], "attention": [[row, [0.5, 0.5]]] * 2})
    assert [weight_map.rows_sum_to_one for weight_map in trace.maps] == [sums_to_one] * len(trace.maps)


@pytest.mark.parametrize(("names", "labels"), [
    (["어텐션", "가"], ["attention", "attention 2"]),
    (["one-map", "one_map", "One Map"], ["one map", "one map 2", "One Map 3"]),
    (["\ud800x", "y"], ["x", "y"]),
    (["a", "A"], ["a", "A 2"]),
    (["a" * 50, "a" * 60], ["a" * 40, "a" * 38 + " 2"]),
])  # fmt: skip
def test_any_names_of_maps_are_told_apart(names: list[str], labels: list[str]) -> None:
    maps = {name: [[0.5, 0.25]] for name in names}
    imported = read_attention(json.dumps({"source": ["a", "b"], "target": ["c"], **maps}).encode(), "mine.json")
    (sentence,) = imported.sentences
    assert [imported_map.label for imported_map in sentence.maps] == labels
    json.dumps([sentence.maps[0].name, *map(str, imported.notes)], ensure_ascii=False).encode()


def test_saved_trace_without_translation_has_no_special_tokens() -> None:
    assert has_special_tokens(make_trace())
    assert not has_special_tokens(make_trace(target="", order=()))


def test_saved_traces_are_read_unchanged() -> None:
    first, second = make_trace(), make_trace(order=None)
    assert read_traces(f"{first.to_json()}\n{second.to_json()}\n".encode()) == (first, second)
    third = make_trace(target="le chat ||| dort .", order=(0, 4, 5, 4, 13))
    from_nematus, with_bars = read_traces((format_nematus(0, first) + format_nematus(1, third)).encode())
    assert (from_nematus.source, from_nematus.target) == (first.source, first.target)
    assert not from_nematus.has_probabilities
    assert np.allclose(from_nematus.get_map().values, first.get_map().values, atol=1e-5)
    assert with_bars.target.words == ("le", "chat", "|||", "dort", ".")


@pytest.mark.parametrize("blank_text", ["", "\r\n \r\n", "\r"])
def test_errors_count_lines_from_the_top_of_the_file(blank_text: str) -> None:
    """Empty lines count; line separators inside JSON strings don't."""
    blank_lines = blank_text.replace("\r\n", "\n").count("\n") or blank_text.count("\r")
    good = json.dumps({"source": "a\u2028b", "target": "c\x85", "x": [[1.0, 0.0]]}, ensure_ascii=False)
    imported = read_attention(f'{blank_text}{good}\n{good}\r\n{{"source": '.encode(), "n")
    assert len(imported.sentences) == 2
    (error,) = [note.reason for note in imported.notes if note.reason]
    assert (error.kind, error.values["line"]) == ("json", str(blank_lines + 3))
    multiline = read_error(f'{blank_text}{{"source": ["a"],\r"target": [}}'.encode())
    assert (multiline.kind, multiline.values["line"]) == ("json", str(blank_lines + 2))
    nematus = read_error(f"{blank_text}0 ||| b ||| 0 ||| a ||| 1 1\n1\n\n0 ||| b\n".encode())
    assert (nematus.kind, nematus.values["line"]) == ("header", str(blank_lines + 4))


# ---- Errors --------------------------------------------------------------------------------------------------------


def build_sentence(
    name: str, rows: int, columns: int, source: str = "a b c </s>", target: str = "d e f g h </s>"
) -> bytes:
    """Return JSON of a sentence with one map of this name and shape."""
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
    "not_cross": build_sentence("cross_attentions", 4, 4),
    "not_encoder": build_sentence("encoder_attentions", 6, 4),
    "not_decoder": build_sentence("decoder_self_attn", 6, 4),
    "start": build_sentence("cross_attentions", 5, 4, target="<s> d e f g </s>"),
    "missing_source": build_sentence("cross_attentions", 6, 5),
    "missing_target": build_sentence("cross_attentions", 7, 4),
    "unclear": build_sentence("attention", 5, 5, source="a b c d </s>"),
    "transposed": build_sentence("cross_attentions", 4, 6),
    "subwords": b"0 ||| d e f ||| 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 0.2,0.8 ||| F0= -1 ||| -1",
    "values": b'{"source": ["a"], "target": ["b"], "attention": [[NaN]]}',
    "range": b'{"source": ["a"], "target": ["b"], "attention": [[-4.25]]}',
    "maps": build_npz(source=np.array(["a"]), target=np.array(["b"]), cross=np.ones((30, 20, 1, 1))),
    "names": b'{"source": ["a"], "target": ["b"], "attention": [[[[1]]], [[[1]]]], "attention l2": [[1]]}',
    "axes": b'{"source": ["a"], "target": ["b"], "attention": [[1]], "axes": {"attention": ["source", "target"]}}',
    "header": b"0 ||| b ||| 0 ||| a ||| 1 1\n1\n0 ||| b\n",
    "rows": b"0 ||| b ||| 0 ||| a ||| 2 2\n0.5 0.5\n0.5\n",
    "hard": b"le chat ||| 0-0 1-1\n",
    "no_attention": b"S-0\tthe cat\nH-0\t-0.3\tle chat\n",
    "need_tokens": b"[[0.5, 0.5], [0.25, 0.75]]",
    "lines": b"0.5,0.5 0.2,0.8\n0.5,0.5 0.2,0.8\n",
    "sentences": json.dumps([{"source": "a", "target": "b", "attention": [[1]]}] * 501).encode(),
    "trace": b'{"provenance": 1, "steps": []}',
}  # fmt: skip
PASTED_TOKENS = {kind: {"source": "a", "target": "b c"} for kind in ("lines", "subwords")}
"""The user's tokens for invalid files that need some."""


@pytest.mark.verdict
@pytest.mark.parametrize("kind", get_args(ImportProblem))
def test_every_problem_has_a_message(kind: ImportProblem) -> None:
    assert read_error(INVALID_FILES[kind], **PASTED_TOKENS.get(kind, {})).kind == kind


def test_pickled_objects_are_never_loaded() -> None:
    objects = np.array([{"a": 1}], dtype=object)
    for data in (build_npz(source=objects, target=np.array(["b"])), build_npy(objects), pickle.dumps({"a": ["b"]}),
                 build_zip(zipfile.ZIP_STORED, **{"archive/data.pkl": pickle.dumps([1])})):  # fmt: skip
        assert read_error(data).kind == "pickled"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_damaged_archive_is_read_or_refused(method: int) -> None:
    intact = build_zip(method, source=build_npy(np.array(SOURCE)), target=build_npy(np.array(TARGET)),
                       cross=build_npy(random_attention(2, 4, 4)))  # fmt: skip
    assert read_traces(intact)[0].source.words == tuple(SOURCE)
    rng = random.Random(method)
    for _ in range(300):
        damaged = bytearray(intact)
        damaged[rng.randrange(4, len(intact))] ^= rng.randrange(1, 256)
        with suppress(AttentionFileError):
            read_traces(bytes(damaged))


@pytest.mark.parametrize("data", [
    # Compression that numpy never uses unpacks to any size, whatever the archive states: 293 bytes took 400 MB.
    *(build_zip(method, source=b"\0" * 1_000_000) for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)),
    *(build_zip(zipfile.ZIP_STORED, source=build_npy_header(header)) for header in (
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2L\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }\n",
        "(" * 5000,
    )),
], ids=["bzip2", "lzma", "python 2 header", "huge shape", "deep header"])  # fmt: skip
def test_unusual_archive_is_refused(data: bytes) -> None:
    assert read_error(data).kind == "npz"


def test_other_files_in_an_archive_are_ignored() -> None:
    arrays = {"source": SOURCE, "target": TARGET, "attention": MATRIX}
    members = {name: build_npy(np.array(values)) for name, values in arrays.items()}
    (trace,) = read_traces(build_zip(zipfile.ZIP_STORED, **members, **{"readme.txt": b"my weights"}))
    assert trace.source.words == tuple(SOURCE)


def test_too_few_pasted_lines_are_counted() -> None:
    error = read_error(b"0.5,0.5 0.2,0.8\n" * 5, source="a b\nc d", target="a b\n" * 5)
    assert (error.kind, error.values) == ("lines", {"side": "source", "got": "2", "expected": "5"})


def test_axes_that_are_no_object_are_refused() -> None:
    sentence = {"source": SOURCE, "target": TARGET, "attention": MATRIX}
    assert read_error(json.dumps(sentence | {"axes": ["target", "source"]}).encode()).kind == "axes"
    (trace,) = read_json_traces({"source": SOURCE, "target": TARGET, "axes": MATRIX})  # a map of this name
    assert trace.get_map().name == "axes"


def test_huge_number_is_refused() -> None:
    assert read_error(b'[["a", "b", 1' + b"0" * 400 + b"]]").kind == "need_tokens"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"source": ' * 100_000, "{}" * 600, "[[" * 40 + "1" + "]]" * 40])
def test_deep_nesting_and_many_objects_are_refused(text: str) -> None:
    assert read_error(text.encode()).kind in ("json", "sentences", "shape", "need_tokens")
    assert not is_attention_file("text.txt", b"SENT 1: " + text.encode())


@pytest.mark.parametrize("depth", [7, 33, 65, 500])  # numpy has 32 or 64 axes, by version and function
@pytest.mark.parametrize("side", [["a"], [["a"], ["b"]]], ids=["sentence", "batch"])
def test_deeply_nested_weights_are_refused(side: list[Any], depth: int) -> None:
    weights = "[" * depth + "1" + "]" * depth
    error = read_error(f'{{"source": {json.dumps(side)}, "target": {json.dumps(side)}, "m": {weights}}}'.encode())
    assert (error.kind, error.values["got"]) == ("shape", "1 × 1 × 1 × 1 × 1 × 1 × …")


def test_deeply_nested_saved_trace_is_refused() -> None:
    """Some depths are read but can't be written again."""
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        text = '{"steps": ' + "[" * depth + "]" * depth + ', "provenance": {}}'
        assert read_error(text.encode()).kind in ("json", "trace")


def test_long_line_of_bars_is_refused() -> None:
    assert read_error(("0 ||| " + "||| a " * 50_000).encode()).kind == "format"  # with backtracking it would take hours


def test_merged_note_says_whose_numbers_it_has() -> None:
    sentences = [{"source": ["a", "b"], "target": ["c"], "cross": [[share, 0.0]]} for share in (0.5, 0.9)]
    (note,) = read_attention(json.dumps(sentences).encode(), "mine.json").notes
    assert str(note) == "The rows of cross do not all sum to 1 (sentence 1, 2): row 1 of sentence 1 sums to 0.5."


def test_description_has_tokens_words_maps_and_notes() -> None:
    source, target = ["<s>", "▁Old", "▁har", "bour", "</s>"], ["▁Vieux", "▁port"]
    data = build_npz(source=source, target=target, cross_attentions=random_attention(2, 4, 3, 5),
                     encoder_attentions=random_attention(5, 5))  # fmt: skip
    assert describe_attention_file("maps.npz", data) == {
        "kind": "attention",
        "sentences": [{
            "number": 1,
            "source": {"tokens": source, "words": ["Old", "harbour"]},
            "target": {"tokens": [*target, "</s>"], "words": ["Vieux", "port"]},
            "maps": [
                {"name": "cross_attentions", "rows": "target", "columns": "source", "shape": [3, 5], "layers": 2,
                 "heads": 4},
                {"name": "encoder_attentions", "rows": "source", "columns": "source", "shape": [5, 5], "layers": 1,
                 "heads": 1},
            ],
        }],
        "notes": ["The weights have one row more than there are target tokens (sentence 1). It is read as the end of "
                  "the sentence; if it is anything else, list it among the tokens."],
    }  # fmt: skip


# ---- Memory --------------------------------------------------------------------------------------------------------


def test_a_billion_empty_tokens_are_refused() -> None:
    """Empty strings take no space in a file, whatever number its header states."""
    header = "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000,), }\n"
    tokens = build_npy_header(header)
    cross = build_npy(random_attention(2, 2))
    error = read_error(build_zip(zipfile.ZIP_STORED, source=tokens, target=tokens, cross=cross))
    assert (error.kind, error.values["got"]) == ("length", "1,000,000,000")


def test_integers_count_as_the_floats_that_they_become() -> None:
    weights = np.zeros((2, 3000, 3000), dtype=np.int8)  # 18 MB, and 144 as floats
    assert read_error(build_npz(source=np.array(["a"]), target=np.array(["b"]), weights=weights)).kind == "unpacked"


@pytest.mark.parametrize("sizes", [[5000], [2200, 2200]], ids=["one map", "two maps"])
def test_padded_steps_have_a_limit(sizes: list[int]) -> None:
    """One long step widens all others: a file of some kilobytes could fill the memory."""
    maps = {f"m{number}": [[[[1]]]] * (size - 1) + [[[[0] * size]]] for number, size in enumerate(sizes)}
    error = read_error(json.dumps({"source": ["a"], "target": ["b"], **maps}).encode())
    assert (error.kind, error.values["got"]) == ("unpacked", f"{8 * sum(size**2 for size in sizes):,}")


def test_saved_traces_have_limits_too() -> None:
    words = ["a"] * 3000
    side = {"text": " ".join(words), "words": words, "pieces": words, "word_of": list(range(3000))}
    error = read_error(json.dumps({"provenance": {}, "steps": [], "source": side, "target": side}).encode())
    assert (error.kind, error.values["got"]) == ("length", "3,000")
    (trace,) = read_json_traces({"source": SOURCE, "target": TARGET, "attention": MATRIX})
    saved = json.loads(trace.to_json())
    saved["maps"] = [saved["maps"][0] | {"layer": 1 + index, "head": 1} for index in range(MAP_LIMIT + 1)]
    assert read_error(json.dumps(saved).encode()).kind == "maps"


@pytest.mark.parametrize("matrix", [
    [["x" * 100_000, *[""] * 30_000]],  # 12 GB as an array of strings
    [[1, True]], [[1, None]], [[1, {}]],
], ids=["strings", "boolean", "null", "object"])  # fmt: skip
def test_cells_that_are_not_numbers_take_little_memory(matrix: Any) -> None:
    tracemalloc.start()
    try:
        data = json.dumps({"source": ["a"], "target": ["b"], "m": matrix}).encode()
        assert read_error(data).kind == "values"
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


# ---- Any input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_hostile_tokens_are_read_or_refused(text: str) -> None:
    tokens = text.split()[:50] or ["x"]
    matrix = np.eye(len(tokens)).tolist()
    data = json.dumps({"source": tokens, "target": tokens, "attention": matrix, text: matrix}).encode()
    is_unwritable = any(not token or any("\ud800" <= sign <= "\udfff" for sign in token) for token in tokens)
    try:
        traces = read_traces(data, text[:20])
    except AttentionFileError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either outcome is right
        assert is_unwritable or error.kind in ("length", "long", "tokens", "no_words", "names"), error  # noqa: PT017
    else:
        assert all(Trace.from_json(trace.to_json()) == trace for trace in traces)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
                    lambda children: st.lists(children, max_size=4) | st.dictionaries(KEYS, children),
                    max_leaves=20))  # fmt: skip
def test_any_json_is_read_or_refused(value: Any) -> None:
    with suppress(AttentionFileError):
        read_json_traces(value)
    is_attention_file("any.txt", json.dumps(value).encode())


@given(st.binary(max_size=200), st.sampled_from([
    b"", b"{", b"[", b"PK\x03\x04", b"0 ||| a ||| 0 ||| b ||| ", b"\x93NUMPY", b"a ||| 0.5,0.5",
    b"S-0\ta\nH-0\t1\tb\nA-0\t", b"  a\nb 1.0000000\nSENT 1: [", b"\x80\x04",
]))  # fmt: skip
def test_any_bytes_are_read_or_refused(data: bytes, first_bytes: bytes) -> None:
    with suppress(AttentionFileError):
        read_traces(first_bytes + data)
    is_attention_file("any.txt", first_bytes + data)
